using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>
/// Sizes, read/write mix, and rates between snapshots of sys.dm_io_virtual_file_stats, or of a trace of Extended Events, as open-loop
/// tests.
/// Counters are sums, so an average hides bursts. With three or more snapshots or a trace, the busiest window becomes a separate test.
/// </summary>
public sealed class CapturedWorkload
{
    // Fewer I/Os show neither sizes nor latency reliably.
    private const int MinIOs = 10;

    // A rate from 30 I/Os is known to about 20%: one divided by the square root.
    private const int MinBusiestIOs = 30;

    internal const double MinExpectedIOs = 100;

    /// <summary>Largest number of files that a test lists. A server with thousands of databases has only a few busy files.</summary>
    public const int MaxFiles = 100;

    internal const double DefaultSeconds = 30;

    private CapturedWorkload(
        IReadOnlyList<FileStatsWindow> windows,
        IReadOnlyList<CapturedLoad> loads,
        IReadOnlyList<string> warnings,
        int? busiestWindow
    )
    {
        Seconds = windows.Sum(w => w.Seconds);
        Windows = windows.Count;
        Loads = loads;
        Warnings = warnings;
        BusiestWindow = busiestWindow;
    }

    /// <summary>Seconds between the snapshots, without skipped windows.</summary>
    public double Seconds { get; }

    /// <summary>Number of windows: one less than snapshots, without skipped windows.</summary>
    public int Windows { get; }

    /// <summary>Reads and writes of data, log, and tempdb that are frequent enough for a test.</summary>
    public IReadOnlyList<CapturedLoad> Loads { get; }

    /// <summary>The same for the window with the highest IOPS of all file roles; empty if there are only two snapshots.</summary>
    public IReadOnlyList<CapturedLoad> BusiestLoads { get; private init; } = [];

    /// <summary>Number of that window, starting at 1; null if there are only two snapshots.</summary>
    public int? BusiestWindow { get; }

    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The captured workload in words: the length, then one line for each load and, if there are several, each file.</summary>
    public IEnumerable<string> Lines
    {
        get
        {
            yield return Windows == 1
                ? $"Captured workload of {NumberFormat.Duration(Seconds)}."
                : $"Captured workload of {NumberFormat.Duration(Seconds)} in {Windows} windows. For all file roles together, window {BusiestWindow} is the busiest.";
            foreach (var load in Loads)
            {
                yield return load + ".";
                if (load.Shape is { } shape)
                    yield return $"  {shape}.";
                if (load.OfFiles.Count > 1)
                    foreach (var file in load.OfFiles)
                        yield return $"  {file}.";
            }
        }
    }

    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c> or <c>IoBench.CountersReset</c>.</exception>
    public static CapturedWorkload FromSnapshots(FileStatsSnapshot first, FileStatsSnapshot second) => FromSnapshots([first, second]);

