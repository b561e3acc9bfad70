namespace IoBench.Application.Options;

/// <summary>What a front knows about where its user is.</summary>
public sealed class OptionContext
{
    /// <summary>The folder of the process, as the program's user means relative paths.</summary>
    public static OptionContext Process { get; } = new();

    /// <summary>
    /// A path as the user means it made one that the process finds: PowerShell's location need not be the process's folder. By default a path stays as it is.
    /// </summary>
    public Func<string, string> FullPath { get; init; } = path => path;
}
