using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>The percentage of I/Os, as integers, for each millisecond from 0 to 23, and for 24 ms and more.</summary>
internal static class SqlioHistogram
{
    public const string Kind = "sqlio";

    public const int BucketCount = 25;

    public static IoHistogram Create(byte[] percents) => new(Kind, new PercentValues(percents));

    // All buckets with a valid percentage. They are shared, so that reading buckets allocates none.
    private static readonly IoHistogramBucket[][] s_sharedBuckets =
    [
        .. Enumerable.Range(0, BucketCount).Select(ms => Enumerable.Range(0, 101).Select(percent => CreateBucket(ms, percent)).ToArray()),
    ];

    /// <summary>The printed percentages instead of their buckets, because a log can have 100,000 of them.</summary>
    private sealed class PercentValues(byte[] percents) : IIoHistogramSource
    {
        public List<IoHistogramBucket> CreateBuckets()
        {
            var buckets = new List<IoHistogramBucket>(BucketCount);
            for (var ms = 0; ms < BucketCount; ms++)
                buckets.Add(CreateBucket(ms, percents[ms]));
            return buckets;
        }

        public IReadOnlyList<IoHistogramBucket> ReadBuckets()
        {
            var buckets = new IoHistogramBucket[BucketCount];
            for (var ms = 0; ms < BucketCount; ms++)
                buckets[ms] =
                    percents[ms] < s_sharedBuckets[ms].Length ? s_sharedBuckets[ms][percents[ms]] : CreateBucket(ms, percents[ms]);
            return buckets;
        }
    }

    private static IoHistogramBucket CreateBucket(int ms, int percent) =>
        new()
        {
            FromMs = ms,
            ToMs = ms < BucketCount - 1 ? ms + 1 : null,
            Percent = percent,
        };

    /// <summary>
    /// Upper edge of the millisecond that certainly contains the percentile; null if unknown ("24 and more" has no upper edge).
    /// </summary>
    /// <remarks>
    /// A printed value r is a true percentage between r - 0.5 and r + 0.5, and all add up to 100. Therefore, the percentage below an edge
    /// is
    /// bounded by the sum of the percentages before it, and by 100 less the sum of those after it.
    /// </remarks>
    /// <returns>False if no true percentages can result in these values. They are then not SQLIO's.</returns>
    public static bool TryGetPercentiles(ReadOnlySpan<byte> percents, ReadOnlySpan<double> wanted, Span<double?> found)
    {
        found.Clear();
        // In units of half a percent, all bounds are integers.
        int low = 0,
            high = 0;
        foreach (var percent in percents)
        {
            low += Math.Max(0, (2 * percent) - 1);
            high += (2 * percent) + 1;
        }
        if (low > 200 || high < 200)
            return false;
        var w = 0;
        var before = 0;
        int min = 0,
            max = 0;
        for (var i = 0; i < BucketCount - 1 && w < wanted.Length; i++)
        {
            min += Math.Max(0, (2 * percents[i]) - 1);
            max += (2 * percents[i]) + 1;
            // The minimum and maximum of the buckets after bucket i limit the percentage up to bucket i.
            var certainCount = Math.Max(min, 200 - (high - max));
            for (; w < wanted.Length && certainCount >= 2 * wanted[w]; w++)
            {
                // The percentile is certainly reached by the end of this millisecond. Its value is known only if it was certainly not
                // reached before.
                if (before < 2 * wanted[w])
                    found[w] = i + 1;
            }
            before = Math.Min(max, 200 - (low - min));
        }
        return true;
    }

    /// <summary>Measured buckets are counted at their lower edge. Null if there is no histogram.</summary>
    public static int[]? GetPercents(IoTestResult result)
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

    private const int ColumnWidth = 3;

    /// <summary>25 columns of three characters. Only the columns show that <c>0100</c> is 0 and 100.</summary>
    public static bool TryParseColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        if (text.Length != BucketCount * ColumnWidth)
            return false;
        for (var i = 0; i < BucketCount; i++)
        {
            var start = i * ColumnWidth;
            var end = start + ColumnWidth;
            while (start < end && text[start] == ' ')
                start++;
            if (!TryParsePercent(text[start..end], out percents[i]))
                return false;
        }
        return true;
    }

    /// <summary>Adds none if a word is not a percentage or if there are too many.</summary>
    public static bool TryParseWords(ReadOnlySpan<byte> text, Span<byte> percents, ref int count)
    {
        Span<byte> found = stackalloc byte[BucketCount];
        var added = 0;
        text = SqlioLineScanner.TrimSpaces(text);
        while (!text.IsEmpty)
        {
            var word = SqlioLineScanner.ReadWord(ref text);
            // A value of 100 fills its column, so no space separates it from the value before it.
            if (word.Length == 4 && word.EndsWith("100"u8))
            {
                if (!TryAddPercent(word[..1], found, ref added, count))
                    return false;
                word = word[1..];
            }
            if (!TryAddPercent(word, found, ref added, count))
                return false;
        }
        found[..added].CopyTo(percents[count..]);
        count += added;
        return true;
    }

    public static bool IsMillisecondsLine(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty)
        {
            var word = SqlioLineScanner.ReadWord(ref text);
            if (word.SequenceEqual("24+"u8))
                continue;
            if (!TryParsePercent(word, out var number) || number >= BucketCount)
                return false;
        }
        return true;
    }

    private static bool TryAddPercent(ReadOnlySpan<byte> word, Span<byte> found, ref int added, int count) =>
        count + added < BucketCount && TryParsePercent(word, out found[added++]);

    private static bool TryParsePercent(ReadOnlySpan<byte> digits, out byte value)
    {
        value = 0;
        if (digits.Length is 0 or > ColumnWidth)
            return false;
        var number = 0;
        foreach (var digit in digits)
        {
            if (!SqlioLineScanner.IsDigit(digit))
                return false;
            number = (number * 10) + (digit - '0');
        }
        value = (byte)number;
        return number <= 100;
    }
}
