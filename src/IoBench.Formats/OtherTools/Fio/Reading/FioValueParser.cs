using System.Buffers.Text;
using System.Globalization;

namespace IoBench.Formats;

internal static class FioValueParser
{
    internal static string Shorten(string text, int length = 60) =>
        string.Concat(text.Take(length).Select(c => char.IsControl(c) ? ' ' : c)).Trim();

    /// <summary>Example: the value in <c>name=value,</c>; empty if the name is absent.</summary>
    internal static ReadOnlySpan<char> FindValue(ReadOnlySpan<char> line, ReadOnlySpan<char> name)
    {
        var from = 0;
        while (true)
        {
            var at = line[from..].IndexOf(name);
            if (at < 0)
                return default;
            at += from;
            from = at + name.Length;
            if (
                at > 0 && (char.IsAsciiLetterOrDigit(line[at - 1]) || line[at - 1] is '_' or '.')
                || from >= line.Length
                || line[from] != '='
            )
                continue;
            var value = line[(from + 1)..].TrimStart(' ');
            var end = value.IndexOfAny(",; )(");
            return end < 0 ? value : value[..end];
        }
    }

    /// <summary>Parses a number with fio's decimal prefix (<c>17.7k</c>, fio 2's <c>2461.6K</c>); ignores a percent sign.</summary>
    internal static double? ParseScaled(ReadOnlySpan<char> text)
    {
        text = text.TrimEnd('%');
        var power =
            text.IsEmpty ? -1
            : text[^1] == 'K' ? 0
            : "kMGTPE".IndexOf(text[^1], StringComparison.Ordinal);
        return ParseReal(power >= 0 ? text[..^1] : text) * Math.Pow(1000, power + 1);
    }

    internal static double? ParseReal(ReadOnlySpan<char> text) =>
        double.TryParse(text.Trim(), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value) && double.IsFinite(value)
            ? value
            : null;

    internal static long? ParseInteger(ReadOnlySpan<char> text) =>
        long.TryParse(text.Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <param name="plainThousand">Factor of K, M, and G: 1024 in outputs before fio 2.15, which have no Ki.</param>
    internal static double? ParseBytes(ReadOnlySpan<char> text, int plainThousand)
    {
        text = text.Trim();
        if (text.EndsWith("/s"))
            text = text[..^2];
        var divisor = 1;
        if (text.EndsWith("bit"))
        {
            text = text[..^3];
            divisor = 8;
        }
        else if (text.EndsWith("B"))
        {
            text = text[..^1];
        }
        var thousand = plainThousand;
        if (text.EndsWith("i"))
        {
            text = text[..^1];
            thousand = 1024;
        }
        var power = text.IsEmpty ? -1 : "KMGTPE".IndexOf(char.ToUpperInvariant(text[^1]), StringComparison.Ordinal);
        return ParseReal(power >= 0 ? text[..^1] : text) * Math.Pow(thousand, power + 1) / divisor;
    }

    internal static double? ParseUnitsPerMs(ReadOnlySpan<char> line)
    {
        if (line.IndexOf("(nsec)") >= 0)
            return 1e6;
        if (line.IndexOf("(usec)") >= 0)
            return 1e3;
        return line.IndexOf("(msec)") >= 0 ? 1 : null;
    }

    /// <summary>Null for <c>nan</c>, <c>-nan</c>, and <c>inf</c>, which C prints, and for other text.</summary>
    internal static double? ParseReal(ReadOnlySpan<byte> text)
    {
        if (text.Length is > 0 and <= 16)
        {
            // Fast path for nearly all numbers: up to 15 digits. Dividing two exact numbers gives the same value as parsing.
            long digits = 0;
            var point = -1;
            var at = 0;
            for (; at < text.Length; at++)
            {
                var c = text[at];
                if (c is >= (byte)'0' and <= (byte)'9')
                    digits = digits * 10 + (c - '0');
                else if (c == '.' && point < 0)
                    point = at;
                else
                    break;
            }
            if (at == text.Length && (point >= 0 ? at > 1 : at <= 15))
                return point < 0 ? digits : digits / ToolNumberParser.ExactPowersOfTen[at - 1 - point];
        }
        return Utf8Parser.TryParse(text, out double value, out var used) && used == text.Length && double.IsFinite(value) ? value : null;
    }

    /// <summary>Parses a count; null for text that is not a number, for negative values, and for values that do not fit.</summary>
    internal static long? ParseInteger(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text, out long value, out var used) && used == text.Length && value >= 0 ? value : null;
}