    /// <param name="snapshots">Two or more snapshots of one server, the earliest first. The time between two of them is a window.</param>
    /// <param name="testDuration">Determines the lowest testable rate; null or less than 30 s = 30 s.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TwoSnapshots</c>, <c>IoBench.SameSnapshot</c>,
    /// <c>IoBench.CountersReset</c>.</exception>
    public static CapturedWorkload FromSnapshots(IReadOnlyList<FileStatsSnapshot> snapshots, TimeSpan? testDuration = null)
    {
        ArgumentNullException.ThrowIfNull(snapshots);
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.TwoSnapshots",
                $"A captured workload requires at least two snapshots, but the input contains {snapshots.Count}.",
                advice: "Specify two or more snapshots, the earliest first."
            );
        List<IoWarning> ofSnapshots = [];
        var windows = FileStatsWindow.CreateAll(snapshots, ofSnapshots);
        List<string> warnings = [.. ofSnapshots.Select(warning => warning.ToString())];
        return Create(
            windows,
            warnings,
            testDuration,
            rare => CreateNothingToTestError(FileStatsSnapshot.OrderByTime(snapshots), windows, rare),
            load => load
        );
    }

    /// <param name="paths">Files with the events file_read_completed and file_write_completed of one Extended Events session.</param>
    /// <param name="testDuration">As for snapshots.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoXEvents</c>, <c>IoBench.InvalidXEvents</c>, <c>IoBench.XEventOrder</c>,
    /// <c>IoBench.TooFewXEvents</c>, or a file cannot be read.</exception>
    public static CapturedWorkload FromEvents(IReadOnlyList<string> paths, TimeSpan? testDuration = null)
    {
        ArgumentNullException.ThrowIfNull(paths);
        var trace = XEventTrace.Read(paths);
        return Create(
            trace.CreateWindows(),
            trace.Warnings,
            testDuration,
            _ =>
                IoBenchException.InvalidData(
                    "IoBench.TooFewXEvents",
                    $"{trace.Name} contains too few events for a test.",
                    advice: "Capture a few minutes of a busy period."
                ),
            load => load with { Shape = trace.FindShape(load.Role, load.Operation) }
        );
    }

    private static CapturedWorkload Create(
        IReadOnlyList<FileStatsWindow> windows,
        List<string> warnings,
        TimeSpan? testDuration,
        Func<List<string>, IoBenchException> createNothingToTestError,
        Func<CapturedLoad, CapturedLoad> addShape
    )
    {
        // A longer test can measure a rarer load, but a preliminary test must not hide one.
        var min = MinExpectedIOs / Math.Max(testDuration?.TotalSeconds ?? 0, DefaultSeconds);
        List<CapturedLoad> loads = [];
        List<string> rare = [];
        foreach (var (role, operation) in GetRoleOperations(windows))
        {
            var load = CreateRoleLoad(windows, role, operation);
            var ios = windows.Sum(w => w.CountIOs(operation, f => f.Role == role).IOs);
            if (ios is 0)
                continue;
            if (ios < MinIOs)
                warnings.Add($"{role}: only {ios} {operation.ToString().ToLowerInvariant()}(s), so IoBench ignores them.");
            else if (load.IOPS < min && !(load.Busiest?.IOPS >= min))
                rare.Add(
                    $"{role} {operation.ToString().ToLowerInvariant()}s: {FormatRate(load.IOPS)} IOPS are too few for a test, so IoBench ignores them."
                );
            else
                loads.Add(addShape(load) with { IsTooRare = load.IOPS < min });
        }
        warnings.AddRange(rare);
        warnings.AddRange(
            loads
                .Where(load => load.IsTooRare)
                .Select(load =>
                    $"{load.Role} {load.Operation.ToString().ToLowerInvariant()}s: {FormatRate(load.IOPS)} IOPS on average are too few for a test, so IoBench tests only the busiest window."
                )
        );
        if (loads.Count == 0)
            throw createNothingToTestError(rare);
        if (windows.Count > 1)
            warnings.AddRange(
                loads
                    .Where(load => load.Busiest is null)
                    .Select(load =>
                        $"{load.Role} {load.Operation.ToString().ToLowerInvariant()}s: no window has {MinBusiestIOs} I/Os or more, so IoBench does not test the busiest window."
                    )
            );
        int? busiest =
            windows.Count == 1
                ? null
                : Enumerable.Range(0, windows.Count).MaxBy(i => windows[i].Files.Sum(f => f.Reads.IOs + f.Writes.IOs) / windows[i].Seconds);
        return new(windows, loads, warnings, busiest + 1)
        {
            BusiestLoads = busiest is not { } index
                ? []
                :
                [
                    .. GetRoleOperations([windows[index]])
                        .Select(kind => CreateRoleLoad([windows[index]], kind.Role, kind.Operation))
                        .Where(load => load.IOPS >= min && load.IOPS * windows[index].Seconds >= MinBusiestIOs)
                        .Select(load => WithMeanSize(addShape(load))),
                ],
        };
    }

    /// <summary>One open-loop test without a target for each load, and one for its busiest window (three or more snapshots).</summary>
    public IReadOnlyList<IoTestSpecification> CreateSpecifications() => [.. Loads.SelectMany(CapturedWorkload.CreateTests)];

    /// <summary>Creates one test of all loads, with one path per file role. File roles without a path are skipped.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRolePath</c>: none of the file roles has a path.</exception>
    public IoTestSpecification CreateConcurrentSpecification(IReadOnlyDictionary<string, string> pathOfRole) =>
        CapturedWorkload.CreateConcurrentTest(Loads, pathOfRole, busiest: false)
        ?? throw IoBenchException.Usage(
            "IoBench.NoRolePath",
            $"No path was specified for {string.Join(", ", Loads.Select(l => l.Role).Distinct())}."
        );

    /// <summary>Creates that test and, with three or more snapshots, the same for the busiest window of all roles together.</summary>
    public IReadOnlyList<IoTestSpecification> CreateConcurrentSpecifications(IReadOnlyDictionary<string, string> pathOfRole) =>
        [
            .. new[]
            {
                CreateConcurrentSpecification(pathOfRole),
                CapturedWorkload.CreateConcurrentTest(BusiestLoads, pathOfRole, busiest: true),
            }.OfType<IoTestSpecification>(),
        ];

    /// <summary>One sentence for each file role that has a load but no path.</summary>
    public IReadOnlyList<string> DescribeRolesWithoutPath(IReadOnlyDictionary<string, string> pathOfRole) =>
        [
            .. Loads
                .Select(l => l.Role)
                .Distinct()
                .Where(role => !pathOfRole.Any(p => p.Key.Equals(role, StringComparison.OrdinalIgnoreCase) && p.Value.Length > 0))
                .Select(role => $"{role} has no path, so IoBench ignores its load."),
        ];

    /// <summary>Formats a rate: whole numbers from 10 on, and never zero below 1, as in <c>0.17</c> and <c>0.004</c>.</summary>
    internal static string FormatRate(double rate) =>
        rate >= 10 ? NumberFormat.Grouped(rate)
        : rate >= 1 ? rate.ToString("0.#", CultureInfo.InvariantCulture)
        : rate >= 0.01 ? rate.ToString("0.##", CultureInfo.InvariantCulture)
        : rate.ToString("0.######", CultureInfo.InvariantCulture);

    private static IEnumerable<(string Role, IoOperation Operation)> GetRoleOperations(IReadOnlyList<FileStatsWindow> windows) =>
        from role in windows.SelectMany(w => w.Files).Select(f => f.File.Role).Distinct().Order(StringComparer.Ordinal)
        from operation in new[] { IoOperation.Read, IoOperation.Write }
        select (role, operation);

    private static CapturedLoad CreateRoleLoad(IReadOnlyList<FileStatsWindow> windows, string role, IoOperation operation)
    {
        var files = windows.SelectMany(w => w.Files).Select(f => f.File).Where(f => f.Role == role).DistinctBy(f => f.Identity).ToList();
        var ofFiles = files
            .Select(file => CreateLoad(windows, role, operation, 1, f => f.Identity == file.Identity) with { File = file.DisplayName })
            .Where(load => load.IOPS > 0)
            .OrderByDescending(load => load.IOPS)
            .ToList();
        return CreateLoad(windows, role, operation, ofFiles.Count, f => f.Role == role) with { OfFiles = ofFiles };
    }

    private static CapturedLoad CreateLoad(
        IReadOnlyList<FileStatsWindow> windows,
        string role,
        IoOperation operation,
        int files,
        Func<FileStatsRow, bool> isOf
    )
    {
        var counts = windows.Select(window => (window.Seconds, Count: window.CountIOs(operation, isOf))).ToList();
        var sum = counts.Aggregate(default(FileStatsCount), (total, window) => total + window.Count);
        var load = new CapturedLoad(role, operation, files, sum.IOs / windows.Sum(w => w.Seconds), KB(sum), Ms(sum));
        if (windows.Count == 1)
            return load;
        var enough = Enumerable.Range(0, counts.Count).Where(i => counts[i].Count.IOs >= MinBusiestIOs).ToList();
        if (enough.Count == 0)
            return load;
        var index = enough.MaxBy(i => counts[i].Count.IOs / counts[i].Seconds);
        var (seconds, busiest) = counts[index];
        return load with { Busiest = new(index + 1, seconds, busiest.IOs / seconds, KB(busiest), Ms(busiest)) };

        static double KB(FileStatsCount count) => count.IOs == 0 ? 0 : count.Bytes / 1024.0 / count.IOs;
        static double Ms(FileStatsCount count) => count.IOs == 0 ? 0 : count.StallMs / (double)count.IOs;
    }

    private static IoBenchException CreateNothingToTestError(
        IReadOnlyList<FileStatsSnapshot> snapshots,
        IReadOnlyList<FileStatsWindow> windows,
        List<string> rare
    ) =>
        IoBenchException.InvalidData(
            "IoBench.SameSnapshot",
            rare.Count > 0
                ? $"Between {snapshots[0].Name} and {snapshots[^1].Name}, SQL Server did too few I/Os for a test ({rare[^1].TrimEnd('.')}). Take the snapshots before and after a busy period."
                : $"SQL Server did fewer than {MinIOs} I/Os of any kind in the {windows.Sum(w => w.Seconds).ToString("0.#", CultureInfo.InvariantCulture)} s between {snapshots[0].Name} and {snapshots[^1].Name}. Take the snapshots before and after a busy period."
        );

    private const int TestOutstandingIO = 32;

    private const string BusiestSuffix = "-busiest";

    internal static IEnumerable<IoTestSpecification> CreateTests(CapturedLoad load)
    {
        if (!load.IsTooRare)
            yield return CreateTest(load, "");
        if (load.Busiest is { } burst)
            // List the files only once, in the test of the average load if there is one.
            yield return CreateTest(
                WithMeanSize(load) with
                {
                    IOPS = burst.IOPS,
                    BlockSizeKB = burst.BlockSizeKB,
                    LatencyMs = burst.LatencyMs,
                    OfFiles = load.IsTooRare ? load.OfFiles : [],
                },
                BusiestSuffix
            );
    }

    internal static IoTestSpecification? CreateConcurrentTest(
        IReadOnlyList<CapturedLoad> loads,
        IReadOnlyDictionary<string, string> pathOfRole,
        bool busiest
    )
    {
        var test = new IoTestSpecification
        {
            Workload = busiest ? "own-load" + BusiestSuffix : "own-load",
            WorkloadRole = busiest ? "captured workload, busiest window" : "captured workload",
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

    /// <summary>The sizes of the whole trace do not have the throughput of its busiest window.</summary>
    private static CapturedLoad WithMeanSize(CapturedLoad load) =>
        load.Shape is { } shape ? load with { Shape = shape with { Sizes = [] } } : load;

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

    /// <summary>A page is 8 KB. A log write is a multiple of a sector up to 60 KB, and 4 KB is a multiple of every sector size.</summary>
    internal static long GetSizeUnit(string role) => role == "log" ? 4096 : 8192;

    private static void ApplyLoad(IoPattern pattern, CapturedLoad load)
    {
        var isLog = load.Role == "log";
        var unit = GetSizeUnit(load.Role);
        pattern.BlockSize = Math.Max(unit, (long)Math.Round(load.BlockSizeKB * 1024 / unit) * unit);
        pattern.WritePercent = load.Operation == IoOperation.Write ? 100 : 0;
        pattern.AccessPattern = isLog ? IoAccessPattern.Interlocked : IoAccessPattern.Random;
        load.Shape?.ApplyTo(pattern);
        pattern.ThreadCount = isLog ? 1 : 4;
        pattern.OutstandingIO = TestOutstandingIO / pattern.ThreadCount;
        // SQL Server 2019 and later do not use write-through for tempdb.
        pattern.Buffering = load.Role == "tempdb" ? IoBuffering.Hardware : IoBuffering.None;
        pattern.TargetIops = Math.Max(0.001, Math.Round(load.IOPS, 3));
        pattern.Arrivals = IoArrivals.Poisson;
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
