namespace IoBench.Application.Journal;

/// <summary>Where the journal is kept: a folder of the user's own, for what a program wants to remember.</summary>
public static class JournalFolder
{
    /// <summary>Environment variable: <c>off</c> (or 0, no) = no journal is kept; a path = the folder; else the user's own.</summary>
    public const string Variable = "IOBENCH_JOURNAL";

    /// <summary>The folder; null when no journal is to be kept, or the user has no place for it.</summary>
    public static string? Path => Find(Environment.GetEnvironmentVariable(Variable));

    internal static string? Find(string? setting)
    {
        if (setting?.Trim().ToUpperInvariant() is "OFF" or "0" or "NO" or "FALSE" or "NONE")
            return null;
        if (!string.IsNullOrWhiteSpace(setting))
            return System.IO.Path.GetFullPath(setting);
        if (OperatingSystem.IsWindows())
            return Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } local
                ? System.IO.Path.Combine(local, "IoBench")
                : null;
        // Relative values are to be ignored, as the XDG Base Directory Specification says.
        var state = Environment.GetEnvironmentVariable("XDG_STATE_HOME");
        if (state is { Length: > 0 } && System.IO.Path.IsPathRooted(state))
            return System.IO.Path.Combine(state, "iobench");
        return Environment.GetFolderPath(Environment.SpecialFolder.UserProfile) is { Length: > 0 } home
            ? System.IO.Path.Combine(home, ".local", "state", "iobench")
            : null;
    }

    /// <summary>Makes the folder, which is nobody else's business: paths and names of servers are in it.</summary>
    internal static void Make(string path)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(path);
        else if (!Directory.Exists(path))
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <summary>The journals in it, the newest first.</summary>
    internal static IReadOnlyList<string> Files(string folder) =>
        Directory.Exists(folder)
            ? [.. Directory.EnumerateFiles(folder, "run-*.json").OrderByDescending(name => name, StringComparer.Ordinal)]
            : [];
}
