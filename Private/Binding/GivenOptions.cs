using System.Management.Automation;

namespace IoBench.PowerShell.Binding;

/// <summary>The options that a cmdlet's parameters give: a row's parameter has its name.</summary>
internal static class GivenOptions
{
    /// <summary>The values that were given by name.</summary>
    /// <param name="rows">Options; those that the cmdlet has no parameter for are not given.</param>
    /// <param name="isElsewhere">Full paths are those of other hosts.</param>
    /// <param name="columns">What columns of a table may set; null = every setting.</param>
    /// <exception cref="IoBenchException">A value is not of its option's kind.</exception>
    public static OptionValues Read(
        PSCmdlet cmdlet,
        IReadOnlyList<OptionRow> rows,
        bool isElsewhere = false,
        IReadOnlyList<OptionRow>? columns = null
    )
    {
        var here = Context(cmdlet.SessionState);
        var values = new OptionValues(
            rows,
            isElsewhere ? new OptionContext { FullPath = path => SessionPaths.IsFull(path) ? path : here.FullPath(path) } : here
        )
        {
            Columns = columns ?? OptionTables.Columns,
        };
        var bound = cmdlet.MyInvocation.BoundParameters;
        foreach (var row in rows)
            if (bound.TryGetValue(row.Name, out var value))
                values.Set(row, DeserializedObject.Unwrap(value));
        return values;
    }

    /// <summary>Relative paths begin where PowerShell is.</summary>
    public static OptionContext Context(SessionState state) => new() { FullPath = path => InputPaths.Full(state, path) };
}
