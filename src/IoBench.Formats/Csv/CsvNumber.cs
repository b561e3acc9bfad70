using System.Globalization;

namespace IoBench.Formats;

/// <summary>Accepts the minus signs and direction marks of all cultures. Finds the separator, but does not decide its meaning.</summary>
internal readonly record struct CsvNumber
{
    private const char ArabicDecimal = '\u066B';
    private const char Minus = '\u2212';

    /// <summary>Value if a single comma or point separates decimals; null if the text is not such a number.</summary>
    public double? Value { get; private init; }

    /// <summary>Possible decimal separator: a comma, a point, or the Arabic separator; 0 if there is none.</summary>
    public char Separator { get; private init; }

    public bool MayBeGrouped { get; private init; }

    /// <summary>Whether the text consists of digits, commas, and points, but has several separators: <c>1,234,567</c>.</summary>
    public bool IsGrouped => Value is null && Separator != 0;

    public bool HasArabicSeparator => Separator == ArabicDecimal;

    public static CsvNumber FromText(string text)
    {
        var plain = RemoveDirectionMarks(text).Replace(Minus, '-');
        var at = plain.AsSpan().IndexOfAny(',', '.', ArabicDecimal);
        if (at < 0)
            return new() { Value = ParseDouble(plain) };
        var sign = plain[at];
        var isOnly = plain.AsSpan(at + 1).IndexOfAny(',', '.', ArabicDecimal) < 0;
        if (isOnly && ParseDouble(plain.Replace(sign, '.')) is { } value)
            return new()
            {
                Value = value,
                Separator = sign,
                MayBeGrouped = sign != ArabicDecimal && LooksGrouped(plain, at),
            };
        return new()
        {
            Separator = plain.All(c => char.IsAsciiDigit(c) || c is ',' or '.' or '-') && plain.Any(char.IsAsciiDigit) ? sign : default,
        };
    }

    /// <summary>Removes the direction marks that right-to-left cultures put between digits, and replaces nonbreaking spaces.</summary>
    public static string RemoveDirectionMarks(string text) =>
        text.AsSpan().IndexOfAnyExceptInRange(' ', '~') < 0
            ? text
            : string.Concat(text.Where(c => c is not ('\u200E' or '\u200F' or '\u061C')).Select(c => c is '\u00A0' or '\u202F' ? ' ' : c));

    private static double? ParseDouble(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number) ? number : null;

    private static bool LooksGrouped(string text, int at)
    {
        var digits = text.AsSpan(0, at).TrimStart("+- ");
        var rest = text.AsSpan(at + 1).TrimEnd();
        return digits.Length is >= 1 and <= 3
            && digits[0] is >= '1' and <= '9'
            && rest.Length == 3
            && rest.IndexOfAnyExceptInRange('0', '9') < 0;
    }
}
