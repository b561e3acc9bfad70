using System.Collections;
using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Refuses a list with a clear message, because PowerShell parses <c>1,5</c> as two numbers.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class OneDurationAttribute : ArgumentTransformationAttribute
{
    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData) =>
        DeserializedObject.Unwrap(inputData) is IList
            ? throw new ArgumentTransformationMetadataException(
                "Specify one duration, such as 5, 90s, or 5m. You can specify lists for -FileSize, -BlockSize, and -OutstandingIO."
            )
            : inputData;
}
