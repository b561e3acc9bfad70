using IoBench.Engine;

namespace IoBench.Analysis;

internal static class PrimaryMetric
{
    public static PatternChange? Of(ComparisonRow row, RunMatcher.Pair pair)
    {
        var isPaced = pair
            .Baseline.Concat(pair.Current)
            .All(r => (r.LoadModel == IoLoadModel.Open || r.TargetIops is not null) && !r.HasMissedRate());
        return isPaced
            ? Of(row, pair, "ResponseAverageMs", point => point.AverageLatencyMs)
                ?? Of(row, pair, "AverageLatencyMs", point => point.AverageLatencyMs)
                ?? Of(row, pair, "IOPS", point => point.IOPS)
            : Of(row, pair, "IOPS", point => point.IOPS);
    }

    /// <summary>Null if the metric is missing, or if a run did not reach its rate and its latency is therefore meaningless.</summary>
    public static PatternChange? Tail(ComparisonRow row, RunMatcher.Pair pair) =>
        pair.Baseline.Concat(pair.Current).Any(r => r.HasMissedRate())
            ? null
            : Change(row, pair, "ResponseP99Ms", OwnUncertainty.OfP99) ?? Change(row, pair, "P99Ms", OwnUncertainty.OfP99);

    // Repeats show more about the spread than intervals do. Use intervals only if there are no repeats.
    private static PatternChange? Of(ComparisonRow row, RunMatcher.Pair pair, string name, Func<IoTimelinePoint, double?> interval) =>
        Change(row, pair, name, run => pair.Baseline.Count + pair.Current.Count > 2 ? 0 : OwnUncertainty.OfMean(run, interval));

    private static PatternChange? Change(ComparisonRow row, RunMatcher.Pair pair, string name, Func<IoTestResult, double> ownVariance) =>
        PatternChange.Of(row.Metrics.FirstOrDefault(metric => metric.Metric == name), pair, MetricCatalog.Get(name).Figure!, ownVariance);
}
