namespace IoBench.Formats;

/// <summary>The start of a message in an ERRORLOG: <c>2026-11-28 02:12:36.12 spid5s      text</c>, in all languages.</summary>
/// <param name="Time">Without a time zone, as written.</param>
/// <param name="TextStart">Position of the text in the line.</param>
internal readonly record struct ErrorLogLine(DateTime Time, int ProcessStart, int ProcessLength, int TextStart)
{
    private const int MinTimeLength = 19;
    private const int MaxProcessLength = 32;

    public ReadOnlySpan<char> GetProcess(ReadOnlySpan<char> line) => line.Slice(ProcessStart, ProcessLength);

    public static bool TryParse(ReadOnlySpan<char> line, out ErrorLogLine result)
    {
        result = default;
        if (!TryParseTime(line, out var time, out var at))
            return false;
        var start = SkipSpace(line, at);
        if (start == at)
            return false;
        var end = start;
        while (end < line.Length && char.IsLetterOrDigit(line[end]))
            end++;
        // The log of SQL Server Agent has a sign such as "-" there.
        if (end == start || end - start > MaxProcessLength || (end < line.Length && line[end] is not (' ' or '\t')))
            return false;
        result = new(time, start, end - start, SkipSpace(line, end));
        return true;
    }

    private static bool TryParseTime(ReadOnlySpan<char> line, out DateTime time, out int end)
    {
        time = default;
        end = MinTimeLength;
        if (
            line.Length < MinTimeLength
            || line[4] is not ('-' or '/')
            || line[7] != line[4]
            || line[10] is not (' ' or 'T')
            || line[13] != ':'
            || line[16] != ':'
            || !TryParseDigits(line[..4], out var year)
            || !TryParseDigits(line[5..7], out var month)
            || !TryParseDigits(line[8..10], out var day)
            || !TryParseDigits(line[11..13], out var hour)
            || !TryParseDigits(line[14..16], out var minute)
            || !TryParseDigits(line[17..19], out var second)
            || year < 1753
            || month is < 1 or > 12
            || day < 1
            || day > DateTime.DaysInMonth(year, month)
            || hour > 23
            || minute > 59
            || second > 59
        )
            return false;
        long ticks = 0;
        if (end < line.Length && line[end] is '.' or ',')
        {
            var digit = TimeSpan.TicksPerSecond / 10;
            for (end++; end < line.Length && char.IsAsciiDigit(line[end]); end++, digit /= 10)
                ticks += (line[end] - '0') * digit;
        }
        time = new DateTime(year, month, day, hour, minute, second, DateTimeKind.Unspecified).AddTicks(ticks);
        return true;
    }

    private static bool TryParseDigits(ReadOnlySpan<char> text, out int value)
    {
        value = 0;
        foreach (var digit in text)
        {
            if (!char.IsAsciiDigit(digit))
                return false;
            value = value * 10 + (digit - '0');
        }
        return true;
    }

    private static int SkipSpace(ReadOnlySpan<char> line, int at)
    {
        while (at < line.Length && line[at] is ' ' or '\t')
            at++;
        return at;
    }
}
