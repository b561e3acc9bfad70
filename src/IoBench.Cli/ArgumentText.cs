using System.Text;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class App
{
    private const char ReplacementCharacter = '\uFFFD';

    /// <summary>
    /// Linux file names are bytes. Invalid UTF-8 (such as an old name in Latin-1) arrives as U+FFFD, which could name another file.
    /// </summary>
    /// <exception cref="IoBenchException"><c>IoBench.InvalidPath</c>: an argument is not valid UTF-8.</exception>
    public static void CheckArgumentEncoding(IReadOnlyList<string> args)
    {
        for (var i = 0; i < args.Count; i++)
        {
            if (args[i].Contains(ReplacementCharacter, StringComparison.Ordinal) && !IsValidUtf8Argument(args.Count - i))
                throw IoBenchException.Usage(
                    "IoBench.InvalidPath",
                    $"{args[i]}: this argument is not valid UTF-8, so it is unclear which file it means.",
                    args[i],
                    advice: "Rename the file, or name a link to it."
                );
        }
    }

    /// <summary>Only the system's copy of the bytes shows whether an argument really contains U+FFFD.</summary>
    /// <param name="fromEnd">Position of the argument, counted from the last one (1).</param>
    private static bool IsValidUtf8Argument(int fromEnd)
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
