using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell;

internal static class TableValueConverter
{
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
