namespace IoBench.Application;

/// <summary>Context in which option values are read.</summary>
public sealed class OptionContext
{
    /// <summary>Context of the CLI: relative paths start at the process's folder.</summary>
    public static OptionContext Process { get; } = new();

    /// <summary>
    /// Resolves a path of the user, because PowerShell's location can differ from the process's folder. By default a path is not changed.
    /// </summary>
    public Func<string, string> FullPath { get; init; } = path => path;
}
