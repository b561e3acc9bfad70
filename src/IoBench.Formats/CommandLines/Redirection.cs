namespace IoBench.Formats.CommandLines;

/// <summary>A command line's <c>&gt; file</c> and <c>&gt;&gt; file</c>.</summary>
internal static class Redirection
{
    /// <summary>
    /// Takes a redirection at a place of the arguments and moves the place to its last word. The file is null where only error messages
    /// are redirected.
    /// </summary>
    public static bool TryTake(IReadOnlyList<string> args, ref int index, out string? outputFile)
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
