using IoBench.Engine;

namespace IoBench.Analysis;

internal static class CapturedWorkload
{
    private const int TestOutstandingIO = 32;

    private const string BusiestSuffix = "-busiest";

    public static IEnumerable<IoTestSpecification> CreateTests(CapturedLoad load)
    {
        if (!load.IsTooRare)
            yield return CreateTest(load, "");
        if (load.Busiest is { } burst)
            // List the files only once, in the test of the average load if there is one.
            yield return CreateTest(
                load with
                {
                    IOPS = burst.IOPS,
                    BlockSizeKB = burst.BlockSizeKB,
                    LatencyMs = burst.LatencyMs,
                    OfFiles = load.IsTooRare ? load.OfFiles : [],
                },
                BusiestSuffix
            );
    }

    public static IoTestSpecification? CreateConcurrentTest(
        IReadOnlyList<CapturedLoad> loads,
        IReadOnlyDictionary<string, string> pathOfRole,
        bool busiest
    )
    {
        var test = new IoTestSpecification
        {
            Workload = busiest ? "own-load" + BusiestSuffix : "own-load",
            WorkloadRole = busiest ? "a server's own load in its busiest window" : "a server's own load",
        };
        foreach (var load in loads.Where(load => !load.IsTooRare))
            if (pathOfRole.FirstOrDefault(p => p.Key.Equals(load.Role, StringComparison.OrdinalIgnoreCase)).Value is { Length: > 0 } path)
            {
                var pattern = new IoPattern();
                ApplyLoad(pattern, busiest ? load with { OfFiles = [] } : load);
                test.Targets.Add(new IoTargetSpecification(path) { Pattern = pattern, Role = load.Role });
            }
        return test.Targets.Count > 0 ? test : null;
    }

    private static IoTestSpecification CreateTest(CapturedLoad load, string end)
    {
        var test = new IoTestSpecification
        {
            Workload = $"own-{load.Role}-{load.Operation.ToString().ToLowerInvariant()}{end}",
            WorkloadRole = load.Role,
        };
        ApplyLoad(test, load);
        return test;
    }

    private static void ApplyLoad(IoPattern pattern, CapturedLoad load)
    {
        var isLog = load.Role == "log";
        // A page is 8 KB. A log write is a multiple of a sector up to 60 KB, and 4 KB is a multiple of every sector size.
        var unit = isLog ? 4096 : 8192;
        pattern.BlockSize = Math.Max(unit, (long)Math.Round(load.BlockSizeKB * 1024 / unit) * unit);
        pattern.WritePercent = load.Operation == IoOperation.Write ? 100 : 0;
        pattern.Order = isLog ? new IoOrder.Interlocked() : IoOrder.Uniform;
        (pattern.ThreadCount, pattern.OutstandingIO) = isLog ? (1, TestOutstandingIO) : (4, TestOutstandingIO / 4);
        // SQL Server 2019 and later do not use write-through for tempdb.
        pattern.Buffering = load.Role == "tempdb" ? IoBuffering.Hardware : IoBuffering.None;
        pattern.Pace = new IoPace.OpenLoop(Math.Max(0.001, Math.Round(load.IOPS, 3)), IoArrivals.Poisson);
        pattern.ObservedLatencyMs = load.LatencyMs;
        if (load.OfFiles.Count > 0)
            pattern.ObservedFiles =
            [
                .. load
                    .OfFiles.Take(CapturedWorkload.MaxFiles)
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
