namespace IoBench.Engine;

internal sealed class ReadWriteHistograms(bool reads = true, bool writes = true)
{
    public LatencyHistogram? Reads { get; } = reads ? new() : null;

    public LatencyHistogram? Writes { get; } = writes ? new() : null;

    public LatencyHistogram Total
    {
        get
        {
            var sum = new LatencyHistogram();
            Add(Reads, sum);
            Add(Writes, sum);
            return sum;
        }
    }

    public void Add(ReadWriteHistograms other)
    {
        Add(other.Reads, Reads);
        Add(other.Writes, Writes);
    }

    private static void Add(LatencyHistogram? from, LatencyHistogram? to)
    {
        if (from is not null)
            to?.Add(from);
    }

    // 16 bands per doubling (4 of the 64 sub-buckets each), a few hundred bands in all.
    private const int MergedBuckets = 4;

    public static readonly double[] Percents =
    [
        0,
        25,
        50,
        75,
        90,
        95,
        99,
        99.9,
        99.99,
        99.999,
        99.9999,
        99.99999,
        99.999999,
        99.9999999,
        100,
    ];

    public static List<IoPercentile> CreatePercentiles(ReadWriteHistograms latencies)
    {
        var total = latencies.Total;
        return
        [
            .. Percents.Select(p => new IoPercentile
            {
                Percent = p,
                ReadMs = ToMilliseconds(latencies.Reads!.GetTrustedPercentile(p)),
                WriteMs = ToMilliseconds(latencies.Writes!.GetTrustedPercentile(p)),
                TotalMs = ToMilliseconds(total.GetTrustedPercentile(p)),
            }),
        ];
    }

    public static IoHistogram? CreateHistogram(ReadWriteHistograms latencies)
    {
        var reads = latencies.Reads!;
        var writes = latencies.Writes!;
        var all = reads.Count + writes.Count;
        if (all == 0)
            return null;
        var histogram = new IoHistogram();
        for (var i = 0; i < LatencyHistogram.BucketCount; i += MergedBuckets)
        {
            long read = 0,
                write = 0;
            for (var j = i; j < i + MergedBuckets; j++)
            {
                read += reads.Counts[j];
                write += writes.Counts[j];
            }
            if (read + write == 0)
                continue;
            histogram.Buckets.Add(
                new IoHistogramBucket
                {
                    FromMs = LatencyHistogram.GetLowerEdge(i) / 1e6,
                    ToMs = LatencyHistogram.GetLowerEdge(i + MergedBuckets) / 1e6,
                    ReadCount = read,
                    WriteCount = write,
                    Percent = 100.0 * (read + write) / all,
                }
            );
        }
        return histogram;
    }

    public static double? ToMilliseconds(double? nanoseconds) => nanoseconds / 1e6;
}
