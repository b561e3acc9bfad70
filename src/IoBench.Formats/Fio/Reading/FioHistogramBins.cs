namespace IoBench.Formats;

/// <summary>
/// Histogram buckets of reads and writes in ascending order. They are packed into few bytes, because a long log can have a thousand buckets
/// for each job.
/// </summary>
internal sealed class FioHistogramBins
{
    /// <summary>Limit of a count, so that the sums of counts from a damaged file cannot overflow.</summary>
    private const long MaxCount = long.MaxValue / 8;

    private readonly List<(long Value, long Reads, long Writes)> _bins;

    private FioHistogramBins(List<(long Value, long Reads, long Writes)> bins) => _bins = bins;

    internal double Total => _bins.Sum(bin => (double)bin.Reads + bin.Writes);

    internal static FioHistogramBins Merge(FioLatency? read, FioLatency? write)
    {
        var (reads, writes) = (GetSortedBins(read), GetSortedBins(write));
        var bins = new List<(long, long, long)>(Math.Max(reads.Count, writes.Count));
        var (i, k) = (0, 0);
        while (i < reads.Count || k < writes.Count)
        {
            var value =
                i == reads.Count ? writes[k].Value
                : k == writes.Count ? reads[i].Value
                : Math.Min(reads[i].Value, writes[k].Value);
            bins.Add((value, SumCountsAt(reads, ref i, value), SumCountsAt(writes, ref k, value)));
        }
        return new FioHistogramBins(bins);
    }

    private static List<(long Value, long Count)> GetSortedBins(FioLatency? latency)
    {
        if (latency is not { HasBins: true })
            return [];
        // fio writes buckets in ascending order, but another tool may have sorted them by name.
        for (var i = 1; i < latency.Bins.Count; i++)
        {
            if (latency.Bins[i].Value < latency.Bins[i - 1].Value)
                return [.. latency.Bins.OrderBy(bin => bin.Value)];
        }
        return latency.Bins;
    }

    private static long SumCountsAt(List<(long Value, long Count)> bins, ref int at, long value)
    {
        long count = 0;
        for (; at < bins.Count && bins[at].Value == value; at++)
            count = Math.Min(MaxCount, count + Math.Min(bins[at].Count, MaxCount));
        return count;
    }

    internal long[] GetPercentiles(IReadOnlyList<double> percents)
    {
        var values = new long[percents.Count];
        var (total, seen, at) = (Total, 0.0, 0);
        foreach (var (value, reads, writes) in _bins)
        {
            seen += (double)reads + writes;
            for (; at < values.Length && seen >= percents[at] / 100.0 * total; at++)
                values[at] = value;
        }
        return values;
    }

    /// <summary>Packs the buckets: per bucket the distance from the previous value and both counts, with 7 bits per byte.</summary>
    internal byte[] Pack()
    {
        var packed = new List<byte>(_bins.Count * 4);
        long last = 0;
        foreach (var (value, reads, writes) in _bins)
        {
            AppendNumber(packed, value - last);
            AppendNumber(packed, reads);
            AppendNumber(packed, writes);
            last = value;
        }
        return [.. packed];
    }

    private static void AppendNumber(List<byte> packed, long number)
    {
        for (; number > 127; number >>= 7)
            packed.Add((byte)(number | 128));
        packed.Add((byte)number);
    }

    internal static IEnumerable<(long Value, long Reads, long Writes)> Unpack(byte[] packed)
    {
        var (at, value) = (0, 0L);
        while (at < packed.Length)
        {
            value += ReadNumber(packed, ref at);
            yield return (value, ReadNumber(packed, ref at), ReadNumber(packed, ref at));
        }
    }

    private static long ReadNumber(byte[] packed, ref int at)
    {
        long number = 0;
        for (var shift = 0; ; shift += 7)
        {
            var part = packed[at++];
            number |= (long)(part & 127) << shift;
            if (part < 128)
                return number;
        }
    }
}
