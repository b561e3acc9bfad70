using System.Globalization;

namespace IoBench.Formats.Csv;

/// <summary>A number as a cell's text: its sign and signs of direction of any culture are taken as ASCII has them, the decimal sign is found but not judged.</summary>
internal readonly record struct CsvNumber
{
    private const char ArabicDecimal = '\u066B';
    private const char Minus = '\u2212';

    /// <summary>How the number is, where a single comma or point in it separates decimals; null = it is none.</summary>
    public double? Value { get; private init; }

    /// <summary>The sign that it has before its decimals, if it separates decimals: a comma, a point or the Arabic sign; 0 = none.</summary>
    public char Sign { get; private init; }

    /// <summary>The sign may as well separate thousands: <c>1,234</c>.</summary>
    public bool MayBeGrouped { get; private init; }

    /// <summary>It consists of digits, commas and points and is no number all the same: <c>1,234,567</c>.</summary>
    public bool IsGrouped => Value is null && Sign != 0;

    /// <summary>The Arabic sign separates decimals only.</summary>
    public bool IsArabic => Sign == ArabicDecimal;

    /// <summary>What a text is as a number.</summary>
    public static CsvNumber Of(string text)
    {
        var plain = WithoutMarks(text).Replace(Minus, '-');
        var at = plain.AsSpan().IndexOfAny(',', '.', ArabicDecimal);
        if (at < 0)
            return new() { Value = Parse(plain) };
        var sign = plain[at];
        var isOnly = plain.AsSpan(at + 1).IndexOfAny(',', '.', ArabicDecimal) < 0;
        if (isOnly && Parse(plain.Replace(sign, '.')) is { } value)
            return new()
            {
                Value = value,
                Sign = sign,
                MayBeGrouped = sign != ArabicDecimal && LooksGrouped(plain, at),
            };
        return new()
        {
            Sign = plain.All(c => char.IsAsciiDigit(c) || c is ',' or '.' or '-') && plain.Any(char.IsAsciiDigit) ? sign : default,
        };
    }

    /// <summary>A text without the marks of direction that cultures written from right to left put between digits, and with plain blanks.</summary>
    public static string WithoutMarks(string text) =>
        text.AsSpan().IndexOfAnyExceptInRange(' ', '~') < 0
            ? text
            : string.Concat(text.Where(c => c is not ('\u200E' or '\u200F' or '\u061C')).Select(c => c is '\u00A0' or '\u202F' ? ' ' : c));

    private static double? Parse(string text) =>
        double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number) ? number : null;

    /// <summary>One to three digits, the first not 0, and three behind the sign.</summary>
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
