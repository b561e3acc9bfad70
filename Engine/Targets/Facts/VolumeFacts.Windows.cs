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

    /// <summary>STORAGE_WRITE_CACHE_PROPERTY.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct WriteCache
    {
        public uint Version, Size, Kind, Enabled, Changeable, WriteThrough;
        public byte FlushSupported, UserDefinedPowerProtection, NonVolatileEnabled;
    }

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
                IsCompressed = (information.Attributes & FILE_ATTRIBUTE_COMPRESSED) != 0;
                IsEncrypted = (information.Attributes & FILE_ATTRIBUTE_ENCRYPTED) != 0;
                Note("Sparse", (information.Attributes & FILE_ATTRIBUTE_SPARSE_FILE) != 0 ? "yes" : null);
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
        using var handle = CreateFile(device, 0, ShareAll, 0, OPEN_EXISTING, 0, 0);
        if (handle.IsInvalid)
            return;
        AccessAlignment alignment;
        if (Query(handle, StorageAccessAlignmentProperty, &alignment, (uint)sizeof(AccessAlignment)) && alignment.BytesPerLogicalSector > 0)
        {
            LogicalSectorSize = (int)alignment.BytesPerLogicalSector;
            PhysicalSectorSize = (int)alignment.BytesPerPhysicalSector;
        }
        // DEVICE_SEEK_PENALTY_DESCRIPTOR: version, size, one byte.
        var seek = stackalloc byte[12];
        if (Query(handle, StorageDeviceSeekPenaltyProperty, seek, 12))
            Note("Rotational", YesNo(seek[8] != 0));
        WriteCache cache;
        if (Query(handle, StorageDeviceWriteCacheProperty, &cache, (uint)sizeof(WriteCache)))
        {
            Note("Write cache", cache.Enabled switch { 1 => "off", 2 => "on", _ => null });
            Note("Write-through", cache.WriteThrough switch { 1 => "not supported", 2 => "supported", _ => null });
            // "Turn off write-cache buffer flushing": Windows then sends neither flushes nor forced unit access.
            Note("Power protection", cache.UserDefinedPowerProtection != 0 ? "declared by the user" : null);
        }
        // STORAGE_DEVICE_DESCRIPTOR: offsets of vendor and product at 12 and 16, the bus at 28.
        const int length = 1024;
        var text = stackalloc byte[length];
        if (!Query(handle, StorageDeviceProperty, text, length))
            return;
        Note("Bus", BusName(*(int*)(text + 28)));
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

    // STORAGE_BUS_TYPE of ntddstor.h.
    private static string? BusName(int bus) => bus switch
    {
        1 => "SCSI", 3 => "ATA", 6 => "Fibre Channel", 7 => "USB", 8 => "RAID", 9 => "iSCSI", 10 => "SAS", 11 => "SATA", 12 => "SD", 14 => "virtual", 15 => "file-backed virtual disk",
        16 => "Storage Spaces", 17 => "NVMe", 18 => "storage class memory", 19 => "UFS", _ => null,
    };

    private static bool Query(SafeFileHandle handle, int property, void* result, uint size)
    {
        var query = new PropertyQuery { Property = property };
        new Span<byte>(result, (int)size).Clear();
        uint returned;
        return DeviceIoControl(handle, IOCTL_STORAGE_QUERY_PROPERTY, &query, (uint)sizeof(PropertyQuery), result, size, &returned, 0);
    }

    private static DriveType DriveKind(string root) => root.Length > 0 && char.IsLetter(root[0]) ? new DriveInfo(root[..1]).DriveType : DriveType.Unknown;
}
