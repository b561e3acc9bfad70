using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>An empty cell of a table is as if the column were not there.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class BlankIsNullAttribute : ArgumentTransformationAttribute
{
    /// <inheritdoc/>
    public override bool TransformNullOptionalParameters => false;

    /// <inheritdoc/>
    public override object? Transform(EngineIntrinsics engineIntrinsics, object inputData) =>
        DeserializedObject.Unwrap(inputData) is DBNull or string { Length: 0 } ? null : inputData;
}
