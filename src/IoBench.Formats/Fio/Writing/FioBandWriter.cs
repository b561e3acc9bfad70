using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioJobWriter
{
    private static readonly int[] s_bucketEdges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

    internal static void WriteLatencyBuckets(FioJsonWriter json, IoHistogram? histogram)
    {
        var buckets = histogram?.Buckets ?? [];
        WriteLatencyBuckets(json, "latency_ns", buckets, 1e6, 0, 10);
        WriteLatencyBuckets(json, "latency_us", buckets, 1e3, 1, 10);
        WriteLatencyBuckets(json, "latency_ms", buckets, 1, 1, 11);
    }

    /// <param name="name">Name of the unit's object.</param>
    /// <param name="perMs">Units per millisecond.</param>
    /// <param name="from">Lower edge of the first bucket.</param>
    /// <param name="count">Number of buckets with an upper edge.</param>
    private static void WriteLatencyBuckets(
        FioJsonWriter json,
        string name,
        List<IoHistogramBucket> buckets,
        double perMs,
        double from,
        int count
    )
    {
        json.BeginObject(name);
        for (var i = 0; i < count; i++)
        {
            json.WriteReal(
                s_bucketEdges[i].ToString(CultureInfo.InvariantCulture),
                SumPercent(buckets, from / perMs, s_bucketEdges[i] / perMs)
            );
            from = s_bucketEdges[i];
        }
        if (count == s_bucketEdges.Length)
            json.WriteReal(">=2000", buckets.Where(b => (b.ToMs is { } to ? (b.FromMs + to) / 2 : b.FromMs) >= 2000).Sum(b => b.Percent));
        json.EndObject();
    }

    /// <summary>
    /// Adds the percentages of the result's buckets by their midpoints. A bucket without an upper edge has no midpoint and is not counted.
    /// </summary>
    private static double SumPercent(List<IoHistogramBucket> buckets, double fromMs, double toMs) =>
        buckets.Where(b => b.ToMs is { } to && (b.FromMs + to) / 2 is var middle && middle >= fromMs && middle < toMs).Sum(b => b.Percent);
}
