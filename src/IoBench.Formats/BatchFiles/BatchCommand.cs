using System.Buffers;
using System.Text.RegularExpressions;

namespace IoBench.Formats.BatchFiles;

/// <summary>Parts of batch syntax: commands in one line, parentheses, the head of a loop.</summary>
internal static partial class BatchCommand
{
    /// <summary>Commands that show something, or change nothing that a test depends on: passed over without a word.</summary>
    private static readonly string[] s_harmless =
    [
        "echo",
        "rem",
        "title",
        "cls",
        "color",
        "pause",
        "date",
        "time",
        "ver",
        "mode",
        "chcp",
        "@echo",
        "echo.",
        "echo:",
        "prompt",
    ];

    private static readonly SearchValues<char> s_wordEnds = SearchValues.Create(" \t(\"/:=");

    /// <summary>Whether a command touches no test.</summary>
    internal static bool IsHarmless(string name) => s_harmless.Contains(name, StringComparer.OrdinalIgnoreCase);

    /// <summary>A condition or a loop: it holds for all that follows in its line.</summary>
    internal static bool HoldsForRest(string text) =>
        FirstWord(text) is var word
        && (word.Equals("if", StringComparison.OrdinalIgnoreCase) || word.Equals("for", StringComparison.OrdinalIgnoreCase));

    /// <summary>The word that a command begins with.</summary>
    internal static string FirstWord(string text)
    {
        var begin = text.AsSpan().TrimStart(" \t@");
        var end = begin.IndexOfAny(s_wordEnds);
        return (end < 0 ? begin : begin[..end]).ToString();
    }

    /// <summary>Whether a text names one of the tools anywhere.</summary>
    internal static bool NamesTool(string text) =>
        text.Contains("sqlio", StringComparison.OrdinalIgnoreCase)
        || text.Contains("diskspd", StringComparison.OrdinalIgnoreCase)
        || text.Contains("fio", StringComparison.OrdinalIgnoreCase);

    /// <summary>Parentheses that a statement's first line leaves open; in a command that is no loop, condition or block they are text.</summary>
    internal static int OpenParentheses(string text) =>
        HoldsForRest(text) || text.TrimStart(' ', '\t', '@') is ['(' or ')', ..] ? Balance(text) : 0;

    /// <summary>A comment or a label.</summary>
    internal static bool IsComment(string text)
    {
        var line = text.AsSpan().TrimStart(" \t@");
        return line.IsEmpty
            || line[0] == ':'
            || line.Equals("rem", StringComparison.OrdinalIgnoreCase)
            || (line.StartsWith("rem", StringComparison.OrdinalIgnoreCase) && line.Length > 3 && char.IsWhiteSpace(line[3]));
    }

    /// <summary>A line as it was copied from a console, without the prompt before the call of a tool and PowerShell's sign of a call: <c>PS C:\test&gt; &amp; .\diskspd …</c>.</summary>
    internal static string WithoutPrompt(string text)
    {
        if (!NamesTool(text) || Prompt().Match(text) is not { Success: true } prompt || Tool().IsMatch(prompt.Groups["prompt"].Value))
            return text;
        var command = prompt.Groups["command"].Value;
        if (command.StartsWith("& ", StringComparison.Ordinal) || command.StartsWith(". ", StringComparison.Ordinal))
            command = command[2..].TrimStart();
        return Tool().IsMatch(command) && BatchTool.Find(CommandLineWords.Split(command), out _, out _) ? command : text;
    }

    /// <summary>
    /// The commands of a line that are joined by <c>&amp;</c> or <c>&amp;&amp;</c>; of <c>a || b</c> only a, which is what runs when all goes well.
    /// <paramref name="pipe"/> is what follows a <c>|</c>; null = there is none.
    /// </summary>
    internal static List<string> SplitCommands(string text, out string? pipe)
    {
        var commands = new List<string>();
        pipe = null;
        var begin = 0;
        var quoted = false;
        for (var i = 0; i < text.Length; i++)
        {
            // A condition or a loop takes all that follows.
            if (i == begin && begin > 0 && HoldsForRest(text[i..]))
                break;
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
                pipe = i + 1 >= text.Length || text[i + 1] != '|' ? text[(i + 1)..] : null;
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

    /// <summary>Where the parenthesis that a text begins with is closed: line and place; null when it is not.</summary>
    internal static (int Line, int At)? Closing(List<BatchLine> lines)
    {
        var open = 0;
        var quoted = false;
        for (var line = 0; line < lines.Count; line++)
        {
            var text = lines[line].Text;
            for (var i = 0; i < text.Length; i++)
            {
                if (text[i] == '"')
                    quoted = !quoted;
                else if (!quoted && text[i] == '(')
                    open++;
                else if (!quoted && text[i] == ')' && --open == 0)
                    return (line, i);
            }
            quoted = false;
        }
        return null;
    }

    // What follows a repetition never begins as it goes on: none of these takes more than a few times a line's length, however it is made. The expressions that are sure of that by
    // themselves (NonBacktracking) bring half a megabyte into the native program.

    /// <summary>The head of a loop: <c>for %i in (a b c) do command</c>, <c>for /L %i in (1,1,5) do command</c>.</summary>
    [GeneratedRegex(
        @"^\s*@?for\s+(?<kind>/[a-z]\s+)?(?<options>""[^""]*""\s+)?%(?<name>[A-Za-z])\s+in\s*\((?<list>[^()]*)\)\s*do\b\s*(?<body>.*)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.Singleline
    )]
    internal static partial Regex For();

    /// <summary>A calculation, which may set several variables: <c>set /a N=N*2</c>.</summary>
    [GeneratedRegex("""^\s*@?set\s+"?/a\s*(?<what>.*)$""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex Calculate();

    /// <summary>A variable that is set: <c>set A=1</c>, <c>set "A=1"</c>; with <c>/p</c> as kind.</summary>
    [GeneratedRegex(
        """^\s*@?set\s+(?<kind>/[a-z]\s*)?(?<quote>"?)(?<name>[^="\s][^="]*)=(?<value>.*)$""",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    internal static partial Regex Set();

    /// <summary>A variable that is set anywhere in a line.</summary>
    [GeneratedRegex("""\bset\s+(?:/[a-z]\s*)?"?(?<name>[^="\s]+)\s*[-+*/%]?=""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex AnySet();

    /// <summary>A jump, a call of a subroutine or of another batch file, an end.</summary>
    [GeneratedRegex(@"\b(goto|exit)\b|\bcall\s+(:|\S*\.(bat|cmd)\b)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex Jumps();

    /// <summary>The prompt of cmd or PowerShell and what was typed behind it.</summary>
    [GeneratedRegex(
        @"^\s*(?<prompt>PS(\s[^>|]*)?>+|[A-Za-z]:\\?[^>|""]*>)\s*(?<command>\S.*)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    private static partial Regex Prompt();

    /// <summary>A tool's name with an option behind it, anywhere in a line.</summary>
    [GeneratedRegex(
        @"\b(sqlio|diskspd|fio)(64|32|2)?(\.exe)?[""']?\s+[-\u2013/]\S",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    internal static partial Regex Tool();
}
