namespace IoBench.Formats.CommandLines;

/// <summary>Recognises the old tools' programs by their name, with or without folder and extension.</summary>
internal static class ToolName
{
    private static readonly string[] s_diskSpd = ["diskspd", "diskspd64", "diskspd32"];
    private static readonly string[] s_sqlio = ["sqlio", "sqlio64", "sqlio2"];

    /// <summary>Whether a word starts DiskSpd.</summary>
    internal static bool IsDiskSpd(string word) => s_diskSpd.Contains(Name(word), StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a word starts SQLIO.</summary>
    internal static bool IsSqlio(string word) => s_sqlio.Contains(Name(word), StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a word starts fio.</summary>
    internal static bool IsFio(string word) => Name(word).Equals("fio", StringComparison.OrdinalIgnoreCase);

    /// <summary>A program's name without folder and extension; either system's separators.</summary>
    internal static string Name(string word)
    {
        var name = word[(word.LastIndexOfAny(['\\', '/']) + 1)..];
        return name.EndsWith(".exe", StringComparison.OrdinalIgnoreCase) ? name[..^4] : name;
    }
}
