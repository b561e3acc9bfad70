using System.Globalization;
using System.Management.Automation;
using IoBench.Application;

namespace IoBench.PowerShell;

/// <summary>Cells are in the session's culture (Export-Csv) or invariant (IoBench's files, databases).</summary>
internal static class TableValueConverter
{
    private const NumberStyles Styles = NumberStyles.Float;

    public static bool IsNumber(Type type) =>
        type == typeof(double) || type == typeof(int) || type == typeof(long) || type == typeof(ulong) || type == typeof(decimal);

    /// <summary>Thousands separators are not accepted, because the same text can be another number in another culture (1,234).</summary>
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

    /// <summary>In some cultures, <c>50,5</c> is a number and not a list. Returns any other value unchanged.</summary>
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

    /// <summary>PowerShell requires a public method. ISO 8601, so that Export-Csv writes the same text in every culture.</summary>
    public static string FormatSortableTime(PSObject value) =>
        ((DateTimeOffset)value.BaseObject).ToString("O", CultureInfo.InvariantCulture);
}
