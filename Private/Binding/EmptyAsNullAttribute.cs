using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Converts an empty string or DBNull from a table cell to null, as if the column did not exist.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class EmptyAsNullAttribute : ArgumentTransformationAttribute
{
    public override bool TransformNullOptionalParameters => false;

    public override object? Transform(EngineIntrinsics engineIntrinsics, object inputData) =>
        DeserializedObject.Unwrap(inputData) is DBNull or string { Length: 0 } ? null : inputData;
}
