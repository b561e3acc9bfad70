using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

/// <summary>The C library's file calls that .NET does not offer. Constants are those of x64 and arm64.</summary>
internal static unsafe partial class LinuxCalls
{
    public const int ReadOnly = 0, ReadWrite = 2, Create = 0x40, Exclusive = 0x80, NonBlocking = 0x800, NoAccessTime = 0x40000, CloseOnExec = 0x80000;
    public const int AtFdCwd = -100, AtSymlinkNoFollow = 0x100, AtSymlinkFollow = 0x400, AtEmptyPath = 0x1000;
    public const int SeekData = 3, SeekHole = 4;
    public const int FadviseDontNeed = 4;
    public const int SetOpenFileLock = 37;

    // arm64 swaps these four against x64 (asm/fcntl.h of each).
    private static readonly bool s_arm = RuntimeInformation.ProcessArchitecture is Architecture.Arm64 or Architecture.Arm;
    public static readonly int Direct = s_arm ? 0x10000 : 0x4000;
    public static readonly int Directory = s_arm ? 0x4000 : 0x10000;
    public static readonly int NoFollow = s_arm ? 0x8000 : 0x20000;
    public static readonly int TemporaryFile = 0x400000 | Directory;

    /// <summary>struct statx of linux/stat.h, 256 bytes.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    public struct Statx
    {
        [FieldOffset(0)] public uint Mask;
        [FieldOffset(4)] public uint BlockSize;
        [FieldOffset(8)] public ulong Attributes;
        [FieldOffset(16)] public uint LinkCount;
        [FieldOffset(28)] public ushort Mode;
        [FieldOffset(32)] public ulong Inode;
        [FieldOffset(40)] public ulong Size;
        [FieldOffset(48)] public ulong Blocks;
        [FieldOffset(80)] public long BirthSeconds;
        [FieldOffset(88)] public uint BirthNanoseconds;
        [FieldOffset(112)] public long ModifiedSeconds;
        [FieldOffset(120)] public uint ModifiedNanoseconds;
        [FieldOffset(128)] public uint SpecialMajor;
        [FieldOffset(132)] public uint SpecialMinor;
        [FieldOffset(136)] public uint DeviceMajor;
        [FieldOffset(140)] public uint DeviceMinor;
        [FieldOffset(144)] public ulong MountId;
        [FieldOffset(152)] public uint DirectMemoryAlignment;
        [FieldOffset(156)] public uint DirectOffsetAlignment;

        public const uint BasicStats = 0x7FF, BirthTime = 0x800, MountIdMask = 0x1000, DirectAlignment = 0x2000;
        public const ulong AttributeCompressed = 0x4, AttributeImmutable = 0x10, AttributeAppendOnly = 0x20, AttributeEncrypted = 0x800;
    }

    /// <summary>struct flock of 64-bit Linux.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 32)]
    public struct RangeLock
    {
        [FieldOffset(0)] public short Type;
        [FieldOffset(2)] public short Whence;
        [FieldOffset(8)] public long Start;
        [FieldOffset(16)] public long Length;
        [FieldOffset(24)] public int Process;

        public const short ForWriting = 1;
    }

    /// <summary>struct statvfs of 64-bit glibc and musl, up to the flags.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 112)]
    public struct StatVfs
    {
        [FieldOffset(0)] public ulong BlockSize;
        [FieldOffset(8)] public ulong FragmentSize;
        [FieldOffset(16)] public ulong Blocks;
        [FieldOffset(24)] public ulong Free;
        [FieldOffset(32)] public ulong Available;
    }

    [LibraryImport("libc", EntryPoint = "open", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Open(string path, int flags, uint mode);

    [LibraryImport("libc", EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetStatx(int folder, string path, int flags, uint mask, Statx* result);

    [LibraryImport("libc", EntryPoint = "statvfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetStatVfs(string path, StatVfs* result);

    [LibraryImport("libc", EntryPoint = "linkat", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int LinkAt(int fromFolder, string from, int toFolder, string to, int flags);

    [LibraryImport("libc", EntryPoint = "unlink", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Unlink(string path);

    [LibraryImport("libc", EntryPoint = "access", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Access(string path, int mode);

    [LibraryImport("libc", EntryPoint = "fallocate", SetLastError = true)]
    public static partial int Fallocate(SafeFileHandle file, int mode, long offset, long length);

    [LibraryImport("libc", EntryPoint = "ftruncate", SetLastError = true)]
    public static partial int Truncate(SafeFileHandle file, long size);

    [LibraryImport("libc", EntryPoint = "pwrite", SetLastError = true)]
    public static partial nint Write(SafeFileHandle file, byte* buffer, nint length, long offset);

    [LibraryImport("libc", EntryPoint = "lseek", SetLastError = true)]
    public static partial long Seek(SafeFileHandle file, long offset, int whence);

    [LibraryImport("libc", EntryPoint = "fsync", SetLastError = true)]
    public static partial int Sync(SafeFileHandle file);

    [LibraryImport("libc", EntryPoint = "posix_fadvise")]
    public static partial int Advise(SafeFileHandle file, long offset, long length, int advice);

    [LibraryImport("libc", EntryPoint = "fcntl", SetLastError = true)]
    public static partial int Lock(SafeFileHandle file, int operation, RangeLock* range);

    [LibraryImport("libc", EntryPoint = "fgetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial nint GetAttribute(SafeFileHandle file, string name, byte* value, nint size);

    [LibraryImport("libc", EntryPoint = "fsetxattr", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int SetAttribute(SafeFileHandle file, string name, byte* value, nint size, int flags);

    [LibraryImport("libc", EntryPoint = "ioctl", SetLastError = true)]
    public static partial int Control(SafeFileHandle file, nuint request, void* argument);
}
