using System.Numerics;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>Buckets of reads and writes, packed into few bytes because a log can have a thousand buckets for each job.</summary>
internal sealed class FioHistogramBins
{
    /// <summary>Limit of a count, so that the sums of counts from a damaged file cannot overflow.</summary>
    private const long MaxCount = long.MaxValue / 8;

    private readonly List<(long Value, long Reads, long Writes)> _bins;

    private FioHistogramBins(List<(long Value, long Reads, long Writes)> bins) => _bins = bins;

    internal double Total => _bins.Sum(bin => (double)bin.Reads + bin.Writes);

    internal static FioHistogramBins Merge(FioLatency? read, FioLatency? write)
    {
        var reads = GetSortedBins(read);
        var writes = GetSortedBins(write);
        var bins = new List<(long, long, long)>(Math.Max(reads.Count, writes.Count));
        var i = 0;
        var k = 0;
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
        var total = Total;
        var seen = 0.0;
        var at = 0;
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
        var at = 0;
        var value = 0L;
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

    private const int SubBits = 6;
    private const int SubBuckets = 1 << SubBits;

    /// <summary>Null if there are no buckets, or if they do not match fio's layout.</summary>
    internal static IoHistogram? CreateHistogram(FioLatency? read, FioLatency? write, FioLatency? mixed)
    {
        var latencies = ((FioLatency?[])[mixed, read, write]).Where(l => l is { HasBins: true }).Select(l => l!).ToList();
        if (latencies.Count == 0 || latencies.Exists(l => !AreFioBuckets(l)))
            return null;
        // If reads and writes are reported too, the mixed buckets are only their sum.
        var isMixed = mixed is { HasBins: true } && latencies.Count == 1;
        var bins = isMixed ? FioHistogramBins.Merge(mixed, null) : FioHistogramBins.Merge(read, write);
        var total = bins.Total;
        if (total <= 0)
            return null;
        var packed = bins.Pack();
        var units = latencies[0].UnitsPerMs;
        return new IoHistogram("measured", () => CreateBuckets(packed, isMixed, total, units));
    }

    private static List<IoHistogramBucket> CreateBuckets(byte[] packed, bool isMixed, double total, double units)
    {
        var buckets = new List<IoHistogramBucket>();
        foreach (var (value, reads, writes) in FioHistogramBins.Unpack(packed))
        {
            var index = GetBucketIndex(value);
            buckets.Add(
                new IoHistogramBucket
                {
                    FromMs = GetLowerEdge(index) / units,
                    ToMs = GetLowerEdge(index + 1) / units,
                    ReadCount = isMixed ? null : reads,
                    WriteCount = isMixed ? null : writes,
                    Percent = 100.0 * (reads + writes) / total,
                }
            );
        }
        return buckets;
    }

    internal static long GetBin(double nanoseconds) =>
        nanoseconds >= LastBin ? LastBin : GetMidPoint(GetBucketIndex((long)Math.Max(0, nanoseconds + 1e-6)));

    /// <summary>Midpoint of fio's last bucket in nanoseconds (29 groups of 64 buckets).</summary>
    private const long LastBin = 17_112_760_320;

    /// <summary>fio's rule: the midpoint of the bucket in which the percentage is reached; null if there are no buckets.</summary>
    internal static long? GetPercentile(IReadOnlyList<(long Value, long Count)> bins, double percent)
    {
        var total = bins.Sum(b => (double)b.Count);
        var seen = 0.0;
        foreach (var (value, count) in bins)
        {
            seen += count;
            if (seen >= percent / 100.0 * total)
                return value;
        }
        return null;
    }

    internal static void ConvertBinNumbers(List<(long Value, long Count)> bins, long bits)
    {
        if (bits != SubBits)
            bins.Clear();
        bins.RemoveAll(bin => bin.Count == 0 || bin.Value is < 0 or >= MaxBuckets);
        for (var i = 0; i < bins.Count; i++)
            bins[i] = (GetMidPoint((int)bins[i].Value), bins[i].Count);
    }

    private const int MaxBuckets = 29 * SubBuckets;

    private static bool AreFioBuckets(FioLatency latency) =>
        latency.Bins.TrueForAll(b => b.Value < long.MaxValue / 4 && GetMidPoint(GetBucketIndex(b.Value)) == b.Value);

    private static int GetBucketIndex(long value)
    {
        if (value < 2 * SubBuckets)
            return (int)value;
        var shift = BitOperations.Log2((ulong)value) - SubBits;
        return ((shift + 1) << SubBits) + ((int)(value >> shift) & (SubBuckets - 1));
    }

    private static long GetLowerEdge(int index) =>
        index < 2 * SubBuckets ? index : (long)(SubBuckets + (index & (SubBuckets - 1))) << ((index >> SubBits) - 1);

    private static long GetMidPoint(int index) => index < 2 * SubBuckets ? index : GetLowerEdge(index) + (1L << ((index >> SubBits) - 2));

    internal static IoHistogram? CreateFromLatencyBuckets(FioJob job)
    {
        if (job.LatencyBuckets.Count == 0)
            return null;
        var bands = job.LatencyBuckets.OrderBy(b => b.FromMs).ToArray();
        return new IoHistogram(
            LatencyBucketsKind,
            () =>
                [
                    .. bands.Select(band => new IoHistogramBucket
                    {
                        FromMs = band.FromMs,
                        ToMs = band.ToMs,
                        Percent = band.Percent,
                    }),
                ]
        );
    }

    /// <summary>Reports show buckets of this kind unchanged and do not merge them into powers of two.</summary>
    internal const string LatencyBucketsKind = "fio";
}
