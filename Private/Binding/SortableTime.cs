using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>A time that is a time to scripts and databases, and whose text is ISO 8601: Export-Csv writes it the same in every culture and calendar.</summary>
internal static class SortableTime
{
    public static PSObject Of(DateTimeOffset time)
    {
        var value = new PSObject(time);
        value.Methods.Add(new PSCodeMethod(nameof(ToString), ((Func<PSObject, string>)Text).Method), preValidated: true);
        return value;
    }

    /// <summary>Its text; PowerShell calls it.</summary>
    public static string Text(PSObject value) => ((DateTimeOffset)value.BaseObject).ToString("O", CultureInfo.InvariantCulture);
}
