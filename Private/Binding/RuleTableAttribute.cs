using System.Collections;
using System.Management.Automation;
using IoBench.Analysis;

namespace IoBench.PowerShell;

/// <summary>Names the limits if a key of -Rule is not one. The error of PowerShell lists the types of all properties.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class RuleTableAttribute : ArgumentTransformationAttribute
{
    private static readonly string[] s_keys = [.. typeof(IoRule).GetProperties().Where(key => key.CanWrite).Select(key => key.Name)];

    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData)
    {
        var items = DeserializedObject.Unwrap(inputData) is IList list ? list.Cast<object?>() : [inputData];
        foreach (var table in items.Select(DeserializedObject.Unwrap).OfType<IDictionary>())
            foreach (var key in table.Keys.Cast<object>().Select(DeserializedObject.ToText))
                if (!s_keys.Contains(key, StringComparer.OrdinalIgnoreCase))
                    throw new ArgumentTransformationMetadataException($"'{key}' is not a setting of a rule. Use {string.Join(", ", s_keys)}.");
        return inputData;
    }
}
