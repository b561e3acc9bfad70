using System.Text;

namespace IoBench.Cli;

/// <summary>
/// Linux's names are bytes, arguments here are text: bytes that are none (an old name in Latin-1) arrive as U+FFFD, and would be the name of
/// another file. Such an argument is refused.
/// </summary>
internal static class ArgumentText
{
    private const char Replacement = '\uFFFD';

    /// <summary>Throws for an argument that is no text.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidPath</c>.</exception>
    public static void Check(IReadOnlyList<string> args)
    {
        for (var i = 0; i < args.Count; i++)
        {
            if (args[i].Contains(Replacement, StringComparison.Ordinal) && !IsText(args.Count - i))
                throw IoBenchException.Usage(
                    "IoBench.InvalidPath",
                    $"{args[i]}: this argument is not valid UTF-8, so it is unclear which file it means.",
                    args[i],
                    advice: "Rename the file, or name a link to it."
                );
        }
    }

    /// <summary>Whether an argument, counted from the last one, really holds U+FFFD; only the system's own copy of the bytes shows it.</summary>
    private static bool IsText(int fromEnd)
    {
        if (!OperatingSystem.IsLinux())
            return true;
        var words = File.ReadAllBytes("/proc/self/cmdline").AsSpan();
        words = words is [.., 0] ? words[..^1] : words;
        for (; fromEnd > 1 && words.LastIndexOf((byte)0) is >= 0 and var end; fromEnd--)
            words = words[..end];
        try
        {
            _ = new UTF8Encoding(false, throwOnInvalidBytes: true).GetCharCount(words[(words.LastIndexOf((byte)0) + 1)..]);
            return true;
        }
        catch (DecoderFallbackException)
        {
            return false;
        }
    }
}
