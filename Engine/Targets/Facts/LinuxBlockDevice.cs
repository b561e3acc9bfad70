using System.Globalization;

namespace IoBench.Engine;

/// <summary>What /sys tells of a block device (Documentation/ABI/stable/sysfs-block of the kernel).</summary>
internal sealed class LinuxBlockDevice
{
    private readonly string _node;
    private readonly string _disk;

    private LinuxBlockDevice(string node)
    {
        _node = node;
        // A partition's queue is its disk's.
        _disk = Directory.Exists(Path.Combine(node, "queue")) ? node : Path.GetDirectoryName(node) ?? node;
    }

    /// <summary>Kernel name: sda1, nvme0n1, dm-0.</summary>
    public string Name => Path.GetFileName(_node);

    /// <summary>A device by its number, <c>major:minor</c>; null when /sys does not know it (network, memory, btrfs).</summary>
    public static LinuxBlockDevice? ByNumber(string number)
    {
        var link = new DirectoryInfo("/sys/dev/block/" + number);
        return link.Exists && link.ResolveLinkTarget(returnFinalTarget: true)?.FullName is { } node ? new LinuxBlockDevice(node) : null;
    }

    /// <summary>A value below the disk's queue; null when there is none.</summary>
    public string? Queue(string name) => Text(Path.Combine(_disk, "queue", name));

    /// <summary>A numeric value below the disk's queue.</summary>
    public int? QueueNumber(string name) => int.TryParse(Queue(name), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

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
            var model = Text(Path.Combine(_disk, "device", "model"));
            var vendor = Text(Path.Combine(_disk, "device", "vendor"));
            // A virtio or PCI device gives its vendor's number here, ATA the bus.
            var named = vendor is null || vendor.StartsWith("0x", StringComparison.Ordinal) || vendor == "ATA" ? null : vendor;
            return model is null ? null : named is null ? model : $"{named} {model}";
        }
    }

    /// <summary>The file behind a loop device.</summary>
    public string? LoopFile => Text(Path.Combine(_disk, "loop", "backing_file"));

    /// <summary>Devices this one is made of (LVM, RAID, encryption, multipath).</summary>
    public IEnumerable<LinuxBlockDevice> Parts()
    {
        var folder = Path.Combine(_node, "slaves");
        return !Directory.Exists(folder) ? []
            : Directory.GetFileSystemEntries(folder).Order(StringComparer.Ordinal)
                .Select(e => new DirectoryInfo(e).ResolveLinkTarget(returnFinalTarget: true)?.FullName).OfType<string>().Select(n => new LinuxBlockDevice(n));
    }

    /// <summary>True when something is built upon this device: LVM, RAID, encryption.</summary>
    public bool HasHolders => Directory.Exists(Path.Combine(_node, "holders")) && Directory.EnumerateFileSystemEntries(Path.Combine(_node, "holders")).Any();

    /// <summary>True when the kernel knows partitions on it.</summary>
    public bool HasPartitions => Directory.EnumerateDirectories(_node).Any(d => File.Exists(Path.Combine(d, "partition")));

    /// <summary>Name and model, and those of what it is made of: <c>dm-0 on sda Dell PERC H755</c>.</summary>
    public string Describe(int depth = 0)
    {
        var own = Model is { } model ? $"{Name} {model}" : LoopFile is { } file ? $"{Name} of {file}" : Name;
        const int deepest = 4;
        var parts = depth < deepest ? Parts().Select(p => p.Describe(depth + 1)).ToList() : [];
        return parts.Count == 0 ? own : $"{own} on {string.Join(", ", parts)}";
    }

    /// <summary>This device and all it is made of.</summary>
    public IEnumerable<LinuxBlockDevice> WithParts(int depth = 0)
        => depth > 4 ? [this] : Parts().SelectMany(p => p.WithParts(depth + 1)).Prepend(this);

    private static string? Text(string path)
    {
        try
        {
            var text = File.Exists(path) ? File.ReadAllText(path).Trim() : "";
            return text.Length == 0 ? null : text;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Some attributes refuse to be read for devices that lack them; then there is nothing to tell.
            return null;
        }
    }
}
