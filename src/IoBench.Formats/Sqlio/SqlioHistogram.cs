using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// SQLIO's histogram: the share of I/Os, in whole percent, of each whole millisecond from 0 to 23, and of 24 and more.
/// </summary>
internal static class SqlioHistogram
{
    /// <summary>Name in <see cref="IoHistogram.Kind"/>.</summary>
    public const string Kind = "sqlio";

    /// <summary>Milliseconds 0 to 23, and "24+".</summary>
    public const int BucketCount = 25;

    /// <summary>Half a percent: what a printed whole percent may differ from the true share.</summary>
    private const double Rounding = 0.5;

    /// <summary>The histogram of 25 printed percentages.</summary>
    public static IoHistogram Create(ReadOnlySpan<byte> percents)
    {
        var buckets = new List<IoHistogramBucket>(BucketCount);
        for (var i = 0; i < BucketCount; i++)
            buckets.Add(new IoHistogramBucket { FromMs = i, ToMs = i < BucketCount - 1 ? i + 1 : null, Percent = percents[i] });
        return new IoHistogram { Kind = Kind, Buckets = buckets };
    }

    /// <summary>
    /// Percentiles that the printed percentages leave no doubt about: the upper edge of the millisecond in which the percentile
    /// surely lies, else null. "24 and more" has no upper edge and gives none.
    /// </summary>
    /// <remarks>
    /// A printed r is a true share between r - 0.5 and r + 0.5 (and not below 0), and all shares sum to 100. The share of I/Os below
    /// an edge is therefore bounded from its left (the sum of the shares before it) and from its right (100 less those after it).
    /// </remarks>
    /// <returns>False when no true shares can give these percentages: they are not SQLIO's, and nothing follows from them.</returns>
    public static bool Percentiles(ReadOnlySpan<byte> percents, ReadOnlySpan<double> wanted, Span<double?> found)
    {
        found.Clear();
        Span<double> least = stackalloc double[BucketCount];
        Span<double> most = stackalloc double[BucketCount];
        double low = 0, high = 0;
        for (var i = 0; i < BucketCount; i++)
        {
            least[i] = low += Math.Max(0, percents[i] - Rounding);
            most[i] = high += percents[i] + Rounding;
        }
        if (low > 100 || high < 100)
            return false;
        double after = 0, afterLeast = 0;
        for (var i = BucketCount - 1; i >= 0; i--)
        {
            least[i] = Math.Max(least[i], 100 - after);
            most[i] = Math.Min(most[i], 100 - afterLeast);
            after += percents[i] + Rounding;
            afterLeast += Math.Max(0, percents[i] - Rounding);
        }
        for (var w = 0; w < wanted.Length; w++)
        {
            for (var i = 0; i < BucketCount - 1; i++)
            {
                if (least[i] < wanted[w])
                    continue;
                // Surely reached by the end of this millisecond; only its value when surely not reached before.
                if (i == 0 || most[i - 1] < wanted[w])
                    found[w] = i + 1;
                break;
            }
        }
        return true;
    }

    /// <summary>
    /// The 25 percentages of a result's histogram: those that were read, or those of measured buckets, each counted where its lower edge lies.
    /// Null when there is no histogram.
    /// </summary>
    public static int[]? ToPercents(IoTestResult result)
    {
        if (result.Histogram is not { Buckets.Count: > 0 } histogram)
            return null;
        Span<double> shares = stackalloc double[BucketCount];
        shares.Clear();
        foreach (var bucket in histogram.Buckets)
            shares[(int)Math.Clamp(bucket.FromMs, 0, BucketCount - 1)] += bucket.Percent;
        var percents = new int[BucketCount];
        for (var i = 0; i < BucketCount; i++)
            percents[i] = (int)Math.Clamp(Math.Round(shares[i], MidpointRounding.AwayFromZero), 0, 100);
        return percents;
    }
}
