using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Saturation point of a sweep over the load.</summary>
public sealed class SaturationResult : IHasFindings
{
    public required string IOPattern { get; init; }

    public string? Workload { get; init; }

    public string? Label { get; init; }

    public string? Path { get; init; }

    public required IReadOnlyList<SaturationPoint> Points { get; init; }

    /// <summary>Lowest load (total outstanding I/Os) with 95% of the throughput of the plateau; null if the sweep has no plateau.</summary>
    public int? KneeOutstanding { get; init; }

    /// <summary>Lowest load that can be the saturation point, because runs vary.</summary>
    public int? KneeLowOutstanding { get; init; }

    /// <summary>Highest load that can be the saturation point; null if the sweep has no plateau.</summary>
    public int? KneeHighOutstanding { get; init; }

    /// <summary>Whether the last two steps of the sweep increased throughput by more than the runs vary.</summary>
    public bool IsStillGrowing { get; init; }

    /// <summary>Whether the host did not run IoBench's threads for so long that the sweep does not show the storage.</summary>
    public bool IsCpuLimited { get; init; }

    public double? KneeIOPS { get; init; }

    public double? KneeMBps { get; init; }

    public double? KneeLatencyMs { get; init; }

    public required double MaxIOPS { get; init; }

    /// <summary>Load (total outstanding I/Os) with the highest IOPS.</summary>
    public required int MaxIOPSOutstanding { get; init; }

    /// <summary>Latency in milliseconds that the highest load adds to the latency at the knee; null without a knee.</summary>
    public double? LatencyGainedMs { get; init; }

    /// <summary>Whether the sweep reached a plateau; false if throughput still increased at its end.</summary>
    public required bool PlateauReached { get; init; }

    public required string Summary { get; init; }

    public override string ToString() => Summary;

    public List<string> Warnings => [.. WarningFindings.Select(doubt => doubt.What)];

    public IReadOnlyList<Finding> Findings => (Finding[])[ResultFinding, .. WarningFindings];

    internal IReadOnlyList<Finding> WarningFindings { get; init; } = [];

    private Finding ResultFinding =>
        new()
        {
            Code = PlateauReached ? FindingCodes.SaturationKnee : FindingCodes.SaturationNoPlateau,
            Subject = Workload ?? IOPattern,
            What = Summary,
            Outcome = PlateauReached ? null : VerdictOutcome.NotRated,
            Evidence = PlateauReached
                ?
                [
                    new("KneeOutstanding", KneeOutstanding),
                    new("KneeLowOutstanding", KneeLowOutstanding),
                    new("KneeHighOutstanding", KneeHighOutstanding),
                    new("IOPS", KneeIOPS, "IOPS"),
                    new("BandwidthMBps", KneeMBps, "MiB/s"),
                    new("AverageLatencyMs", KneeLatencyMs, "ms"),
                    new("MaxIOPS", MaxIOPS, "IOPS"),
                ]
                : [new("MaxIOPS", MaxIOPS, "IOPS"), new("MaxIOPSOutstanding", MaxIOPSOutstanding)],
            WhatToDo =
                PlateauReached ? null
                : IsCpuLimited ? CpuWait.Advice
                : "Test higher loads",
            Values = Finding.CreateValues(("IOPattern", IOPattern), ("Path", Path), ("Label", Label)),
        };

    /// <summary>Share of the highest throughput at which the plateau counts as reached.</summary>
    public const double PlateauShare = 0.95;

    /// <summary>Difference from Little's law, in percent, above which the values of a run are contradictory.</summary>
    public const double LittlesLawTolerancePercent = 10;

    /// <summary>Spread of runs without repeats, as a share of the mean.</summary>
    private const double AssumedSpread = 0.05;

    /// <summary>Smallest spread that counts, however well the repeats agree.</summary>
    private const double MinSpread = 0.01;

    /// <summary>Repeats beyond the first of each load from which their spread is used.</summary>
    private const int MinDegrees = 4;

