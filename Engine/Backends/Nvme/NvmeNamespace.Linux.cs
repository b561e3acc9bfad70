using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Engine;

/// <summary>An NVMe namespace from /sys, with the character device that takes commands past the block layer.</summary>
/// <param name="Number">Device number, <c>major:minor</c>.</param>
/// <param name="LargestTransfer">Maximum number of bytes per command.</param>
/// <param name="LimitedBy">Cause of that limit, for messages.</param>
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
    // A command has 16 bits for the number of logical blocks.
    private const long MostBlocks = 1 << 16;

    // /sys counts the size of a device in these units, regardless of its logical blocks.
    private const int SizeUnit = 512;

    public string Path => "/dev/" + Name;

    public static NvmeNamespace? Find(LinuxBlockDevice? device, string path, out string why)
    {
        why = "";
        if (device is { IsPartition: true })
            why =
                $"{path} is a partition, and the drive's own commands know none: they would reach the whole drive. Name the whole one "
                + $"(/dev/{device.WholeDisk.Name}) if nothing on it is needed";
        else if (device is null || !NamePattern().IsMatch(device.Name))
            why = $"{path} is not an NVMe drive: commands are passed to NVMe alone, such as /dev/nvme0n1";
        else if (device.ReadQueueValue("zoned") is { } zoned and not "none")
            why = $"{path} has zones ({zoned}), which are written in order only";
        if (why.Length > 0)
            return null;
        var name = "ng" + device!.Name["nvme".Length..];
        var link = new DirectoryInfo(System.IO.Path.Combine(device.SysfsRoot, "class/nvme-generic", name));
        var node = link.Exists ? link.ResolveLinkTarget(returnFinalTarget: true)?.FullName : null;
        // Both devices of a namespace are in the folder of its controller, or of its subsystem if the namespace has several paths.
        if (node is null || System.IO.Path.GetDirectoryName(node) != System.IO.Path.GetDirectoryName(device.SysfsPath))
        {
            why = $"the kernel has no character device {name} beside {device.Name} (/sys/class/nvme-generic; since Linux 5.13)";
            return null;
        }
        return Read(device, name, KernelFile.ReadText(System.IO.Path.Combine(node, "dev")), path, out why);
    }

    public static NvmeNamespace? Find(CheckedTarget target, out string why)
    {
        if (target.Kind != TargetKind.Device || target.Status is not { } status)
        {
            why =
                $"{target.Path} is a file: the drive's own commands know no files. Name a whole NVMe drive on which nothing is needed, "
                + $"such as /dev/nvme0n1";
            return null;
        }
        return Find(LinuxBlockDevice.FindByNumber(FileId.FormatDeviceNumber(status)), target.Path, out why);
    }

    private static NvmeNamespace? Read(LinuxBlockDevice device, string name, string? number, string path, out string why)
    {
        why = "";
        var sector = device.ReadQueueNumber("logical_block_size");
        if (
            number is null
            || sector is null
            || !uint.TryParse(device.ReadValue("nsid"), NumberStyles.None, CultureInfo.InvariantCulture, out var id)
            || !long.TryParse(device.ReadValue("size"), NumberStyles.None, CultureInfo.InvariantCulture, out var size)
            || device.ReadQueueNumber("max_hw_sectors_kb") is not { } largestKb
        )
        {
            why =
                $"/sys does not say what has to be known of {path}: the namespace's number, its size, its logical blocks and its "
                + $"largest transfer";
            return null;
        }
        // Commands bypass the block layer, which would split long transfers. Each page of a buffer can be a segment of its own.
        var largest = largestKb * 1024L;
        var limit = "queue/max_hw_sectors_kb: the drive and its driver take no more";
        if (device.ReadQueueNumber("max_segments") is { } segments && segments * (long)Environment.SystemPageSize < largest)
        {
            largest = segments * (long)Environment.SystemPageSize;
            limit = $"queue/max_segments: {segments} pages";
        }
        if (MostBlocks * sector.Value < largest)
        {
            largest = MostBlocks * sector.Value;
            limit = "a command has 16 bits for it";
        }
        return new NvmeNamespace(name, number, id, sector.Value, size * SizeUnit, largest, limit);
    }

    [GeneratedRegex(@"^nvme\d+n\d+$")]
    private static partial Regex NamePattern();
}

internal sealed record NvmeTarget
{
    public required string Name { get; init; }

    public required uint Namespace { get; init; }

    /// <summary>Base-2 logarithm of the bytes of a logical block; 9 or more.</summary>
    public required int SectorShift { get; init; }

    public required long LargestTransfer { get; init; }

    /// <summary>Whether writes are durable when they complete (FUA), as with O_DSYNC in the block layer.</summary>
    public required bool IsWriteThrough { get; init; }
}
