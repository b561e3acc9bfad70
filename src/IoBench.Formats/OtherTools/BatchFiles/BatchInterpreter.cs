using System.Globalization;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>
/// Collects the tests of a batch file instead of running them. A construct that is not understood is an error with its line if tests
/// depend on it, and otherwise a note.
/// </summary>
internal sealed partial class BatchInterpreter(BatchLineReader lines, BatchVariables variables, string? folder, BatchState state)
{
    // More than any real batch file needs, and far less than the stack allows.
    private const int DeepestBlock = 100;

    private const int LongestBlock = 4 * 1024 * 1024;

    private readonly BatchToolCalls _calls = new(state, folder);
    private int _depth;
    private bool _isEnded;

    internal void Run()
    {
        // cmd expands the variables of a whole block before it runs the block.
        while (!_isEnded && ReadStatement() is { } statement)
            RunBlock(statement.ConvertAll(l => l with { Text = variables.Expand(l.Text) }));
    }

    private List<BatchLine>? ReadStatement()
    {
        BatchLine line;
        do
        {
            if (!lines.TryRead(out line))
                return null;
            if (line.Text.AsSpan().TrimStart().StartsWith("#") && ToolName.ContainsToolName(line.Text))
                state.AddNote(line.Line, $"'{Shorten(line.Text)}' is a comment. If # is a shell prompt, remove the prompt");
        } while (BatchSyntax.IsCommentOrLabel(line.Text));
        var statement = new List<BatchLine> { line };
        var length = 0;
        for (var open = BatchSyntax.CountOpenParentheses(line.Text); open > 0; open += BatchSyntax.GetParenthesisBalance(line.Text))
        {
            if (!lines.TryRead(out line))
                throw state.CreateError(statement[0].Line, "a parenthesis that opens here is never closed");
            if (BatchSyntax.IsCommentOrLabel(line.Text))
                line = line with { Text = "" };
            length += line.Text.Length;
            if (length > LongestBlock)
                throw state.CreateError(statement[0].Line, "the block in parentheses is too long");
            statement.Add(line);
        }
        return statement;
    }

    private void RunBlock(List<BatchLine> block)
    {
        if (++_depth > DeepestBlock)
            throw state.CreateError(block is [var first, ..] ? first.Line : 0, "blocks are nested too deep");
        for (var i = 0; i < block.Count && !_isEnded; i++)
        {
            state.CountCommand(block[i]);
            var last = i;
            var open = BatchSyntax.CountOpenParentheses(block[i].Text);
            while (open > 0 && last + 1 < block.Count)
                open += BatchSyntax.GetParenthesisBalance(block[++last].Text);
            RunStatement(block.GetRange(i, last - i + 1));
            i = last;
        }
        _depth--;
    }

    private void RunStatement(List<BatchLine> statement)
    {
        var text = statement[0].Text.TrimStart(' ', '\t', '@');
        if (text.StartsWith('('))
            RunBlock(GetBody(text, statement));
        else if (BatchSyntax.GetFirstWord(text).ToUpperInvariant() is "FOR")
            RunLoop(BatchSyntax.GetForRegex().Match(text), statement);
        else if (BatchSyntax.GetFirstWord(text).ToUpperInvariant() is "IF")
            SkipLines(
                statement,
                $"IoBench does not evaluate '{Shorten(text)}'. Remove the condition, and keep only the lines that must run"
            );
        else
            statement.ForEach(RunLine);
    }

    private void RunLoop(Match loop, List<BatchLine> statement)
    {
        if (BatchSyntax.GetLoopValues(loop, out var problem) is not { } values)
        {
            SkipLines(statement, problem);
            return;
        }
        var body = GetBody(loop.Groups["body"].Value, statement);
        var variable = new Regex($"%(~[fdpnx]*)?{loop.Groups["name"].Value}");
        foreach (var value in values)
            RunBlock(body.ConvertAll(l => l with { Text = variable.Replace(l.Text, m => Substitute(m, value)) }));
    }

