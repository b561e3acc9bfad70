using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal static unsafe partial class LinuxCalls
{
    public const int AT_FDCWD = -100,
        AT_SYMLINK_NOFOLLOW = 0x100,
        AT_SYMLINK_FOLLOW = 0x400,
        AT_EMPTY_PATH = 0x1000;

    /// <summary>struct statx of linux/stat.h, 256 bytes.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 256)]
    public struct Statx
    {
        [FieldOffset(0)]
        public uint Mask;

        [FieldOffset(4)]
        public uint BlockSize;

        [FieldOffset(8)]
        public ulong Attributes;

        [FieldOffset(16)]
        public uint LinkCount;

        [FieldOffset(20)]
        public uint UserId;

        [FieldOffset(24)]
        public uint GroupId;

        [FieldOffset(28)]
        public ushort Mode;

        [FieldOffset(32)]
        public ulong Inode;

        [FieldOffset(40)]
        public ulong Size;

        [FieldOffset(48)]
        public ulong Blocks;

        [FieldOffset(80)]
        public long BirthSeconds;

        [FieldOffset(88)]
        public uint BirthNanoseconds;

        [FieldOffset(96)]
        public long ChangedSeconds;

        [FieldOffset(104)]
        public uint ChangedNanoseconds;

        [FieldOffset(112)]
        public long ModifiedSeconds;

        [FieldOffset(120)]
        public uint ModifiedNanoseconds;

        [FieldOffset(128)]
        public uint SpecialMajor;

        [FieldOffset(132)]
        public uint SpecialMinor;

        [FieldOffset(136)]
        public uint DeviceMajor;

        [FieldOffset(140)]
        public uint DeviceMinor;

        [FieldOffset(144)]
        public ulong MountId;

        [FieldOffset(152)]
        public uint DirectMemoryAlignment;

        [FieldOffset(156)]
        public uint DirectOffsetAlignment;

        [FieldOffset(160)]
        public ulong Subvolume;

        public const uint BasicStats = 0x7FF,
            BirthTime = 0x800,
            MountIdMask = 0x1000,
            DirectAlignment = 0x2000,
            SubvolumeMask = 0x8000;
        public const ulong AttributeCompressed = 0x4,
            AttributeEncrypted = 0x800;

        public const int Pipe = 0x1000,
            Folder = 0x4000,
            BlockDevice = 0x6000,
            RegularFile = 0x8000,
            Link = 0xA000,
            Socket = 0xC000;

        public const int WritableByAll = 0x2,
            WritableByGroup = 0x10,
            Sticky = 0x200;

        private const int FormatMask = 0xF000;

        // S_IWUSR | S_IWGRP | S_IWOTH
        public readonly bool HasWritePermission => (Mode & 0x92) != 0;

        public readonly int FileType => Mode & FormatMask;

        public readonly string DeviceNumber => FormatDeviceNumber(DeviceMajor, DeviceMinor);

        public readonly string SpecialDeviceNumber => FormatDeviceNumber(SpecialMajor, SpecialMinor);

        private static string FormatDeviceNumber(uint major, uint minor) => string.Create(CultureInfo.InvariantCulture, $"{major}:{minor}");
    }

    [StructLayout(LayoutKind.Explicit, Size = 112)]
    public struct StatVfs
    {
        [FieldOffset(0)]
        public ulong BlockSize;

        [FieldOffset(8)]
        public ulong FragmentSize;

        [FieldOffset(16)]
        public ulong Blocks;

        [FieldOffset(24)]
        public ulong Free;

        [FieldOffset(32)]
        public ulong Available;
    }

    [LibraryImport(LibC, EntryPoint = "statx", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetStatx(int folder, string path, int flags, uint mask, Statx* result);

    [LibraryImport(LibC, EntryPoint = "statvfs", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int GetStatVfs(string path, StatVfs* result);

    [LibraryImport(LibC, EntryPoint = "access", SetLastError = true, StringMarshalling = StringMarshalling.Utf8)]
    public static partial int Access(string path, int mode);
}