    /// <summary>One result for each group of runs that differ only in their load. Ignores rate-limited and incomplete runs.</summary>
    public static IReadOnlyList<SaturationResult> Find(IEnumerable<IoTestResult> results)
    {
        List<IoTestResult> runs = [.. results];
        var hasSides = TestIdentity.AreSides(runs);
        return
        [
            .. runs.Where(r =>
                    r is { IOPS: > 0, TotalOutstanding: > 0, LoadModel: not IoLoadModel.Open, Status: IoResultStatus.Complete }
                    && !IsRateLimited(r)
                )
                .GroupBy(r =>
                    (
                        Label: hasSides ? r.Label : null,
                        r.Workload,
                        r.ComputerName,
                        r.Path,
                        r.IOPattern,
                        r.Buffering,
                        Size: Math.Round(r.FileSizeMB ?? 0),
                        IsSqlio: ResultFormats.IsInWholeMilliseconds(r)
                    )
                )
                .Where(g => g.Select(r => r.TotalOutstanding).Distinct().Count() >= 2)
                .Select(g => AnalyzeGroup([.. g])),
        ];
    }

    /// <summary>Returns the same results as <see cref="Find"/>, but throws if there are none.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoSweep</c>: no group has at least two different loads.</exception>
    public static IReadOnlyList<SaturationResult> Analyze(IEnumerable<IoTestResult> results)
    {
        var groups = Find(results);
        return groups.Count > 0
            ? groups
            : throw IoBenchException.Usage(
                "IoBench.NoSweep",
                $"The results contain no sweep. A sweep has at least two complete runs that differ only in outstanding I/Os or threads, for example {IoCommand.Run} T:\\ {OptionNames.OutstandingIO.WithValue("1,2,4,8,16,32")}."
            );
    }

    // With a rate limit or idle times, fewer I/Os are outstanding than specified, so neither the knee nor Little's law applies.
    private static bool IsRateLimited(IoTestResult r) => r.Specification is { TargetIops: null, IsRateLimited: true };

    private static SaturationResult AnalyzeGroup(IReadOnlyList<IoTestResult> runs)
    {
        var groups = runs.GroupBy(r => r.TotalOutstanding!.Value).OrderBy(g => g.Key).Select(g => g.ToList()).ToList();
        var points = groups.ConvertAll(g => CreatePoint(g[0].TotalOutstanding!.Value, g));
        var disturbed = runs.MaxBy(CpuWait.GetLostShare)!;
        var lost = CpuWait.GetLostShare(disturbed);
        var isDisturbed = lost >= CpuWait.DominantPercent / 100;
        var spread = Math.Max(GetSpread(groups), lost);
        double[] rates = [.. points.Select(p => p.IOPS)];
        var (low, high) = FindRange(rates, spread);
        var isGrowing = !isDisturbed && StillGrows(rates, spread);
        var best = points.MaxBy(p => p.IOPS)!;
        var last = points[^1];
        var isReached = high < points.Count - 1 && !isGrowing && !isDisturbed;
        var knee = points[FindPointOnPlateau(rates, low)];
        var kneeLatency = GetLatencyMs(knee, runs);
        var pattern = runs[0].IOPattern;
        string summary;
        if (isReached)
        {
            var range =
                low == high
                    ? $"saturation point at {points[low].Load}"
                    : $"saturation point between {points[low].Load} and {points[high].Load}";
            summary = Invariant(
                $"{pattern}: {range} outstanding I/Os. {knee.Load} outstanding {(knee.Load == 1 ? "I/O reaches" : "I/Os reach")} {knee.IOPS:N0} IOPS at {NumberFormat.Milliseconds(kneeLatency)}; {last.Load} outstanding I/Os add {NumberFormat.Milliseconds(GetLatencyMs(last, runs) - kneeLatency)} of latency."
            );
        }
        else if (isDisturbed)
            summary = Invariant(
                $"{pattern}: inconclusive. With {disturbed.TotalOutstanding} outstanding I/Os, {CpuWait.DescribeReason(disturbed)}, so the CPUs can be the bottleneck. The highest result is {best.IOPS:N0} IOPS with {best.Load} outstanding I/Os."
            );
        else
            summary = isGrowing
                ? Invariant(
                    $"{pattern}: no saturation point up to {last.Load} outstanding I/Os ({last.IOPS:N0} IOPS). Throughput still increases. Test higher loads."
                )
                : Invariant(
                    $"{pattern}: inconclusive. The saturation point is at {points[low].Load} outstanding I/Os or above, but the runs vary too much to locate it. Test higher loads, or repeat the runs."
                );
        return new SaturationResult
        {
            IOPattern = pattern ?? "",
            Workload = runs[0].Workload,
            Label = runs.Select(r => r.Label).Distinct().Count() == 1 ? runs[0].Label : null,
            Path = runs[0].Path,
            Points = points,
            KneeOutstanding = isReached ? knee.Load : null,
            KneeLowOutstanding = points[low].Load,
            KneeHighOutstanding = isReached ? points[high].Load : null,
            KneeIOPS = isReached ? knee.IOPS : null,
            KneeMBps = isReached ? knee.MBps : null,
            KneeLatencyMs = isReached ? kneeLatency : null,
            MaxIOPS = best.IOPS,
            MaxIOPSOutstanding = best.Load,
            LatencyGainedMs = isReached ? GetLatencyMs(last, runs) - kneeLatency : null,
            PlateauReached = isReached,
            IsStillGrowing = isGrowing,
            IsCpuLimited = isDisturbed,
            Summary = summary,
            WarningFindings = [.. CreateDoubts(points, runs)],
        };
    }

