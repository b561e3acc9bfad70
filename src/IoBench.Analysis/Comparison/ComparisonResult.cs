using System.Text.Json.Serialization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Runs matched by their settings and compared by one primary metric and the 99th percentile.</summary>
public sealed class ComparisonResult : IHasFindings
{
    public string? BaselineLabel { get; init; }

    public string? Label { get; init; }

    /// <summary>Patterns that both the baseline and the current results contain.</summary>
    public required IReadOnlyList<ComparisonRow> Rows { get; init; }

    /// <summary>Tests that have no counterpart, one line per reason.</summary>
    public required IReadOnlyList<string> Unmatched { get; init; }

    /// <summary>Reasons why the results might not be comparable, without duplicates.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])[.. Finding.CollectFrom(Rows), .. Comparability.CreateFindings(Rows), .. Comparability.CreateDiskSpdFindings(Rows)];

    /// <summary>Differences between the tools of the baseline and the current results; empty if both are from one tool.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> ToolNotes =>
        [.. Comparability.CreateFindings(Rows).Select(finding => finding.WhatToDo is { } todo ? $"{finding.What}. {todo}" : finding.What)];

    /// <summary>Sentences about the patterns that changed, and about changes that could not be detected.</summary>
    [JsonIgnore]
    public IEnumerable<string> Sentences
    {
        get
        {
            foreach (var row in Rows.Where(row => row.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse))
                yield return ComparisonRow.CreateFinding(row).What + ".";
            foreach (
                var unseen in Rows.Where(row =>
                        row is { Verdict: ComparisonVerdict.Inconclusive, MinVisiblePercent: not null, Deciding.Doubt: null }
                    )
                    .GroupBy(row => (row.DecidingMetric, Min: Math.Ceiling(row.MinVisiblePercent!.Value - 1e-6)))
            )
            {
                var names = unseen.Select(row => row.Workload ?? row.IOPattern ?? "a run").Distinct().ToList();
                yield return Invariant(
                    $"Inconclusive: {NumberFormat.List(names, 4)}. To detect changes in {MetricCatalog.Get(unseen.Key.DecidingMetric!).Words} that are smaller than {unseen.Key.Min:#,##0}%, use more repeats."
                );
            }
            foreach (var doubtful in Rows.Where(row => row.Deciding?.Doubt is not null).GroupBy(row => row.Deciding!.Doubt!))
                yield return $"Inconclusive: {NumberFormat.List([.. doubtful.Select(row => row.Test).Distinct()], 4)}. {char.ToUpperInvariant(doubtful.Key[0])}{doubtful.Key[1..]}.";
        }
    }

    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>: a list is empty, or no run has a counterpart.</exception>
    public static ComparisonResult Compare(
        IReadOnlyList<IoTestResult> baseline,
        IReadOnlyList<IoTestResult> current,
        string? baselineLabel = null,
        string? label = null,
        ComparisonOptions? options = null
    )
    {
        options ??= new();
        var baselineName = baselineLabel ?? "the baseline";
        var currentName = label ?? "the current results";
        RequireResults(baseline, baselineName);
        RequireResults(current, currentName);
        var usable = (IoTestResult r) => r.Status == IoResultStatus.Complete && r.IOPS is not null;
        var (pairs, unmatched) = MatchRuns(baseline.Where(usable), current.Where(usable), baselineName, currentName);
        unmatched.AddRange(
            baseline
                .Concat(current)
                .Where(r => !usable(r))
                .Select(r =>
                    (
                        Name: r.IOPattern ?? r.SourceFile ?? "a run",
                        Why: $"ignored: {(r.IOPS is null ? "it has no IOPS" : r.Status.ToString())}"
                    )
                )
                .Select(run => (run.Name, run.Name, run.Why))
        );
        if (pairs.Count == 0)
            throw IoBenchException.Usage(
                ErrorIds.NothingToCompare,
                $"No run of {currentName} matches a run of {baselineName}. Workload, pattern, block size, threads, and outstanding I/Os must be the same in both runs. {string.Join("; ", DescribeUnmatched(unmatched))}."
            );

        var rows = pairs.ConvertAll(pair => CreateRow(pair, baselineLabel, label));
        foreach (var (row, name) in rows.Zip(RepeatSummary.CreateNames(pairs.ConvertAll(pair => pair.Current[0]))))
            row.Test = name;
        ClassifyRows([.. rows.Zip(pairs)], options);
        return new ComparisonResult
        {
            BaselineLabel = baselineLabel,
            Label = label,
            Rows = rows,
            Unmatched = DescribeUnmatched(unmatched),
            Warnings = [.. rows.SelectMany(r => r.Warnings).Distinct()],
        };
    }

