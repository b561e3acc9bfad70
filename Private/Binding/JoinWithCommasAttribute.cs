using System.Collections;
using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>
/// Joins a list into one text with commas. PowerShell parses unquoted text with commas as a list: <c>-BlockMix 8KB:60,64KB:40</c>,
/// <c>-Affinity 0,2</c>.
/// </summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class JoinWithCommasAttribute : ArgumentTransformationAttribute
{
    public override object? Transform(EngineIntrinsics engineIntrinsics, object inputData) =>
        DeserializedObject.Unwrap(inputData) is IList list
            ? string.Join(
                ',',
                list.Cast<object?>().Select(part => Convert.ToString(DeserializedObject.Unwrap(part), CultureInfo.InvariantCulture))
            )
            : inputData;
}
