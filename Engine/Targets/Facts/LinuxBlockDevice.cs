using System.Globalization;

namespace IoBench.Engine.Targets.Facts;

/// <summary>What /sys says of a block device (Documentation/ABI/stable/sysfs-block of the kernel).</summary>
internal sealed class LinuxBlockDevice
{
    /// <summary>Where the kernel shows its devices.</summary>
    public const string SystemFolder = "/sys";

    // Volumes on encryption on RAID on multipath: deeper than this is only what a fault of /sys shows.
    private const int MaxDepth = 4;

    private readonly string _node;
    private readonly string _disk;

    private LinuxBlockDevice(string node, string system)
    {
        _node = node;
        System = system;
        // A partition's queue is its disk's.
        _disk = Directory.Exists(Path.Combine(node, "queue")) ? node : Path.GetDirectoryName(node) ?? node;
    }

    /// <summary>Kernel name: sda1, nvme0n1, dm-0.</summary>
    public string Name => Path.GetFileName(_node);

    /// <summary>Where /sys is; elsewhere only in tests.</summary>
    public string System { get; }

    /// <summary>Its folder there, by no link.</summary>
    public string Folder => _node;

    /// <summary>A value of the device itself; null when there is none.</summary>
    public string? Value(string name) => KernelFile.Text(Path.Combine(_node, name));

    /// <summary>Its number, <c>major:minor</c>.</summary>
    public string Number => KernelFile.Text(Path.Combine(_node, "dev")) ?? "";

    /// <summary>A part of a disk.</summary>
    public bool IsPartition => File.Exists(Path.Combine(_node, "partition"));

    /// <summary>The disk that a partition is a part of; else the device itself.</summary>
    public LinuxBlockDevice Whole => IsPartition ? new LinuxBlockDevice(_disk, System) : this;

    /// <summary>The name that one unit of storage has by whatever way it is reached; null when it has none.</summary>
    public string? WorldWideName => KernelFile.Text(Path.Combine(_disk, "wwid")) ?? KernelFile.Text(Path.Combine(_disk, "device", "wwid"));

    /// <summary>The device that compressed memory (zram) moves pages to; null when there is none.</summary>
    public string? BackingDevice => KernelFile.Text(Path.Combine(_disk, "backing_dev")) is { } text && text != "none" ? text : null;

    /// <summary>All disks the kernel knows; partitions are theirs.</summary>
    public static IEnumerable<LinuxBlockDevice> Disks(string system = SystemFolder)
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

    /// <summary>The partitions that the kernel knows on it.</summary>
    public IEnumerable<LinuxBlockDevice> Partitions() =>
        Directory
            .EnumerateDirectories(_node)
            .Where(d => File.Exists(Path.Combine(d, "partition")))
            .Select(d => new LinuxBlockDevice(d, System));

    /// <summary>What is built upon this device: LVM, RAID, encryption, multipath, caches.</summary>
    public IEnumerable<LinuxBlockDevice> Holders() => Linked("holders");

    /// <summary>A device by its number, <c>major:minor</c>; null when /sys does not know it (network, memory, btrfs).</summary>
    public static LinuxBlockDevice? ByNumber(string number, string system = SystemFolder)
    {
        var link = new DirectoryInfo(Path.Combine(system, "dev/block", number));
        return link.Exists && link.ResolveLinkTarget(returnFinalTarget: true)?.FullName is { } node
            ? new LinuxBlockDevice(node, system)
            : null;
    }

    /// <summary>A value below the disk's queue; null when there is none.</summary>
    public string? Queue(string name) => KernelFile.Text(Path.Combine(_disk, "queue", name));

