using System.Globalization;

namespace IoBench.PowerShell.Binding;

/// <summary>
/// Numbers and times as a table's text holds them. Export-Csv writes both in the culture of its session, IoBench's own files and databases write them
/// invariant: what only one of the two can mean is read.
/// </summary>
internal static class NumberText
{
    private const NumberStyles Plain = NumberStyles.Float;

    /// <summary>Whether a type is a number.</summary>
    public static bool IsNumber(Type type) =>
        type == typeof(double) || type == typeof(int) || type == typeof(long) || type == typeof(ulong) || type == typeof(decimal);

    /// <summary>A number; without thousands separators, so that 1,234 is never taken for another number than was written.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static object Parse(string text, Type type)
    {
        if (type == typeof(double))
        {
            return
                double.TryParse(text, Plain, CultureInfo.InvariantCulture, out var number)
                || double.TryParse(text, Plain, CultureInfo.CurrentCulture, out number)
                ? number
                : throw new FormatException(text);
        }
        var exact =
            decimal.TryParse(text, Plain, CultureInfo.InvariantCulture, out var value)
            || decimal.TryParse(text, Plain, CultureInfo.CurrentCulture, out value)
                ? value
                : throw new FormatException(text);
        return Convert.ChangeType(exact, type, CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// The number that a cell's text is in its session's culture, where its column holds one number that may have decimals: <c>50,5</c> is no list there. Any other value as it is.
    /// </summary>
    public static object? OfCell(OptionRow? column, object? value) =>
        value is string text
        && column is { Count: OptionValueCount.One, Kind.IsDecimal: true }
        && (
            double.TryParse(text, Plain, CultureInfo.InvariantCulture, out var number)
            || double.TryParse(text, Plain, CultureInfo.CurrentCulture, out number)
        )
            ? number
            : value;

    /// <summary>A time. 01/03/2026 is what it is in the session's culture; invariant it would be another day.</summary>
    /// <exception cref="FormatException">It is none.</exception>
    public static DateTimeOffset ParseTime(string text)
    {
        var isSortable = text.Length > 10 && char.IsAsciiDigit(text[0]) && text[4] == '-' && text[7] == '-' && text[10] is 'T' or ' ';
        if (isSortable && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var time))
            return time;
        return DateTimeOffset.TryParse(text, CultureInfo.CurrentCulture, DateTimeStyles.AssumeLocal, out time)
            ? time
            : DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal);
    }
}
