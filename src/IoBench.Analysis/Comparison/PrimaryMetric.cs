using IoBench.Engine;

namespace IoBench.Analysis;

internal static class PatternChange
{
    public static PatternChange? CreatePrimary(ComparisonRow row, RunMatcher.RunPair pair)
    {
        var isPaced = pair
            .Baseline.Concat(pair.Current)
            .All(r => (r.LoadModel == IoLoadModel.Open || r.TargetIops is not null) && !r.HasMissedRate());
        return isPaced
            ? CreatePrimary(row, pair, "ResponseAverageMs", point => point.AverageLatencyMs)
                ?? CreatePrimary(row, pair, "AverageLatencyMs", point => point.AverageLatencyMs)
                ?? CreatePrimary(row, pair, "IOPS", point => point.IOPS)
            : CreatePrimary(row, pair, "IOPS", point => point.IOPS);
    }

    /// <summary>Null if the metric is missing, or if a run did not reach its rate and its latency is therefore meaningless.</summary>
    public static PatternChange? CreateTail(ComparisonRow row, RunMatcher.RunPair pair) =>
        pair.Baseline.Concat(pair.Current).Any(r => r.HasMissedRate())
            ? null
            : CreateForMetric(row, pair, "ResponseP99Ms", SingleRunError.EstimateP99Variance)
                ?? CreateForMetric(row, pair, "P99Ms", SingleRunError.EstimateP99Variance);

    // Repeats show more about the spread than intervals do. Use intervals only if there are no repeats.
    private static PatternChange? CreatePrimary(
        ComparisonRow row,
        RunMatcher.RunPair pair,
        string name,
        Func<IoTimelinePoint, double?> interval
    ) =>
        CreateForMetric(
            row,
            pair,
            name,
            run => pair.Baseline.Count + pair.Current.Count > 2 ? 0 : SingleRunError.EstimateMeanVariance(run, interval)
        );

    private static PatternChange? CreateForMetric(
        ComparisonRow row,
        RunMatcher.RunPair pair,
        string name,
        Func<IoTestResult, double> ownVariance
    ) =>
        PatternChange.Create(
            row.Metrics.FirstOrDefault(metric => metric.Metric == name),
            pair,
            MetricCatalog.Get(name).Figure!,
            ownVariance
        );
}
