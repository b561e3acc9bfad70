using System.Globalization;
using System.Reflection;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>A flat property of a result as a column of text; culture-invariant.</summary>
internal sealed class CsvColumn
{
    private const string WarningSeparator = " | ";
    private readonly PropertyInfo _property;
    private readonly Type _type;

    private CsvColumn(PropertyInfo property)
    {
        _property = property;
        _type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
    }

    /// <summary>All columns, in the order of the properties.</summary>
    public static IReadOnlyList<CsvColumn> All { get; } = typeof(IoTestResult).GetProperties()
        .Where(p => p.CanWrite && IsFlat(p)).OrderBy(p => p.MetadataToken).Select(p => new CsvColumn(p)).ToArray();

    /// <summary>Name: the property's.</summary>
    public string Name => _property.Name;

    /// <summary>True for text that people chose, false for numbers, times and words of a fixed list.</summary>
    public bool IsText => _type == typeof(string) || _type == typeof(List<string>);

    /// <summary>The value as text; empty when it is not known.</summary>
    public string Get(IoTestResult result) => _property.GetValue(result) switch
    {
        null => "",
        string text => text,
        List<string> warnings => string.Join(WarningSeparator, warnings.Select(w => w.Replace("|", "||", StringComparison.Ordinal))),
        double number => number.ToString("R", CultureInfo.InvariantCulture),
        DateTimeOffset time => time.ToString("O", CultureInfo.InvariantCulture),
        IFormattable other => other.ToString(null, CultureInfo.InvariantCulture),
        var other => other.ToString() ?? "",
    };

    /// <summary>Sets the value from text that is not empty; false when it is no such value.</summary>
    public bool TrySet(IoTestResult result, string text)
    {
        object? value = null;
        if (_type == typeof(string))
            value = text;
        else if (_type == typeof(List<string>))
            value = SplitWarnings(text);
        else if (_type == typeof(double) && double.TryParse(text, NumberStyles.Float, CultureInfo.InvariantCulture, out var number) && double.IsFinite(number))
            value = number;
        else if (_type == typeof(int) && int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var integer))
            value = integer;
        else if (_type == typeof(long) && long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var count))
            value = count;
        else if (_type == typeof(bool) && bool.TryParse(text, out var flag))
            value = flag;
        else if (_type == typeof(DateTimeOffset) && DateTimeOffset.TryParse(text, CultureInfo.InvariantCulture, DateTimeStyles.AssumeUniversal, out var time))
            value = time;
        else if (_type.IsEnum && Enum.TryParse(_type, text, ignoreCase: true, out var word) && Enum.IsDefined(_type, word!))
            value = word;
        if (value is null)
            return false;
        _property.SetValue(result, value);
        return true;
    }

    private static bool IsFlat(PropertyInfo property)
    {
        var type = Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType;
        return type.IsPrimitive || type.IsEnum || type == typeof(string) || type == typeof(DateTimeOffset) || type == typeof(List<string>);
    }

    /// <summary>Parts at single bars; a bar within a warning was written twice.</summary>
    private static List<string> SplitWarnings(string text)
    {
        var warnings = new List<string>();
        var start = 0;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] != '|')
                continue;
            if (i + 1 < text.Length && text[i + 1] == '|')
            {
                i++;
                continue;
            }
            if (i == 0 || text[i - 1] != ' ' || i + 1 >= text.Length || text[i + 1] != ' ')
                continue;
            warnings.Add(text[start..(i - 1)].Replace("||", "|", StringComparison.Ordinal));
            start = i + 2;
        }
        warnings.Add(text[start..].Replace("||", "|", StringComparison.Ordinal));
        return warnings;
    }
}