    /// <summary>Groups results by the value of a property, such as the label, and compares each group with the baseline group.</summary>
    /// <param name="baselineSide">Value of the baseline, not case-sensitive; null = the value of the first result.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>: fewer than two groups, or no such baseline.</exception>
    public static IReadOnlyList<ComparisonResult> CompareBy(
        IReadOnlyList<IoTestResult> results,
        Func<IoTestResult, string?> side,
        string property,
        string? baselineSide = null,
        ComparisonOptions? options = null
    )
    {
        RequireResults(results, "the input");
        var sides = results.GroupBy(r => side(r) ?? "", StringComparer.OrdinalIgnoreCase).ToList();
        var baseline = baselineSide is null
            ? sides[0]
            : sides.Find(s => string.Equals(s.Key, baselineSide, StringComparison.OrdinalIgnoreCase))
                ?? throw CreateUnknownValueError(baselineSide, property, sides.ConvertAll(s => s.Key));
        if (sides.Count < 2)
            throw IoBenchException.Usage(
                ErrorIds.NothingToCompare,
                $"All results have the same {property}{(baseline.Key.Length == 0 ? " (none)" : $", '{baseline.Key}'")}. A comparison requires at least two different values."
            );
        return [.. sides.Where(s => s != baseline).Select(side => Compare([.. baseline], [.. side], baseline.Key, side.Key, options))];
    }

    private static IoBenchException CreateUnknownValueError(string name, string property, List<string> sides)
    {
        var isNamedAsFile = name.AsSpan().ContainsAny('/', '\\') || Path.GetExtension(name).Length is > 1 and <= 5;
        var known = sides.TrueForAll(side => side.Length == 0)
            ? $"no result has a {property}"
            : $"no result has the {property} '{name}' (existing values: {string.Join(", ", sides.Select(side => side.Length == 0 ? "(none)" : side))})";
        return isNamedAsFile
            ? IoBenchException.Usage(
                ErrorIds.NothingToCompare,
                $"The file '{name}' does not exist, and {known}.",
                advice: "Check the name of the file."
            )
            : IoBenchException.Usage(ErrorIds.NothingToCompare, $"{char.ToUpperInvariant(known[0])}{known[1..]}.");
    }

    private static void RequireResults(IReadOnlyList<IoTestResult> side, string name)
    {
        if (side.Count == 0)
            throw IoBenchException.Usage(ErrorIds.NothingToCompare, $"{name} contains no results.");
    }

    private static ComparisonRow CreateRow(RunPair pair, string? baselineLabel, string? label)
    {
        var a = pair.Baseline[0];
        var b = pair.Current[0];
        var byLittle = pair.Baseline.Concat(pair.Current).Any(r => ResultFormats.IsInWholeMilliseconds(r));
        List<ComparedMetric?> metrics =
        [
            CreateMetric("IOPS", pair),
            CreateMetric("BandwidthMBps", pair),
            byLittle ? CreateMetric("LittlesLawLatencyMs", pair, GetLittlesLawLatency) : CreateMetric("AverageLatencyMs", pair),
            byLittle ? null : CreateMetric("P99Ms", pair),
            // A stall of an open loop shows only in the response time, which counts from the scheduled start.
            CreateMetric("ResponseAverageMs", pair),
            CreateMetric("ResponseP99Ms", pair),
        ];
        return new ComparisonRow
        {
            BaselineLabel = baselineLabel,
            Label = label,
            Workload = a.Workload ?? b.Workload,
            IOPattern = a.IOPattern,
            ThreadCount = a.ThreadCount,
            OutstandingIO = a.OutstandingIO,
            FileSizeMB = a.FileSizeMB,
            BaselineRuns = pair.Baseline.Count,
            Runs = pair.Current.Count,
            Metrics = [.. metrics.OfType<ComparedMetric>()],
            BaselineResults = [.. pair.Baseline],
            Results = [.. pair.Current],
            Warnings = [.. Comparability.CreateWarnings(pair.Baseline, pair.Current)],
        };
    }

