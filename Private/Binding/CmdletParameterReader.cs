using System.Management.Automation;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

internal static class CmdletParameterReader
{
    /// <param name="rows">Options to read; an option without a parameter of the same name is not set.</param>
    /// <param name="isElsewhere">True if full paths belong to other hosts.</param>
    /// <param name="columns">Options that table columns can set; null for all settings.</param>
    public static OptionValues ReadOptions(
        PSCmdlet cmdlet,
        IReadOnlyList<OptionRow> rows,
        bool isElsewhere = false,
        IReadOnlyList<OptionRow>? columns = null
    )
    {
        var fullPath = CreatePathResolver(cmdlet.SessionState);
        var values = new OptionValues(rows, isElsewhere ? path => PathResolver.IsFullPath(path) ? path : fullPath(path) : fullPath)
        {
            Columns = columns ?? OptionTables.Columns,
        };
        var bound = cmdlet.MyInvocation.BoundParameters;
        foreach (var row in rows)
            if (bound.TryGetValue(row.Name, out var value))
                values.Set(row, DeserializedObject.Unwrap(value));
        return values;
    }

    /// <summary>Resolves paths of the user, because PowerShell's location can differ from the process's folder.</summary>
    public static Func<string, string> CreatePathResolver(SessionState state) => path => PathResolver.GetFullPath(state, path);

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