    /// <summary>A part of a name (<c>%%~nf</c>) is an unknown value.</summary>
    private static string Substitute(Match variable, string value) =>
        variable.Groups[1].Length switch
        {
            0 => value,
            1 => value.Trim('"'),
            _ => CommandLineSplitter.CreatePlaceholder('%' + variable.Value),
        };

    private List<BatchLine> GetBody(string first, List<BatchLine> statement)
    {
        var body = new List<BatchLine>(statement) { [0] = statement[0] with { Text = first.TrimStart() } };
        if (!body[0].Text.StartsWith('('))
            return body.Count == 1 ? body : throw state.CreateError(body[0].Line, "a parenthesis in this statement is never closed");
        if (BatchSyntax.FindClosingParenthesis(body) is not var (line, at))
            throw state.CreateError(body[0].Line, "a parenthesis that opens here is never closed");
        if (line < body.Count - 1 || body[line].Text.AsSpan(at + 1).Trim().Length > 0)
            throw state.CreateError(body[line].Line, "IoBench cannot read the text after the closing parenthesis");
        body[line] = body[line] with { Text = body[line].Text[..at] };
        body[0] = body[0] with { Text = body[0].Text[1..] };
        return body;
    }

    /// <summary>Refuses the tests of lines that may not run, and makes their variables unknown. A jump in them is an error.</summary>
    private void SkipLines(List<BatchLine> skipped, string problem)
    {
        var line = skipped[0].Line;
        if (skipped.Exists(l => GetJumpRegex().IsMatch(l.Text)))
            throw state.CreateError(line, problem);
        skipped.ForEach(l => ForgetAssigned(l.Text));
        if (skipped.Exists(l => ToolName.ContainsToolName(l.Text) && !BatchSyntax.IsHarmless(BatchSyntax.GetFirstWord(l.Text))))
            state.AddRefusal(line, problem);
        else
            state.AddNote(line, $"IoBench skips this line: {problem}");
    }

    private void ForgetAssigned(string text)
    {
        if (GetSetCommandRegex().Match(text) is { Success: true } set)
            foreach (Match assigned in GetAssignedNameRegex().Matches(set.Groups["rest"].Value))
                variables.Forget(assigned.Groups["name"].Value);
    }

    private void RunLine(BatchLine line)
    {
        if (BatchSyntax.IsCommentOrLabel(line.Text))
            return;
        var commands = BatchSyntax.SplitCommands(ToolName.RemovePrompt(line.Text), out var pipe);
        if (pipe is not null && ToolName.GetToolRegex().IsMatch(pipe))
        {
            state.AddRefusal(
                line.Line,
                "the input of a test comes from another program (|), which IoBench does not support. Remove the other program"
            );
            return;
        }
        for (var i = 0; i < commands.Count && !_isEnded; i++)
        {
            if (commands.Count > 1 && BatchSyntax.IsConditionOrLoop(commands[i]))
                RunStatement([line with { Text = commands[i] }]);
            else
                RunCommand(line.Line, commands[i].Trim().TrimStart('@', ' ', '\t'), i == commands.Count - 1 ? pipe : null);
        }
    }

    private void RunCommand(int line, string command, string? pipe)
    {
        if (command.Length == 0 || BatchSyntax.IsCommentOrLabel(command) || TryRunBuiltIn(line, command))
            return;
        var words = CommandLineSplitter.Split(command);
        if (words.Count == 0)
            return;
        var isTool = ToolName.TryFindTool(words, out var start, out var isParallel);
        if (!isTool && GetWaitDuration(words) is { } wait)
            state.PendingRest += wait;
        else if (isTool && isParallel)
            state.AddRefusal(
                line,
                "'start' without /wait runs a test concurrently with the next test. Specify all files in one command, or use start /wait"
            );
        else if (isTool)
            _calls.AddTests(line, words, start, pipe);
        else if (_calls.IsContinuation(line, words[0]))
            _calls.RefuseBrokenCall(line);
        else if (BatchSyntax.IsHarmless(words[0]))
            return;
        else if (ToolName.GetToolRegex().IsMatch(command))
            state.AddRefusal(
                line,
                $"'{Shorten(command)}' contains a test, but IoBench cannot read it. The line must begin with the name of the tool, with call, or with start /wait"
            );
        else
        {
            state.ForgetOutputs(words);
            state.AddNote(line, $"'{Shorten(command)}' is not a command line of sqlio, diskspd, or fio, so IoBench skips it");
        }
    }

