using System.Runtime.CompilerServices;
using IoBench.Engine;

namespace IoBench.Reports;

/// <param name="Edges">Exclusive upper edges in milliseconds. The last band has none.</param>
internal sealed record LatencyBands(IReadOnlyList<double> Edges)
{
    private static readonly double[] s_candidateEdges =
    [
        .. from scale in new[] { 0.01, 0.1, 1, 10, 100, 1_000, 10_000 } from factor in new[] { 1, 2, 5 } select factor * scale,
        100_000,
    ];

    /// <summary>SQLIO's 25 bands: whole milliseconds, and 24 and more.</summary>
    public static readonly LatencyBands Sqlio = new([.. Enumerable.Range(1, 24).Select(ms => (double)ms)]);

    public static readonly LatencyBands Coarse = new([0.1, 0.5, 1, 2, 5, 10, 20, 100]);

    public static readonly LatencyBands CoarseSqlio = new([1, 2, 5, 10, 15, 20, 24]);

    public int Count => Edges.Count + 1;

    public static LatencyBands CreateCovering(IEnumerable<IoHistogram> histograms)
    {
        var min = double.MaxValue;
        var max = double.MinValue;
        foreach (
            var bucket in histograms
                .SelectMany(histogram => histogram.ReadBuckets())
                .Where(bucket => bucket.Percent > 0 || bucket.ReadCount > 0 || bucket.WriteCount > 0)
        )
        {
            min = Math.Min(min, bucket.FromMs);
            max = Math.Max(max, bucket.ToMs ?? bucket.FromMs);
        }
        if (max < min)
        {
            min = 0;
            max = 1;
        }
        var edges = s_candidateEdges.Where(edge => edge > min && edge < max).ToList();
        return new(edges.Count > 0 ? edges : [1]);
    }

    /// <summary>In percent of the I/Os.</summary>
    public double[] GetShares(IoHistogram histogram)
    {
        var shares = new double[Count];
        foreach (var bucket in histogram.ReadBuckets())
            shares[FindBand(bucket)] += bucket.Percent;
        return shares;
    }

    public void AddCounts(IoHistogram histogram, double[] counts)
    {
        foreach (var bucket in histogram.ReadBuckets())
            counts[FindBand(bucket)] +=
                bucket.ReadCount is null && bucket.WriteCount is null ? bucket.Percent : (bucket.ReadCount ?? 0) + (bucket.WriteCount ?? 0);
    }

    /// <summary>The band of the middle of a bucket, because the engine's buckets are only 1.6% wide.</summary>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private int FindBand(IoHistogramBucket bucket)
    {
        var middle = bucket.ToMs is { } to ? (bucket.FromMs + to) / 2 : bucket.FromMs;
        var band = 0;
        while (band < Edges.Count && middle >= Edges[band])
            band++;
        return band;
    }

    /// <summary>A name such as <c>0.1 - 0.2</c>; for SQLIO's bands the millisecond, such as <c>7</c>.</summary>
    public string GetName(int band)
    {
        if (ReferenceEquals(this, Sqlio))
            return band == Edges.Count ? "24+" : NumberFormat.Integer(band);
        return band == 0 ? "below " + NumberFormat.Short(Edges[0])
            : band == Edges.Count ? NumberFormat.Short(Edges[^1]) + " and more"
            : $"{NumberFormat.Short(Edges[band - 1])} - {NumberFormat.Short(Edges[band])}";
    }
}
