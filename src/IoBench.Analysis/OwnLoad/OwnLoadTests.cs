namespace IoBench.Analysis.OwnLoad;

/// <summary>Tests of a server's own load: open loops at its sizes and rates, at random moments.</summary>
internal static class OwnLoadTests
{
    private const int Slots = 32;

    /// <summary>What names of tests of a busiest window end with.</summary>
    private const string BusiestEnd = "-busiest";

    /// <summary>A load's tests: its mean, where it is worth a test, and its busiest window, where there are several.</summary>
    public static IEnumerable<IoTestSpecification> Of(FileStatsLoad load)
    {
        if (!load.IsTooRare)
            yield return Test(load, "");
        if (load.Busiest is { } burst)
            // Files are shown once, with the mean where that is tested.
            yield return Test(
                load with
                {
                    IOPS = burst.IOPS,
                    BlockSizeKB = burst.BlockSizeKB,
                    LatencyMs = burst.LatencyMs,
                    OfFiles = load.IsTooRare ? load.OfFiles : [],
                },
                BusiestEnd
            );
    }

    /// <summary>All loads at once, each role on its path; null when no role has one.</summary>
    public static IoTestSpecification? Together(
        IReadOnlyList<FileStatsLoad> loads,
        IReadOnlyDictionary<string, string> pathOfRole,
        bool busiest
    )
    {
        var test = new IoTestSpecification
        {
            Workload = busiest ? "own-load" + BusiestEnd : "own-load",
            WorkloadRole = busiest ? "a server's own load in its busiest window" : "a server's own load",
        };
        foreach (var load in loads.Where(load => !load.IsTooRare))
            if (pathOfRole.FirstOrDefault(p => p.Key.Equals(load.Role, StringComparison.OrdinalIgnoreCase)).Value is { Length: > 0 } path)
            {
                var pattern = new IoPattern();
                Shape(pattern, busiest ? load with { OfFiles = [] } : load);
                test.Targets.Add(new IoTargetSpecification(path) { Pattern = pattern, Role = load.Role });
            }
        return test.Targets.Count > 0 ? test : null;
    }

    /// <summary>A load's name as a workload: <c>own-data-read</c>.</summary>
    private static IoTestSpecification Test(FileStatsLoad load, string end)
    {
        var test = new IoTestSpecification
        {
            Workload = $"own-{load.Role}-{load.Operation.ToString().ToLowerInvariant()}{end}",
            WorkloadRole = load.Role,
        };
        Shape(test, load);
        return test;
    }

    private static void Shape(IoPattern pattern, FileStatsLoad load)
    {
        var isLog = load.Role == "log";
        // Pages are 8 KB; a log's writes are any multiple of a sector up to 60 KB, and 4 KB fits every sector.
        var unit = isLog ? 4096 : 8192;
        pattern.BlockSize = Math.Max(unit, (long)Math.Round(load.BlockSizeKB * 1024 / unit) * unit);
        pattern.WritePercent = load.Operation == IoOperation.Write ? 100 : 0;
        pattern.Order = isLog ? new IoOrder.Interlocked() : IoOrder.Uniform;
        (pattern.ThreadCount, pattern.OutstandingIO) = isLog ? (1, Slots) : (4, Slots / 4);
        // Since 2019 tempdb is not written through.
        pattern.Buffering = load.Role == "tempdb" ? IoBuffering.Hardware : IoBuffering.None;
        pattern.Pace = new IoPace.Open(Math.Max(0.001, Math.Round(load.IOPS, 3)), IoArrivals.Poisson);
        pattern.ObservedLatencyMs = load.LatencyMs;
        if (load.OfFiles.Count > 0)
            pattern.ObservedFiles =
            [
                .. load
                    .OfFiles.Take(FileStatsWorkload.MaxFiles)
                    .Select(file => new IoObservedFile
                    {
                        File = file.File ?? "",
                        IOPS = file.IOPS,
                        BlockSizeKB = file.BlockSizeKB,
                        LatencyMs = file.LatencyMs,
                        BusiestIOPS = file.Busiest?.IOPS,
                        BusiestLatencyMs = file.Busiest?.LatencyMs,
                    }),
            ];
    }
}
