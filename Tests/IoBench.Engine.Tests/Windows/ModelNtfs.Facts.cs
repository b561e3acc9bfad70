using System.Buffers.Binary;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine.Tests;

/// <summary>What the modelled file system and its device say of themselves.</summary>
internal sealed unsafe partial class ModelNtfs
{
    /// <summary>The volume's root, as GetVolumePathName gives it.</summary>
    public string Root { get; init; } = @"T:\";
    public string FileSystem { get; init; } = "NTFS";
    /// <summary>STORAGE_WRITE_CACHE_PROPERTY: enabled, write-through (1 no, 2 yes), declared protection.</summary>
    public (uint Enabled, uint WriteThrough, byte Declared)? WriteCache { get; init; }
    public (uint Logical, uint Physical)? Sectors { get; init; }

    public int Information(SafeFileHandle file, out HandleInformation information)
    {
        lock (_gate)
        {
            var open = Of(file);
            var node = open.File;
            information = new HandleInformation
            {
                Attributes = node.Attributes | (node.ReparseTag != 0 ? FILE_ATTRIBUTE_REPARSE_POINT : 0),
                VolumeSerial = (uint)_serial,
                SizeHigh = (uint)(open.Stream.Length >> 32),
                SizeLow = (uint)open.Stream.Length,
                LinkCount = node.Links,
                IndexLow = (uint)node.Id,
                WriteHigh = (uint)(node.Modified >> 32),
                WriteLow = (uint)node.Modified,
            };
            return 0;
        }
    }

    public int Information(SafeFileHandle file, int kind, void* information, int size)
    {
        lock (_gate)
        {
            var open = Of(file);
            switch (kind)
            {
                case FileIdInfoClass:
                    *(FileIdInfo*)information = new FileIdInfo { VolumeSerial = _serial, IdLow = open.File.Id };
                    return 0;
                case FileStandardInfo:
                    *(StandardInfo*)information = new StandardInfo { AllocationSize = open.Stream.Length, EndOfFile = open.Stream.Length, LinkCount = open.File.Links };
                    return 0;
                case FileAttributeTagInfo:
                    *(AttributeTag*)information = new AttributeTag { Attributes = open.File.Attributes, ReparseTag = open.File.ReparseTag };
                    return 0;
                case FileStorageInfo when Sectors is { } sectors:
                    *(StorageInfo*)information = new StorageInfo { LogicalBytesPerSector = sectors.Logical, PhysicalBytesPerSectorForAtomicity = sectors.Logical, PhysicalBytesPerSectorForPerformance = sectors.Physical };
                    return 0;
                default:
                    return ERROR_INVALID_PARAMETER;
            }
        }
    }

    public int SetInformation(SafeFileHandle file, int kind, void* information, int size)
    {
        lock (_gate)
        {
            if (Failure() is not 0 and var error)
                return error;
            var open = Of(file);
            switch (kind)
            {
                case FileDispositionInfo:
                    if ((open.Access & DELETE) == 0)
                        return ERROR_ACCESS_DENIED;
                    open.File.IsDeletePending = *(byte*)information != 0;
                    return 0;
                case FileIoPriorityHintInfo:
                    // ERROR_NOACCESS, as the documentation's note on alignment has it.
                    return (nint)information % 8 == 0 ? 0 : 998;
                default:
                    return ERROR_INVALID_PARAMETER;
            }
        }
    }

    public int Control(SafeFileHandle device, uint code, void* input, int inputSize, void* output, int outputSize)
    {
        lock (_gate)
        {
            var node = Of(device).File;
            switch (code)
            {
                case IOCTL_DISK_GET_LENGTH_INFO:
                    *(long*)output = node.Main.Length;
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
                    return ERROR_INVALID_PARAMETER;
            }
        }
    }

    public int FinalName(SafeFileHandle file, out string name)
    {
        lock (_gate)
            name = @"\\?\" + Key(Of(file).Name);
        return 0;
    }

    public bool HasStreams(string path) => StreamsAreReal;

    public int VolumeRoot(string path, out string root)
    {
        root = Root;
        return path.Length < MaxPath || path.StartsWith(@"\\?\", StringComparison.Ordinal) ? 0 : 206;
    }

    public int VolumeName(string root, out string name)
    {
        name = @"\\?\Volume{00000000-0000-0000-0000-000000000001}\";
        return 0;
    }

    public int VolumeInformation(string root, out uint flags, out string fileSystem)
    {
        (flags, fileSystem) = (FILE_NAMED_STREAMS, FileSystem);
        return 0;
    }

    public int Space(string folder, out ulong available, out ulong total)
    {
        (available, total) = (900UL << 30, 1000UL << 30);
        return folder.Length < MaxPath || folder.StartsWith(@"\\?\", StringComparison.Ordinal) ? 0 : ERROR_PATH_NOT_FOUND;
    }

    public int Geometry(string root, out uint sectorsPerCluster, out uint bytesPerSector)
    {
        (sectorsPerCluster, bytesPerSector) = (4096 / (uint)Sector, (uint)Sector);
        return 0;
    }
}
