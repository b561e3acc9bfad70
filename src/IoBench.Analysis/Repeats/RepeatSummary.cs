using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Mean, spread, and 95% confidence interval of equal runs. A comparison uses the same means. Of rounds until the steady state,
/// the last five count.</summary>
public sealed class RepeatSummary : IHasFindings
{
    private static readonly ResultMetric[] s_metrics = Array.ConvertAll(
        [
            "IOPS",
            "BandwidthMBps",
            "AverageLatencyMs",
            "P50Ms",
            "P95Ms",
            "P99Ms",
            "P999Ms",
            "MaxLatencyMs",
            "ResponseAverageMs",
            "ResponseP99Ms",
            "CpuPercent",
        ],
        MetricCatalog.Get
    );

    public string? Label { get; init; }

    public string? Workload { get; init; }

    public string? IOPattern { get; init; }

    public string? Path { get; init; }

    public int? ThreadCount { get; init; }

    public int? OutstandingIO { get; init; }

    public double? FileSizeMB { get; init; }

    /// <summary>Number of complete runs in the summary.</summary>
    public required int Runs { get; init; }

    /// <summary>Number of rounds; null if the runs are not rounds until the steady state.</summary>
    public int? Rounds { get; init; }

    /// <summary>Whether the last five rounds are steady; null if the runs are not rounds, or fewer than five.</summary>
    public bool? IsSteady => State?.IsSteady;

    public SteadyState? State { get; init; }

    /// <summary>Mean IOPS.</summary>
    public double? IOPS => FindMetric("IOPS")?.Mean;

    /// <summary>Standard deviation of IOPS over the runs / mean; null for one run.</summary>
    public double? IopsVariation => FindMetric("IOPS")?.Variation;

    public double? BandwidthMBps => FindMetric("BandwidthMBps")?.Mean;

    public double? AverageLatencyMs => FindMetric("AverageLatencyMs")?.Mean;

    public double? P99Ms => FindMetric("P99Ms")?.Mean;

    /// <summary>Metrics by name; without those that no run has.</summary>
    public required IReadOnlyDictionary<string, SampleSummary> Metrics { get; init; }

    /// <summary>All runs in order, including all rounds.</summary>
    public IReadOnlyList<IoTestResult> Results { get; init; } = [];

