using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Checks whether SQL Server supports the sectors, the partition, and the file system, and which commit settings fit on
/// Linux.</summary>
internal static class SqlServerChecks
{
    private const int SmallSector = 512,
        LargeSector = 4096,
        Rounds = 3;
    private const double ClearPenalty = 1.2;

    private const string SectorsSource =
            "https://learn.microsoft.com/troubleshoot/sql/database-engine/database-file-operations/troubleshoot-os-4kb-disk-sector-size",
        MixedSectorsSource = "https://support.microsoft.com/kb/3009974";

    public static HostCheck CheckSectors(HostCheckContext context)
    {
        var facts = context.Target.Facts;
        if (!int.TryParse(facts.GetValueOrDefault("Physical sector size"), out var physical) || !IsSectorSizeReported(facts))
            return HostCheck.NotRated(
                "the storage does not report a physical sector size.",
                "Ask the storage team for the physical sector size: SQL Server supports 512 and 4,096 bytes"
            );
        return CheckSectors(context.Target.LogicalSectorSize, physical, (sizes, figures) => CheckEmulatedSectors(context, sizes, figures));
    }

    /// <param name="checkEmulated">Checks a device with emulated sectors (512e), for which the sizes and the evidence are given.</param>
    internal static HostCheck CheckSectors(int logical, int physical, Func<string, FindingEvidence[], HostCheck> checkEmulated)
    {
        FindingEvidence[] figures = [new("Logical sector", logical, "bytes"), new("Physical sector", physical, "bytes")];
        var sizes = Invariant($"logical sectors of {logical:#,0} bytes, physical sectors of {physical:#,0} bytes");
        if (physical > LargeSector)
            return HostCheck.Fail(
                $"{sizes}. SQL Server supports 512 and 4,096 bytes. SQL Server 2022 does not start on Windows 11 or Windows Server 2022 with sectors larger than 4 KB.",
                "On Windows, set ForcedPhysicalSectorSizeInBytes of stornvme to '* 4095' in the registry, and restart Windows. Alternatively, format the device with sectors of 4 KB",
                figures
            ) with
            {
                Source = SectorsSource,
            };
        var check =
            logical < physical
                ? checkEmulated(sizes, figures)
                : HostCheck.Pass(
                    logical == SmallSector
                        ? $"{sizes}. If a replica has sectors of 4 KB, use trace flag 1800 on this server."
                        : $"{sizes}. If a replica has sectors of 512 bytes, use trace flag 1800 on that server.",
                    null,
                    figures
                );
        return check with { Source = MixedSectorsSource };
    }

    private static bool IsSectorSizeReported(IReadOnlyDictionary<string, string> facts) =>
        OperatingSystem.IsWindows()
        || facts.ContainsKey("Scheduler")
        || facts.ContainsKey("Rotational")
        || facts.ContainsKey("Write cache");

    private static HostCheck CheckEmulatedSectors(HostCheckContext context, string sizes, FindingEvidence[] figures)
    {
        List<double?> small = [],
            large = [];
        for (var round = 0; round < Rounds && context.SupportsUnbufferedIO; round++)
        {
            small.Add(MeasureWriteMs(context, context.Target.LogicalSectorSize));
            large.Add(MeasureWriteMs(context, LargeSector));
        }
        return RateEmulatedSectors(context.Target.LogicalSectorSize, sizes, figures, small, large);
    }

    // A device with emulated sectors (512e) reads and rewrites a physical sector for a smaller write.
    /// <param name="small">Averages of log writes of a logical sector in milliseconds; empty if they were not measured.</param>
    /// <param name="large">Averages of log writes of 4 KB.</param>
    internal static HostCheck RateEmulatedSectors(
        int logical,
        string sizes,
        FindingEvidence[] figures,
        IReadOnlyList<double?> small,
        IReadOnlyList<double?> large
    )
    {
        const string advice =
            "If a replica has physical sectors of 512 bytes, use trace flag 1800 on that server. If the device supports sectors of 4 KB, use them for a log disk";
        if (small.Count == 0)
            return HostCheck.Pass(sizes + " (512e).", advice, figures);
        var (smallMs, largeMs) = (SampleSummary.FromSamples(small)?.Median, SampleSummary.FromSamples(large)?.Median);
        var times = Invariant($"A log write of {logical} bytes takes {smallMs:0.000} ms, and a log write of 4 KB takes {largeMs:0.000} ms");
        return HostCheck.Pass(
            small.Min() > ClearPenalty * large.Max()
                ? $"{sizes} (512e). {times}, so small log writes are slower."
                : $"{sizes} (512e). {times} (median of {small.Count} averages), so small log writes are not clearly slower.",
            advice,
            [.. figures, new("Write of a logical sector", smallMs, "ms"), new("Write of 4 KB", largeMs, "ms")]
        );
    }

    private static double? MeasureWriteMs(HostCheckContext context, int blockSize) =>
        context.RunTest(context.CreateLogWriteTest(IoBuffering.None, blockSize)).AverageLatencyMs;