    /// <summary>A numeric value below the disk's queue.</summary>
    public int? QueueNumber(string name) =>
        int.TryParse(Queue(name), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>The scheduler in use: the one in brackets.</summary>
    public string? Scheduler
    {
        get
        {
            var all = Queue("scheduler");
            var chosen = all?.Split(' ').FirstOrDefault(s => s.StartsWith('['));
            return chosen?.Trim('[', ']') ?? all;
        }
    }

    /// <summary>Vendor and model as the device says; null when it does not.</summary>
    public string? Model
    {
        get
        {
            var model = KernelFile.Text(Path.Combine(_disk, "device", "model"));
            var vendor = KernelFile.Text(Path.Combine(_disk, "device", "vendor"));
            // A virtio or PCI device gives its vendor's number here, ATA the bus.
            var named = vendor is null || vendor.StartsWith("0x", StringComparison.Ordinal) || vendor == "ATA" ? null : vendor;
            return model is null ? null
                : named is null ? model
                : $"{named} {model}";
        }
    }

    /// <summary>The revision of the device's firmware, as SCSI, SATA (rev) and NVMe (firmware_rev) say it; null where it says none.</summary>
    public string? Firmware =>
        KernelFile.Text(Path.Combine(_disk, "device", "firmware_rev")) ?? KernelFile.Text(Path.Combine(_disk, "device", "rev"));

    /// <summary>The drivers on the way to the device, nearest first, with their versions where the modules have one: <c>sd, ahci 3.0</c>; null where none is bound.</summary>
    public string? Driver
    {
        get
        {
            List<string> drivers = [];
            var at = new DirectoryInfo(Path.Combine(_disk, "device")) is { Exists: true } link
                ? link.ResolveLinkTarget(returnFinalTarget: true)?.FullName ?? link.FullName
                : null;
            // Bridges are on the way to everything.
            for (; at is not null && at.Length > System.Length; at = Path.GetDirectoryName(at))
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
                        KernelFile.Text(Path.Combine(System, "module", name.Replace('-', '_'), "version")) is { } version
                            ? $"{name} {version}"
                            : name
                    )
                );
        }
    }

    /// <summary>The file behind a loop device.</summary>
    public string? LoopFile => KernelFile.Text(Path.Combine(_disk, "loop", "backing_file"));

    /// <summary>Devices this one is made of (LVM, RAID, encryption, multipath).</summary>
    public IEnumerable<LinuxBlockDevice> Parts() => Linked("slaves");

    private IEnumerable<LinuxBlockDevice> Linked(string name)
    {
        var folder = Path.Combine(_node, name);
        return !Directory.Exists(folder)
            ? []
            : Directory
                .GetFileSystemEntries(folder)
                .Order(StringComparer.Ordinal)
                .Select(e => new DirectoryInfo(e).ResolveLinkTarget(returnFinalTarget: true)?.FullName)
                .OfType<string>()
                .Select(n => new LinuxBlockDevice(n, System));
    }

    /// <summary>The name that people gave to an LVM volume or the like, beside the kernel's: <c>dm-0 (vg0-data)</c>.</summary>
    public string NameAndAlias => KernelFile.Text(Path.Combine(_node, "dm", "name")) is { } alias ? $"{Name} ({alias})" : Name;

    /// <summary>Name and model, and those of what it is made of: <c>dm-0 on sda Dell PERC H755</c>.</summary>
    public string Describe() => Describe(0);

    private string Describe(int depth)
    {
        var own =
            Model is { } model ? $"{Name} {model}"
            : LoopFile is { } file ? $"{Name} of {file}"
            : Name;
        var parts = depth < MaxDepth ? Parts().Select(p => p.Describe(depth + 1)).ToList() : [];
        return parts.Count == 0 ? own : $"{own} on {string.Join(", ", parts)}";
    }

    /// <summary>This device and all it is made of.</summary>
    public IEnumerable<LinuxBlockDevice> WithParts() => WithParts(0);

    private IEnumerable<LinuxBlockDevice> WithParts(int depth) =>
        depth < MaxDepth ? Parts().SelectMany(p => p.WithParts(depth + 1)).Prepend(this) : [this];
}
