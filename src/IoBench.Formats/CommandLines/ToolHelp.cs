namespace IoBench.Formats;

internal static class ToolName
{
    /// <summary>
    /// Tests whether the arguments request help. <c>-h</c> is also an option of DiskSpd, so it counts only if it is the only argument.
    /// </summary>
    public static bool IsHelpRequest(IReadOnlyList<string> args) =>
        args.Any(arg => arg is "-?" or "/?" or "--help" or "-help") || args is ["-h"] or ["/h"];
}
