using System.Globalization;

namespace IoBench.Engine;

/// <summary>A block device as sysfs describes it (Documentation/ABI/stable/sysfs-block of the kernel).</summary>
internal sealed class LinuxBlockDevice
{
    public const string DefaultSysfsRoot = "/sys";

    // Volumes on encryption on RAID on multipath: more levels than this can only be an error of sysfs.
    private const int MaxDepth = 4;

    private readonly string _node;
    private readonly string _disk;

    private LinuxBlockDevice(string node, string system)
    {
        _node = node;
        SysfsRoot = system;
        // Partitions have no queue folder; the queue of the disk applies.
        _disk = Directory.Exists(Path.Combine(node, "queue")) ? node : Path.GetDirectoryName(node) ?? node;
    }

    public string Name => Path.GetFileName(_node);

    /// <summary>Mount point of sysfs; different from /sys only in tests.</summary>
    public string SysfsRoot { get; }

    public string? ReadValue(string name) => KernelFile.ReadText(Path.Combine(_node, name));

    /// <summary>Device number as <c>major:minor</c>.</summary>
    public string DeviceNumber => KernelFile.ReadText(Path.Combine(_node, "dev")) ?? "";

    /// <summary>Whether the driver has request queues. The kernel traces requests, and counts flushes, only for such devices.</summary>
    public bool HasRequestQueues => Directory.Exists(Path.Combine(_disk, "mq"));

    public bool IsPartition => File.Exists(Path.Combine(_node, "partition"));

    /// <summary>The disk of a partition; otherwise, the device itself.</summary>
    public LinuxBlockDevice WholeDisk => IsPartition ? new LinuxBlockDevice(_disk, SysfsRoot) : this;

    /// <summary>Name that is the same for every path to one unit of storage; null if there is none.</summary>
    public string? WorldWideName =>
        KernelFile.ReadText(Path.Combine(_disk, "wwid")) ?? KernelFile.ReadText(Path.Combine(_disk, "device", "wwid"));

    /// <summary>Device to which compressed memory (zram) moves pages; null if there is none.</summary>
    public string? BackingDevice => KernelFile.ReadText(Path.Combine(_disk, "backing_dev")) is { } text && text != "none" ? text : null;

    public static IEnumerable<LinuxBlockDevice> GetDisks(string system = DefaultSysfsRoot)
    {
        var folder = new DirectoryInfo(Path.Combine(system, "block"));
        return !folder.Exists
            ? []
            : folder
                .EnumerateFileSystemInfos()
                .OrderBy(e => e.Name, StringComparer.Ordinal)
                .Select(e => e.ResolveLinkTarget(returnFinalTarget: true)?.FullName)
                .OfType<string>()
                .Select(node => new LinuxBlockDevice(node, system));
    }

    public IEnumerable<LinuxBlockDevice> GetPartitions() =>
        Directory
            .EnumerateDirectories(_node)
            .Where(d => File.Exists(Path.Combine(d, "partition")))
            .Select(d => new LinuxBlockDevice(d, SysfsRoot));

    public IEnumerable<LinuxBlockDevice> GetHolders() => GetLinkedDevices("holders");

    /// <summary>Returns null if sysfs does not list the number (network, memory, btrfs).</summary>
    public static LinuxBlockDevice? FindByNumber(string number, string system = DefaultSysfsRoot)
    {
        var link = new DirectoryInfo(Path.Combine(system, "dev/block", number));
        return link.Exists && link.ResolveLinkTarget(returnFinalTarget: true)?.FullName is { } node
            ? new LinuxBlockDevice(node, system)
            : null;
    }

    public string? ReadQueueValue(string name) => KernelFile.ReadText(Path.Combine(_disk, "queue", name));

