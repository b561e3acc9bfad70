using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint IOCTL_DISK_PERFORMANCE = 0x70020,
        IOCTL_DISK_GET_DISK_ATTRIBUTES = 0x700F0,
        IOCTL_DISK_GET_LENGTH_INFO = 0x7405C,
        IOCTL_STORAGE_QUERY_PROPERTY = 0x2D1400,
        FSCTL_ALLOW_EXTENDED_DASD_IO = 0x90083;
    public const ulong DISK_ATTRIBUTE_OFFLINE = 1,
        DISK_ATTRIBUTE_READ_ONLY = 2;

    /// <summary>DISK_PERFORMANCE. Times are in units of 100 ns.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct DiskPerformance
    {
        public long BytesRead,
            BytesWritten,
            ReadTime,
            WriteTime,
            IdleTime;
        public uint ReadCount,
            WriteCount,
            QueueDepth,
            SplitCount;
        public long QueryTime;
        public uint StorageDeviceNumber;
        public fixed char StorageManagerName[8];
    }

    public const int StorageDeviceProperty = 0,
        StorageDeviceWriteCacheProperty = 4,
        StorageAccessAlignmentProperty = 6,
        StorageDeviceSeekPenaltyProperty = 7;

    public const uint FILE_NAMED_STREAMS = 0x00040000,
        FILE_READ_ONLY_VOLUME = 0x00080000;

    [LibraryImport(Kernel, EntryPoint = "GetDiskFreeSpaceExW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetDiskFreeSpace(string path, ulong* available, ulong* total, ulong* free);

    [LibraryImport(Kernel, EntryPoint = "GetDiskFreeSpaceW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetDiskGeometry(
        string root,
        uint* sectorsPerCluster,
        uint* bytesPerSector,
        uint* freeClusters,
        uint* clusters
    );

    [LibraryImport(Kernel, EntryPoint = "GetVolumePathNameW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolumePathName(string path, char* volume, uint length);

    [LibraryImport(
        Kernel,
        EntryPoint = "GetVolumeNameForVolumeMountPointW",
        SetLastError = true,
        StringMarshalling = StringMarshalling.Utf16
    )]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolumeNameForVolumeMountPoint(string root, char* name, uint length);

    [LibraryImport(Kernel, EntryPoint = "GetVolumeInformationW", SetLastError = true, StringMarshalling = StringMarshalling.Utf16)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool GetVolumeInformation(
        string root,
        char* name,
        uint nameLength,
        uint* serial,
        uint* longestPart,
        uint* flags,
        char* fileSystem,
        uint fileSystemLength
    );

    [LibraryImport(Kernel, SetLastError = true)]
    [return: MarshalAs(UnmanagedType.Bool)]
    public static partial bool DeviceIoControl(
        SafeFileHandle device,
        uint code,
        void* input,
        uint inputSize,
        void* output,
        uint outputSize,
        uint* returned,
        nint overlapped
    );
}
