namespace IoBench.Formats.CommandLines;

/// <summary>Arguments by which somebody asks an old tool for its usage.</summary>
internal static class ToolHelp
{
    /// <summary>Whether the arguments ask for it, wherever the word stands; <c>-h</c>, which is an option of DiskSpd's, only when it stands alone.</summary>
    public static bool IsAsked(IReadOnlyList<string> args) =>
        args.Any(arg => arg is "-?" or "/?" or "--help" or "-help") || args is ["-h"] or ["/h"];
}
