using System.Globalization;

namespace IoBench.Formats.Fio.Writing;

/// <summary>Writes the coarse bands of a job's latencies.</summary>
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

    /// <param name="json">Where to.</param>
    /// <param name="name">The unit's object.</param>
    /// <param name="buckets">The result's buckets.</param>
    /// <param name="perMs">Units in a millisecond.</param>
    /// <param name="from">Where the first band begins.</param>
    /// <param name="count">Bands that have an upper edge.</param>
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

    /// <summary>A bucket belongs to the band of its middle; where the last one ends is not known.</summary>
    private static double Percent(List<IoHistogramBucket> buckets, double fromMs, double toMs) =>
        buckets.Where(b => b.ToMs is { } to && (b.FromMs + to) / 2 is var middle && middle >= fromMs && middle < toMs).Sum(b => b.Percent);
}
