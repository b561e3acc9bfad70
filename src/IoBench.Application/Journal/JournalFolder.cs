namespace IoBench.Application;

public static class JournalFolder
{
    /// <summary>Environment variable: <c>off</c>, <c>0</c>, or <c>no</c> disables the journal; any other value is its folder.</summary>
    public const string Variable = "IOBENCH_JOURNAL";

    /// <summary>The folder; null if the journal is disabled or the user has no folder for it.</summary>
    public static string? Path => FindFolder(Environment.GetEnvironmentVariable(Variable));

    internal static string? FindFolder(string? setting)
    {
        if (setting?.Trim().ToUpperInvariant() is "OFF" or "0" or "NO" or "FALSE" or "NONE")
            return null;
        if (!string.IsNullOrWhiteSpace(setting))
            return System.IO.Path.GetFullPath(setting);
        if (OperatingSystem.IsWindows())
            return Environment.GetFolderPath(Environment.SpecialFolder.LocalApplicationData) is { Length: > 0 } local
                ? System.IO.Path.Combine(local, "IoBench")
                : null;
        // The XDG Base Directory Specification requires programs to ignore relative paths.
        var state = Environment.GetEnvironmentVariable("XDG_STATE_HOME");
        if (state is { Length: > 0 } && System.IO.Path.IsPathRooted(state))
            return System.IO.Path.Combine(state, "iobench");
        return Environment.GetFolderPath(Environment.SpecialFolder.UserProfile) is { Length: > 0 } home
            ? System.IO.Path.Combine(home, ".local", "state", "iobench")
            : null;
    }

    /// <summary>Creates the folder with access for its owner only, because journals contain paths and server names.</summary>
    internal static void CreateFolder(string path)
    {
        if (OperatingSystem.IsWindows())
            Directory.CreateDirectory(path);
        else if (!Directory.Exists(path))
            Directory.CreateDirectory(path, UnixFileMode.UserRead | UnixFileMode.UserWrite | UnixFileMode.UserExecute);
    }

    /// <summary>Returns the journals, newest first.</summary>
    internal static IReadOnlyList<string> GetFiles(string folder) =>
        Directory.Exists(folder)
            ? [.. Directory.EnumerateFiles(folder, "run-*.json").OrderByDescending(name => name, StringComparer.Ordinal)]
            : [];
}
