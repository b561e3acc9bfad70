using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine.Tests;

internal sealed unsafe partial class ModelNtfs
{
    public string Root { get; init; } = @"T:\";
    public string FileSystem { get; init; } = "NTFS";

    /// <summary>STORAGE_WRITE_CACHE_PROPERTY: enabled, write-through (1 no, 2 yes), declared power protection.</summary>
    public (uint Enabled, uint WriteThrough, byte Declared)? WriteCache { get; init; }
    public (uint Logical, uint Physical)? ReportedSectorSizes { get; init; }

    public uint FolderAttributes { get; init; }

    /// <summary>Numbers of the disks below the volume and their bus type. The volume itself then returns no disk properties.</summary>
    public (uint[] Numbers, int Bus)? SpannedDisks { get; init; }
    public bool IsThin { get; init; }

    /// <summary>Whether FSCTL_QUERY_FILE_REGIONS is known (Windows Server 2012 R2 and later).</summary>
    public bool SupportsFileRegions { get; init; } = true;

    public ClusterVolumeState? ClusterState { get; init; }
    public RemoteProtocol? ShareProtocol { get; init; }

    /// <summary>VIRTUAL_STORAGE_TYPE_DEVICE of the disk; 0 = not a virtual disk.</summary>
    public uint VirtualDiskType { get; init; }

    private readonly HashSet<string> _claims = [];

    public override bool TryCreateExclusive(string name, out IDisposable claim)
    {
        claim = new ExclusiveName(_claims, name);
        return _claims.Add(name);
    }

    private sealed class ExclusiveName(HashSet<string> all, string name) : IDisposable
    {
        public void Dispose() => all.Remove(name);
    }

    public override int GetDependency(SafeFileHandle disk, void* information, int size)
    {
        if (VirtualDiskType == 0)
            return ERROR_INVALID_PARAMETER;
        var dependency = (StorageDependency*)information;
        Assert.Equal(STORAGE_DEPENDENCY_INFO_VERSION_1, dependency->Version);
        (dependency->EntryCount, dependency->DeviceId) = (1, VirtualDiskType);
        return 0;
    }

    public override int GetInformation(SafeFileHandle file, out HandleInformation information)
    {
        lock (_gate)
        {
            var open = GetOpenHandle(file);
            var node = open.File;
            information = new HandleInformation
            {
                Attributes = node.Attributes | (node.ReparseTag != 0 ? FILE_ATTRIBUTE_REPARSE_POINT : 0),
                VolumeSerial = (uint)(node.VolumeSerial ?? _serial),
                SizeHigh = (uint)(open.Stream.Length >> 32),
                SizeLow = (uint)open.Stream.Length,
                LinkCount = node.LinkCount,
                IndexLow = (uint)node.Id,
                WriteHigh = (uint)(node.Modified >> 32),
                WriteLow = (uint)node.Modified,
            };
            return 0;
        }
    }

    public override int GetInformation(SafeFileHandle file, int kind, void* information, int size)
    {
        lock (_gate)
        {
            var open = GetOpenHandle(file);
            switch (kind)
            {
                case FileIdInfoClass:
                    *(FileIdInfo*)information = new FileIdInfo { VolumeSerial = open.File.VolumeSerial ?? _serial, IdLow = open.File.Id };
                    return 0;
                case FileStandardInfo:
                    *(StandardInfo*)information = new StandardInfo
                    {
                        AllocationSize = open.Stream.Length,
                        EndOfFile = open.Stream.Length,
                        LinkCount = open.File.LinkCount,
                    };
                    return 0;
                case FileAttributeTagInfo:
                    *(AttributeTag*)information = new AttributeTag { Attributes = open.File.Attributes, ReparseTag = open.File.ReparseTag };
                    return 0;
                case FileStorageInfo when ReportedSectorSizes is { } sectors:
                    *(StorageInfo*)information = new StorageInfo
                    {
                        LogicalBytesPerSector = sectors.Logical,
                        PhysicalBytesPerSectorForAtomicity = sectors.Logical,
                        PhysicalBytesPerSectorForPerformance = sectors.Physical,
                    };
                    return 0;
                case FileRemoteProtocolInfo when ShareProtocol is { } share:
                    *(RemoteProtocol*)information = share;
                    return 0;
                default:
                    return ERROR_INVALID_PARAMETER;
            }
        }
    }

    public override int SetInformation(SafeFileHandle file, int kind, void* information, int size)
    {
        lock (_gate)
        {
            if (GetInjectedError() is not 0 and var error)
                return error;
            var open = GetOpenHandle(file);
            switch (kind)
            {
                case FileDispositionInfo:
                    if ((open.Access & DELETE) == 0)
                        return ERROR_ACCESS_DENIED;
                    open.File.IsDeletePending = *(byte*)information != 0;
                    return 0;
                case FileIoPriorityHintInfo:
                    // ERROR_NOACCESS for an unaligned buffer, as documented.
                    return (nint)information % 8 == 0 ? 0 : 998;
                default:
                    return ERROR_INVALID_PARAMETER;
            }
        }
    }

