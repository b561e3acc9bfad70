using System.Buffers;

namespace IoBench.Formats;

internal static class BatchSyntax
{
    /// <summary>Commands that are ignored without a note, because no test depends on them.</summary>
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

    internal static bool IsHarmless(string name) => s_harmless.Contains(name, StringComparer.OrdinalIgnoreCase);

    internal static bool IsConditionOrLoop(string text)
    {
        var word = GetFirstWord(text);
        return word.Equals("if", StringComparison.OrdinalIgnoreCase) || word.Equals("for", StringComparison.OrdinalIgnoreCase);
    }

    internal static string GetFirstWord(string text)
    {
        var begin = text.AsSpan().TrimStart(" \t@");
        var end = begin.IndexOfAny(s_wordEnds);
        return (end < 0 ? begin : begin[..end]).ToString();
    }

    /// <summary>Outside a loop, a condition, or a block, parentheses are text.</summary>
    internal static int CountOpenParentheses(string text) =>
        IsConditionOrLoop(text) || text.TrimStart(' ', '\t', '@') is ['(' or ')', ..] ? GetParenthesisBalance(text) : 0;

    internal static bool IsCommentOrLabel(string text)
    {
        var line = text.AsSpan().TrimStart(" \t@");
        return line.IsEmpty
            || line[0] is ':' or '#'
            || line.Equals("rem", StringComparison.OrdinalIgnoreCase)
            || (line.StartsWith("rem", StringComparison.OrdinalIgnoreCase) && line.Length > 3 && char.IsWhiteSpace(line[3]));
    }

    /// <summary>Linux shells and PowerShell quote whole values with single quotation marks: <c>--trigger='a &amp;&amp; b'</c>.</summary>
    private static int FindClosingQuote(string text, int at)
    {
        if (at > 0 && text[at - 1] is not (' ' or '\t' or '='))
            return -1;
        var end = text.IndexOf('\'', at + 1);
        return end > 0 && (end + 1 == text.Length || text[end + 1] is ' ' or '\t') ? end : -1;
    }

    /// <summary>Of <c>a || b</c>, only a is returned: every command is assumed to succeed. <paramref name="pipe"/> can be null.</summary>
    internal static List<string> SplitCommands(string text, out string? pipe)
    {
        var commands = new List<string>();
        pipe = null;
        var begin = 0;
        var quoted = false;
        for (var i = 0; i < text.Length; i++)
        {
            // A condition or a loop includes the rest of the line.
            if (i == begin && begin > 0 && IsConditionOrLoop(text[i..]))
                break;
            if (text[i] == '"')
            {
                quoted = !quoted;
            }
            else if (!quoted && text[i] == '\'' && FindClosingQuote(text, i) is > 0 and var end)
            {
                i = end;
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

    internal static int GetParenthesisBalance(string text)
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

    internal static (int Line, int At)? FindClosingParenthesis(List<BatchLine> lines)
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
}
