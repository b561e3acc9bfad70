using IoBench.Engine;

namespace IoBench.Formats;

internal static class CommandLineSplitter
{
    /// <summary>
    /// Reads a redirection at <paramref name="index"/> and moves the index to its last word. The file is null if only error messages are
    /// redirected.
    /// </summary>
    public static bool TryReadRedirection(IReadOnlyList<string> args, ref int index, out string? outputFile)
    {
        outputFile = null;
        var word = args[index];
        var arrow = word.IndexOf('>', StringComparison.Ordinal);
        if (arrow < 0 || (arrow > 0 && word[..arrow] is not ("1" or "2")))
            return false;
        var name = word[arrow..].TrimStart('>');
        if (name.StartsWith('&'))
            return true;
        if (name.Length == 0)
        {
            if (index + 1 >= args.Count)
                throw IoBenchException.Usage("IoBench.InvalidCommandLine", $"{word} needs the name of a file behind it.");
            name = args[++index];
        }
        if (word[0] != '2')
            outputFile = name;
        return true;
    }
}
