namespace IoBench.Formats.Sqlio;

/// <summary>
/// SQLIO's histogram: the share of I/Os, in whole percent, of each whole millisecond from 0 to 23, and of 24 and more.
/// </summary>
internal static class SqlioHistogram
{
    /// <summary>Name in <see cref="IoHistogram.Kind"/>.</summary>
    public const string Kind = "sqlio";

    /// <summary>Milliseconds 0 to 23, and "24+".</summary>
    public const int BucketCount = 25;

    /// <summary>The histogram of 25 printed percentages.</summary>
    public static IoHistogram Create(ReadOnlySpan<byte> percents) => new(Kind, new Printed(percents));

    // Every bucket that a look may need: a millisecond with a whole percentage.
    private static readonly IoHistogramBucket[][] s_shared =
    [
        .. Enumerable.Range(0, BucketCount).Select(ms => Enumerable.Range(0, 101).Select(percent => Bucket(ms, percent)).ToArray()),
    ];

    /// <summary>The printed percentages, all in one object: a log has a hundred thousand of them.</summary>
    private sealed class Printed : IIoHistogramSource
    {
        private readonly Columns _percents;

        public Printed(ReadOnlySpan<byte> percents) => percents.CopyTo(_percents);

        public List<IoHistogramBucket> Make()
        {
            var buckets = new List<IoHistogramBucket>(BucketCount);
            for (var ms = 0; ms < BucketCount; ms++)
                buckets.Add(Bucket(ms, _percents[ms]));
            return buckets;
        }

        public IReadOnlyList<IoHistogramBucket> Look()
        {
            var buckets = new IoHistogramBucket[BucketCount];
            for (var ms = 0; ms < BucketCount; ms++)
                buckets[ms] = _percents[ms] < s_shared[ms].Length ? s_shared[ms][_percents[ms]] : Bucket(ms, _percents[ms]);
            return buckets;
        }

        [System.Runtime.CompilerServices.InlineArray(BucketCount)]
        private struct Columns
        {
            private byte _first;
        }
    }

    private static IoHistogramBucket Bucket(int ms, int percent) =>
        new()
        {
            FromMs = ms,
            ToMs = ms < BucketCount - 1 ? ms + 1 : null,
            Percent = percent,
        };

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
        // In halves of a percent all bounds are whole numbers.
        Span<int> min = stackalloc int[BucketCount];
        Span<int> max = stackalloc int[BucketCount];
        int low = 0,
            high = 0;
        for (var i = 0; i < BucketCount; i++)
        {
            min[i] = low += Math.Max(0, (2 * percents[i]) - 1);
            max[i] = high += (2 * percents[i]) + 1;
        }
        if (low > 200 || high < 200)
            return false;
        var w = 0;
        var before = 0;
        for (var i = 0; i < BucketCount - 1 && w < wanted.Length; i++)
        {
            // What comes after bucket i, at most and at least, leaves the rest of the 100 percent before it.
            var surely = Math.Max(min[i], 200 - (high - max[i]));
            var atMost = Math.Min(max[i], 200 - (low - min[i]));
            for (; w < wanted.Length && surely >= 2 * wanted[w]; w++)
            {
                // Surely reached by the end of this millisecond; only its value when surely not reached before.
                if (before < 2 * wanted[w])
                    found[w] = i + 1;
            }
            before = atMost;
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
