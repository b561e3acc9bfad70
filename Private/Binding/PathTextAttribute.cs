using System.Collections;
using System.Management.Automation;

namespace IoBench.PowerShell;

/// <summary>Refuses numbers, dates, and other values as paths, because PowerShell converts each of them to text.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class PathTextAttribute : ArgumentTransformationAttribute
{
    public override object Transform(EngineIntrinsics engineIntrinsics, object inputData)
    {
        var items = DeserializedObject.Unwrap(inputData) is IList list ? list.Cast<object?>() : [inputData];
        if (items.Select(DeserializedObject.Unwrap).OfType<ValueType>().FirstOrDefault() is { } value)
            throw new ArgumentTransformationMetadataException(PathResolver.CreateNotAPathError(value).Message);
        return inputData;
    }
}