    public required string Summary { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])
            [
                new()
                {
                    Code = Rounds is null
                        ? FindingCodes.RepeatSpread
                        : IsSteady switch
                        {
                            true => FindingCodes.RepeatSteady,
                            false => FindingCodes.RepeatNeverSteady,
                            _ => FindingCodes.RepeatTooFew,
                        },
                    Subject = Workload ?? IOPattern ?? "",
                    What = Summary,
                    Severity = Rounds is not null && IsSteady == false ? FindingSeverity.Warning : FindingSeverity.Info,
                    Outcome = Rounds is null
                        ? null
                        : IsSteady switch
                        {
                            true => VerdictOutcome.Pass,
                            false => VerdictOutcome.Fail,
                            _ => VerdictOutcome.NotRated,
                        },
                    Evidence =
                    [
                        new("Runs", Runs),
                        .. Metrics.Select(metric => new FindingEvidence(
                            metric.Key + " mean",
                            metric.Value.Mean,
                            MetricCatalog.Get(metric.Key).Unit
                        )),
                        new("IopsVariation", IopsVariation),
                    ],
                    WhatToDo = IsSteady == false ? SteadyState.NotSteadyAdvice : null,
                    Values = Finding.CreateValues(("Label", Label), ("Path", Path), ("IOPattern", IOPattern)),
                },
            ];

    public override string ToString() => Summary;

    /// <summary>Returns one summary for each group of complete runs with equal settings, in the order of their first run.</summary>
    public static IReadOnlyList<RepeatSummary> Summarize(IEnumerable<IoTestResult> results)
    {
        var groups = results
            .Where(r => r.Status == IoResultStatus.Complete)
            .GroupBy(r =>
                (
                    r.Label,
                    r.Workload,
                    r.ComputerName,
                    r.Path,
                    r.IOPattern,
                    r.ThreadCount,
                    r.OutstandingIO,
                    r.Buffering,
                    r.LoadModel,
                    r.TargetIops,
                    Size: r.FileSizeMB is { } size ? Math.Round(size) : -1
                )
            )
            .Select(group => group.ToList())
            .ToList();
        return [.. groups.Zip(CreateNames(groups.ConvertAll(group => group[0])), Summarize)];
    }

    private static RepeatSummary Summarize(IReadOnlyList<IoTestResult> all, string name)
    {
        var areRounds = all.Any(r => r.GetStoredSpecification()?.SteadyStateRounds is not null);
        var ordered = areRounds ? [.. all.OrderBy(r => r.Repeat)] : all;
        var runs = areRounds ? [.. ordered.TakeLast(SteadyState.Window)] : ordered;
        var state = areRounds ? SteadyState.FromResults(ordered) : null;
        var metrics = s_metrics
            .Select(m => (m.Name, Summary: SampleSummary.FromSamples(runs.Select(m.Figure!))))
            .Where(m => m.Summary is not null)
            .ToDictionary(m => m.Name, m => m.Summary!);
        var first = runs[0];
        return new()
        {
            Label = first.Label,
            Workload = first.Workload,
            IOPattern = first.IOPattern,
            Path = first.Path,
            ThreadCount = first.ThreadCount,
            OutstandingIO = first.OutstandingIO,
            FileSizeMB = first.FileSizeMB,
            Runs = runs.Count,
            Metrics = metrics,
            Rounds = areRounds ? all.Count : null,
            State = state,
            Results = [.. ordered],
            Summary =
                $"{name}: {(areRounds ? DescribeRounds(all, state) : NumberFormat.Pluralize(runs.Count, "run"))}; {DescribeMetric(metrics, "IOPS", "IOPS", value => NumberFormat.Grouped(value))}; {DescribeMetric(metrics, "AverageLatencyMs", "ms", value => NumberFormat.Latency(value))}.",
        };
    }

    private static string DescribeRounds(IReadOnlyList<IoTestResult> rounds, SteadyState? state) =>
        state is null
            ? $"{NumberFormat.Pluralize(rounds.Count, "round")}, too few to determine a steady state"
            : $"{(state.IsSteady ? $"steady after {rounds.Count}" : $"not steady in {rounds.Count}")} rounds {SteadyState.DescribeCriterion(rounds)}: {SteadyState.Describe(state)}";

    private SampleSummary? FindMetric(string name) => Metrics.GetValueOrDefault(name);

    private static string DescribeMetric(Dictionary<string, SampleSummary> metrics, string name, string unit, Func<double, string> text)
    {
        if (!metrics.TryGetValue(name, out var s))
            return $"no {unit}";
        return s.ConfidenceLow is { } low && s.ConfidenceHigh is { } high
            ? $"mean {text(s.Mean)} {unit} (range {text(s.Min)} to {text(s.Max)}, 95% interval {text(Math.Max(0, low))} to {text(high)})"
            : $"{text(s.Mean)} {unit} (one run: no spread)";
    }

    // Sorted by importance. Parts are added until all names are different.
    private static readonly Func<IoTestResult, string?>[] s_nameParts =
    [
        run => run.Label,
        run => run.Path,
        run => run.ComputerName,
        run => run.IOPattern,
        run => run.ThreadCount is { } threads && run.OutstandingIO is { } outstanding ? Invariant($"{threads} x {outstanding}") : null,
        run => run.FileSizeMB is { } size ? NumberFormat.Size(size) : null,
        run => run.Buffering?.ToString(),
        run => run.TargetIops is { } rate ? $"at {NumberFormat.Rate(rate)} IOPS" : null,
    ];

    internal static string[] CreateNames(IReadOnlyList<IoTestResult> runs)
    {
        string[] names = [.. runs.Select(run => run.Workload ?? run.IOPattern ?? "")];
        foreach (
            var equal in Enumerable
                .Range(0, names.Length)
                .GroupBy(index => names[index])
                .Where(group => group.Count() > 1)
                .Select(group => group.ToArray())
                .ToList()
        )
        foreach (var part in s_nameParts)
        {
            if (equal.Select(index => names[index]).Distinct().Count() == equal.Length)
                break;
            if (equal.Select(index => part(runs[index])).Distinct().Count() < 2)
                continue;
            foreach (var index in equal)
                if (part(runs[index]) is { Length: > 0 } text && text != names[index])
                    names[index] += ", " + text;
        }
        return names;
    }
}
