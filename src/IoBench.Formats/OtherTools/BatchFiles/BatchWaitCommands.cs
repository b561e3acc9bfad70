using System.Globalization;

namespace IoBench.Formats;

internal static class BatchWaitCommands
{
    internal static TimeSpan? GetDuration(IReadOnlyList<string> words)
    {
        double? seconds = ToolName.GetProgramName(words[0]).ToUpperInvariant() switch
        {
            "TIMEOUT" => FindOptionValue(words, "/T", "-T") ?? ParseNumber(words.Count > 1 ? words[1] : ""),
            "CHOICE" => FindOptionValue(words, "/T", "-T"),
            "WAITFOR" => FindOptionValue(words, "/T", "-T"),
            "SLEEP" => ParseNumber(words.Count > 1 ? words[1] : ""),
            "PING" => GetPingSeconds(words),
            "START-SLEEP" => GetStartSleepSeconds(words),
            _ => null,
        };
        return seconds is >= 0 and <= 7 * 86400 ? TimeSpan.FromSeconds(seconds.Value) : null;
    }

    /// <summary>ping sends a request per second after the first one. Without replies, each takes the timeout of -w.</summary>
    private static double? GetPingSeconds(IReadOnlyList<string> words)
    {
        var count = FindOptionValue(words, "-n", "/n") ?? 4;
        var wait = FindOptionValue(words, "-w", "/w") / 1000;
        return wait > 1 ? count * wait : Math.Max(0, count - 1);
    }

    private static double? GetStartSleepSeconds(IReadOnlyList<string> words)
    {
        return FindOptionValue(words, "-Milliseconds", "-m") is { } milliseconds
            ? milliseconds / 1000
            : FindOptionValue(words, "-Seconds", "-s") ?? ParseNumber(words.Count > 1 ? words[1] : "");
    }

    private static double? FindOptionValue(IReadOnlyList<string> words, params string[] names)
    {
        for (var i = 1; i < words.Count; i++)
        {
            foreach (var name in names)
            {
                if (words[i].Equals(name, StringComparison.OrdinalIgnoreCase))
                    return i + 1 < words.Count ? ParseNumber(words[i + 1]) : null;
                // Option and value can also be one word: /T60, /T:60.
                if (
                    name.Length == 2
                    && words[i].StartsWith(name, StringComparison.OrdinalIgnoreCase)
                    && ParseNumber(words[i][2..].TrimStart(':')) is { } value
                )
                    return value;
            }
        }
        return null;
    }

    private static double? ParseNumber(string text) =>
        double.TryParse(text.TrimEnd(';', '"'), NumberStyles.AllowDecimalPoint, CultureInfo.InvariantCulture, out var value) ? value : null;
}