    /// <summary>Standard deviation of a point in relation to its mean: from repeats, or assumed.</summary>
    private static double GetSpread(List<List<IoTestResult>> groups)
    {
        var degrees = groups.Sum(g => g.Count - 1);
        if (degrees < MinDegrees)
            return AssumedSpread;
        var squares = groups.Sum(g => g.Sum(r => Math.Pow(r.IOPS!.Value / g.Average(other => other.IOPS!.Value) - 1, 2)));
        return Math.Max(MinSpread, Math.Sqrt(squares / degrees / groups.Average(g => g.Count)));
    }

    /// <summary>Index of the first rate on the plateau of a sweep without repeats; null if the sweep shows no plateau.</summary>
    public static int? FindKnee(IReadOnlyList<double> rates)
    {
        if (rates.Count < 2 || !rates.All(double.IsFinite))
            return null;
        var (low, high) = FindRange(rates, AssumedSpread);
        return high < rates.Count - 1 && !StillGrows(rates, AssumedSpread) ? FindPointOnPlateau(rates, low) : null;
    }

    private static int FindPointOnPlateau(IReadOnlyList<double> rates, int low)
    {
        var plateau = GetMedian(rates.Skip(low));
        return Enumerable.Range(low, rates.Count - low).First(i => rates[i] >= PlateauShare * plateau);
    }

    /// <summary>
    /// Indexes of the lowest and the highest load that can be the saturation point. Of simulated sweeps whose runs repeat within 5%, the
    /// range holds the true point in at least 99% if throughput stops increasing at once, and in at least 90% if it stops gradually.
    /// </summary>
    private static (int Low, int High) FindRange(IReadOnlyList<double> rates, double spread)
    {
        // The best of several runs is the luckiest, so the plateau is the median of all loads near the best.
        var near = FindFirst(PlateauShare * rates.Max() * (1 - 2 * spread) / (1 + 1.2 * spread));
        var plateau = GetMedian(rates.Skip(near));
        var low = FindFirst(PlateauShare * plateau * (1 - 2.4 * spread));
        var high = Enumerable
            .Range(low, rates.Count - low)
            .Where(i => rates[i] >= PlateauShare * plateau * (1 + 0.9 * spread) && rates[i] >= PlateauShare * GetMeanAfter(i))
            .DefaultIfEmpty(rates.Count - 1)
            .First();
        return (low, high);

        double GetMeanAfter(int i) => i + 1 < rates.Count ? rates.Skip(i + 1).Average() : 0;

        int FindFirst(double least)
        {
            for (var i = 0; i < rates.Count; i++)
                if (rates[i] >= least)
                    return i;
            return rates.Count - 1;
        }
    }

    /// <summary>Whether each of the last two steps increased throughput by more than the runs vary.</summary>
    private static bool StillGrows(IReadOnlyList<double> rates, double spread)
    {
        var least = 1 + Math.Max(1 - PlateauShare, 2.5 * Math.Sqrt(2) * spread);
        return rates[^1] > least * rates[^2] && (rates.Count < 3 || rates[^2] > least * rates[^3]);
    }

    private static double GetMedian(IEnumerable<double> values) =>
        SampleSummary.FromSamples(values.Select(value => (double?)value))!.Median;

