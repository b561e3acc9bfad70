using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal static unsafe partial class WindowsCalls
{
    public const uint FSCTL_QUERY_ALLOCATED_RANGES = 0x940CF,
        FSCTL_QUERY_FILE_REGIONS = 0x90284,
        FSCTL_IS_CSV_FILE = 0x90248,
        FSCTL_CSV_CONTROL = 0x902D4,
        IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS = 0x560000;

    /// <summary>Ranges up to the valid data length. Reads beyond it return zeros without access to the device.</summary>
    public const uint FILE_REGION_USAGE_VALID_CACHED_DATA = 1;

    /// <summary>A value of CSV_CONTROL_OP. The values 2 and 3 next to it change how a file is accessed.</summary>
    public const int CsvControlQueryRedirectState = 4;

    public const int StorageAdapterProperty = 1,
        StorageDeviceLBProvisioningProperty = 11,
        StorageDeviceIoCapabilityProperty = 48,
        FileRemoteProtocolInfo = 13;

    /// <summary>Protocol and flags of a share in FILE_REMOTE_PROTOCOL_INFO.</summary>
    public const uint WNNC_NET_SMB = 0x00020000,
        REMOTE_PROTOCOL_INFO_FLAG_LOOPBACK = 1,
        REMOTE_PROTOCOL_INFO_FLAG_OFFLINE = 2,
        RPI_FLAG_SMB2_SHARECAP_CONTINUOUS_AVAILABILITY = 0x10,
        RPI_FLAG_SMB2_SHARECAP_SCALEOUT = 0x20,
        RPI_SMB2_FLAG_SERVERCAP_MULTICHANNEL = 0x8;

    public const uint STORAGE_DEPENDENCY_INFO_VERSION_1 = 1,
        GET_STORAGE_DEPENDENCY_FLAG_DISK_HANDLE = 2;

    [StructLayout(LayoutKind.Sequential)]
    public struct AllocatedRange
    {
        public long Offset,
            Length;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct FileRegionInput
    {
        public long Offset,
            Length;
        public uint Usage;
    }

    /// <summary>More regions follow the first one.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct FileRegionOutput
    {
        public uint Flags,
            TotalCount,
            Count,
            Reserved;
        public FileRegion First;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct FileRegion
    {
        public long Offset,
            Length;
        public uint Usage,
            Reserved;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct ClusterVolumeState
    {
        public uint OwnerNode,
            OwnNode;
        public byte IsRedirected;
    }

    /// <summary>DISK_EXTENT: a part of a volume and the number of its disk.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct DiskExtent
    {
        public uint DiskNumber;
        public long StartingOffset,
            Length;
    }

    [StructLayout(LayoutKind.Sequential)]
    public struct RemoteProtocol
    {
        public ushort StructureVersion,
            StructureSize;
        public uint Protocol;
        public ushort Major,
            Minor,
            Revision,
            Reserved;
        public uint Flags;
        public fixed uint GenericReserved[8];
        public uint ServerCapabilities,
            ShareCapabilities,
            ShareFlags;
        public fixed uint SpecificReserved[13];
    }

    /// <summary>DEVICE_LB_PROVISIONING_DESCRIPTOR; the lowest bit of the flags means thin provisioning.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct LogicalBlockProvisioning
    {
        public uint Version,
            Size;
        public byte Flags;
        public fixed byte Reserved[7];
        public ulong OptimalUnmapGranularity,
            UnmapGranularityAlignment;
        public uint MaxUnmapLbaCount,
            MaxUnmapBlockDescriptorCount;
    }

    /// <summary>STORAGE_DEVICE_IO_CAPABILITY_DESCRIPTOR.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct IoCapability
    {
        public uint Version,
            Size,
            LunMaxIoCount,
            AdapterMaxIoCount;
    }

    /// <summary>STORAGE_DEPENDENCY_INFO with one entry of version 1.</summary>
    [StructLayout(LayoutKind.Sequential)]
    public struct StorageDependency
    {
        public uint Version,
            EntryCount,
            DependencyTypeFlags,
            ProviderSpecificFlags,
            DeviceId;
        public Guid VendorId;
    }

    /// <summary>Returns a Win32 error.</summary>
    [LibraryImport("virtdisk")]
    public static partial uint GetStorageDependencyInformation(SafeFileHandle disk, uint flags, uint size, void* information, uint* used);
}
