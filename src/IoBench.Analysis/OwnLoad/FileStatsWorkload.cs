using System.Globalization;

namespace IoBench.Analysis.OwnLoad;

/// <summary>
/// A server's own load: sizes, mix and rate between snapshots of sys.dm_io_virtual_file_stats, as open-loop tests. The counters are sums, so that a mean hides
/// bursts: of three snapshots or more the busiest window is a load of its own.
/// </summary>
public sealed class FileStatsWorkload
{
    // So few I/Os say nothing about sizes or latency.
    private const int MinIOs = 10;

    /// <summary>Of fewer expected I/Os a test says nothing.</summary>
    internal const double MinExpected = 100;

    /// <summary>Files of a load that its test carries, the busiest: a server with thousands of databases has few busy files.</summary>
    public const int MaxFiles = 100;

    /// <summary>A test's length in seconds unless somebody asks for more.</summary>
    internal const double UsualSeconds = 30;

    private FileStatsWorkload(
        IReadOnlyList<FileStatsWindow> windows,
        IReadOnlyList<FileStatsLoad> loads,
        IReadOnlyList<string> warnings,
        int? busiestWindow
    )
    {
        (Seconds, Windows) = (windows.Sum(w => w.Seconds), windows.Count);
        (Loads, Warnings, BusiestWindow) = (loads, warnings, busiestWindow);
    }

    /// <summary>Seconds between the snapshots, without windows that were left out.</summary>
    public double Seconds { get; }

    /// <summary>Windows: one fewer than snapshots, without those that were left out.</summary>
    public int Windows { get; }

    /// <summary>Reads and writes of data, log and tempdb, where there were any worth a test on average.</summary>
    public IReadOnlyList<FileStatsLoad> Loads { get; }

    /// <summary>The same in the window with the most I/Os per second of all roles; empty of two snapshots.</summary>
    public IReadOnlyList<FileStatsLoad> BusiestLoads { get; private init; } = [];

    /// <summary>The number of that window, from 1; null of two snapshots.</summary>
    public int? BusiestWindow { get; }

    /// <summary>Files left out and the like, in words.</summary>
    public IReadOnlyList<string> Warnings { get; }

    /// <summary>The load in words: how long, then a line for each load, and for each of its files where there are several.</summary>
    public IEnumerable<string> Lines
    {
        get
        {
            yield return Windows == 1
                ? $"Own load of {Figures.Duration(Seconds)}."
                : $"Own load of {Figures.Duration(Seconds)} in {Windows} windows, the busiest of all roles is number {BusiestWindow}.";
            foreach (var load in Loads)
            {
                yield return load + ".";
                if (load.OfFiles.Count > 1)
                    foreach (var file in load.OfFiles)
                        yield return $"  {file}.";
            }
        }
    }

    /// <summary>The load between two snapshots of one server.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.SameSnapshot</c>: no time or no I/O between them; <c>IoBench.CountersReset</c>: a counter fell.</exception>
    public static FileStatsWorkload Between(FileStatsSnapshot first, FileStatsSnapshot second) => Of([first, second]);

