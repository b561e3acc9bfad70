namespace IoBench.Analysis.Comparison;

/// <summary>How far a single run shows by itself that its figures may be off: by its intervals, and by the order statistics of its histogram. Variances of logarithms.</summary>
internal static class OwnUncertainty
{
    private const int MinIntervals = 2;

    // Fewer say little of how far the mean may be off, and only where one was far out of line: more than a run that calls itself steady may vary.
    private const int FewIntervals = 10;
    private const double MaxSteadyVariation = 0.10;

    /// <summary>Of a mean, from the run's intervals, which hang together: neighbours that resemble each other count as fewer. 0 = not known.</summary>
    /// <param name="interval">The figure of an interval.</param>
    public static double OfMean(IoTestResult run, Func<IoTimelinePoint, double?> interval)
    {
        var values = run.Timeline.Select(interval).OfType<double>().ToList();
        if (values.Count < MinIntervals)
            return 0;
        var mean = values.Average();
        var squares = values.Sum(v => (v - mean) * (v - mean));
        if (
            squares == 0
            || mean <= 0
            || values.Count < FewIntervals && Math.Sqrt(squares / (values.Count - 1)) <= MaxSteadyVariation * mean
        )
            return 0;
        double neighbours = 0;
        for (var i = 1; i < values.Count; i++)
            neighbours += (values[i] - mean) * (values[i - 1] - mean);
        var likeness = Math.Clamp(neighbours / squares, 0, 0.95);
        var independent = Math.Max(2, values.Count * (1 - likeness) / (1 + likeness));
        return squares / (values.Count - 1) / (mean * mean) / independent;
    }

    /// <summary>
    /// Of a 99th percentile: the values of the histogram one standard error of its rank below and above. 0 = the run has no histogram.
    /// Source: H. A. David and H. N. Nagaraja, Order Statistics, 7.1 (the rank of a quantile is binomial).
    /// </summary>
    public static double OfP99(IoTestResult run)
    {
        if (run.Histogram is not { } histogram || run.IOPS * run.DurationSeconds is not ({ } count and >= 100))
            return 0;
        const double p = 0.99;
        var error = Math.Sqrt(p * (1 - p) / count);
        return ValueAt(histogram.Buckets, p - error) is { } low and > 0 && ValueAt(histogram.Buckets, Math.Min(1, p + error)) is { } high
            ? Math.Pow((Math.Log(high) - Math.Log(low)) / 2, 2)
            : 0;
    }

    private static double? ValueAt(List<IoHistogramBucket> buckets, double share)
    {
        double sum = 0;
        foreach (var bucket in buckets)
        {
            var before = sum;
            sum += bucket.Percent / 100;
            if (sum >= share && bucket.Percent > 0)
                return bucket.ToMs is { } end
                    ? bucket.FromMs + (end - bucket.FromMs) * Math.Clamp((share - before) / (sum - before), 0, 1)
                    : bucket.FromMs;
        }
        return buckets.Count == 0 ? null : buckets[^1].FromMs;
    }
}
