using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int O_RDONLY = 0,
        O_RDWR = 2,
        O_CREAT = 0x40,
        O_EXCL = 0x80,
        O_NONBLOCK = 0x800,
        O_DSYNC = 0x1000,
        O_NOATIME = 0x40000,
        O_CLOEXEC = 0x80000,
        O_PATH = 0x200000;

    // arm64 and x64 swap these four values (asm/fcntl.h of each).
    private static readonly bool s_arm = RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;
    public static readonly int O_DIRECT = s_arm ? 0x10000 : 0x4000;
    public static readonly int O_DIRECTORY = s_arm ? 0x4000 : 0x10000;
    public static readonly int O_NOFOLLOW = s_arm ? 0x8000 : 0x20000;
    public static readonly int O_TMPFILE = 0x400000 | O_DIRECTORY;

    public const int SEEK_HOLE = 4;
    public const int POSIX_FADV_RANDOM = 1,
        POSIX_FADV_SEQUENTIAL = 2,
        POSIX_FADV_DONTNEED = 4;

    public const nuint BLKROGET = 0x125E,
        BLKSSZGET = 0x1268,
        BLKPBSZGET = 0x127B,
        BLKGETSIZE64 = 0x80081272,
        BLKGETDISKSEQ = 0x80081280,
        LOOP_GET_STATUS64 = 0x4C05;

    public static readonly int SYS_renameat2 = IsX64 ? 316 : 276;

    [DllImport(LibC, EntryPoint = "close")]
    public static extern int Close(int descriptor);

    [DllImport(LibC, EntryPoint = "pread64")]
    public static extern nint Pread(int descriptor, void* buffer, nuint count, long offset);

    [DllImport(LibC, EntryPoint = "pwrite64")]
    public static extern nint Pwrite(int descriptor, void* buffer, nuint count, long offset);

    [DllImport(LibC, EntryPoint = "fdatasync")]
    public static extern int Fdatasync(int descriptor);

    [LibraryImport(LibC, EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport(LibC, EntryPoint = "openat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int OpenAt(SafeFileHandle folder, string name, int flags, uint mode);

    [LibraryImport(LibC, EntryPoint = "readlinkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint ReadLinkAt(SafeFileHandle folder, string name, byte* target, nint size);

    [LibraryImport(LibC, EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LinkAt(int fromFolder, string from, int toFolder, string to, int flags);

    [LibraryImport(LibC, EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LinkAt(SafeFileHandle fromFolder, string from, SafeFileHandle toFolder, string to, int flags);

    [LibraryImport(LibC, EntryPoint = "unlinkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int UnlinkAt(SafeFileHandle folder, string name, int flags);

    [LibraryImport(LibC, EntryPoint = "renameat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int RenameAt(SafeFileHandle fromFolder, string from, SafeFileHandle toFolder, string to);

    [LibraryImport(LibC, EntryPoint = "fallocate", SetLastError = true)]
    public static partial int Fallocate(SafeFileHandle file, int mode, long offset, long length);

    [LibraryImport(LibC, EntryPoint = "ftruncate", SetLastError = true)]
    public static partial int Truncate(SafeFileHandle file, long size);

    [LibraryImport(LibC, EntryPoint = "pwrite", SetLastError = true)]
    public static partial nint Write(SafeFileHandle file, byte* buffer, nint length, long offset);

    /// <summary>For descriptors without a position, which .NET does not read.</summary>
    [LibraryImport(LibC, EntryPoint = "read", SetLastError = true)]
    public static partial nint Read(SafeFileHandle file, byte* buffer, nint length);

    [LibraryImport(LibC, EntryPoint = "lseek", SetLastError = true)]
    public static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport(LibC, EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(SafeFileHandle file);

    [LibraryImport(LibC, EntryPoint = "posix_fadvise")]
    public static partial int Advise(SafeFileHandle file, long offset, long length, int advice);

    [LibraryImport(LibC, EntryPoint = "fgetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint GetAttribute(SafeFileHandle file, string name, byte* value, nint size);

    [LibraryImport(LibC, EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetAttribute(SafeFileHandle file, string name, byte* value, nint size, int flags);

    [LibraryImport(LibC, EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(SafeFileHandle file, nuint request, void* argument);
}
