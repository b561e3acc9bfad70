using System.Management.Automation;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

internal static class ParameterReader
{
    /// <exception cref="IoBenchException">A file cannot be read, or a value is neither a result nor a file.</exception>
    public static List<IoTestResult> ReadBaseline(SessionState state, IEnumerable<object?> values)
    {
        List<IoTestResult> results = [];
        foreach (var value in values)
        {
            if (GetFilePath(state, value) is { } file)
                results.AddRange(ResultReader.ReadFile(file));
            else
                results.Add(DeserializedObject.ToResult(value));
        }
        return results;
    }

    /// <summary>Returns null if the value does not name a file.</summary>
    public static string? GetFilePath(SessionState state, object? value) =>
        DeserializedObject.Unwrap(value) switch
        {
            string name => PathResolver.GetFullPath(state, name),
            FileInfo file => file.FullName,
            _ => null,
        };
}
