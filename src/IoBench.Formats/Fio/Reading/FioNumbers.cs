using System.Buffers.Text;

namespace IoBench.Formats;

internal static class FioValueParser
{
    /// <summary>
    /// Parses a number; null for text that is not a number and for <c>nan</c>, <c>-nan</c>, and <c>inf</c>, which C prints.
    /// </summary>
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
