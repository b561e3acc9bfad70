using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Engine.Backends.Nvme;

/// <summary>An NVMe namespace as /sys shows it: its block device, which is checked and held, and its character device, by which commands go past the block layer.</summary>
/// <param name="Name">Name of the character device: ng0n1.</param>
/// <param name="Number">Its number, <c>major:minor</c>.</param>
/// <param name="Id">The namespace's number at its controller.</param>
/// <param name="SectorSize">Bytes of a logical block.</param>
/// <param name="Size">Bytes of the namespace.</param>
/// <param name="LargestTransfer">Bytes that one command may move at most.</param>
/// <param name="LimitedBy">What sets that limit, for messages.</param>
internal sealed partial record NvmeNamespace(
    string Name,
    string Number,
    uint Id,
    int SectorSize,
    long Size,
    long LargestTransfer,
    string LimitedBy
)
{
    // The command holds the number of its logical blocks in 16 bits.
    private const long MostBlocks = 1 << 16;

    // What /sys counts a device's size in, whatever its logical blocks are.
    private const int SizeUnit = 512;

    /// <summary>The path of its character device.</summary>
    public string Path => "/dev/" + Name;

    /// <summary>The namespace of a block device; null, with the reason as the end of a sentence, where it is none that commands may be passed to.</summary>
    /// <param name="device">The block device; null where /sys does not know it.</param>
    /// <param name="path">Its path, for the reason.</param>
    /// <param name="why">The reason; empty when there is none.</param>
    public static NvmeNamespace? Find(LinuxBlockDevice? device, string path, out string why)
    {
        why = "";
        if (device is { IsPartition: true })
            why =
                $"{path} is a partition, and the drive's own commands know none: they would reach the whole drive. Name the whole one (/dev/{device.Whole.Name}) if nothing on it is needed";
        else if (device is null || !NamePattern().IsMatch(device.Name))
            why = $"{path} is not an NVMe drive: commands are passed to NVMe alone, such as /dev/nvme0n1";
        else if (device.Queue("zoned") is { } zoned and not "none")
            why = $"{path} has zones ({zoned}), which are written in order only";
        if (why.Length > 0)
            return null;
        var name = "ng" + device!.Name["nvme".Length..];
        var link = new DirectoryInfo(System.IO.Path.Combine(device.System, "class/nvme-generic", name));
        var node = link.Exists ? link.ResolveLinkTarget(returnFinalTarget: true)?.FullName : null;
        // A controller's folder, or a subsystem's whose namespaces have several paths, holds both devices of its namespaces.
        if (node is null || System.IO.Path.GetDirectoryName(node) != System.IO.Path.GetDirectoryName(device.Folder))
        {
            why = $"the kernel has no character device {name} beside {device.Name} (/sys/class/nvme-generic; since Linux 5.13)";
            return null;
        }
        return Read(device, name, KernelFile.Text(System.IO.Path.Combine(node, "dev")), path, out why);
    }

    /// <summary>The namespace of a target that was checked; null with the reason.</summary>
    public static NvmeNamespace? Find(CheckedTarget target, out string why)
    {
        if (target.Kind != TargetKind.Device || target.Status is not { } status)
        {
            why =
                $"{target.Path} is a file: the drive's own commands know no files. Name a whole NVMe drive on which nothing is needed, such as /dev/nvme0n1";
            return null;
        }
        return Find(LinuxBlockDevice.ByNumber(FileId.NumberOf(status)), target.Path, out why);
    }

    private static NvmeNamespace? Read(LinuxBlockDevice device, string name, string? number, string path, out string why)
    {
        why = "";
        var sector = device.QueueNumber("logical_block_size");
        if (
            number is null
            || sector is null
            || !uint.TryParse(device.Value("nsid"), NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            || !long.TryParse(device.Value("size"), NumberStyles.None, CultureInfo.InvariantCulture, out var size)
            || device.QueueNumber("max_hw_sectors_kb") is not { } largestKb
        )
        {
            why =
                $"/sys does not say what has to be known of {path}: the namespace's number, its size, its logical blocks and its largest transfer";
            return null;
        }
        // The block layer would cut what is too long for the drive. Here nobody does, and each page of a buffer may be a segment of its own.
        var (largest, limit) = (largestKb * 1024L, "queue/max_hw_sectors_kb: the drive and its driver take no more");
        if (device.QueueNumber("max_segments") is { } segments && segments * (long)Environment.SystemPageSize < largest)
            (largest, limit) = (segments * (long)Environment.SystemPageSize, $"queue/max_segments: {segments} pages");
        if (MostBlocks * sector.Value < largest)
            (largest, limit) = (MostBlocks * sector.Value, "a command has 16 bits for it");
        return new NvmeNamespace(name, number, id, sector.Value, size * SizeUnit, largest, limit);
    }

    [GeneratedRegex(@"^nvme\d+n\d+$")]
    private static partial Regex NamePattern();
}