    internal static double? GetLittlesLawLatency(IoTestResult r) =>
        r.LittlesLawLatencyMs ?? (r.LoadModel == IoLoadModel.Open || r.IOPS is not > 0 ? null : r.TotalOutstanding / r.IOPS * 1000);

    private static ComparedMetric? CreateMetric(string name, RunPair pair, Func<IoTestResult, double?>? figure = null)
    {
        var of = figure ?? MetricCatalog.Get(name).Figure!;
        var left = SampleSummary.FromSamples(pair.Baseline.Select(of));
        var right = SampleSummary.FromSamples(pair.Current.Select(of));
        if (left is null || right is null)
            return null;
        var log = PatternChange.GetLogChange(pair, of);
        return new ComparedMetric
        {
            Metric = name,
            Baseline = left,
            Current = right,
            LogChange = log,
            ChangePercent =
                log is { } change ? Math.Round((Math.Exp(change) - 1) * 100, 9)
                : left.Mean == 0 ? null
                : (right.Mean - left.Mean) / Math.Abs(left.Mean) * 100,
        };
    }

    private static void ClassifyRows(IReadOnlyList<(ComparisonRow Row, RunPair Pair)> patterns, ComparisonOptions options)
    {
        var classifier = new ChangeClassifier(options);
        var primary = patterns.Select(p => (p.Row, Change: PatternChange.CreatePrimary(p.Row, p.Pair))).ToList();
        var tails = patterns.Select(p => (p.Row, Change: PatternChange.CreateTail(p.Row, p.Pair))).ToList();
        classifier.ClassifyPrimary([.. primary.Select(p => p.Change).OfType<PatternChange>()]);
        classifier.ClassifyTail([.. tails.Select(p => p.Change).OfType<PatternChange>()]);
        for (var i = 0; i < patterns.Count; i++)
            SetVerdict(patterns[i].Row, primary[i].Change?.Metric, tails[i].Change?.Metric);
    }

    // A worse tail decides in any case. A better tail decides only if the primary metric shows no change.
    private static void SetVerdict(ComparisonRow row, ComparedMetric? primary, ComparedMetric? tail)
    {
        var deciding =
            primary?.Verdict == ComparisonVerdict.Worse ? primary
            : tail?.Verdict == ComparisonVerdict.Worse ? tail
            : primary?.Verdict != ComparisonVerdict.Better && tail?.Verdict == ComparisonVerdict.Better ? tail
            : primary;
        row.DecidingMetric = deciding?.Metric;
        row.Verdict = deciding?.Verdict ?? ComparisonVerdict.Inconclusive;
    }

    private static readonly (string Name, Func<IoTestResult, object?> Of)[] s_conditions =
    [
        ("file size", r => r.FileSizeMB is { } size ? Invariant($"{Math.Round(size):#,0} MB") : null),
        ("buffering", r => r.Buffering),
        ("rate", r => r.TargetIops is { } rate ? Invariant($"{rate:#,0.###} IOPS") : r.LoadModel?.ToString()),
        ("path", r => r.Path),
        ("computer", r => r.ComputerName),
    ];

    // The key of a test. Circumstances such as the file size and the path are handled separately: they can differ, with a warning.
    private static object GetTestKey(IoTestResult r) =>
        (r.Workload, r.BlockSizeKB, r.AccessPattern, r.WritePercent, r.ThreadCount, r.OutstandingIO);

