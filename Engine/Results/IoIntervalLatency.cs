namespace IoBench.Engine.Results;

/// <summary>
/// Latencies of one interval of a run. Percentiles are nearest rank, to 6.3 % (half of a bucket), never above the highest, and null when fewer
/// than 10 I/Os lie beyond them.
/// </summary>
public sealed class IoIntervalLatency
{
    private List<long>? _reads;
    private List<long>? _writes;

    /// <summary>Beginning of the time they cover, in seconds from the start of the measurement; the point that holds them is its end.</summary>
    public double FromSeconds { get; set; }

    /// <summary>Response times of an open loop, of the I/Os that were due in this time; else service times of those that ended in it.</summary>
    public bool IsResponse { get; set; }

    /// <summary>Average in milliseconds, exact.</summary>
    public double? AverageMs { get; set; }

    /// <summary>Median in milliseconds.</summary>
    public double? P50Ms { get; set; }

    /// <summary>99th percentile in milliseconds.</summary>
    public double? P99Ms { get; set; }

    /// <summary>99.9th percentile in milliseconds.</summary>
    public double? P999Ms { get; set; }

    /// <summary>Highest in milliseconds, exact.</summary>
    public double? MaxMs { get; set; }

    /// <summary>99th percentile of reads in milliseconds.</summary>
    public double? ReadP99Ms { get; set; }

    /// <summary>99th percentile of writes in milliseconds.</summary>
    public double? WriteP99Ms { get; set; }

    /// <summary>Reads by latency: number of a bucket, its count, and so on, ascending; buckets without any are left out.</summary>
    /// <remarks>Bucket b begins at 8b ns up to b = 16, then at (8 + b mod 8) x 2^(b/8 + 2) ns, b/8 without its fraction; it ends where the next begins.</remarks>
    public List<long> Reads
    {
        get => _reads ??= [];
        set => _reads = value;
    }

    /// <summary>Writes by latency, as <see cref="Reads"/>.</summary>
    public List<long> Writes
    {
        get => _writes ??= [];
        set => _writes = value;
    }

    /// <summary>What was counted; null when nothing was.</summary>
    internal static IoIntervalLatency? Of(long[] reads, long[] writes, long longest, double sum, double fromSeconds, bool isResponse)
    {
        var total = reads.Zip(writes, (read, write) => read + write).ToArray();
        if (Array.TrueForAll(total, count => count == 0))
            return null;
        return new()
        {
            FromSeconds = fromSeconds,
            IsResponse = isResponse,
            AverageMs = sum / total.Sum() / 1e6,
            P50Ms = Percentile(total, 50, longest),
            P99Ms = Percentile(total, 99, longest),
            P999Ms = Percentile(total, 99.9m, longest),
            MaxMs = longest / 1e6,
            ReadP99Ms = Percentile(reads, 99, longest),
            WriteP99Ms = Percentile(writes, 99, longest),
            Reads = Pairs(reads),
            Writes = Pairs(writes),
        };
    }

    /// <summary>The share of I/Os by latency.</summary>
    public IoHistogram ToHistogram()
    {
        var buckets = new SortedDictionary<long, IoHistogramBucket>();
        foreach (var (index, count) in Counts(Reads))
            Bucket(index).ReadCount += count;
        foreach (var (index, count) in Counts(Writes))
            Bucket(index).WriteCount += count;
        var all = buckets.Values.Sum(CountOf);
        foreach (var bucket in buckets.Values)
            bucket.Percent = 100 * CountOf(bucket) / all;
        return new IoHistogram { Buckets = [.. buckets.Values] };

        static double CountOf(IoHistogramBucket bucket) => (double)bucket.ReadCount!.Value + bucket.WriteCount!.Value;

        IoHistogramBucket Bucket(long index)
        {
            if (!buckets.TryGetValue(index, out var bucket))
                buckets[index] = bucket = new()
                {
                    FromMs = Edge(index),
                    ToMs = Edge(index + 1),
                    ReadCount = 0,
                    WriteCount = 0,
                };
            return bucket;
        }
    }

    // No run has more I/Os than this: a file that says so cannot make sums wrap.
    private const long MaxCount = 1L << 48;

    /// <summary>Pairs of a bucket's number and its count; what no bucket can be is left out.</summary>
    private static IEnumerable<(long Index, long Count)> Counts(List<long> pairs) =>
        Enumerable
            .Range(0, pairs.Count / 2)
            .Select(i => (pairs[2 * i], pairs[2 * i + 1]))
            .Where(pair => pair.Item1 is >= 0 and < IntervalHistograms.BucketCount && pair.Item2 is > 0 and <= MaxCount);

    private static double Edge(long index) => LatencyHistogram.LowerEdge((int)index * IntervalHistograms.MergedBuckets) / 1e6;

    private static List<long> Pairs(long[] counts)
    {
        var pairs = new List<long>();
        for (var i = 0; i < counts.Length; i++)
        {
            if (counts[i] > 0)
                pairs.AddRange([i, counts[i]]);
        }
        return pairs;
    }

    private static double? Percentile(long[] counts, decimal percent, long longest)
    {
        var all = counts.Sum();
        if (all * (100 - percent) / 100 < LatencyHistogram.MinBeyond)
            return null;
        var rank = (long)Math.Ceiling(percent / 100 * all);
        for (long i = 0, seen = 0; i < counts.Length; i++)
        {
            seen += counts[i];
            if (seen >= rank)
                return Math.Min((Edge(i) + Edge(i + 1)) / 2, longest / 1e6);
        }
        return longest / 1e6;
    }
}