    public int? ReadQueueNumber(string name) =>
        int.TryParse(ReadQueueValue(name), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    public string? Scheduler
    {
        get
        {
            var all = ReadQueueValue("scheduler");
            var chosen = all?.Split(' ').FirstOrDefault(s => s.StartsWith('['));
            return chosen?.Trim('[', ']') ?? all;
        }
    }

    public string? Model
    {
        get
        {
            var model = KernelFile.ReadText(Path.Combine(_disk, "device", "model"));
            var vendor = KernelFile.ReadText(Path.Combine(_disk, "device", "vendor"));
            // For virtio and PCI devices, this file holds the vendor's number; for ATA, it holds the bus.
            var named = vendor is null || vendor.StartsWith("0x", StringComparison.Ordinal) || vendor == "ATA" ? null : vendor;
            if (model is null)
                return null;
            return named is null ? model : $"{named} {model}";
        }
    }

    /// <summary>Firmware revision, from SCSI and SATA (rev) or NVMe (firmware_rev); null if the device does not report it.</summary>
    public string? Firmware =>
        KernelFile.ReadText(Path.Combine(_disk, "device", "firmware_rev")) ?? KernelFile.ReadText(Path.Combine(_disk, "device", "rev"));

    /// <summary>Drivers on the path, nearest first, with module versions: <c>sd, ahci 3.0</c>; null if none is bound.</summary>
    public string? Driver
    {
        get
        {
            List<string> drivers = [];
            var at = BusPath;
            // Skip bridges, because they are on the path to every device.
            for (; at is not null && at.Length > SysfsRoot.Length; at = Path.GetDirectoryName(at))
                if (
                    new DirectoryInfo(Path.Combine(at, "driver")) is { Exists: true } driver
                    && driver.ResolveLinkTarget(returnFinalTarget: true)?.Name is { } name and not "pcieport"
                    && !drivers.Contains(name)
                )
                    drivers.Add(name);
            return drivers.Count == 0
                ? null
                : string.Join(
                    ", ",
                    drivers.Select(name =>
                        KernelFile.ReadText(Path.Combine(SysfsRoot, "module", name.Replace('-', '_'), "version")) is { } version
                            ? $"{name} {version}"
                            : name
                    )
                );
        }
    }

    /// <summary>Path of the device on its bus, in sysfs; null if it is on none. It names sessions and ports, such as those of
    /// iSCSI.</summary>
    public string? BusPath =>
        new DirectoryInfo(Path.Combine(_disk, "device")) is { Exists: true } link
            ? link.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? link.FullName
            : null;

    public string? LoopFile => KernelFile.ReadText(Path.Combine(_disk, "loop", "backing_file"));

    public IEnumerable<LinuxBlockDevice> GetComponents() => GetLinkedDevices("slaves");

    private IEnumerable<LinuxBlockDevice> GetLinkedDevices(string name)
    {
        var folder = Path.Combine(_node, name);
        return !Directory.Exists(folder)
            ? []
            : Directory
                .GetFileSystemEntries(folder)
                .Order(StringComparer.Ordinal)
                .Select(e => new DirectoryInfo(e).ResolveLinkTarget(returnFinalTarget: true)?.FullName)
                .OfType<string>()
                .Select(n => new LinuxBlockDevice(n, SysfsRoot));
    }

    public string NameAndAlias => KernelFile.ReadText(Path.Combine(_node, "dm", "name")) is { } alias ? $"{Name} ({alias})" : Name;

    public string Describe() => Describe(0);

    private string Describe(int depth)
    {
        var own =
            Model is { } model ? $"{Name} {model}"
            : LoopFile is { } file ? $"{Name} of {file}"
            : Name;
        var parts = depth < MaxDepth ? GetComponents().Select(p => p.Describe(depth + 1)).ToList() : [];
        return parts.Count == 0 ? own : $"{own} on {string.Join(", ", parts)}";
    }

    public IEnumerable<LinuxBlockDevice> GetSelfAndComponents() => GetSelfAndComponents(0);

    private IEnumerable<LinuxBlockDevice> GetSelfAndComponents(int depth) =>
        depth < MaxDepth ? GetComponents().SelectMany(p => p.GetSelfAndComponents(depth + 1)).Prepend(this) : [this];
}
