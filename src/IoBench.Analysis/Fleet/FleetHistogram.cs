using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The latencies of all hosts in one distribution: percentiles come from it, never from percentiles.</summary>
public sealed class FleetHistogram
{
    private const int LeastBeyond = 10;

    private readonly List<IoHistogramBucket> _buckets;
    private readonly double _highest;

    private FleetHistogram(List<IoHistogramBucket> buckets, double highest) => (_buckets, _highest) = (buckets, highest);

    /// <summary>I/Os in it.</summary>
    public long Count => _buckets.Sum(CountOf);

    /// <summary>The bands of all, ascending.</summary>
    public IReadOnlyList<IoHistogramBucket> Buckets => _buckets;

    /// <summary>The distribution of results; response times where they are open loops. Null when one of them has none.</summary>
    public static FleetHistogram? Of(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        var all = results.Select(result => result.ResponseHistogram ?? result.Histogram).OfType<IoHistogram>().Select(histogram => histogram.Look()).ToList();
        if (all.Count < results.Count || all.Count == 0 || all.Any(buckets => buckets.Any(bucket => bucket.ReadCount is null && bucket.WriteCount is null)))
            return null;
        var merged = all.SelectMany(buckets => buckets).GroupBy(bucket => (bucket.FromMs, bucket.ToMs)).OrderBy(group => group.Key.FromMs).Select(group => new IoHistogramBucket
        {
            FromMs = group.Key.FromMs, ToMs = group.Key.ToMs, ReadCount = group.Sum(bucket => bucket.ReadCount ?? 0), WriteCount = group.Sum(bucket => bucket.WriteCount ?? 0),
        }).ToList();
        var count = merged.Sum(CountOf);
        if (count == 0)
            return null;
        merged.ForEach(bucket => bucket.Percent = 100.0 * CountOf(bucket) / count);
        return new FleetHistogram(merged, results.Max(result => result.ResponseMaxMs ?? result.MaxLatencyMs) ?? double.MaxValue);
    }

    /// <summary>The nearest-rank percentile in milliseconds, the middle of its band; null when fewer than 10 I/Os lie beyond.</summary>
    public double? Percentile(double percent)
    {
        var count = Count;
        if (count * (100 - (decimal)percent) / 100 < LeastBeyond)
            return null;
        var rank = Math.Clamp((long)Math.Ceiling((decimal)percent / 100 * count), 1, count);
        var seen = 0L;
        foreach (var bucket in _buckets)
        {
            seen += CountOf(bucket);
            if (seen >= rank)
                return Math.Min((bucket.FromMs + (bucket.ToMs ?? bucket.FromMs)) / 2, _highest);
        }
        return _highest;
    }

    private static long CountOf(IoHistogramBucket bucket) => (bucket.ReadCount ?? 0) + (bucket.WriteCount ?? 0);
}
