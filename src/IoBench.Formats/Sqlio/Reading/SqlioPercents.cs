namespace IoBench.Formats;

internal static class SqlioPercents
{
    private const int ColumnWidth = 3;

    /// <summary>
    /// Parses 25 columns of three characters, as SQLIO prints them. Only the columns show that <c>0100</c> is 0 and 100. Returns false if
    /// the text has any other form.
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

    /// <summary>Parses the columns at the start of a text.</summary>
    /// <returns>Their length; -1 if the text does not start with 25 columns of percentages.</returns>
    public static int TryColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        const int length = SqlioHistogram.BucketCount * ColumnWidth;
        return text.Length >= length && TakeColumns(text[..length], percents) ? length : -1;
    }

    /// <summary>
    /// Adds percentages that are separated by spaces. Returns false and adds none if a word is not a percentage or if there are too many.
    /// </summary>
    public static bool TakeWords(ReadOnlySpan<byte> text, Span<byte> percents, ref int count)
    {
        Span<byte> found = stackalloc byte[SqlioHistogram.BucketCount];
        var added = 0;
        text = SqlioLine.Trim(text);
        while (!text.IsEmpty)
        {
            var word = SqlioLine.TakeWord(ref text);
            // A value of 100 fills its column, so no space separates it from the value before it.
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
