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

    internal void CollectWindows(WindowsFiles windows, string existing, SafeFileHandle? file)
    {
        var isDevice = WindowsPath.IsDevice(existing);
        string? volumeName = null;
        if (!isDevice && windows.Volume(existing) is { } volume)
            volumeName = ReadVolume(windows.Calls, volume.Root, volume.FileSystem);
        if (file is not null && !isDevice)
            ReadFile(windows, existing, file);
        if ((isDevice ? existing : volumeName) is { } device)
            ReadDevice(windows.Calls, device);
    }

    // Its own name leads to the volume wherever it is mounted: by a letter, in a folder (as clusters do), as a cluster's shared volume.
    private string? ReadVolume(IWindowsFileCalls calls, string root, string fileSystem)
    {
        FileSystem = fileSystem;
        MountPoint = root;
        if (calls.Geometry(WindowsPath.ForCalls(root), out var sectorsPerCluster, out var bytesPerSector) == 0)
        {
            LogicalSectorSize = PhysicalSectorSize = (int)bytesPerSector;
            Note("Allocation unit", (sectorsPerCluster * bytesPerSector).ToString(CultureInfo.InvariantCulture));
        }
        IsNetwork = root.StartsWith(@"\\", StringComparison.Ordinal) && !root.StartsWith(@"\\?\Volume", StringComparison.OrdinalIgnoreCase) || DriveKind(root) == DriveType.Network;
        IsMemory = DriveKind(root) == DriveType.Ram;
        if (IsNetwork)
            return null;
        // Without its last backslash a volume's name is the device, with it the root folder.
        return calls.VolumeName(root, out var name) == 0 ? name.TrimEnd('\\') : root is { Length: 3 } && root[1] == ':' ? $@"\\.\{root[..2]}" : null;
    }

    private void ReadFile(WindowsFiles windows, string existing, SafeFileHandle file)
    {
        if (windows.Calls.Information(file, out var information) == 0)
        {
            IsCompressed = (information.Attributes & FILE_ATTRIBUTE_COMPRESSED) != 0;
            IsEncrypted = (information.Attributes & FILE_ATTRIBUTE_ENCRYPTED) != 0;
            // ReFS writes file data in place unless it keeps checksums of it.
            IsCopyOnWrite = (information.Attributes & FILE_ATTRIBUTE_INTEGRITY_STREAM) != 0;
            Note("Integrity stream", IsCopyOnWrite ? "yes" : null);
            Note("Sparse", (information.Attributes & FILE_ATTRIBUTE_SPARSE_FILE) != 0 ? "yes" : null);
            Note("Filter", windows.GetStatus(file, existing).Filter);
        }
        // By the handle: every volume answers, shares and those without a letter too.
        StorageInfo storage;
        if (windows.Calls.Information(file, FileStorageInfo, &storage, sizeof(StorageInfo)) == 0 && storage.LogicalBytesPerSector > 0)
        {
            LogicalSectorSize = (int)storage.LogicalBytesPerSector;
            PhysicalSectorSize = (int)Math.Max(storage.LogicalBytesPerSector, storage.PhysicalBytesPerSectorForPerformance);
            Note("Partition offset within a sector", storage.ByteOffsetForPartitionAlignment is > 0 and < uint.MaxValue ? storage.ByteOffsetForPartitionAlignment.ToString(CultureInfo.InvariantCulture) : null);
        }
        using var direct = windows.TryReopenUnbuffered(file, existing, write: false);
        DirectIO = direct is not null;
    }

    private void ReadDevice(IWindowsFileCalls calls, string device)
    {
        // No access right is needed to ask for properties, so that this works for users who are no administrators.
        var error = calls.Open(device, 0, ShareAll, OPEN_EXISTING, SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION, out var handle);
        using var open = handle;
        if (error != 0)
            return;
        AccessAlignment alignment;
        if (Query(calls, handle, StorageAccessAlignmentProperty, &alignment, sizeof(AccessAlignment)) && alignment.BytesPerLogicalSector > 0)
        {
            LogicalSectorSize = (int)alignment.BytesPerLogicalSector;
            PhysicalSectorSize = (int)alignment.BytesPerPhysicalSector;
        }
        // DEVICE_SEEK_PENALTY_DESCRIPTOR: version, size, one byte.
        var seek = stackalloc byte[12];
        if (Query(calls, handle, StorageDeviceSeekPenaltyProperty, seek, 12))
            Note("Rotational", YesNo(seek[8] != 0));
        WriteCache cache;
        if (Query(calls, handle, StorageDeviceWriteCacheProperty, &cache, sizeof(WriteCache)))
        {
            WriteBackCache = cache.Enabled switch { 1 => false, 2 => true, _ => null };
            ForcedUnitAccess = cache.WriteThrough switch { 1 => false, 2 => true, _ => null };
            IsPowerProtectionDeclared = cache.UserDefinedPowerProtection != 0;
            Note("Write cache", cache.Enabled switch { 1 => "off", 2 => "on", _ => null });
            Note("Write-through", cache.WriteThrough switch { 1 => "not supported", 2 => "supported", _ => null });
            // "Turn off write-cache buffer flushing": Windows then sends neither flushes nor forced unit access.
            Note("Power protection", cache.UserDefinedPowerProtection != 0 ? "declared by the user" : null);
        }
        // STORAGE_DEVICE_DESCRIPTOR: offsets of vendor and product at 12 and 16, the bus at 28.
        const int length = 1024;
        var text = stackalloc byte[length];
        if (!Query(calls, handle, StorageDeviceProperty, text, length))
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

    private static bool Query(IWindowsFileCalls calls, SafeFileHandle handle, int property, void* result, int size)
    {
        var query = new PropertyQuery { Property = property };
        new Span<byte>(result, size).Clear();
        return calls.Control(handle, IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof(PropertyQuery), result, size) == 0;
    }

    private static DriveType DriveKind(string root) => root.Length > 0 && char.IsLetter(root[0]) ? new DriveInfo(root[..1]).DriveType : DriveType.Unknown;
}
