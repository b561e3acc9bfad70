using System.Globalization;
using System.Management.Automation;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>
/// Converts numbers and times in table cells. Export-Csv writes both in the culture of its session; IoBench's own files and databases write
/// them invariant. A text that only one of the two cultures accepts is read in that culture.
/// </summary>
internal static class TableValueConverter
{
    private const NumberStyles Styles = NumberStyles.Float;

    public static bool IsNumber(Type type) =>
        type == typeof(double) || type == typeof(int) || type == typeof(long) || type == typeof(ulong) || type == typeof(decimal);

    /// <summary>Thousands separators are not accepted, because the same text can be another number in another culture (1,234).</summary>
    /// <exception cref="FormatException">The text is not a number.</exception>
    public static object ParseNumber(string text, Type type)
    {
        if (type == typeof(double))
        {
            return
                double.TryParse(text, Styles, CultureInfo.InvariantCulture, out var number)
                || double.TryParse(text, Styles, CultureInfo.CurrentCulture, out number)
                ? number
                : throw new FormatException(text);
        }
        var exact =
            decimal.TryParse(text, Styles, CultureInfo.InvariantCulture, out var value)
            || decimal.TryParse(text, Styles, CultureInfo.CurrentCulture, out value)
                ? value
                : throw new FormatException(text);
        return Convert.ChangeType(exact, type, CultureInfo.InvariantCulture);
    }

    /// <summary>
    /// Converts the text of a cell to a number if its column contains one decimal number: in some cultures, <c>50,5</c> is a number and not
    /// a list. Returns any other value unchanged.
    /// </summary>
    public static object? ParseCell(OptionRow? column, object? value) =>
        value is string text
        && column is { Count: OptionValueCount.One, Kind.IsDecimal: true }
        && (
            double.TryParse(text, Styles, CultureInfo.InvariantCulture, out var number)
            || double.TryParse(text, Styles, CultureInfo.CurrentCulture, out number)
        )
            ? number
            : value;

    /// <summary>Reads a date such as 01/03/2026 in the session's culture, because the invariant culture would return another day.</summary>
    /// <exception cref="FormatException">The text is not a time.</exception>
    public static DateTimeOffset ParseTime(string text)
    {
        var isSortable = text.Length > 10 && char.IsAsciiDigit(text[0]) && text[4] == '-' && text[7] == '-' && text[10] is 'T' or ' ';
        if (isSortable && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal, out var time))
            return time;
        return DateTimeOffset.TryParse(text, CultureInfo.CurrentCulture, DateTimeStyles.AssumeLocal, out time)
            ? time
            : DateTimeOffset.Parse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeLocal);
    }

    public static PSObject CreateSortableTime(DateTimeOffset time)
    {
        var value = new PSObject(time);
        value.Methods.Add(new PSCodeMethod(nameof(ToString), ((Func<PSObject, string>)FormatSortableTime).Method), preValidated: true);
        return value;
    }

    /// <summary>
    /// Public, because PowerShell requires it of a code method. The text is ISO 8601, so that Export-Csv writes it the same in every
    /// culture and calendar.
    /// </summary>
    public static string FormatSortableTime(PSObject value) =>
        ((DateTimeOffset)value.BaseObject).ToString("O", CultureInfo.InvariantCulture);
}
