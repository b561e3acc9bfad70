using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// The C library's calls that the backends use. Blittable signatures only, so that a call costs 2-3 ns; after -1 the reason is
/// <see cref="Marshal.GetLastSystemError"/>. Numbers are the kernel's for x64 and arm64.
/// </summary>
internal static unsafe class LinuxNative
{
    private const string LibC = "libc";

    public const int O_RDONLY = 0, O_RDWR = 2, O_DSYNC = 0x1000, O_CLOEXEC = 0x80000, O_NOATIME = 0x40000;

    /// <summary>The one open flag that differs: on arm64, 0x4000 means a directory.</summary>
    public static readonly int O_DIRECT = RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm ? 0x10000 : 0x4000;

    public const int EPERM = 1, ENOENT = 2, EINTR = 4, EIO = 5, EAGAIN = 11, ENOMEM = 12, EACCES = 13, EBUSY = 16, EINVAL = 22, ENFILE = 23,
        EMFILE = 24, ENOSPC = 28, ENOSYS = 38, ETIME = 62, EOPNOTSUPP = 95, EDQUOT = 122, ECANCELED = 125;

    public const int PROT_READ = 1, PROT_WRITE = 2, MAP_SHARED = 1, MAP_PRIVATE = 2, MAP_ANONYMOUS = 0x20, MAP_HUGETLB = 0x40000, MAP_POPULATE = 0x8000, MADV_HUGEPAGE = 14, POSIX_FADV_RANDOM = 1, POSIX_FADV_SEQUENTIAL = 2;
    public const int PR_SET_TIMERSLACK = 29, RLIMIT_NPROC = 6, RLIMIT_NOFILE = 7, RLIMIT_MEMLOCK = 8;

    public const int SYS_io_uring_setup = 425, SYS_io_uring_enter = 426, SYS_io_uring_register = 427;
    private static readonly bool s_x64 = RuntimeInformation.ProcessArchitecture == Architecture.X64;
    public static readonly int SYS_io_setup = s_x64 ? 206 : 0, SYS_io_destroy = s_x64 ? 207 : 1, SYS_io_getevents = s_x64 ? 208 : 4, SYS_io_submit = s_x64 ? 209 : 2,
        SYS_ioprio_set = s_x64 ? 251 : 30;

    /// <summary>The general system call: variadic in C, which on Linux x64 and arm64 passes integers like any function.</summary>
    [DllImport(LibC, EntryPoint = "syscall")]
    public static extern nint Syscall(nint number, nint a1, nint a2, nint a3, nint a4, nint a5, nint a6);

    [DllImport(LibC, EntryPoint = "open")]
    public static extern int Open(byte* path, int flags, int mode);

    [DllImport(LibC, EntryPoint = "close")]
    public static extern int Close(int descriptor);

    [DllImport(LibC, EntryPoint = "mmap")]
    public static extern byte* Mmap(void* address, nuint length, int protection, int flags, int descriptor, nint offset);

    [DllImport(LibC, EntryPoint = "munmap")]
    public static extern int Munmap(void* address, nuint length);

    [DllImport(LibC, EntryPoint = "madvise")]
    public static extern int Madvise(void* address, nuint length, int advice);

    [DllImport(LibC, EntryPoint = "pread64")]
    public static extern nint Pread(int descriptor, void* buffer, nuint count, long offset);

    [DllImport(LibC, EntryPoint = "pwrite64")]
    public static extern nint Pwrite(int descriptor, void* buffer, nuint count, long offset);

    [DllImport(LibC, EntryPoint = "fdatasync")]
    public static extern int Fdatasync(int descriptor);

    [DllImport(LibC, EntryPoint = "posix_fadvise")]
    public static extern int Fadvise(int descriptor, long offset, long length, int advice);

    [DllImport(LibC, EntryPoint = "prctl")]
    public static extern int Prctl(int option, nint a2, nint a3, nint a4, nint a5);

    [DllImport(LibC, EntryPoint = "sched_setaffinity")]
    public static extern int SchedSetAffinity(int process, nuint size, void* mask);

    [DllImport(LibC, EntryPoint = "sched_getaffinity")]
    public static extern int SchedGetAffinity(int process, nuint size, void* mask);

    /// <summary>User and kernel time of a process (who = 0): struct rusage begins with two timevals.</summary>
    [DllImport(LibC, EntryPoint = "getrusage")]
    public static extern int GetRusage(int who, long* usage);

    [DllImport(LibC, EntryPoint = "getrlimit")]
    public static extern int GetRlimit(int resource, ulong* limits);

    /// <summary>Seconds and nanoseconds, as the kernel takes them.</summary>
    public struct Timespec
    {
        public long Seconds;
        public long Nanoseconds;

        /// <summary>The time from now to a moment, at least 0.</summary>
        public static Timespec Until(long moment)
        {
            var left = Math.Max(0, moment - Clock.Now);
            return new Timespec { Seconds = left / Clock.Second, Nanoseconds = left % Clock.Second };
        }
    }
}
