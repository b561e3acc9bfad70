namespace IoBench.Analysis.Comparison;

/// <summary>The one metric that a pattern is judged by: what the test lets vary. IOPS where the load is closed, latency where the rate is given.</summary>
internal static class PrimaryMetric
{
    /// <summary>The metric with its runs; null where a side lacks it.</summary>
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

    /// <summary>The 99th percentile with its runs, of an open loop that of the response time; null where a side lacks it, or missed its rate: then no latency says anything.</summary>
    public static PatternChange? Tail(ComparisonRow row, RunMatcher.Pair pair) =>
        pair.Baseline.Concat(pair.Current).Any(r => r.HasMissedRate())
            ? null
            : Change(row, pair, "ResponseP99Ms", OwnUncertainty.OfP99) ?? Change(row, pair, "P99Ms", OwnUncertainty.OfP99);

    // Repeats show more than intervals do: these count where there are none.
    private static PatternChange? Of(ComparisonRow row, RunMatcher.Pair pair, string name, Func<IoTimelinePoint, double?> interval) =>
        Change(row, pair, name, run => pair.Baseline.Count + pair.Current.Count > 2 ? 0 : OwnUncertainty.OfMean(run, interval));

    private static PatternChange? Change(ComparisonRow row, RunMatcher.Pair pair, string name, Func<IoTestResult, double> ownVariance) =>
        PatternChange.Of(row.Metrics.FirstOrDefault(metric => metric.Metric == name), pair, MetricCatalog.Get(name).Figure!, ownVariance);
}
