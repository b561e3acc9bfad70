using System.Numerics;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Latencies of json+: fio's buckets, 64 in each doubling, each named by its middle. IoBench's own histogram has the same layout, so counts and edges are exact.
/// </summary>
internal static class FioHistogram
{
    private const int SubBits = 6;
    private const int SubBuckets = 1 << SubBits;

    /// <summary>The buckets of reads, writes and both; null when there are none, or one is not where fio's are.</summary>
    internal static IoHistogram? Of(FioLatency? read, FioLatency? write, FioLatency? mixed)
    {
        var latencies = ((FioLatency?[])[mixed, read, write]).Where(l => l is { Bins.Count: > 0 }).Select(l => l!).ToList();
        if (latencies.Count == 0 || latencies.Exists(l => !AreFioBuckets(l)))
            return null;
        // Where both are reported, all as one are the sum of the others.
        var isMixed = mixed is { Bins.Count: > 0 } && latencies.Count == 1;
        var reads = Counts(isMixed ? null : read);
        var writes = Counts(isMixed ? null : write);
        var all = isMixed ? Counts(mixed) : Sum(reads, writes);
        var total = all.Values.Sum(count => (double)count);
        if (total <= 0)
            return null;
        var units = latencies[0].UnitsPerMs;
        return new IoHistogram("measured", () => [.. all.OrderBy(b => b.Key).Select(b => new IoHistogramBucket
        {
            FromMs = LowerEdge(b.Key) / units,
            ToMs = LowerEdge(b.Key + 1) / units,
            ReadCount = isMixed ? null : reads.GetValueOrDefault(b.Key),
            WriteCount = isMixed ? null : writes.GetValueOrDefault(b.Key),
            Percent = 100.0 * b.Value / total,
        })]);
    }

    /// <summary>A percentile of reads and writes together by fio's rule: the middle of the bucket in which the share is reached; null without buckets of both.</summary>
    internal static double? PercentileMs(FioLatency? read, FioLatency? write, double percent)
    {
        if (read is not { Bins.Count: > 0 } || write is not { Bins.Count: > 0 } || read.UnitsPerMs != write.UnitsPerMs)
            return null;
        return PercentileOf([.. read.Bins.Concat(write.Bins).OrderBy(b => b.Value)], percent) / read.UnitsPerMs;
    }

    /// <summary>Name of the bucket of a latency in nanoseconds; what is beyond fio's last bucket is in the last.</summary>
    internal static long BinOf(double nanoseconds)
        => nanoseconds >= LastBin ? LastBin : MiddleOf(IndexOf((long)Math.Max(0, nanoseconds + 1e-6)));

    /// <summary>Middle of fio's last bucket: 29 groups of 64.</summary>
    private const long LastBin = 17_112_760_320;

    /// <summary>A percentile by fio's rule: the middle of the bucket in which the share is reached; null without buckets.</summary>
    internal static long? PercentileOf(IReadOnlyList<(long Value, long Count)> bins, double percent)
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

    private static bool AreFioBuckets(FioLatency latency) => latency.Bins.TrueForAll(b => b.Value < long.MaxValue / 4 && MiddleOf(IndexOf(b.Value)) == b.Value);

    private static Dictionary<int, long> Counts(FioLatency? latency)
    {
        var counts = new Dictionary<int, long>();
        foreach (var (value, count) in latency?.Bins ?? [])
            Add(counts, IndexOf(value), count);
        return counts;
    }

    private static Dictionary<int, long> Sum(Dictionary<int, long> a, Dictionary<int, long> b)
    {
        var sum = new Dictionary<int, long>(a);
        foreach (var (index, count) in b)
            Add(sum, index, count);
        return sum;
    }

    // Counts of a broken file may be anything.
    private static void Add(Dictionary<int, long> counts, int index, long count)
        => counts[index] = (long)Math.Min(long.MaxValue / 4, (double)counts.GetValueOrDefault(index) + Math.Min(count, long.MaxValue / 8));

    private static int IndexOf(long value)
    {
        if (value < 2 * SubBuckets)
            return (int)value;
        var shift = BitOperations.Log2((ulong)value) - SubBits;
        return ((shift + 1) << SubBits) + ((int)(value >> shift) & (SubBuckets - 1));
    }

    private static long LowerEdge(int index)
        => index < 2 * SubBuckets ? index : (long)(SubBuckets + (index & (SubBuckets - 1))) << ((index >> SubBits) - 1);

    private static long MiddleOf(int index) => index < 2 * SubBuckets ? index : LowerEdge(index) + (1L << ((index >> SubBits) - 2));

    /// <summary>The coarse bands of every output; null when there are none.</summary>
    internal static IoHistogram? OfBands(FioJob job)
    {
        if (job.Bands.Count == 0)
            return null;
        var histogram = new IoHistogram { Kind = BandsKind };
        foreach (var band in job.Bands.OrderBy(b => b.FromMs))
            histogram.Buckets.Add(new IoHistogramBucket { FromMs = band.FromMs, ToMs = band.ToMs, Percent = band.Percent });
        return histogram;
    }

    /// <summary><see cref="IoHistogram.Kind"/> of the coarse bands: shown as they are, not by doublings.</summary>
    internal const string BandsKind = "fio";
}
