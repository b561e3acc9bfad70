using System.Text;

namespace IoBench.Formats;

/// <summary>Scans a line of SQLIO's text without allocating strings. The bytes are ASCII, except in paths.</summary>
internal static class SqlioLineScanner
{
    private const int MaxDigits = 18;

    public static ReadOnlySpan<byte> TrimStart(ReadOnlySpan<byte> line)
    {
        while (!line.IsEmpty && line[0] <= ' ')
            line = line[1..];
        return line;
    }

    public static ReadOnlySpan<byte> TrimSpaces(ReadOnlySpan<byte> line)
    {
        line = TrimStart(line);
        while (!line.IsEmpty && line[^1] <= ' ')
            line = line[..^1];
        return line;
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
        var at = 0;
        var digits = 0;
        ulong mantissa = 0;
        while (at < line.Length)
        {
            var c = line[at];
            if (IsDigit(c))
            {
                if (++digits > MaxDigits)
                    return false;
                mantissa = (mantissa * 10) + (ulong)(c - '0');
            }
            else if (c != ',' || digits == 0 || !IsThousandsGroup(line[(at + 1)..]))
            {
                break;
            }
            at++;
        }
        if (digits == 0)
            return false;
        value = mantissa;
        if (at + 1 < line.Length && line[at] == '.' && IsDigit(line[at + 1]))
        {
            var scale = 1.0;
            at++;
            for (; at < line.Length && IsDigit(line[at]); at++)
            {
                if (++digits > MaxDigits)
                    return false;
                mantissa = (mantissa * 10) + (ulong)(line[at] - '0');
                scale *= 10;
            }
            // Dividing two exact numbers gives the same value as parsing.
            value = mantissa / scale;
        }
        line = TrimStart(line[at..]);
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
