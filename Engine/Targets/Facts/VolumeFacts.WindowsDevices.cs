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
        public uint Version,
            Size,
            BytesPerCacheLine,
            BytesOffsetForCacheAlignment,
            BytesPerLogicalSector,
            BytesPerPhysicalSector,
            BytesOffsetForSectorAlignment;
    }

    [StructLayout(LayoutKind.Sequential)]
    private struct PropertyQuery
    {
        public int Property,
            Kind;
        public uint Additional;
    }

    /// <summary>STORAGE_WRITE_CACHE_PROPERTY.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct WriteCache
    {
        public uint Version,
            Size,
            Kind,
            Enabled,
            Changeable,
            WriteThrough;
        public byte FlushSupported,
            UserDefinedPowerProtection,
            NonVolatileEnabled;
    }

    // Querying properties requires no access right, so this also works without administrator rights.
    private const uint QueryAccess = SECURITY_SQOS_PRESENT | SECURITY_IDENTIFICATION;

    private void ReadDevice(WindowsFileCalls calls, string device)
    {
        var error = calls.Open(device, 0, ShareAll, OPEN_EXISTING, QueryAccess, out var handle);
        using var open = handle;
        if (error != 0)
            return;
        var isKnown = ReadProperties(calls, handle);
        var disks = WindowsPath.IsDevice(device) && !WindowsPath.IsVolume(device) ? [] : ReadDiskNumbers(calls, handle);
        AddFact("Disks", disks.Count > 1 ? string.Join(", ", disks.Select(FormatDiskName)) : null);
        foreach (var disk in disks)
        {
            Counters.Add(DeviceCounters.CreateWindowsSource(calls, FormatDiskName(disk)));
            // A spanned volume does not answer for its disks, so the first disk that answers represents all.
            error = calls.Open(@"\\.\" + FormatDiskName(disk), 0, ShareAll, OPEN_EXISTING, QueryAccess, out var other);
            using var under = other;
            if (error != 0)
                continue;
            isKnown = isKnown || ReadProperties(calls, under);
            ReadVirtualDisk(calls, under);
        }
        if (disks.Count == 0)
            ReadVirtualDisk(calls, handle);
    }

    private static string FormatDiskName(uint number) => string.Create(CultureInfo.InvariantCulture, $"PhysicalDrive{number}");

    // VOLUME_DISK_EXTENTS: the count, and the extents from byte 8. 32 extents are enough to name the volume.
    private static List<uint> ReadDiskNumbers(WindowsFileCalls calls, SafeFileHandle volume)
    {
        const int max = 32,
            header = 8;
        var size = header + max * sizeof(DiskExtent);
        var buffer = stackalloc byte[size];
        new Span<byte>(buffer, size).Clear();
        if (calls.SendControlCode(volume, IOCTL_VOLUME_GET_VOLUME_DISK_EXTENTS, null, 0, buffer, size) is not (0 or ERROR_MORE_DATA))
            return [];
        var extents = (DiskExtent*)(buffer + header);
        var disks = new List<uint>();
        for (var i = 0; i < Math.Min(max, *(uint*)buffer); i++)
            if (!disks.Contains(extents[i].DiskNumber))
                disks.Add(extents[i].DiskNumber);
        return disks;
    }

    // Returns false if the device does not report what it is.
    private bool ReadProperties(WindowsFileCalls calls, SafeFileHandle handle)
    {
        AccessAlignment alignment;
        if (
            QueryProperty(calls, handle, StorageAccessAlignmentProperty, &alignment, sizeof(AccessAlignment))
            && alignment.BytesPerLogicalSector > 0
        )
        {
            LogicalSectorSize = (int)alignment.BytesPerLogicalSector;
            PhysicalSectorSize = (int)alignment.BytesPerPhysicalSector;
        }
        // DEVICE_SEEK_PENALTY_DESCRIPTOR: version, size, one byte.
        var seek = stackalloc byte[12];
        if (QueryProperty(calls, handle, StorageDeviceSeekPenaltyProperty, seek, 12))
            AddFact("Rotational", FormatYesNo(seek[8] != 0));
        ReadWriteCache(calls, handle);
        LogicalBlockProvisioning provisioning;
        if (QueryProperty(calls, handle, StorageDeviceLBProvisioningProperty, &provisioning, sizeof(LogicalBlockProvisioning)))
        {
            IsThinProvisioned = (provisioning.Flags & 1) != 0;
            AddFact("Thin provisioned", FormatYesNo(IsThinProvisioned));
        }
        IoCapability capability;
        if (
            QueryProperty(calls, handle, StorageDeviceIoCapabilityProperty, &capability, sizeof(IoCapability))
            && capability.LunMaxIoCount > 0
        )
            AddFact("Device queue depth", capability.LunMaxIoCount.ToString(CultureInfo.InvariantCulture));
        // STORAGE_ADAPTER_DESCRIPTOR: version, size, and the longest transfer in bytes.
        var adapter = stackalloc uint[8];
        if (QueryProperty(calls, handle, StorageAdapterProperty, adapter, 8 * sizeof(uint)) && adapter[2] is > 1023 and < uint.MaxValue)
            AddFact("Largest request KB", (adapter[2] >> 10).ToString(CultureInfo.InvariantCulture));
        return ReadModel(calls, handle);
    }

    private void ReadWriteCache(WindowsFileCalls calls, SafeFileHandle handle)
    {
        WriteCache cache;
        if (!QueryProperty(calls, handle, StorageDeviceWriteCacheProperty, &cache, sizeof(WriteCache)))
            return;
        HasVolatileWriteCache = cache.Enabled switch
        {
            1 => false,
            2 => true,
            _ => null,
        };
        SupportsForcedUnitAccess = cache.WriteThrough switch
        {
            1 => false,
            2 => true,
            _ => null,
        };
        IsPowerProtectionDeclared = cache.UserDefinedPowerProtection != 0;
        AddFact(
            "Write cache",
            cache.Enabled switch
            {
                1 => "off",
                2 => "on",
                _ => null,
            }
        );
        AddFact(
            "Write-through",
            cache.WriteThrough switch
            {
                1 => "not supported",
                2 => "supported",
                _ => null,
            }
        );
        // The option "Turn off write-cache buffer flushing" makes Windows send neither flushes nor forced unit access.
        AddFact("Power protection", cache.UserDefinedPowerProtection != 0 ? "declared by the user" : null);
    }

    // STORAGE_DEVICE_DESCRIPTOR: vendor 12, product 16, revision 20, bus 28. The serial number (24) is left out on purpose.
    private bool ReadModel(WindowsFileCalls calls, SafeFileHandle handle)
    {
        const int length = 1024;
        var text = stackalloc byte[length];
        if (!QueryProperty(calls, handle, StorageDeviceProperty, text, length))
            return false;
        AddFact("Bus", FormatBusType(*(int*)(text + 28)));
        string Part(int at)
        {
            var offset = *(uint*)(text + at);
            return offset is 0 or >= length ? "" : (Marshal.PtrToStringAnsi((nint)(text + offset)) ?? "").Trim();
        }
        AddFact("Firmware", Part(20));
        var model = $"{Part(12)} {Part(16)}".Trim();
        if (model.Length > 0)
            Device = model;
        AddFact("Model", model);
        return true;
    }

    // A virtual disk that is a file on this computer. Inside a virtual machine, Windows does not report this.
    private void ReadVirtualDisk(WindowsFileCalls calls, SafeFileHandle disk)
    {
        // More entries than a disk has.
        const int size = 512;
        var answer = stackalloc byte[size];
        new Span<byte>(answer, size).Clear();
        var dependency = (StorageDependency*)answer;
        dependency->Version = STORAGE_DEPENDENCY_INFO_VERSION_1;
        if (calls.GetDependency(disk, answer, size) == 0 && dependency->EntryCount > 0)
            AddFact(
                "Virtual disk",
                dependency->DeviceId switch
                {
                    1 => "ISO",
                    2 => "VHD",
                    3 => "VHDX",
                    4 => "VHD set",
                    _ => "yes",
                }
            );
    }

    // A file on a cluster shared volume; its I/O goes directly to the disk, or over the network to the node that owns the disk.
    private void ReadCluster(WindowsFileCalls calls, SafeFileHandle file)
    {
        // Errors are ignored, because other file systems do not support the request.
        var answer = stackalloc byte[256];
        if (calls.SendControlCode(file, FSCTL_IS_CSV_FILE, null, 0, answer, 256) is not (0 or ERROR_MORE_DATA))
            return;
        var operation = CsvControlQueryRedirectState;
        ClusterVolumeState state = default;
        var isTold = calls.SendControlCode(file, FSCTL_CSV_CONTROL, &operation, sizeof(int), &state, sizeof(ClusterVolumeState)) == 0;
        IsRedirected = isTold && state.IsRedirected != 0;
        AddFact(
            "Cluster shared volume",
            !isTold
                ? "yes"
                : $"{(IsRedirected ? "redirected" : "direct")}, "
                    + $"{(state.OwnerNode == state.OwnNode ? "owned by this node" : "owned by another node")}"
        );
    }

    private void ReadShare(WindowsFileCalls calls, SafeFileHandle file)
    {
        RemoteProtocol remote;
        if (calls.GetInformation(file, FileRemoteProtocolInfo, &remote, sizeof(RemoteProtocol)) != 0)
            return;
        IsNetwork = true;
        if (remote.Protocol != WNNC_NET_SMB)
            return;
        var words = new[]
        {
            string.Create(
                CultureInfo.InvariantCulture,
                $"{remote.Major}.{remote.Minor}{(remote.Revision > 0 ? "." + remote.Revision : "")}"
            ),
            (remote.Flags & REMOTE_PROTOCOL_INFO_FLAG_LOOPBACK) != 0 ? "share on this computer" : null,
            (remote.Flags & REMOTE_PROTOCOL_INFO_FLAG_OFFLINE) != 0 ? "offline copy" : null,
            // Servers before SMB 3 have no such shares, and older Windows versions do not fill in these fields.
            remote.Major < 3
            || remote.StructureVersion < 2
                ? null
            : (remote.ShareCapabilities & RPI_FLAG_SMB2_SHARECAP_CONTINUOUS_AVAILABILITY) != 0 ? "continuously available"
            : "not continuously available",
            remote.StructureVersion >= 2 && (remote.ShareCapabilities & RPI_FLAG_SMB2_SHARECAP_SCALEOUT) != 0 ? "scale-out" : null,
            remote.StructureVersion >= 2 && (remote.ServerCapabilities & RPI_SMB2_FLAG_SERVERCAP_MULTICHANNEL) != 0 ? "multichannel" : null,
        };
        AddFact("SMB", string.Join(", ", words.OfType<string>()));
    }

    // STORAGE_BUS_TYPE of ntddstor.h.
    private static string? FormatBusType(int bus) =>
        bus switch
        {
            1 => "SCSI",
            3 => "ATA",
            6 => "Fibre Channel",
            7 => "USB",
            8 => "RAID",
            9 => "iSCSI",
            10 => "SAS",
            11 => "SATA",
            12 => "SD",
            14 => "virtual",
            15 => "file-backed virtual disk",
            16 => "Storage Spaces",
            17 => "NVMe",
            18 => "storage class memory",
            19 => "UFS",
            _ => null,
        };

    private static bool QueryProperty(WindowsFileCalls calls, SafeFileHandle handle, int property, void* result, int size)
    {
        var query = new PropertyQuery { Property = property };
        new Span<byte>(result, size).Clear();
        return calls.SendControlCode(handle, IOCTL_STORAGE_QUERY_PROPERTY, &query, sizeof(PropertyQuery), result, size) == 0;
    }
}
