using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell;

internal static class SortableTime
{
    public static PSObject Of(DateTimeOffset time)
    {
        var value = new PSObject(time);
        value.Methods.Add(new PSCodeMethod(nameof(ToString), ((Func<PSObject, string>)Text).Method), preValidated: true);
        return value;
    }

    /// <summary>
    /// Public, because PowerShell requires it of a code method. The text is ISO 8601, so that Export-Csv writes it the same in every
    /// culture and calendar.
    /// </summary>
    public static string Text(PSObject value) => ((DateTimeOffset)value.BaseObject).ToString("O", CultureInfo.InvariantCulture);
}
