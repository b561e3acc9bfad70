namespace IoBench.Formats;

internal static class SqlioHistogram
{
    private const int ColumnWidth = 3;

    /// <summary>
    /// Parses 25 columns of three characters, as SQLIO prints them. Only the columns show that <c>0100</c> is 0 and 100. Returns false if
    /// the text has any other form.
    /// </summary>
    public static bool TryParseColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        if (text.Length != SqlioHistogram.BucketCount * ColumnWidth)
            return false;
        for (var i = 0; i < SqlioHistogram.BucketCount; i++)
        {
            var column = text.Slice(i * ColumnWidth, ColumnWidth);
            while (!column.IsEmpty && column[0] == ' ')
                column = column[1..];
            if (!TryParsePercent(column, out percents[i]))
                return false;
        }
        return true;
    }

    /// <summary>Parses the columns at the start of a text.</summary>
    /// <returns>Their length; -1 if the text does not start with 25 columns of percentages.</returns>
    public static int MatchColumns(ReadOnlySpan<byte> text, Span<byte> percents)
    {
        const int length = SqlioHistogram.BucketCount * ColumnWidth;
        return text.Length >= length && TryParseColumns(text[..length], percents) ? length : -1;
    }

    /// <summary>
    /// Adds percentages that are separated by spaces. Returns false and adds none if a word is not a percentage or if there are too many.
    /// </summary>
    public static bool TryParseWords(ReadOnlySpan<byte> text, Span<byte> percents, ref int count)
    {
        Span<byte> found = stackalloc byte[SqlioHistogram.BucketCount];
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
            if (!TryParsePercent(word, out var number) || number >= SqlioHistogram.BucketCount)
                return false;
        }
        return true;
    }

    private static bool TryAddPercent(ReadOnlySpan<byte> word, Span<byte> found, ref int added, int count) =>
        count + added < SqlioHistogram.BucketCount && TryParsePercent(word, out found[added++]);

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
