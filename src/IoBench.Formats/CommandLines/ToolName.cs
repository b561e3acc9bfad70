namespace IoBench.Formats;

/// <summary>
/// Recognizes the programs of other tools by name, with or without folder and extension. Accepts the path separators of Windows and Linux.
/// </summary>
internal static class ToolName
{
    private static readonly string[] s_diskSpd = ["diskspd", "diskspd64", "diskspd32"];
    private static readonly string[] s_sqlio = ["sqlio", "sqlio64", "sqlio2"];

    internal static bool IsDiskSpd(string word) => s_diskSpd.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsSqlio(string word) => s_sqlio.Contains(GetProgramName(word), StringComparer.OrdinalIgnoreCase);

    internal static bool IsFio(string word) => GetProgramName(word).Equals("fio", StringComparison.OrdinalIgnoreCase);

    internal static string GetProgramName(string word)
    {
        var name = word[(word.LastIndexOfAny(['\\', '/']) + 1)..];
        return name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? name[..^4] : name;
    }

    /// <summary>
    /// Tests whether the arguments request help. <c>-h</c> is also an option of DiskSpd, so it counts only if it is the only argument.
    /// </summary>
    public static bool IsHelpRequest(IReadOnlyList<string> args) =>
        args.Any(arg => arg is "-?" or "/?" or "--help" or "-help") || args is ["-h"] or ["/h"];
}
