using System.Globalization;
using IoBench.Engine;

namespace IoBench.Formats;

internal static class FioBandWriter
{
    private static readonly int[] s_edges = [2, 4, 10, 20, 50, 100, 250, 500, 750, 1000, 2000];

    internal static void Write(FioJsonLines json, IoHistogram? histogram)
    {
        var buckets = histogram?.Buckets ?? [];
        Write(json, "latency_ns", buckets, 1e6, 0, 10);
        Write(json, "latency_us", buckets, 1e3, 1, 10);
        Write(json, "latency_ms", buckets, 1, 1, 11);
    }

    /// <param name="name">Name of the unit's object.</param>
    /// <param name="perMs">Units per millisecond.</param>
    /// <param name="from">Lower edge of the first bucket.</param>
    /// <param name="count">Number of buckets with an upper edge.</param>
    private static void Write(FioJsonLines json, string name, List<IoHistogramBucket> buckets, double perMs, double from, int count)
    {
        json.Begin(name);
        for (var i = 0; i < count; i++)
        {
            json.Real(s_edges[i].ToString(CultureInfo.InvariantCulture), Percent(buckets, from / perMs, s_edges[i] / perMs));
            from = s_edges[i];
        }
        if (count == s_edges.Length)
            json.Real(">=2000", buckets.Where(b => (b.ToMs is { } to ? (b.FromMs + to) / 2 : b.FromMs) >= 2000).Sum(b => b.Percent));
        json.End();
    }

    /// <summary>
    /// Adds the percentages of the result's buckets by their midpoints. A bucket without an upper edge has no midpoint and is not counted.
    /// </summary>
    private static double Percent(List<IoHistogramBucket> buckets, double fromMs, double toMs) =>
        buckets.Where(b => b.ToMs is { } to && (b.FromMs + to) / 2 is var middle && middle >= fromMs && middle < toMs).Sum(b => b.Percent);
}
