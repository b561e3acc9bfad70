namespace IoBench.Formats.Sqlio.Reading;

/// <summary>Reads the percentages of SQLIO's histogram: in its columns, or as words in copies that changed the blanks.</summary>
internal static class SqlioPercents
{
    private const int ColumnWidth = 3;

    /// <summary>
    /// Takes 25 columns of three characters, as SQLIO prints them: the only way to part <c>0100</c> (0 and 100).
    /// False when the text is not exactly so.
    /// </summary>
    public static bool TakeColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        if (text.Length != SqlioHistogram.BucketCount * ColumnWidth)
            return false;
        for (var i = 0; i < SqlioHistogram.BucketCount; i++)
        {
            var column = text.Slice(i * ColumnWidth, ColumnWidth);
            while (!column.IsEmpty && column[0] == ' ')
                column = column[1..];
            if (!TryPercent(column, out percents[i]))
                return false;
        }
        return true;
    }

    /// <summary>The columns that text begins with.</summary>
    /// <returns>Their length; -1 when it does not begin with 25 columns of percentages.</returns>
    public static int TryColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        const int length = SqlioHistogram.BucketCount * ColumnWidth;
        return text.Length >= length && TakeColumns(text[..length], percents) ? length : -1;
    }

    /// <summary>Adds percentages parted by blanks. False, with nothing added, when a word is no percentage or there are too many.</summary>
    public static bool TakeWords(ReadOnlySpan<byte> text, Span<byte> percents, ref int count)
    {
        Span<byte> found = stackalloc byte[SqlioHistogram.BucketCount];
        var added = 0;
        text = SqlioLine.Trim(text);
        while (!text.IsEmpty)
        {
            var word = SqlioLine.TakeWord(ref text);
            // A share of 100 fills its column and grows together with the one before.
            if (word.Length == 4 && word.EndsWith("100"u8))
            {
                if (!Add(word[..1], found, ref added, count))
                    return false;
                word = word[1..];
            }
            if (!Add(word, found, ref added, count))
                return false;
        }
        found[..added].CopyTo(percents[count..]);
        count += added;
        return true;
    }

    /// <summary>True for a line of the numbers of milliseconds only, which is what a wrapped heading of the histogram leaves.</summary>
    public static bool AreMilliseconds(ReadOnlySpan<byte> text)
    {
        while (!text.IsEmpty)
        {
            var word = SqlioLine.TakeWord(ref text);
            if (word.SequenceEqual("24+"u8))
                continue;
            if (!TryPercent(word, out var number) || number >= SqlioHistogram.BucketCount)
                return false;
        }
        return true;
    }

    private static bool Add(ReadOnlySpan<byte> word, Span<byte> found, ref int added, int count) =>
        count + added < SqlioHistogram.BucketCount && TryPercent(word, out found[added++]);

    private static bool TryPercent(ReadOnlySpan<byte> digits, out byte value)
    {
        value = 0;
        if (digits.Length is 0 or > ColumnWidth)
            return false;
        var number = 0;
        foreach (var digit in digits)
        {
            if (!SqlioLine.IsDigit(digit))
                return false;
            number = (number * 10) + (digit - '0');
        }
        value = (byte)number;
        return number <= 100;
    }
}
