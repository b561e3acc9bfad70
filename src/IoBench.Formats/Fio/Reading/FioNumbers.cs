using System.Buffers.Text;

namespace IoBench.Formats.Fio.Reading;

/// <summary>Numbers as fio prints them.</summary>
internal static class FioNumbers
{
    /// <summary>A number; null for none and for what C prints for no number (<c>nan</c>, <c>-nan</c>, <c>inf</c>).</summary>
    internal static double? Real(ReadOnlySpan<byte> text)
    {
        if (text.Length is > 0 and <= 16)
        {
            // Nearly every number: up to 15 digits, so one division of two exact numbers gives what parsing does.
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
                return point < 0 ? digits : digits / PowersOfTen.Exact[at - 1 - point];
        }
        return Utf8Parser.TryParse(text, out double value, out var used) && used == text.Length && double.IsFinite(value) ? value : null;
    }

    /// <summary>A count; null for none, for less than 0 and for more than a count can hold.</summary>
    internal static long? Integer(ReadOnlySpan<byte> text) =>
        Utf8Parser.TryParse(text, out long value, out var used) && used == text.Length && value >= 0 ? value : null;
}
