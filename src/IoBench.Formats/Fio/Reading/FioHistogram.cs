using System.Numerics;

namespace IoBench.Formats.Fio.Reading;

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
        var latencies = ((FioLatency?[])[mixed, read, write]).Where(l => l is { HasBins: true }).Select(l => l!).ToList();
        if (latencies.Count == 0 || latencies.Exists(l => !AreFioBuckets(l)))
            return null;
        // Where both are reported, all as one are the sum of the others.
        var isMixed = mixed is { HasBins: true } && latencies.Count == 1;
        var bins = isMixed ? FioBins.Of(mixed, null) : FioBins.Of(read, write);
        var total = bins.Total;
        if (total <= 0)
            return null;
        var (packed, units) = (bins.Pack(), latencies[0].UnitsPerMs);
        return new IoHistogram("measured", () => Buckets(packed, isMixed, total, units));
    }

    private static List<IoHistogramBucket> Buckets(byte[] packed, bool isMixed, double total, double units)
    {
        var buckets = new List<IoHistogramBucket>();
        foreach (var (value, reads, writes) in FioBins.Unpack(packed))
        {
            var index = IndexOf(value);
            buckets.Add(
                new IoHistogramBucket
                {
                    FromMs = LowerEdge(index) / units,
                    ToMs = LowerEdge(index + 1) / units,
                    ReadCount = isMixed ? null : reads,
                    WriteCount = isMixed ? null : writes,
                    Percent = 100.0 * (reads + writes) / total,
                }
            );
        }
        return buckets;
    }

    /// <summary>Name of the bucket of a latency in nanoseconds; what is beyond fio's last bucket is in the last.</summary>
    internal static long BinOf(double nanoseconds) =>
        nanoseconds >= LastBin ? LastBin : MiddleOf(IndexOf((long)Math.Max(0, nanoseconds + 1e-6)));

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

    /// <summary>Buckets by their number become buckets by their middle; of other widths than fio's there are none.</summary>
    internal static void PlaceByNumber(List<(long Value, long Count)> bins, long bits)
    {
        if (bits != SubBits)
            bins.Clear();
        bins.RemoveAll(bin => bin.Count == 0 || bin.Value is < 0 or >= MaxBuckets);
        for (var i = 0; i < bins.Count; i++)
            bins[i] = (MiddleOf((int)bins[i].Value), bins[i].Count);
    }

    private const int MaxBuckets = 29 * SubBuckets;

    private static bool AreFioBuckets(FioLatency latency) =>
        latency.Bins.TrueForAll(b => b.Value < long.MaxValue / 4 && MiddleOf(IndexOf(b.Value)) == b.Value);

    private static int IndexOf(long value)
    {
        if (value < 2 * SubBuckets)
            return (int)value;
        var shift = BitOperations.Log2((ulong)value) - SubBits;
        return ((shift + 1) << SubBits) + ((int)(value >> shift) & (SubBuckets - 1));
    }

    private static long LowerEdge(int index) =>
        index < 2 * SubBuckets ? index : (long)(SubBuckets + (index & (SubBuckets - 1))) << ((index >> SubBits) - 1);

    private static long MiddleOf(int index) => index < 2 * SubBuckets ? index : LowerEdge(index) + (1L << ((index >> SubBits) - 2));

    /// <summary>The coarse bands of every output; null when there are none.</summary>
    internal static IoHistogram? OfBands(FioJob job)
    {
        if (job.Bands.Count == 0)
            return null;
        FioBand[] bands = [.. job.Bands.OrderBy(b => b.FromMs)];
        return new IoHistogram(
            BandsKind,
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

    /// <summary><see cref="IoHistogram.Kind"/> of the coarse bands: shown as they are, not by doublings.</summary>
    internal const string BandsKind = "fio";
}
