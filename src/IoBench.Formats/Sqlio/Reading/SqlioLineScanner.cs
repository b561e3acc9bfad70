using System.Text;

namespace IoBench.Formats;

/// <summary>Scans a line of SQLIO's text without allocating strings. The bytes are ASCII, except in paths.</summary>
internal static class SqlioLineScanner
{
    private const int MaxDigits = 18;

    public static ReadOnlySpan<byte> TrimStart(ReadOnlySpan<byte> line)
    {
        var start = 0;
        while (start < line.Length && line[start] <= ' ')
            start++;
        return line[start..];
    }

    public static ReadOnlySpan<byte> TrimSpaces(ReadOnlySpan<byte> line)
    {
        var end = line.Length;
        while (end > 0 && line[end - 1] <= ' ')
            end--;
        return TrimStart(line[..end]);
    }

    /// <summary>
    /// Compares bytes first. Otherwise, ignores case and accepts any number of spaces where the pattern has a space, colon, or bracket,
    /// because text from web pages can have lost or gained spaces. If it returns false, the line is unchanged.
    /// </summary>
    public static bool TryConsume(ref ReadOnlySpan<byte> line, ReadOnlySpan<byte> pattern)
    {
        if (line.StartsWith(pattern))
            line = line[pattern.Length..];
        else if (!TryConsumeLoosely(ref line, pattern))
            return false;
        line = TrimStart(line);
        return true;
    }

    private static bool TryConsumeLoosely(ref ReadOnlySpan<byte> line, ReadOnlySpan<byte> pattern)
    {
        // Most lines do not match, and the first letter shows it.
        if (line.IsEmpty || ToLower(line[0]) != ToLower(pattern[0]))
            return false;
        var at = 0;
        foreach (var expected in pattern)
        {
            if (expected is (byte)' ' or (byte)':' or (byte)'(')
                while (at < line.Length && line[at] <= ' ')
                    at++;
            if (expected == ' ')
                continue;
            if (at >= line.Length || ToLower(line[at]) != ToLower(expected))
                return false;
            at++;
        }
        line = line[at..];
        return true;
    }

    public static ReadOnlySpan<byte> ReadWord(ref ReadOnlySpan<byte> line)
    {
        var length = 0;
        while (length < line.Length && line[length] > ' ')
            length++;
        var word = line[..length];
        line = TrimStart(line[length..]);
        return word;
    }

    /// <summary>A comma is a thousands separator if three digits follow (<c>2,681</c>); SQLIO itself prints none.</summary>
    public static bool TryReadNumber(ref ReadOnlySpan<byte> line, out double value)
    {
        value = 0;
        var text = line;
        var at = 0;
        while (at < text.Length && IsDigit(text[at]))
            at++;
        if (at == 0)
            return false;
        while (at < text.Length && text[at] == ',' && IsThousandsGroup(text[(at + 1)..]))
            at += 4;
        // No call follows, so that the compiler keeps the number in a register.
        long mantissa = 0;
        var digits = 0;
        foreach (var c in text[..at])
            if (c != ',')
                (mantissa, digits) = ((mantissa * 10) + (c - '0'), digits + 1);
        var decimals = 0;
        if (at + 1 < text.Length && text[at] == '.' && IsDigit(text[at + 1]))
            for (at++; at < text.Length && IsDigit(text[at]); at++, decimals++)
                mantissa = (mantissa * 10) + (text[at] - '0');
        if (digits + decimals > MaxDigits)
            return false;
        // Dividing two exact numbers gives the same value as parsing.
        value = decimals == 0 ? mantissa : mantissa / ToolNumberParser.ExactPowersOfTen[decimals];
        line = TrimStart(text[at..]);
        return true;
    }

    public static bool TryReadInteger(ref ReadOnlySpan<byte> line, out int value)
    {
        var rest = line;
        if (TryReadNumber(ref rest, out var number) && number <= int.MaxValue && number == Math.Floor(number))
        {
            line = rest;
            value = (int)number;
            return true;
        }
        value = 0;
        return false;
    }

    public static string Decode(ReadOnlySpan<byte> kind) => TextEncodings.Utf8Or1252.GetString(kind);

    public static string Quote(ReadOnlySpan<byte> line)
    {
        var text = new StringBuilder(TextEncodings.Utf8Or1252.GetString(line[..Math.Min(line.Length, 200)]));
        for (var i = 0; i < text.Length; i++)
            if (char.IsControl(text[i]) || char.IsSurrogate(text[i]))
                text[i] = ' ';
        return text.Length <= 80 ? text.ToString() : text.ToString(0, 80) + " ...";
    }

    public static bool IsDigit(byte c) => c is >= (byte)'0' and <= (byte)'9';

    private static byte ToLower(byte c) => c is >= (byte)'A' and <= (byte)'Z' ? (byte)(c | 0x20) : c;

    private static bool IsThousandsGroup(ReadOnlySpan<byte> rest) =>
        rest.Length >= 3 && IsDigit(rest[0]) && IsDigit(rest[1]) && IsDigit(rest[2]) && (rest.Length == 3 || !IsDigit(rest[3]));
}
