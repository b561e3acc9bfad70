namespace IoBench.Cli.Running;

/// <summary>What starts this program once more.</summary>
internal static class OwnProgram
{
    /// <summary>The one file that starts it; of a program that its runtime was given, the file beside its assembly. Null where there is none.</summary>
    public static string? File =>
        Path.GetFileNameWithoutExtension(Environment.ProcessPath) is "iobench" ? Environment.ProcessPath
        : Path.Combine(AppContext.BaseDirectory, OperatingSystem.IsWindows() ? "iobench.exe" : "iobench") is var beside
        && System.IO.File.Exists(beside)
            ? beside
        : null;

    /// <summary>The words of a command line that start it; a portable program has no file of its own, and its runtime starts it. Null where nothing is known to.</summary>
    public static IReadOnlyList<string>? Command
    {
        get
        {
            if (File is { } file)
                return [file];
            var assembly = Path.Combine(AppContext.BaseDirectory, "iobench.dll");
            return
                Environment.ProcessPath is { } host && Path.GetFileNameWithoutExtension(host) is "dotnet" && System.IO.File.Exists(assembly)
                ? [host, assembly]
                : null;
        }
    }
}
