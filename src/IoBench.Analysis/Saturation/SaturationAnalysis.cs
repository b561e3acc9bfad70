using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Finds the saturation point (knee) of sweeps over threads or outstanding I/Os, and checks the values by Little's law.</summary>
public static class SaturationAnalysis
{
    /// <summary>Share of the highest throughput at which the plateau counts as reached.</summary>
    public const double PlateauShare = 0.95;

    /// <summary>Difference from Little's law, in percent, above which the values of a run are contradictory.</summary>
    public const double LittlesLawTolerancePercent = 10;

    /// <summary>One result for each group of runs that differ only in their load. Ignores rate-limited and incomplete runs.</summary>
    public static IReadOnlyList<SaturationResult> Find(IEnumerable<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        return
        [
            .. results
                .Where(r =>
                    r is { IOPS: > 0, TotalOutstanding: > 0, LoadModel: not IoLoadModel.Open, Status: IoResultStatus.Complete }
                    && !IsRateLimited(r)
                )
                .GroupBy(r =>
                    (
                        r.Label,
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
                $"These results hold no sweep: at least two complete runs that differ in outstanding I/O or threads alone are needed, for example {IoCommand.Run} T:\\ {OptionNames.OutstandingIO.WithValue("1,2,4,8,16,32")}."
            );
    }

    // With a rate limit or idle times, fewer I/Os are outstanding than specified, so neither the knee nor Little's law applies.
    private static bool IsRateLimited(IoTestResult r) => r.Specification is { Pace: IoPace.ClosedLoop { IsLimited: true } };

    private static SaturationResult AnalyzeGroup(IReadOnlyList<IoTestResult> runs)
    {
        var points = runs.GroupBy(r => r.TotalOutstanding!.Value).OrderBy(g => g.Key).Select(g => CreatePoint(g.Key, [.. g])).ToList();
        var best = points.MaxBy(p => p.IOPS)!;
        var knee = points.First(p => p.IOPS >= PlateauShare * best.IOPS);
        // A knee at the highest load only means that the sweep ended there; throughput might still increase.
        var reached = knee.Load < points[^1].Load;
        var last = points[^1];
        var kneeLatency = GetLatencyMs(knee, runs);
        return new SaturationResult
        {
            IOPattern = runs[0].IOPattern ?? "",
            Workload = runs[0].Workload,
            Label = runs[0].Label,
            Path = runs[0].Path,
            Points = points,
            KneeOutstanding = reached ? knee.Load : null,
            KneeIOPS = reached ? knee.IOPS : null,
            KneeMBps = reached ? knee.MBps : null,
            KneeLatencyMs = reached ? kneeLatency : null,
            MaxIOPS = best.IOPS,
            MaxIOPSOutstanding = best.Load,
            LatencyGainedMs = reached ? GetLatencyMs(last, runs) - kneeLatency : null,
            PlateauReached = reached,
            Summary = reached
                ? string.Create(
                    CultureInfo.InvariantCulture,
                    $"{runs[0].IOPattern}: {knee.Load} outstanding {(knee.Load == 1 ? "reaches" : "reach")} {knee.IOPS:N0} IOPS at {NumberFormat.Milliseconds(kneeLatency)}, {knee.IOPS / best.IOPS * 100:0} % of the best; {last.Load} outstanding only add {NumberFormat.Milliseconds(GetLatencyMs(last, runs) - kneeLatency)} of latency."
                )
                : string.Create(
                    CultureInfo.InvariantCulture,
                    $"{runs[0].IOPattern}: no plateau up to {last.Load} outstanding ({last.IOPS:N0} IOPS): throughput still grows, sweep further."
                ),
            WarningFindings = [.. CreateDoubts(points, runs)],
        };
    }

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

    private static IEnumerable<Finding> CreateDoubts(IReadOnlyList<SaturationPoint> points, IReadOnlyList<IoTestResult> runs)
    {
        var subject = runs[0].Workload ?? runs[0].IOPattern ?? "";
        // SQLIO truncates twice, so its average can be up to two milliseconds too low without a contradiction.
        var cut = ResultFormats.IsInWholeMilliseconds(runs[0]) ? 2 : 0;
        // Report only the run with the largest difference for each load.
        foreach (
            var run in runs.Where(r =>
                    Math.Abs(GetLittlesLawErrorPercent(r) ?? 0) > LittlesLawTolerancePercent
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
                What = string.Create(
                    CultureInfo.InvariantCulture,
                    $"At {run.TotalOutstanding} outstanding the measured latency of {NumberFormat.Milliseconds(run.AverageLatencyMs!.Value)} and Little's law ({NumberFormat.Milliseconds(GetLittlesLawMs(run))} = outstanding / IOPS) differ by {Math.Abs(GetLittlesLawErrorPercent(run)!.Value):0} %: these figures contradict each other."
                ),
                Severity = FindingSeverity.Watch,
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
                What = $"Only {points.Count} loads were swept: the knee is one of them and may lie between two.",
                Severity = FindingSeverity.Info,
                Evidence = [new("Loads", points.Count)],
            };
    }
}