    public override int SendControlCode(SafeFileHandle device, uint code, void* input, int inputSize, void* output, int outputSize)
    {
        lock (_gate)
        {
            var node = GetOpenHandle(device).File;
            switch (code)
            {
                case IOCTL_DISK_GET_LENGTH_INFO:
                    *(long*)output = node.MainStream.Length;
                    return 0;
                case IOCTL_DISK_GET_DISK_ATTRIBUTES:
                    ((ulong*)output)[1] = node.DiskAttributes;
                    return 0;
                case IOCTL_STORAGE_QUERY_PROPERTY when *(int*)input == StorageDeviceWriteCacheProperty && WriteCache is { } cache:
                    var bytes = new Span<byte>(output, outputSize);
                    BinaryPrimitives.WriteUInt32LittleEndian(bytes[12..], cache.Enabled);
                    BinaryPrimitives.WriteUInt32LittleEndian(bytes[20..], cache.WriteThrough);
                    bytes[25] = cache.Declared;
                    return 0;
                default:
                    return ControlStorage(GetOpenHandle(device), code, input, output, outputSize);
            }
        }
    }

    private int ControlStorage(ModelHandle open, uint code, void* input, void* output, int outputSize)
    {
        switch (code)
        {
            case FSCTL_QUERY_ALLOCATED_RANGES:
                return GetAllocatedRanges(
                    open.File,
                    *(AllocatedRange*)input,
                    new Span<AllocatedRange>(output, outputSize / sizeof(AllocatedRange))
                );
            case FSCTL_QUERY_FILE_REGIONS when SupportsFileRegions:
                return GetFileRegions(open.File, *(FileRegionInput*)input, (FileRegionOutput*)output);
            case FSCTL_IS_CSV_FILE when ClusterState is not null:
                return 0;
            // 4 queries the redirection state. Other operations would redirect the file.
            case FSCTL_CSV_CONTROL when ClusterState is { } cluster && *(int*)input == 4:
                *(ClusterVolumeState*)output = cluster;
                return 0;
            case IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS when SpannedDisks is { } span:
                *(int*)output = span.Numbers.Length;
                for (var i = 0; i < span.Numbers.Length; i++)
                    ((DiskExtent*)((byte*)output + 8))[i].DiskNumber = span.Numbers[i];
                return 0;
            case IOCTL_STORAGE_QUERY_PROPERTY
                when *(int*)input == StorageDeviceProperty
                    && SpannedDisks is { } span
                    && open.Name.Contains("PhysicalDrive", StringComparison.Ordinal):
                *(int*)((byte*)output + 28) = span.Bus;
                return 0;
            case IOCTL_STORAGE_QUERY_PROPERTY when *(int*)input == StorageDeviceLBProvisioningProperty:
                ((LogicalBlockProvisioning*)output)->Flags = (byte)(IsThin ? 1 : 0);
                return 0;
            default:
                return ERROR_INVALID_PARAMETER;
        }
    }

    // As NTFS: the valid range, and the rest without a usage.
    private static int GetFileRegions(ModelFile file, FileRegionInput asked, FileRegionOutput* output)
    {
        Assert.Equal((0, FILE_REGION_USAGE_VALID_CACHED_DATA), (asked.Offset, asked.Usage));
        var valid = file.ValidDataLength ?? file.MainStream.Length;
        var regions = &output->First;
        if (valid > 0)
            regions[output->Count++] = new FileRegion { Length = valid, Usage = FILE_REGION_USAGE_VALID_CACHED_DATA };
        if (valid < asked.Length)
            regions[output->Count++] = new FileRegion { Offset = valid, Length = asked.Length - valid };
        output->TotalCount = output->Count;
        return 0;
    }

    private static int GetAllocatedRanges(ModelFile file, AllocatedRange asked, Span<AllocatedRange> ranges)
    {
        var count = 0;
        foreach (var (offset, length) in file.AllocatedRanges ?? [(0, file.MainStream.Length)])
        {
            var (from, to) = (Math.Max(offset, asked.Offset), Math.Min(offset + length, asked.Offset + asked.Length));
            if (to <= from)
                continue;
            if (count == ranges.Length)
                return ERROR_MORE_DATA;
            ranges[count++] = new AllocatedRange { Offset = from, Length = to - from };
        }
        return 0;
    }

    public override int GetFinalName(SafeFileHandle file, out string name)
    {
        lock (_gate)
            name = @"\\?\" + GetKey(GetOpenHandle(file).Name);
        return 0;
    }

    public override bool HasStreams(string path) => SupportsStreams;

    public override int GetVolumeRoot(string path, out string root)
    {
        root = Root;
        return path.Length < MaxPath || path.StartsWith(@"\\?\", StringComparison.Ordinal) ? 0 : 206;
    }

    public override int GetVolumeName(string root, out string name)
    {
        name = @"\\?\Volume{00000000-0000-0000-0000-000000000001}\";
        return 0;
    }

    public override int GetFileSystem(string root, out uint flags, out string fileSystem)
    {
        (flags, fileSystem) = (FILE_NAMED_STREAMS, FileSystem);
        return 0;
    }

    public override int GetFreeSpace(string folder, out ulong available, out ulong total)
    {
        (available, total) = (900UL << 30, 1000UL << 30);
        return folder.Length < MaxPath || folder.StartsWith(@"\\?\", StringComparison.Ordinal) ? 0 : ERROR_PATH_NOT_FOUND;
    }

    public override int GetSectorSizes(string root, out uint sectorsPerCluster, out uint bytesPerSector)
    {
        (sectorsPerCluster, bytesPerSector) = (4096 / (uint)SectorSize, (uint)SectorSize);
        return 0;
    }
}
