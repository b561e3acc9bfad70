using System.Collections;
using System.Globalization;
using System.Management.Automation;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Accepts results, and snapshots of sys.dm_io_virtual_file_stats. Any other object does not bind.</summary>
[AttributeUsage(AttributeTargets.Property)]
public sealed class ResultOrSnapshotAttribute : ArgumentTransformationAttribute
{
    public override object? Transform(EngineIntrinsics engineIntrinsics, object? inputData)
    {
        if (DeserializedObject.Unwrap(inputData) is null)
            return inputData;
        // A list can be one snapshot, or a list of results or snapshots.
        return DeserializedObject.Unwrap(inputData) is IEnumerable list and not (string or IDictionary or System.Data.DataTable)
            ? list.Cast<object?>().Select(item => ToInput(item, engineIntrinsics.SessionState)).ToArray()
            : new[] { ToInput(inputData, engineIntrinsics.SessionState) };
    }

    private static object? ToInput(object? item, SessionState state)
    {
        if (item is null || FileStatsInput.IsSnapshot(item, state))
            return item;
        try
        {
            return LanguagePrimitives.ConvertTo(item, typeof(IoTestResult), CultureInfo.InvariantCulture);
        }
        catch (PSInvalidCastException error)
        {
            throw new ArgumentTransformationMetadataException(error.Message, error);
        }
    }
}
