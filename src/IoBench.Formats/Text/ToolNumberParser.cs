using System.Globalization;

namespace IoBench.Formats;

/// <summary>Numbers as DiskSpd prints them, and as users and spreadsheets change them: <c>10.712.202</c>, <c>0,213</c>.</summary>
internal static class ToolNumberParser
{
    /// <summary>Fast path for most numbers: up to 15 digits and a decimal point.</summary>
    private static bool TryParsePlain(ReadOnlySpan<char> text, out long digits, out int decimals)
    {
        digits = 0;
        decimals = 0;
        if (text.Length is 0 or > 16 || !char.IsAsciiDigit(text[0]))
            return false;
        var point = -1;
        for (var i = 0; i < text.Length; i++)
        {
            var c = text[i];
            if (char.IsAsciiDigit(c))
                digits = (digits * 10) + (c - '0');
            else if (c == '.' && point < 0)
                point = i;
            else
                return false;
        }
        decimals = point < 0 ? 0 : text.Length - 1 - point;
        return text.Length < 16 || point >= 0;
    }

    /// <summary>Parses a count with any thousands separators; null if the text is not a count.</summary>
    internal static long? ParseInteger(ReadOnlySpan<char> text)
    {
        if (TryParsePlain(text, out var digits, out var decimals) && decimals == 0)
            return digits;
        if (long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out var value))
            return value;
        text = text.Trim();
        if (text.IsEmpty || text.Length > 40 || !char.IsAsciiDigit(text[0]))
            return null;
        // After the first separator, all groups must have three digits; otherwise, the text is not a grouped number.
        value = 0;
        var sinceSeparator = -1;
        foreach (var c in text)
        {
            if (char.IsAsciiDigit(c))
            {
                if (value > (long.MaxValue - 9) / 10)
                    return null;
                value = value * 10 + (c - '0');
                if (sinceSeparator >= 0)
                    sinceSeparator++;
            }
            else if (IsGroupSeparator(c) || c == '.' || c == ',')
            {
                if (sinceSeparator is not -1 and not 3)
                    return null;
                sinceSeparator = 0;
            }
            else
            {
                return null;
            }
        }
        return sinceSeparator is -1 or 3 ? value : null;
    }

    /// <summary>Parses a number with decimals; null for N/A, for other text, and for nan, inf, and 1.#IND, which C prints.</summary>
    internal static double? ParseReal(ReadOnlySpan<char> text)
    {
        // Dividing two exact numbers gives the same value as parsing.
        if (TryParsePlain(text, out var digits, out var decimals))
            return digits / ToolNumberParser.ExactPowersOfTen[decimals];
        if (double.TryParse(text, NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value))
            return double.IsFinite(value) ? value : null;
        text = text.Trim();
        if (text.IsEmpty || text.Length > 40 || !char.IsAsciiDigit(text[0]))
            return null;
        // The last point or comma is the decimal separator, because DiskSpd always prints decimals.
        var point = text.LastIndexOfAny('.', ',');
        Span<char> clean = stackalloc char[text.Length];
        var length = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (char.IsAsciiDigit(text[i]))
                clean[length++] = text[i];
            else if (i == point)
                clean[length++] = '.';
            else if (!IsGroupSeparator(text[i]) && text[i] != '.' && text[i] != ',')
                return null;
        }
        return
            double.TryParse(clean[..length], NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out value)
            && double.IsFinite(value)
            ? value
            : null;
    }

    internal static double? ParsePercent(ReadOnlySpan<char> text)
    {
        text = text.Trim();
        return ParseReal(text.EndsWith("%") ? text[..^1].TrimEnd() : text);
    }

    /// <summary>Examples: <c>120s</c>, <c>500ms</c>, <c>2</c>. Null if the text does not start with a number.</summary>
    internal static long? ParseLeadingInteger(ReadOnlySpan<char> text)
    {
        text = text.TrimStart();
        var length = 0;
        while (length < text.Length && char.IsAsciiDigit(text[length]))
            length++;
        return length == 0 ? null
            : long.TryParse(text[..length], NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value
            : null;
    }

    /// <summary>As <see cref="ParseLeadingInteger"/>; null if the number does not fit an int.</summary>
    internal static int? ParseLeadingInt32(ReadOnlySpan<char> text) =>
        ParseLeadingInteger(text) is long value and <= int.MaxValue ? (int)value : null;

    private static bool IsGroupSeparator(char c) => c is ' ' or '\'' or '\u2019' or '\u00A0' or '\u202F';

    internal static readonly double[] ExactPowersOfTen =
    [
        1,
        1e1,
        1e2,
        1e3,
        1e4,
        1e5,
        1e6,
        1e7,
        1e8,
        1e9,
        1e10,
        1e11,
        1e12,
        1e13,
        1e14,
        1e15,
        1e16,
        1e17,
        1e18,
        1e19,
        1e20,
        1e21,
        1e22,
    ];
}
