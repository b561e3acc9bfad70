namespace IoBench.Engine;

/// <summary>
/// Latency in one interval of a run. Percentiles are nearest-rank, accurate to 6.3% (half of a bucket), never above the maximum, and null
/// if fewer than 10 I/Os lie beyond them.
/// </summary>
public sealed class IoIntervalLatency
{
    private List<long>? _reads;
    private List<long>? _writes;

    /// <summary>Start in seconds from the start of the measurement. The interval ends at the time of the point that holds it.</summary>
    public double FromSeconds { get; set; }

    /// <summary>
    /// True: response times of the I/Os that were due in the interval (open loop). False: latencies of those that ended in it.
    /// </summary>
    public bool IsResponse { get; set; }

    /// <summary>Average in milliseconds, exact.</summary>
    public double? AverageMs { get; set; }

    public double? P50Ms { get; set; }

    public double? P99Ms { get; set; }

    public double? P999Ms { get; set; }

    public double? MaxMs { get; set; }

    public double? ReadP99Ms { get; set; }

    public double? WriteP99Ms { get; set; }

    /// <summary>Read counts by latency: bucket number, count, and so on, ascending; empty buckets are omitted.</summary>
    /// <remarks>Bucket b starts at 8b ns up to b = 16, and above that at (8 + b mod 8) x 2^(floor(b/8) + 2) ns.</remarks>
    public List<long> Reads
    {
        get => _reads ??= [];
        set => _reads = value;
    }

    /// <summary>Write counts by latency, in the format of <see cref="Reads"/>.</summary>
    public List<long> Writes
    {
        get => _writes ??= [];
        set => _writes = value;
    }

    /// <summary>Creates the latencies from bucket counts; null if all counts are 0.</summary>
    internal static IoIntervalLatency? FromCounts(
        long[] reads,
        long[] writes,
        long longest,
        double sum,
        double fromSeconds,
        bool isResponse
    )
    {
        var total = reads.Zip(writes, (read, write) => read + write).ToArray();
        if (Array.TrueForAll(total, count => count == 0))
            return null;
        return new()
        {
            FromSeconds = fromSeconds,
            IsResponse = isResponse,
            AverageMs = sum / total.Sum() / 1e6,
            P50Ms = ComputePercentile(total, 50, longest),
            P99Ms = ComputePercentile(total, 99, longest),
            P999Ms = ComputePercentile(total, 99.9m, longest),
            MaxMs = longest / 1e6,
            ReadP99Ms = ComputePercentile(reads, 99, longest),
            WriteP99Ms = ComputePercentile(writes, 99, longest),
            Reads = ToPairs(reads),
            Writes = ToPairs(writes),
        };
    }

    public IoHistogram ToHistogram()
    {
        var buckets = new SortedDictionary<long, IoHistogramBucket>();
        foreach (var (index, count) in GetValidCounts(Reads))
            Bucket(index).ReadCount += count;
        foreach (var (index, count) in GetValidCounts(Writes))
            Bucket(index).WriteCount += count;
        var all = buckets.Values.Sum(CountOf);
        foreach (var bucket in buckets.Values)
            bucket.Percent = 100 * CountOf(bucket) / all;
        return new IoHistogram { Buckets = [.. buckets.Values] };

        static double CountOf(IoHistogramBucket bucket) => (double)bucket.ReadCount!.Value + bucket.WriteCount!.Value;

        IoHistogramBucket Bucket(long index)
        {
            if (!buckets.TryGetValue(index, out var bucket))
            {
                bucket = new()
                {
                    FromMs = GetLowerEdgeMs(index),
                    ToMs = GetLowerEdgeMs(index + 1),
                    ReadCount = 0,
                    WriteCount = 0,
                };
                buckets.Add(index, bucket);
            }
            return bucket;
        }
    }

    // No run has more I/Os than this. An invalid count from a file must not overflow the sums.
    private const long MaxCount = 1L << 48;

    private static IEnumerable<(long Index, long Count)> GetValidCounts(List<long> pairs) =>
        Enumerable
            .Range(0, pairs.Count / 2)
            .Select(i => (pairs[2 * i], pairs[2 * i + 1]))
            .Where(pair => pair.Item1 is >= 0 and < IntervalHistograms.BucketCount && pair.Item2 is > 0 and <= MaxCount);

    private static double GetLowerEdgeMs(long index) => LatencyHistogram.GetLowerEdge((int)index * IntervalHistograms.MergedBuckets) / 1e6;

    private static List<long> ToPairs(long[] counts)
    {
        var pairs = new List<long>();
        for (var i = 0; i < counts.Length; i++)
        {
            if (counts[i] > 0)
                pairs.AddRange([i, counts[i]]);
        }
        return pairs;
    }

    private static double? ComputePercentile(long[] counts, decimal percent, long longest)
    {
        var all = counts.Sum();
        if (all * (100 - percent) / 100 < LatencyHistogram.MinBeyond)
            return null;
        var rank = (long)Math.Ceiling(percent / 100 * all);
        for (long i = 0, seen = 0; i < counts.Length; i++)
        {
            seen += counts[i];
            if (seen >= rank)
                return Math.Min((GetLowerEdgeMs(i) + GetLowerEdgeMs(i + 1)) / 2, longest / 1e6);
        }
        return longest / 1e6;
    }
}
