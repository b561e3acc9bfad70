namespace IoBench.Engine;

// Names of the layers as administrators know them.
public sealed partial record StorageLevel
{
    internal static StorageLevel ForFileSystem(string name) =>
        name switch
        {
            "nfs" or "nfs4" => CreateRemote(name, "NFS client, network, and server"),
            "cifs" or "smb3" or "smbfs" => CreateRemote(name, "SMB (CIFS) client, network, and server"),
            "ceph" => CreateRemote(name, "Ceph client, network, and servers"),
            "9p" or "virtiofs" => CreateRemote(name, $"{name} client and the folder that the host shares"),
            "lustre" or "beegfs" or "gpfs" or "afs" => CreateRemote(name, $"{name} client, network, and servers"),
            "fuseblk" => CreateRemote(name, "FUSE server") with { NeedsCpu = true },
            _ when name == "fuse" || name.StartsWith("fuse.", StringComparison.Ordinal) => CreateRemote(name, $"FUSE server ({name})") with
            {
                NeedsCpu = true,
            },
            "overlay" or "aufs" => new(StorageLevelKind.FileSystem, name, $"{name} file system"),
            "tmpfs" or "ramfs" => new(StorageLevelKind.FileSystem, name, $"memory ({name})"),
            _ => new(StorageLevelKind.FileSystem, name, $"{name} file system"),
        };

    private static StorageLevel CreateRemote(string name, string text) => new(StorageLevelKind.RemoteFileSystem, name, text);

    /// <summary>Whether kernel threads or programs of this computer do the work of a device.</summary>
    internal static bool IsSoftware(LinuxBlockDevice device)
    {
        var name = device.WholeDisk.Name;
        return Array.Exists(s_software, prefix => name.StartsWith(prefix, StringComparison.Ordinal));
    }

    private static readonly string[] s_software = ["dm-", "md", "loop", "zram", "nbd", "bcache", "drbd"];

    // The kernel's names of devices and drivers do not change, because scripts and udev rules depend on them.
    internal static string DescribeDevice(LinuxBlockDevice device)
    {
        var name = device.WholeDisk.Name;
        if (device.WholeDisk.ReadValue("dm/uuid") is { } uuid)
            return DescribeDeviceMapper(uuid);
        if (name.StartsWith("dm-", StringComparison.Ordinal))
            return "device mapper";
        if (device.WholeDisk.ReadValue("md/level") is { } level)
            return $"md RAID ({level})";
        if (device.LoopFile is not null || name.StartsWith("loop", StringComparison.Ordinal))
            return "loop device";
        if (name.StartsWith("zram", StringComparison.Ordinal))
            return "compressed memory (zram)";
        if (name.StartsWith("ram", StringComparison.Ordinal))
            return "RAM disk";
        if (name.StartsWith("nvme", StringComparison.Ordinal))
            return device.WholeDisk.ReadValue("device/transport") switch
            {
                "tcp" => "NVMe over TCP",
                "rdma" => "NVMe over RDMA",
                "fc" => "NVMe over Fibre Channel",
                _ => "NVMe disk",
            };
        if (name.StartsWith("vd", StringComparison.Ordinal))
            return "virtio disk";
        foreach (var (prefix, what) in s_prefixes)
            if (name.StartsWith(prefix, StringComparison.Ordinal))
                return what;
        return DescribeScsi(device);
    }

    private static readonly (string Prefix, string What)[] s_prefixes =
    [
        ("xvd", "Xen disk"),
        ("nbd", "network block device (nbd)"),
        ("rbd", "Ceph block device (rbd)"),
        ("drbd", "DRBD"),
        ("bcache", "bcache"),
        ("pmem", "persistent memory"),
        ("mmcblk", "SD or eMMC card"),
    ];

    private static readonly (string Driver, string What)[] s_drivers =
    [
        ("vmw_pvscsi", "VMware PVSCSI disk"),
        ("hv_storvsc", "Hyper-V disk"),
        ("virtio_scsi", "virtio SCSI disk"),
        ("uas", "USB disk"),
        ("usb-storage", "USB disk"),
        ("ahci", "SATA disk"),
    ];

    // The beginning of the identifier names the owner of the device. The rest can be a serial number.
    private static string DescribeDeviceMapper(string uuid)
    {
        if (uuid.StartsWith("CRYPT-LUKS", StringComparison.Ordinal))
            return "LUKS encryption";
        if (uuid.StartsWith("CRYPT-VERITY", StringComparison.Ordinal))
            return "dm-verity";
        if (uuid.StartsWith("CRYPT-", StringComparison.Ordinal))
            return "dm-crypt encryption";
        if (uuid.StartsWith("LVM-", StringComparison.Ordinal))
            return "LVM";
        if (uuid.StartsWith("mpath-", StringComparison.Ordinal))
            return "multipath";
        if (uuid.StartsWith("part", StringComparison.Ordinal) && uuid.Contains("-mpath-", StringComparison.Ordinal))
            return "partition on a multipath device";
        if (uuid.StartsWith("stratis-", StringComparison.Ordinal))
            return "Stratis";
        return uuid.StartsWith("DMRAID-", StringComparison.Ordinal) ? "firmware RAID" : "device mapper";
    }

    private static string DescribeScsi(LinuxBlockDevice device)
    {
        var bus = device.BusPath ?? "";
        if (bus.Contains("/session", StringComparison.Ordinal))
            return "iSCSI disk";
        if (bus.Contains("/rport-", StringComparison.Ordinal))
            return "Fibre Channel disk";
        var drivers = device.Driver ?? "";
        foreach (var (driver, what) in s_drivers)
            if (drivers.Split(", ").Any(name => name.Split(' ')[0] == driver))
                return what;
        return bus.Contains("/end_device-", StringComparison.Ordinal) ? "SAS disk" : "disk";
    }

    internal static string? DescribeModel(LinuxBlockDevice device) =>
        string.Join(", driver ", new[] { device.Model, device.Driver }.OfType<string>()) is { Length: > 0 } text
            ? device.Model is null
                ? "driver " + text
                : text
            : null;
}
