using System.Buffers;
using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

internal static partial class BatchSyntax
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

    private const int MaxRounds = 10_000;

    // No repetition begins like the text that follows it, so matching is linear. NonBacktracking would enlarge the program.

    /// <summary>Matches the head of a loop: <c>for %i in (a b c) do command</c>, <c>for /L %i in (1,1,5) do command</c>.</summary>
    [GeneratedRegex(
        @"^\s*@?for\s+(?<kind>/[a-z]\s+)?(?<options>""[^""]*""\s+)?%(?<name>[A-Za-z])\s+in\s*\((?<list>[^()]*)\)\s*do\b\s*(?<body>.*)$",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant | RegexOptions.Singleline
    )]
    internal static partial Regex GetForRegex();

    [GeneratedRegex(@"(?:[^\s,;=""]|""[^""]*(""|$))+", RegexOptions.CultureInvariant)]
    internal static partial Regex GetListItemRegex();

    /// <summary>Returns null and the problem if the values are not known.</summary>
    internal static List<string>? GetLoopValues(Match loop, out string problem)
    {
        problem = "";
        var list = loop.Groups["list"].Value.Trim();
        var kind = loop.Groups["kind"].Value.Trim().ToUpperInvariant();
        if (!loop.Success || kind is not ("" or "/L"))
            problem =
                "IoBench cannot read this kind of 'for' loop. It reads loops over lists (for %%i in (8 64) do …) and over ranges (for /L)";
        else if (CommandLineSplitter.FindFirstPlaceholder(list) is { } name)
            problem = $"the value of {name} is unknown. Set the variable in the file";
        else if (kind == "/L")
            return GetLoopRange(list, out problem);
        else if (list.AsSpan().ContainsAny('*', '?'))
            problem = $"IoBench cannot read a 'for' loop over files ({list}). List the file names instead";
        return problem.Length > 0 ? null : GetListItemRegex().Matches(list).Select(item => item.Value).ToList();
    }

    private static List<string>? GetLoopRange(string list, out string problem)
    {
        problem = "for /L requires three decimal numbers in the form (start,step,end), and the step cannot be 0";
        var parts = list.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries);
        if (
            parts.Length != 3
            || !TryParseNumber(parts[0], out var from)
            || !TryParseNumber(parts[1], out var step)
            || !TryParseNumber(parts[2], out var to)
            || step == 0
        )
            return null;
        problem = "the loop repeats more often than IoBench supports";
        if (Math.Abs(((long)to - from) / step) > MaxRounds)
            return null;
        var values = new List<string>();
        for (long i = from; step > 0 ? i <= to : i >= to; i += step)
            values.Add(i.ToString(CultureInfo.InvariantCulture));
        return values;
    }

    /// <summary>cmd reads a number that begins with 0 as octal or hexadecimal, so it is refused.</summary>
    private static bool TryParseNumber(string text, out int value) =>
        int.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value)
        && (text == "0" || text.TrimStart('-', '+')[0] != '0');
}