    private static (List<RunPair> Pairs, List<(string Name, string Test, string Why)> Unmatched) MatchRuns(
        IEnumerable<IoTestResult> baseline,
        IEnumerable<IoTestResult> current,
        string baselineName,
        string currentName
    )
    {
        List<RunPair> pairs = [];
        List<(string Name, string Test, string Why)> unmatched = [];
        var left = baseline.GroupBy(GetTestKey).ToDictionary(g => g.Key, g => g.ToList());
        var right = current.GroupBy(GetTestKey).ToDictionary(g => g.Key, g => g.ToList());
        // Other tools have no workload names. Match a run without a workload with a run of the same pattern.
        foreach (var (key, runs) in left)
        {
            if (right.Remove(key, out var others))
                SplitByCondition(new RunPair(runs, others), 0, pairs, unmatched, baselineName, currentName);
            else if (FindWithoutWorkload(right, runs[0]) is { } match && right.Remove(match, out others))
                SplitByCondition(new RunPair(runs, others), 0, pairs, unmatched, baselineName, currentName);
            else
                unmatched.Add(CreateUnmatched(runs[0], "", baselineName));
        }
        unmatched.AddRange(right.Values.Select(runs => CreateUnmatched(runs[0], "", currentName)));
        return (pairs, unmatched);
    }

    private static object? FindWithoutWorkload(Dictionary<object, List<IoTestResult>> others, IoTestResult run) =>
        others
            .Where(o => (run.Workload is null) != (o.Value[0].Workload is null))
            .Where(o =>
                o.Value[0].BlockSizeKB == run.BlockSizeKB
                && o.Value[0].AccessPattern == run.AccessPattern
                && o.Value[0].WritePercent == run.WritePercent
                && o.Value[0].ThreadCount == run.ThreadCount
                && o.Value[0].OutstandingIO == run.OutstandingIO
            )
            .Select(o => o.Key)
            .FirstOrDefault();

    // Several values of a circumstance mean that the user varied it, so match only equal values.
    private static void SplitByCondition(
        RunPair pair,
        int dimension,
        List<RunPair> pairs,
        List<(string Name, string Test, string Why)> unmatched,
        string baselineName,
        string currentName
    )
    {
        if (dimension == s_conditions.Length)
        {
            pairs.Add(pair);
            return;
        }
        var of = s_conditions[dimension].Of;
        var left = pair.Baseline.GroupBy(r => of(r) ?? "").ToDictionary(g => g.Key, g => g.ToList());
        var right = pair.Current.GroupBy(r => of(r) ?? "").ToDictionary(g => g.Key, g => g.ToList());
        if (left.Count == 1 && right.Count == 1)
        {
            SplitByCondition(pair, dimension + 1, pairs, unmatched, baselineName, currentName);
            return;
        }
        foreach (var (value, runs) in left)
        {
            if (right.Remove(value, out var others))
                SplitByCondition(new RunPair(runs, others), dimension + 1, pairs, unmatched, baselineName, currentName);
            else
                unmatched.Add(CreateUnmatched(runs[0], $" with {s_conditions[dimension].Name} {value}", baselineName));
        }
        unmatched.AddRange(
            right.Select(other => CreateUnmatched(other.Value[0], $" with {s_conditions[dimension].Name} {other.Key}", currentName))
        );
    }

    private static (string Name, string Test, string Why) CreateUnmatched(IoTestResult run, string circumstance, string side) =>
        (run.Workload ?? run.IOPattern ?? "a run", DescribeRun(run) + circumstance, $"only in {side}");

    private static string DescribeRun(IoTestResult run) =>
        $"{(run.Workload is null ? "" : run.Workload + ": ")}{run.IOPattern}, {FormatCount(run.ThreadCount)} thread{(run.ThreadCount == 1 ? "" : "s")} x {FormatCount(run.OutstandingIO)}";

    private static string FormatCount(int? number) => number?.ToString(System.Globalization.CultureInfo.InvariantCulture) ?? "?";

    private const int MaxNames = 3;

    /// <summary>Returns one line per reason.</summary>
    private static IReadOnlyList<string> DescribeUnmatched(IReadOnlyList<(string Name, string Test, string Why)> tests) =>
        [
            .. tests
                .GroupBy(test => test.Why)
                .Select(group => group.Count() == 1 ? $"{group.First().Test} is {group.Key}" : DescribeGroup([.. group])),
        ];

    private static string DescribeGroup(List<(string Name, string Test, string Why)> tests)
    {
        var names = tests.Select(test => test.Name).Distinct().ToList();
        return $"{tests.Count} tests are {tests[0].Why} ({NumberFormat.List(names, MaxNames)})";
    }
}
