using System.Collections;
using System.Globalization;
using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>A text with commas in it, which PowerShell takes for a list where no quotes are around it: <c>-BlockMix 8KB:60,64KB:40</c>, <c>-Affinity 0,2</c>.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class JoinedTextAttribute : ArgumentTransformationAttribute
{
    /// <inheritdoc/>
    public override object? Transform(EngineIntrinsics engineIntrinsics, object inputData) =>
        DeserializedObject.Unwrap(inputData) is IList list
            ? string.Join(
                ',',
                list.Cast<object?>().Select(part => Convert.ToString(DeserializedObject.Unwrap(part), CultureInfo.InvariantCulture))
            )
            : inputData;
}
