using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>The merged latency distribution of all hosts. Percentiles are computed from merged counts, never from percentiles.</summary>
public sealed class FleetHistogram
{
    private const int MinBeyond = 10;

    private readonly List<IoHistogramBucket> _buckets;
    private readonly double _highest;

    private FleetHistogram(List<IoHistogramBucket> buckets, double highest) => (_buckets, _highest) = (buckets, highest);

    public long Count => _buckets.Sum(GetCount);

    public IReadOnlyList<IoHistogramBucket> Buckets => _buckets;

    /// <summary>Uses response times for open loops. Returns null if a result has no distribution.</summary>
    public static FleetHistogram? FromResults(IReadOnlyList<IoTestResult> results)
    {
        ArgumentNullException.ThrowIfNull(results);
        var bands = new Dictionary<(double From, double? To), (long Reads, long Writes)>();
        foreach (var result in results)
        {
            if ((result.ResponseHistogram ?? result.Histogram) is not { } histogram)
                return null;
            foreach (var band in histogram.ReadBuckets())
            {
                if (band is { ReadCount: null, WriteCount: null })
                    return null;
                ref var sum = ref CollectionsMarshal.GetValueRefOrAddDefault(bands, (band.FromMs, band.ToMs), out _);
                sum = (sum.Reads + (band.ReadCount ?? 0), sum.Writes + (band.WriteCount ?? 0));
            }
        }
        var merged = bands
            .OrderBy(band => band.Key.From)
            .Select(band => new IoHistogramBucket
            {
                FromMs = band.Key.From,
                ToMs = band.Key.To,
                ReadCount = band.Value.Reads,
                WriteCount = band.Value.Writes,
            })
            .ToList();
        var count = merged.Sum(GetCount);
        if (count == 0)
            return null;
        merged.ForEach(bucket => bucket.Percent = 100.0 * GetCount(bucket) / count);
        return new FleetHistogram(merged, results.Max(result => result.ResponseMaxMs ?? result.MaxLatencyMs) ?? double.MaxValue);
    }

    /// <summary>Nearest-rank percentile in milliseconds (the middle of its bucket); null if fewer than 10 I/Os lie beyond it.</summary>
    public double? GetPercentile(double percent)
    {
        var count = Count;
        if (count * (100 - (decimal)percent) / 100 < MinBeyond)
            return null;
        var rank = Math.Clamp((long)Math.Ceiling((decimal)percent / 100 * count), 1, count);
        var seen = 0L;
        foreach (var bucket in _buckets)
        {
            seen += GetCount(bucket);
            if (seen >= rank)
                return Math.Min((bucket.FromMs + (bucket.ToMs ?? bucket.FromMs)) / 2, _highest);
        }
        return _highest;
    }

    private static long GetCount(IoHistogramBucket bucket) => (bucket.ReadCount ?? 0) + (bucket.WriteCount ?? 0);
}