    public static HostCheck? CheckPartition(HostCheckContext context)
    {
        var facts = context.Target.Facts;
        if (facts.TryGetValue("Partition offset within a sector", out var offset))
            return HostCheck.Fail(
                $"the partition starts {offset} bytes after the start of a physical sector, so one I/O can span two physical sectors.",
                "Re-create the partition with an offset of 1 MB"
            ) with
            {
                Source = "https://learn.microsoft.com/sql/relational-databases/sql-server-storage-guide",
            };
        if (!IsSectorSizeReported(facts))
            return null;
        var unit = int.TryParse(facts.GetValueOrDefault("Allocation unit"), out var bytes) ? bytes : 0;
        var isSmallCluster = OperatingSystem.IsWindows() && unit is > 0 and < 64 << 10;
        return HostCheck.Pass(
            $"the partition is aligned to the physical sectors{(unit > 0 ? $"; allocation unit {IoSize.Format(unit)}" : "")}.",
            isSmallCluster ? "Format volumes for SQL Server data files with an allocation unit of 64 KB" : null
        );
    }

    private const string LinuxSource = "https://learn.microsoft.com/sql/linux/sql-server-linux-setup";

    public static HostCheck CheckFileSystem(HostCheckContext context) =>
        CheckFileSystem(
            OperatingSystem.IsWindows(),
            context.Target.FileSystem,
            context.Target.Facts.ContainsKey("Compressed") || context.Target.Facts.ContainsKey("Compression")
        );

    /// <param name="fileSystem">Name as the operating system reports it; null if it does not.</param>
    internal static HostCheck CheckFileSystem(bool isWindows, string? fileSystem, bool isCompressed)
    {
        if (fileSystem is null)
            return HostCheck.NotRated("the operating system does not report the file system.");
        if (isCompressed)
            return HostCheck.Fail(
                $"{fileSystem} with compression. On Windows, SQL Server refuses writable databases on compressed volumes. On Linux, SQL Server does not support compressed volumes.",
                "Use a folder without compression"
            );
        if (isWindows)
            return fileSystem.ToUpperInvariant() is "NTFS" or "REFS" or "CSVFS"
                ? HostCheck.Pass($"{fileSystem}, which SQL Server supports.")
                : HostCheck.Pass(
                    $"{fileSystem}.",
                    "Use NTFS or ReFS for database files, unless this is an SMB share that SQL Server supports"
                );
        var check = fileSystem switch
        {
            "xfs" or "ext4" => HostCheck.Pass($"{fileSystem}, which SQL Server on Linux supports."),
            "nfs" or "nfs4" => HostCheck.Pass(
                $"{fileSystem}. SQL Server on Linux supports NFS 4.2 and later, but only for the folders under /var/opt/mssql.",
                "Check that the protocol version (mount option vers) is 4.2 or later, and that the whole folder is on NFS"
            ),
            "tmpfs" => HostCheck.Fail(
                "tmpfs is in memory. Data and log files do not survive a restart; only tempdb of SQL Server 2025 can be on tmpfs.",
                "Use a folder on xfs or ext4"
            ),
            "overlay" or "fuse.fuse-overlayfs" => HostCheck.Fail(
                $"{fileSystem} is the layered file system of a container. Files in it are lost when the container is removed, so SQL Server requires a mounted volume.",
                "Mount a volume on xfs or ext4 at /var/opt/mssql"
            ),
            _ => HostCheck.Fail(
                $"{fileSystem}. SQL Server on Linux supports only xfs and ext4 for database files.",
                "Use a volume with xfs or ext4"
            ),
        };
        return check with { Source = LinuxSource };
    }

    public static HostCheck? CheckCommitSettings(HostCheckContext context) =>
        OperatingSystem.IsLinux()
            ? CheckCommitSettings(context.Target.FileSystem, Environment.OSVersion.Version, context.Target.Facts.GetValueOrDefault("FUA"))
            : null;

    internal static HostCheck CheckCommitSettings(string? fileSystem, Version kernel, string? fua)
    {
        var since = CommitSettings.GetFirstFuaKernel(fileSystem);
        if (fua is null || since is null)
            return HostCheck.NotRated(
                fua is null
                    ? "the device does not report whether it supports FUA (forced unit access)."
                    : $"the commit settings of SQL Server on Linux apply to xfs and ext4, not to {fileSystem ?? "this file system"}."
            );
        var check =
            fua == "yes" && kernel >= since
                ? HostCheck.Pass(
                    $"the device supports FUA, and {fileSystem} uses it with this kernel.",
                    $"For SQL Server on Linux, use FUA: {CommitSettings.WithFua}"
                )
                : HostCheck.Pass(
                    fua == "yes"
                        ? $"the device supports FUA, but {fileSystem} does not use it before kernel {since}. For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}."
                        : $"the device has no FUA. For SQL Server on Linux, keep the default: {CommitSettings.WithFlush}."
                );
        return check with { Source = CommitSettings.Source };
    }
}
