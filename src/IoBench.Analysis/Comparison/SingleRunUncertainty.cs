using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Estimates the uncertainty of a single run from its intervals and its histogram, as variances of logarithms.</summary>
internal static class SingleRunUncertainty
{
    private const int MinIntervals = 2;

    // With fewer intervals, estimate the uncertainty only if the variation exceeds that of a steady run.
    private const int FewIntervals = 10;
    private const double MaxSteadyVariation = 0.10;

    /// <summary>Correlated intervals count as fewer. 0 = unknown.</summary>
    public static double EstimateMeanVariance(IoTestResult run, Func<IoTimelinePoint, double?> interval)
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
        double lagProducts = 0;
        for (var i = 1; i < values.Count; i++)
            lagProducts += (values[i] - mean) * (values[i - 1] - mean);
        var autocorrelation = Math.Clamp(lagProducts / squares, 0, 0.95);
        var independent = Math.Max(2, values.Count * (1 - autocorrelation) / (1 + autocorrelation));
        return squares / (values.Count - 1) / (mean * mean) / independent;
    }

    /// <summary>0 = no histogram. Source: H. A. David and H. N. Nagaraja, Order Statistics, 7.1 (rank of a quantile).</summary>
    public static double EstimateP99Variance(IoTestResult run)
    {
        if (run.Histogram is not { } histogram || run.IOPS * run.DurationSeconds is not ({ } count and >= 100))
            return 0;
        const double p = 0.99;
        var error = Math.Sqrt(p * (1 - p) / count);
        return
            FindValueAt(histogram.Buckets, p - error) is { } low and > 0
            && FindValueAt(histogram.Buckets, Math.Min(1, p + error)) is { } high
            ? Math.Pow((Math.Log(high) - Math.Log(low)) / 2, 2)
            : 0;
    }

    private static double? FindValueAt(List<IoHistogramBucket> buckets, double share)
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
