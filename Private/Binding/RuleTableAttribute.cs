using System.Collections;
using System.Management.Automation;
using IoBench.Analysis;

namespace IoBench.PowerShell;

/// <summary>
/// Accepts limits with a unit, such as 5ms, in the tables of -Rule. Names the settings if a key is not one, because the error of PowerShell
/// lists the types of all properties.
/// </summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class RuleTableAttribute : ArgumentTransformationAttribute
{
    private static readonly string[] s_keys = [.. typeof(IoRule).GetProperties().Where(key => key.CanWrite).Select(key => key.Name)];

    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData)
    {
        var items = DeserializedObject.Unwrap(inputData) is IList list ? list.Cast<object?>() : [inputData];
        return items.Select(item => DeserializedObject.Unwrap(item) is IDictionary table ? ReadTable(table) : item).ToArray();
    }

    private static Hashtable ReadTable(IDictionary table)
    {
        var rule = new Hashtable(StringComparer.OrdinalIgnoreCase);
        foreach (DictionaryEntry entry in table)
        {
            var key = DeserializedObject.ToText(entry.Key);
            if (!s_keys.Contains(key, StringComparer.OrdinalIgnoreCase))
                throw new ArgumentTransformationMetadataException($"'{key}' is not a setting of a rule. Use {string.Join(", ", s_keys)}.");
            rule[key] = key.EndsWith("Ms", StringComparison.OrdinalIgnoreCase) ? MillisecondsAttribute.Read(entry.Value) : entry.Value;
        }
        return rule;
    }
}
