using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>Parts of batch syntax: commands in one line, parentheses, the head of a loop.</summary>
internal static partial class BatchCommand
{
    /// <summary>Commands that show something, or change nothing that a test depends on: passed over without a word.</summary>
    private static readonly string[] s_harmless =
        ["echo", "rem", "title", "cls", "color", "pause", "setlocal", "endlocal", "exit", "goto:eof", "date", "time", "ver", "mode", "chcp", "@echo", "echo.", "echo:", "prompt"];

    /// <summary>Commands that decide what is run: no part of a batch file may go unread behind them.</summary>
    private static readonly string[] s_deciding = ["if", "goto", "else", "shift"];

    /// <summary>Whether a command touches no test.</summary>
    internal static bool IsHarmless(string name) => s_harmless.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>Whether a command decides which commands are carried out.</summary>
    internal static bool IsDeciding(string name) => s_deciding.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>A comment or a label.</summary>
    internal static bool IsComment(string text)
    {
        var line = text.AsSpan().TrimStart(" \t@");
        return line.IsEmpty || line[0] == ':' || line.Equals("rem", StringComparison.OrdinalIgnoreCase)
            || (line.StartsWith("rem", StringComparison.OrdinalIgnoreCase) && line.Length > 3 && char.IsWhiteSpace(line[3]));
    }

    /// <summary>The commands of a line that are joined by <c>&amp;</c> or <c>&amp;&amp;</c>; of <c>a || b</c> only a, which is what runs when all goes well.</summary>
    internal static List<string> SplitCommands(string text, out bool hasPipe)
    {
        var commands = new List<string>();
        hasPipe = false;
        var begin = 0;
        var quoted = false;
        for (var i = 0; i < text.Length; i++)
        {
            if (text[i] == '"')
            {
                quoted = !quoted;
            }
            else if (!quoted && text[i] == '^' && i + 1 < text.Length)
            {
                i++;
            }
            else if (!quoted && text[i] == '&' && !(i > 0 && text[i - 1] == '>'))
            {
                commands.Add(text[begin..i]);
                if (i + 1 < text.Length && text[i + 1] == '&')
                    i++;
                begin = i + 1;
            }
            else if (!quoted && text[i] == '|')
            {
                hasPipe |= i + 1 >= text.Length || text[i + 1] != '|';
                commands.Add(text[begin..i]);
                return commands;
            }
        }
        commands.Add(text[begin..]);
        return commands;
    }

    /// <summary>Open parentheses less closed ones, outside of quotation marks.</summary>
    internal static int Balance(string text)
    {
        var balance = 0;
        var quoted = false;
        foreach (var c in text)
        {
            if (c == '"')
                quoted = !quoted;
            else if (!quoted && c == '(')
                balance++;
            else if (!quoted && c == ')')
                balance--;
        }
        return balance;
    }

    /// <summary>The head of a loop: <c>for %i in (a b c) do command</c>, <c>for /L %i in (1,1,5) do command</c>.</summary>
    [GeneratedRegex(@"^\s*@?for\s+(?<kind>/[a-z]\s+)?(?:""[^""]*""\s+)?%(?<name>[A-Za-z])\s+in\s*\((?<list>[^()]*)\)\s*do\b\s*(?<body>.*)$", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking | RegexOptions.Singleline)]
    internal static partial Regex For();

    /// <summary>A variable that is set: <c>set A=1</c>, <c>set "A=1"</c>; with <c>/a</c> or <c>/p</c> as kind.</summary>
    [GeneratedRegex("""^\s*@?set\s+(?<kind>/[a-z]\s*)?(?<quote>"?)(?<name>[^="\s][^="]*)=(?<value>.*)$""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking)]
    internal static partial Regex Set();

    /// <summary>A tool's name with an option behind it, anywhere in a line.</summary>
    [GeneratedRegex(@"\b(sqlio|diskspd)(64|32|2)?(\.exe)?""?\s+[-\u2013/]\S", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.NonBacktracking)]
    internal static partial Regex Tool();
}