    /// <summary>The load of snapshots of one server, the earliest first.</summary>
    /// <param name="snapshots">Two, or more: the time between each and the next is a window.</param>
    /// <param name="testDuration">How long tests will be, by which a load is too rare to test; null or less than 30 s = 30 s.</param>
    /// <exception cref="IoBenchException"><c>IoBench.TwoSnapshots</c>: fewer than two; <c>IoBench.SameSnapshot</c>: no time or no I/O between them; <c>IoBench.CountersReset</c>: counters fell in every window.</exception>
    public static FileStatsWorkload Of(IReadOnlyList<FileStatsSnapshot> snapshots, TimeSpan? testDuration = null)
    {
        ArgumentNullException.ThrowIfNull(snapshots);
        if (snapshots.Count < 2)
            throw IoBenchException.Usage(
                "IoBench.TwoSnapshots",
                $"A load is what happened between two snapshots, and there {(snapshots.Count == 1 ? "is 1" : $"are {snapshots.Count}")}.",
                advice: "Give two or more, the earliest first."
            );
        List<string> warnings = [];
        var windows = WindowsOf(snapshots, warnings);
        LeftOutFiles(snapshots, warnings);
        // A longer test makes more of a rare load, a quick look must not hide one.
        var min = MinExpected / Math.Max(testDuration?.TotalSeconds ?? 0, UsualSeconds);
        List<FileStatsLoad> loads = [];
        List<string> rare = [];
        foreach (var (role, operation) in Kinds(windows))
        {
            var load = LoadOf(windows, role, operation);
            var ios = windows.Sum(w => w.Count(operation, f => f.Role == role).IOs);
            if (ios is 0)
                continue;
            if (ios < MinIOs)
                warnings.Add($"{role}: only {ios} {operation.ToString().ToLowerInvariant()}(s): left out.");
            else if (load.IOPS < min && !(load.Busiest?.IOPS >= min))
                rare.Add(
                    $"{role} {operation.ToString().ToLowerInvariant()}s: {Rate(load.IOPS)} per second are too rare to test: left out."
                );
            else
                loads.Add(load with { IsTooRare = load.IOPS < min });
        }
        warnings.AddRange(rare);
        warnings.AddRange(
            loads
                .Where(load => load.IsTooRare)
                .Select(load =>
                    $"{load.Role} {load.Operation.ToString().ToLowerInvariant()}s: {Rate(load.IOPS)} per second on average are too rare to test: only the busiest window is tested."
                )
        );
        if (loads.Count == 0)
            throw NothingToTest(snapshots, windows, rare);
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
                    .. Kinds([windows[index]])
                        .Select(kind => LoadOf([windows[index]], kind.Role, kind.Operation))
                        .Where(load => load.IOPS >= min),
                ],
        };
    }

    /// <summary>
    /// A test for each load, without a target: open loop at the server's rate and size. Of three snapshots or more one also for each load in its own busiest
    /// window: <c>own-data-read-busiest</c>.
    /// </summary>
    public IReadOnlyList<IoTestSpecification> CreateSpecifications() => [.. Loads.SelectMany(OwnLoadTests.Of)];

    /// <summary>One test of all loads at once, each role on its path; roles without a path are left out.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRolePath</c>: no load's role has a path.</exception>
    public IoTestSpecification CreateTogether(IReadOnlyDictionary<string, string> pathOfRole) =>
        OwnLoadTests.Together(Loads, pathOfRole, busiest: false)
        ?? throw IoBenchException.Usage(
            "IoBench.NoRolePath",
            $"No path was given for {string.Join(", ", Loads.Select(l => l.Role).Distinct())}."
        );

    /// <summary>That test, and of three snapshots or more the same of the window that was the busiest of all roles together.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRolePath</c>: no load's role has a path.</exception>
    public IReadOnlyList<IoTestSpecification> CreateAllTogether(IReadOnlyDictionary<string, string> pathOfRole) =>
        [
            .. new[]
            {
                CreateTogether(pathOfRole),
                OwnLoadTests.Together(BusiestLoads, pathOfRole, busiest: true),
            }.OfType<IoTestSpecification>(),
        ];

    /// <summary>A sentence for each role with a load and without a path, which <see cref="CreateTogether"/> leaves out.</summary>
    public IReadOnlyList<string> LeftOut(IReadOnlyDictionary<string, string> pathOfRole) =>
        [
            .. Loads
                .Select(l => l.Role)
                .Distinct()
                .Where(role => !pathOfRole.Any(p => p.Key.Equals(role, StringComparison.OrdinalIgnoreCase) && p.Value.Length > 0))
                .Select(role => $"{role} has no path: its load is left out."),
        ];

    /// <summary>A rate in words: whole numbers from 10 on, and below 1 never zero: <c>0.17</c>, <c>0.004</c>.</summary>
    internal static string Rate(double rate) =>
        rate >= 10 ? Figures.Grouped(rate)
        : rate >= 1 ? rate.ToString("0.#", CultureInfo.InvariantCulture)
        : rate >= 0.01 ? rate.ToString("0.##", CultureInfo.InvariantCulture)
        : rate.ToString("0.######", CultureInfo.InvariantCulture);

    /// <summary>The windows that say something; one that a restart fell into is left out where there are others.</summary>
    private static List<FileStatsWindow> WindowsOf(IReadOnlyList<FileStatsSnapshot> snapshots, List<string> warnings)
    {
        List<FileStatsWindow> windows = [];
        for (var i = 1; i < snapshots.Count; i++)
        {
            try
            {
                windows.Add(FileStatsWindow.Between(snapshots[i - 1], snapshots[i]));
            }
            catch (IoBenchException error) when (snapshots.Count > 2 && error.ErrorId == ErrorIds.CountersReset)
            {
                warnings.Add($"The window from {snapshots[i - 1].Name} to {snapshots[i].Name} is left out: {error.Message}");
            }
        }
        return windows.Count > 0
            ? windows
            : throw IoBenchException.InvalidData(
                ErrorIds.CountersReset,
                $"Counters fell in every window of {snapshots.Count} snapshots: {warnings[0]}"
            );
    }

    private static void LeftOutFiles(IReadOnlyList<FileStatsSnapshot> snapshots, List<string> warnings)
    {
        var (first, last) = (snapshots[0], snapshots[^1]);
        if (last.Rows.Values.Count(r => r.IsFileStream) is > 0 and var streams)
            warnings.Add(
                $"{streams} FILESTREAM container(s) are left out: clients read and write them through the file system, there is no pattern of the engine to copy."
            );
        var (added, gone) = (last.Rows.Keys.Count(k => !first.Rows.ContainsKey(k)), first.Rows.Keys.Count(k => !last.Rows.ContainsKey(k)));
        if (added + gone > 0)
            warnings.Add(
                snapshots.Count == 2
                    ? $"{added} file(s) are only in {last.Name} and {gone} only in {first.Name}: they are left out."
                    : $"{added} file(s) came and {gone} went between the first and the last snapshot: they count in the windows that begin and end with them."
            );
    }

    private static IEnumerable<(string Role, IoOperation Operation)> Kinds(IReadOnlyList<FileStatsWindow> windows) =>
        from role in windows.SelectMany(w => w.Files).Select(f => f.File.Role).Distinct().Order(StringComparer.Ordinal)
        from operation in new[] { IoOperation.Read, IoOperation.Write }
        select (role, operation);

    private static FileStatsLoad LoadOf(IReadOnlyList<FileStatsWindow> windows, string role, IoOperation operation)
    {
        var files = windows.SelectMany(w => w.Files).Select(f => f.File).Where(f => f.Role == role).DistinctBy(f => f.Key).ToList();
        var ofFiles = files
            .Select(file => Load(windows, role, operation, 1, f => f.Key == file.Key) with { File = file.Title })
            .Where(load => load.IOPS > 0)
            .OrderByDescending(load => load.IOPS)
            .ToList();
        return Load(windows, role, operation, ofFiles.Count, f => f.Role == role) with { OfFiles = ofFiles };
    }

    private static FileStatsLoad Load(
        IReadOnlyList<FileStatsWindow> windows,
        string role,
        IoOperation operation,
        int files,
        Func<FileStatsRow, bool> isOf
    )
    {
        var counts = windows.Select(window => (window.Seconds, Count: window.Count(operation, isOf))).ToList();
        var sum = counts.Aggregate(default(FileStatsCount), (total, window) => total + window.Count);
        var load = new FileStatsLoad(role, operation, files, sum.IOs / windows.Sum(w => w.Seconds), KB(sum), Ms(sum));
        if (windows.Count == 1)
            return load;
        var index = Enumerable.Range(0, counts.Count).MaxBy(i => counts[i].Count.IOs / counts[i].Seconds);
        var (seconds, busiest) = counts[index];
        return load with { Busiest = new(index + 1, seconds, busiest.IOs / seconds, KB(busiest), Ms(busiest)) };

        static double KB(FileStatsCount count) => count.IOs == 0 ? 0 : count.Bytes / 1024.0 / count.IOs;
        static double Ms(FileStatsCount count) => count.IOs == 0 ? 0 : count.StallMs / (double)count.IOs;
    }

    private static IoBenchException NothingToTest(
        IReadOnlyList<FileStatsSnapshot> snapshots,
        IReadOnlyList<FileStatsWindow> windows,
        List<string> rare
    ) =>
        IoBenchException.InvalidData(
            "IoBench.SameSnapshot",
            rare.Count > 0
                ? $"SQL Server did so little between {snapshots[0].Name} and {snapshots[^1].Name} that no test of it would say anything ({rare[^1].TrimEnd('.')}): take snapshots around a period of work."
                : $"SQL Server did fewer than {MinIOs} I/Os of any kind in the {windows.Sum(w => w.Seconds).ToString("0.#", CultureInfo.InvariantCulture)} s between {snapshots[0].Name} and {snapshots[^1].Name}: take snapshots around a period of work."
        );
}
