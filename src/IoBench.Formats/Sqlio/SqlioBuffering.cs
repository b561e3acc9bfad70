using IoBench.Engine;

namespace IoBench.Formats;

internal static class SqlioBuffering
{
    /// <summary>
    /// Null if unknown. The texts of <c>-BN</c> and <c>-BH</c> are known from real outputs. For other texts, the caches that are named
    /// before "but not" decide.
    /// </summary>
    public static IoBuffering? ParseDescription(string words)
    {
        var used = words.ToLowerInvariant();
        if (used.Contains("not use", StringComparison.Ordinal))
            return MentionsFileCache(used) && MentionsDeviceCache(used) ? IoBuffering.None : null;
        var not = used.IndexOf("not ", StringComparison.Ordinal);
        if (not >= 0)
            used = used[..not];
        return (MentionsFileCache(used), MentionsDeviceCache(used)) switch
        {
            (true, true) => IoBuffering.Both,
            (true, false) => IoBuffering.Software,
            (false, true) => IoBuffering.Hardware,
            _ => used.Contains("both", StringComparison.Ordinal) || used.Contains("all ", StringComparison.Ordinal)
                ? IoBuffering.Both
                : null,
        };
    }

    public static string DescribeBuffering(IoBuffering buffering) =>
        buffering switch
        {
            IoBuffering.None => "not use file nor disk caches (as is SQL Server)",
            IoBuffering.Hardware => "use hardware disk cache (but not file cache)",
            IoBuffering.Software => "use software file cache (but not disk cache)",
            _ => "use both file and disk caches",
        };

    private static bool MentionsFileCache(string words) =>
        words.Contains("file", StringComparison.Ordinal) || words.Contains("software", StringComparison.Ordinal);

    private static bool MentionsDeviceCache(string words) =>
        words.Contains("disk", StringComparison.Ordinal) || words.Contains("hardware", StringComparison.Ordinal);
}
