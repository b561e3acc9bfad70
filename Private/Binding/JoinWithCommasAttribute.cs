using System.Collections;
using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Joins a list with commas, because PowerShell parses unquoted <c>8KB:60,64KB:40</c> as a list.</summary>
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