    private static SaturationPoint CreatePoint(int load, IReadOnlyList<IoTestResult> runs)
    {
        // Little's law applies to each run, but not to the mean of different runs (1 thread with 2 outstanding I/Os, 2 threads with 1).
        return new(
            load,
            runs.Average(r => r.IOPS!.Value),
            runs.Average(r => r.BandwidthMBps),
            runs.Average(r => r.AverageLatencyMs),
            runs.Average(r => r.P99Ms),
            runs.Average(GetLittlesLawMs),
            runs.Select(GetLittlesLawErrorPercent).OfType<double>().OrderByDescending(Math.Abs).Cast<double?>().FirstOrDefault()
        );
    }

    private static double GetLittlesLawMs(IoTestResult run) => run.TotalOutstanding!.Value / run.IOPS!.Value * 1000;

    private static double? GetLittlesLawErrorPercent(IoTestResult run) =>
        (run.AverageLatencyMs - GetLittlesLawMs(run)) / GetLittlesLawMs(run) * 100;

    // SQLIO truncates its average to whole milliseconds twice, so Little's law provides the more accurate latency.
    private static double GetLatencyMs(SaturationPoint point, IReadOnlyList<IoTestResult> runs) =>
        ResultFormats.IsInWholeMilliseconds(runs[0]) ? point.LittlesLawMs : point.AverageLatencyMs ?? point.LittlesLawMs;

    /// <summary>In a shorter run, the queue still fills, and the I/Os that are outstanding at the end have no latency yet.</summary>
    private static bool IsLongEnough(IoTestResult run)
    {
        const int latencies = 10;
        var latency = Math.Max(run.AverageLatencyMs ?? 0, GetLittlesLawMs(run)) / 1000;
        var warmUp = run.GetStoredSpecification()?.WarmUp.TotalSeconds;
        return (run.DurationSeconds is not { } seconds || seconds >= latencies * latency) && (warmUp is null || warmUp >= latency);
    }

    private static IEnumerable<Finding> CreateDoubts(IReadOnlyList<SaturationPoint> points, IReadOnlyList<IoTestResult> runs)
    {
        var subject = runs[0].Workload ?? runs[0].IOPattern ?? "";
        // SQLIO truncates twice, so its average can be up to two milliseconds too low without a contradiction.
        var cut = ResultFormats.IsInWholeMilliseconds(runs[0]) ? 2 : 0;
        // Report only the run with the largest difference for each load.
        foreach (
            var run in runs.Where(r =>
                    IsLongEnough(r)
                    && Math.Abs(GetLittlesLawErrorPercent(r) ?? 0) > LittlesLawTolerancePercent
                    && Math.Abs(r.AverageLatencyMs!.Value - GetLittlesLawMs(r)) > cut
                )
                .GroupBy(r => r.TotalOutstanding!.Value)
                .OrderBy(g => g.Key)
                .Select(g => g.MaxBy(r => Math.Abs(GetLittlesLawErrorPercent(r)!.Value))!)
        )
            yield return new()
            {
                Code = FindingCodes.SaturationContradiction,
                Subject = subject,
                What = Invariant(
                    $"At {run.TotalOutstanding} outstanding I/Os, the measured latency of {NumberFormat.Milliseconds(run.AverageLatencyMs!.Value)} and the latency by Little's law ({NumberFormat.Milliseconds(GetLittlesLawMs(run))} = outstanding / IOPS) differ by {Math.Abs(GetLittlesLawErrorPercent(run)!.Value):0}%. These values contradict each other."
                ),
                Severity = FindingSeverity.Warning,
                Evidence =
                [
                    new("Outstanding", run.TotalOutstanding),
                    new("AverageLatencyMs", run.AverageLatencyMs, "ms"),
                    new("LittlesLawLatencyMs", GetLittlesLawMs(run), "ms"),
                ],
            };
        if (points.Count < 4)
            yield return new()
            {
                Code = FindingCodes.SaturationFewLoads,
                Subject = subject,
                What = $"The sweep has only {points.Count} loads, and the saturation point can be between two of them.",
                Evidence = [new("Loads", points.Count)],
            };
    }
}

/// <summary>One load (total outstanding I/Os) of a sweep; rates are means of repeats.</summary>
/// <param name="LittlesLawMs">Load / IOPS in milliseconds.</param>
/// <param name="LittlesLawErrorPercent">Difference of the measured latency from Little's law, the largest of several runs.</param>
public sealed record SaturationPoint(
    int Load,
    double IOPS,
    double? MBps,
    double? AverageLatencyMs,
    double? P99Ms,
    double LittlesLawMs,
    double? LittlesLawErrorPercent
);
