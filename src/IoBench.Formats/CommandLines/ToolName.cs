namespace IoBench.Formats;

/// <summary>Names can have a folder, with the path separators of Windows or Linux, and an extension.</summary>
internal static class ToolName
{
    private static readonly string[] s_diskSpd = ["diskspd", "diskspd64", "diskspd32"];
    private static readonly string[] s_sqlio = ["sqlio", "sqlio64", "sqlio2"];

    internal static bool IsDiskSpd(string word) => s_diskSpd.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsSqlio(string word) => s_sqlio.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsFio(string word) => GetProgramName(word).Equals("fio", StringComparison.OrdinalIgnoreCase);

    internal static bool IsTool(string word) => IsDiskSpd(word) || IsSqlio(word) || IsFio(word);

    internal static string GetProgramName(string word)
    {
        var name = word[(word.LastIndexOfAny(['\\', '/']) + 1)..];
        return name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? name[..^4] : name;
    }

    /// <summary><c>-h</c> is also an option of DiskSpd, so it requests help only if it is the only argument.</summary>
    public static bool IsHelpRequest(IReadOnlyList<string> args) =>
        args.Any(arg => arg is "-?" or "/?" or "--help" or "-help") || args is ["-h"] or ["/h"];
}
