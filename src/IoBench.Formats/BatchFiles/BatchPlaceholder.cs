using System.Globalization;

namespace IoBench.Formats;

/// <summary>Unknown value: its name between two private-use characters. An error in a test or a condition, valid elsewhere.</summary>
internal static class BatchPlaceholder
{
    /// <summary>Starts a variable that was never set. In a condition, it is empty text.</summary>
    private const char UnsetSign = '\uE000';

    /// <summary>Starts a value that only a run can know, such as an argument or a random number.</summary>
    private const char UnknownSign = '\uE001';
    private const char EndSign = '\uE002';

    internal static string ReplaceMarkers(string text) =>
        text.AsSpan().IndexOfAnyInRange(UnsetSign, EndSign) < 0
            ? text
            : string.Concat(text.Select(c => c is >= UnsetSign and <= EndSign ? '?' : c));

    internal static string CreateUnset(string name) => UnsetSign + name + EndSign;

    internal static string CreateUnknown(string name) => UnknownSign + name + EndSign;

    internal static string? FindFirstName(string text)
    {
        var begin = text.AsSpan().IndexOfAny(UnsetSign, UnknownSign);
        return begin < 0 ? null : GetName(text, begin);
    }

    /// <summary>Index of the last character of the placeholder at <paramref name="at"/>, or <paramref name="at"/> without one.</summary>
    internal static int FindEnd(string text, int at) =>
        text[at] is UnsetSign or UnknownSign && text.IndexOf(EndSign, at) is > 0 and var end ? end : at;

    /// <summary>Replaces variables that were never set by empty text, and reports the first value that is still unknown.</summary>
    internal static string ResolveForCondition(string text, out string? unknown)
    {
        unknown = null;
        if (text.AsSpan().IndexOfAny(UnsetSign, UnknownSign) < 0)
            return text;
        var known = new System.Text.StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] is not (UnsetSign or UnknownSign))
            {
                known.Append(text[i]);
                continue;
            }
            if (text[i] == UnknownSign)
                unknown ??= GetName(text, i);
            i = Math.Max(i, text.IndexOf(EndSign, i));
        }
        return known.ToString();
    }

    internal static string FormatForMessage(string text) => string.Concat(text.Where(c => c is < UnsetSign or > EndSign));

    internal static bool IsArgument(string name) =>
        name.Length > 1 && name[0] == '%' && (name == "%*" || (char.IsAsciiDigit(name[^1]) && (name.Length == 2 || name[1] == '~')));

    /// <summary>Parses a 32-bit integer as cmd does: decimal, hexadecimal (0x), or octal (0).</summary>
    internal static bool TryParseNumber(ReadOnlySpan<char> text, out long value)
    {
        text = text.Trim();
        var negative = text is ['-', ..];
        if (text is ['-' or '+', ..])
            text = text[1..];
        if (text.Length > 20)
        {
            value = 0;
            return false;
        }
        bool isNumber;
        if (text.StartsWith("0x", StringComparison.OrdinalIgnoreCase))
        {
            isNumber = long.TryParse(text[2..], NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out value);
        }
        else if (text.Length > 1 && text[0] == '0')
        {
            value = 0;
            isNumber = true;
            foreach (var c in text)
            {
                isNumber &= c is >= '0' and <= '7';
                value = (value * 8) + (c - '0');
            }
        }
        else
        {
            isNumber = long.TryParse(text, NumberStyles.None, CultureInfo.InvariantCulture, out value);
        }
        value = negative ? -value : value;
        return isNumber && value is >= int.MinValue and <= int.MaxValue;
    }

    private static string GetName(string text, int begin)
    {
        var end = text.IndexOf(EndSign, begin);
        return FormatForMessage(end < 0 ? text[(begin + 1)..] : text[(begin + 1)..end]);
    }
}
