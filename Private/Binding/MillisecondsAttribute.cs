using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Accepts a latency limit with a unit, such as 5ms or 15s. A number without a unit is milliseconds.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class MillisecondsAttribute : ArgumentTransformationAttribute
{
    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData) => Read(inputData)!;

    internal static object? Read(object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            // PowerShell reads an unquoted 15s as a number of the type short.
            short seconds => seconds * 1000.0,
            string { Length: > 0 } text when char.IsLetter(text[^1]) && IoDuration.TryParse(text, out var limit) => limit.TotalSeconds
                * 1000,
            _ => value,
        };
}