    private bool TryRunBuiltIn(int line, string command)
    {
        var word = BatchSyntax.GetFirstWord(command).ToUpperInvariant();
        var rest = command[word.Length..].Trim();
        switch (word)
        {
            case "SET" when GetSetRegex().Match(command) is { Success: true } set:
                SetVariable(line, set);
                return true;
            case "EXIT":
            case "GOTO" when rest.TrimStart(':').Equals("eof", StringComparison.OrdinalIgnoreCase):
                _isEnded = true;
                return true;
            case "GOTO":
                throw state.CreateError(
                    line,
                    $"IoBench cannot read '{Shorten(command)}'. List the tests one after the other, or use a 'for' loop"
                );
            case "ELSE":
                throw state.CreateError(line, "an 'else' must be on the same line as the closing parenthesis of its 'if'");
            case "CALL" when rest.StartsWith(':') || GetBatchFileRegex().IsMatch(rest):
                variables.ForgetAll();
                state.AddRefusal(line, $"IoBench cannot read '{Shorten(command)}'. Replace the call with the lines that it runs");
                return true;
            case "SETLOCAL":
                return true;
            case "ENDLOCAL":
            case "SHIFT":
                variables.ForgetAll();
                return true;
            default:
                return false;
        }
    }

    private void SetVariable(int line, Match set)
    {
        if (set.Groups["kind"].Length > 0)
        {
            ForgetAssigned(set.Value);
            state.AddNote(line, $"IoBench does not evaluate '{Shorten(set.Value)}', so the value of the variable is unknown");
            return;
        }
        var value = set.Groups["value"].Value.Trim();
        var quoted = set.Groups["quote"].Length > 0 && value.LastIndexOf('"') is >= 0 and var end ? value[..end] : value;
        variables.Set(set.Groups["name"].Value.Trim(), quoted);
    }

    private static string Shorten(string text) =>
        CommandLineSplitter.FormatPlaceholders(text).Trim() is { Length: > 60 } longText
            ? longText[..60] + "…"
            : CommandLineSplitter.FormatPlaceholders(text).Trim();

    // No repetition begins like the text that follows it, so matching is linear. NonBacktracking would enlarge the program.

    [GeneratedRegex(
        """^set\s+(?:"?(?<kind>/[a-z])\s*)?(?<quote>"?)(?<name>[^="\s][^="]*)=(?<value>.*)$""",
        RegexOptions.IgnoreCase | RegexOptions.CultureInvariant
    )]
    internal static partial Regex GetSetRegex();

    [GeneratedRegex("""\bset\s(?<rest>.*)$""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex GetSetCommandRegex();

    [GeneratedRegex("""(?<![^\s",(&|/])(?<name>[A-Za-z_][A-Za-z0-9_]*)\s*[-+*/%&|^<>]{0,2}=""", RegexOptions.CultureInvariant)]
    internal static partial Regex GetAssignedNameRegex();

    [GeneratedRegex(@"\b(goto|exit)\b|\bcall\s+(:|\S*\.(bat|cmd)\b)", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex GetJumpRegex();

    [GeneratedRegex("""^(?:"[^"]*|[^\s"]*)\.(bat|cmd)\b""", RegexOptions.IgnoreCase | RegexOptions.CultureInvariant)]
    internal static partial Regex GetBatchFileRegex();

    internal static TimeSpan? GetWaitDuration(IReadOnlyList<string> words)
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
