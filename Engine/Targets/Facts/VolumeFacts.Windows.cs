using System.Globalization;
using System.Runtime.InteropServices;
using Microsoft.Win32.SafeHandles;
using static IoBench.Engine.WindowsCalls;

namespace IoBench.Engine;

internal sealed unsafe partial class VolumeFacts
{
    /// <summary>STORAGE_ACCESS_ALIGNMENT_DESCRIPTOR.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct AccessAlignment
    {
        public uint Version, Size, BytesPerCacheLine, BytesOffsetForCacheAlignment, BytesPerLogicalSector, BytesPerPhysicalSector, BytesOffsetForSectorAlignment;
    }

    /// <summary>STORAGE_PROPERTY_QUERY.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct PropertyQuery
    {
        public int Property, Kind;
        public uint Additional;
    }

    private const uint QueryProperty = 0x2D1400;
    private const int DeviceProperty = 0, AccessAlignmentProperty = 6, SeekPenaltyProperty = 7, WriteCacheProperty = 4;

    private void CollectWindows(string existing, SafeFileHandle? file)
    {
        var isDevice = WindowsFiles.IsDevicePath(existing);
        if (!isDevice && WindowsFiles.Volume(existing) is { } volume)
        {
            FileSystem = volume.FileSystem;
            MountPoint = volume.Root;
            IsCopyOnWrite = volume.FileSystem is "ReFS" or "CSVFS_ReFS";
            uint sectorsPerCluster, bytesPerSector, free, all;
            if (GetDiskGeometry(volume.Root, &sectorsPerCluster, &bytesPerSector, &free, &all))
            {
                LogicalSectorSize = PhysicalSectorSize = (int)bytesPerSector;
                Note("Allocation unit", (sectorsPerCluster * bytesPerSector).ToString(CultureInfo.InvariantCulture));
            }
            IsNetwork = volume.Root.StartsWith(@"\\", StringComparison.Ordinal) || DriveKind(volume.Root) == DriveType.Network;
            IsMemory = DriveKind(volume.Root) == DriveType.Ram;
        }
        if (file is not null && !isDevice)
        {
            HandleInformation information;
            if (GetFileInformationByHandle(file, &information))
            {
                IsCompressed = (information.Attributes & AttributeCompressed) != 0;
                IsEncrypted = (information.Attributes & AttributeEncrypted) != 0;
                Note("Sparse", (information.Attributes & AttributeSparse) != 0 ? "yes" : null);
            }
            using var direct = PlatformFiles.Current.TryReopenUnbuffered(file, existing, write: false);
            DirectIO = direct is not null;
        }
        var device = isDevice ? existing : MountPoint is { Length: 3 } root && root[1] == ':' ? $@"\\.\{root[..2]}" : null;
        if (device is not null)
            ReadDevice(device);
    }

    private void ReadDevice(string device)
    {
        // No access right is needed to ask for properties, so that this works for users who are no administrators.
        using var handle = CreateFile(device, 0, ShareReadWriteDelete, 0, OpenExisting, 0, 0);
        if (handle.IsInvalid)
            return;
        AccessAlignment alignment;
        if (Query(handle, AccessAlignmentProperty, &alignment, (uint)sizeof(AccessAlignment)) && alignment.BytesPerLogicalSector > 0)
        {
            LogicalSectorSize = (int)alignment.BytesPerLogicalSector;
            PhysicalSectorSize = (int)alignment.BytesPerPhysicalSector;
        }
        // DEVICE_SEEK_PENALTY_DESCRIPTOR: version, size, one byte.
        var seek = stackalloc byte[12];
        if (Query(handle, SeekPenaltyProperty, seek, 12))
            Note("Rotational", YesNo(seek[8] != 0));
        // STORAGE_WRITE_CACHE_PROPERTY: version, size, type, enabled (1 off, 2 on), changeable, write-through supported, flush supported, ...
        var cache = stackalloc uint[8];
        if (Query(handle, WriteCacheProperty, cache, 32))
            Note("Write cache", cache[3] switch { 1 => "off", 2 => "on", _ => null });
        // STORAGE_DEVICE_DESCRIPTOR: offsets of vendor and product at 12 and 16.
        const int length = 1024;
        var text = stackalloc byte[length];
        if (!Query(handle, DeviceProperty, text, length))
            return;
        string Part(int at)
        {
            var offset = *(uint*)(text + at);
            return offset is 0 or >= length ? "" : (Marshal.PtrToStringAnsi((nint)(text + offset)) ?? "").Trim();
        }
        var model = $"{Part(12)} {Part(16)}".Trim();
        if (model.Length == 0)
            return;
        Device = model;
        Note("Model", model);
    }

    private static bool Query(SafeFileHandle handle, int property, void* result, uint size)
    {
        var query = new PropertyQuery { Property = property };
        new Span<byte>(result, (int)size).Clear();
        uint returned;
        return DeviceIoControl(handle, QueryProperty, &query, (uint)sizeof(PropertyQuery), result, size, &returned, 0);
    }

    private static DriveType DriveKind(string root) => root.Length > 0 && char.IsLetter(root[0]) ? new DriveInfo(root[..1]).DriveType : DriveType.Unknown;
}
