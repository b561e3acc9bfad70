using System.Globalization;

namespace IoBench.Formats.BatchFiles;

/// <summary>
/// How a value that is not known stands in a text until it is needed: its name between two signs of Unicode's private use. A command that
/// is no test may hold one; a test or a condition that does is an error which names it.
/// </summary>
internal static class BatchValue
{
    /// <summary>Begins a variable that was never set: nothing, where a condition asks.</summary>
    private const char UnsetSign = '\uE000';

    /// <summary>Begins what only a run can know (arguments, random numbers).</summary>
    private const char UnknownSign = '\uE001';
    private const char EndSign = '\uE002';

    /// <summary>A text from a file, without the signs.</summary>
    internal static string Clean(string text) =>
        text.AsSpan().IndexOfAnyInRange(UnsetSign, EndSign) < 0
            ? text
            : string.Concat(text.Select(c => c is >= UnsetSign and <= EndSign ? '?' : c));

    /// <summary>Stands for a variable that was never set.</summary>
    internal static string Unset(string name) => UnsetSign + name + EndSign;

    /// <summary>Stands for what only a run can tell.</summary>
    internal static string Unknown(string name) => UnknownSign + name + EndSign;

    /// <summary>The first thing in a text whose value is not known; null when all is.</summary>
    internal static string? FirstIn(string text)
    {
        var begin = text.AsSpan().IndexOfAny(UnsetSign, UnknownSign);
        return begin < 0 ? null : NameAt(text, begin);
    }

    /// <summary>Where a value that is not known and stands at a place ends; the place itself when none stands there.</summary>
    internal static int EndAt(string text, int at) =>
        text[at] is UnsetSign or UnknownSign && text.IndexOf(EndSign, at) is > 0 and var end ? end : at;

    /// <summary>A text for a condition: variables that were never set are nothing. What is left unknown is reported.</summary>
    internal static string ForCondition(string text, out string? unknown)
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
                unknown ??= NameAt(text, i);
            i = Math.Max(i, text.IndexOf(EndSign, i));
        }
        return known.ToString();
    }

    /// <summary>A text for a message: names in place of values.</summary>
    internal static string ForMessage(string text) => string.Concat(text.Where(c => c is < UnsetSign or > EndSign));

    /// <summary>Whether a name is that of an argument: <c>%1</c>, <c>%~dp1</c>, <c>%*</c>.</summary>
    internal static bool IsArgument(string name) =>
        name.Length > 1 && name[0] == '%' && (name == "%*" || (char.IsAsciiDigit(name[^1]) && (name.Length == 2 || name[1] == '~')));

    /// <summary>A whole number as cmd takes it: decimal, 0x hexadecimal, 0 octal.</summary>
    internal static bool TryNumber(ReadOnlySpan<char> text, out long value)
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

    private static string NameAt(string text, int begin)
    {
        var end = text.IndexOf(EndSign, begin);
        return ForMessage(end < 0 ? text[(begin + 1)..] : text[(begin + 1)..end]);
    }
}
