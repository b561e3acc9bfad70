using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>Collects the tests of a batch file instead of running them. An error names the line that cannot be decided.</summary>
internal sealed class BatchInterpreter(BatchProgram program, string? folder, BatchState state)
{
    private const int DeepestLoop = 8;

    // More than any real batch file needs, and far less than the stack allows.
    private const int DeepestBlock = 200;

    private enum ControlFlow
    {
        Next,
        Jump,
        Return,
        Exit,
    }

    private ControlFlow _flow;
    private int _jump;
    private int _loops;
    private int _blocks;
    private int _shells;
    private readonly BatchToolCalls _calls = new(state, folder);

    private string? SourceFile => program.SourceFile;

    /// <summary>Interprets all lines. Returns true if <c>exit</c> ended the whole run, not only this file.</summary>
    internal bool Run()
    {
        RunFrom(0);
        return _flow == ControlFlow.Exit;
    }

    private void RunFrom(int at)
    {
        while (at < program.Statements.Count && _flow == ControlFlow.Next)
        {
            // cmd expands the variables of a whole block before it runs the block.
            var statement = program.Statements[at++];
            RunBlock(statement.ConvertAll(l => l with { Text = ExpandVariables(l, '%') }));
            if (_flow == ControlFlow.Jump)
            {
                _flow = ControlFlow.Next;
                at = _jump;
            }
        }
        if (_flow == ControlFlow.Return)
            _flow = ControlFlow.Next;
    }

    private string ExpandVariables(BatchLine line, char sign)
    {
        state.Variables.HasUsedClock = false;
        var text = state.Variables.Expand(line.Text, sign);
        if (state.Variables.HasUsedClock && !BatchSyntax.IsHarmless(BatchSyntax.GetFirstWord(line.Text)))
            state.AddNote(SourceFile, line.Line, "%DATE% and %TIME% are the present ones, written as an American Windows does");
        return text;
    }

    private void RunBlock(List<BatchLine> lines)
    {
        if (++_blocks > DeepestBlock)
            throw BatchLineReader.CreateError(SourceFile, lines is [var first, ..] ? first.Line : 0, "blocks are nested too deep");
        for (var i = 0; i < lines.Count && _flow == ControlFlow.Next; i++)
        {
            state.CountCommand(SourceFile, lines[i]);
            var last = i;
            for (
                var open = BatchSyntax.CountOpenParentheses(lines[i].Text);
                open > 0 && last + 1 < lines.Count;
                open += BatchSyntax.GetParenthesisBalance(lines[last].Text)
            )
                last++;
            RunStatement(lines.GetRange(i, last - i + 1));
            i = last;
        }
        _blocks--;
    }

    private void RunStatement(List<BatchLine> lines)
    {
        var text = lines[0].Text.TrimStart(' ', '\t', '@');
        if (text.StartsWith('('))
            RunBlock(GetBody(text, lines));
        else if (BatchSyntax.GetForRegex().Match(text) is { Success: true } loop)
            RunLoop(loop, lines);
        else if (BatchSyntax.GetFirstWord(text).Equals("if", StringComparison.OrdinalIgnoreCase))
            RunCondition(text[2..], lines);
        else
            lines.ForEach(RunLine);
    }

    private void RunLoop(Match loop, List<BatchLine> lines)
    {
        if (_loops >= DeepestLoop)
            throw BatchLineReader.CreateError(SourceFile, lines[0].Line, "loops are nested too deep");
        var body = GetBody(loop.Groups["body"].Value, lines);
        var name = loop.Groups["name"].Value[0];
        var values = new BatchForLoop(folder);
        var head = BatchSyntax.GetForRegex().Match(state.Variables.Expand(loop.Value, '!'));
        if (values.GetIterations(head.Success ? head : loop) is not { } rounds)
        {
            SkipLines(body, lines[0].Line, values.Problem);
            return;
        }
        _loops++;
        foreach (var round in rounds)
        {
            RunBlock(body.ConvertAll(l => l with { Text = Substitute(l.Text, name, round) }));
            if (_flow != ControlFlow.Next)
                break;
        }
        _loops--;
    }

    private static string Substitute(string text, char name, string[] values)
    {
        if (!text.Contains('%', StringComparison.Ordinal))
            return text;
        var result = new StringBuilder(text.Length);
        for (var i = 0; i < text.Length; i++)
        {
            var end = text[i] == '%' ? FindLoopVariable(text, i, name, values.Length) : -1;
            if (end < 0)
            {
                result.Append(text[i]);
                continue;
            }
            var value = values[text[end] - name];
            result.Append(text[i + 1] == '~' ? BatchVariables.ApplyPathModifiers(value, text[(i + 2)..end]) : value);
            i = end;
        }
        return result.ToString();
    }

    private static int FindLoopVariable(string text, int percent, char name, int count)
    {
        var first = percent + 1;
        if (first >= text.Length || text[first] != '~')
            return first < text.Length && text[first] >= name && text[first] < name + count ? first : -1;
        var end = ++first;
        while (end < text.Length && "fdpnxFDPNX".Contains(text[end], StringComparison.Ordinal))
            end++;
        for (; end >= first; end--)
            if (end < text.Length && text[end] >= name && text[end] < name + count)
                return end;
        return -1;
    }

    private List<BatchLine> GetBody(string first, List<BatchLine> lines)
    {
        var body = new List<BatchLine>(lines) { [0] = lines[0] with { Text = first.TrimStart() } };
        if (!body[0].Text.StartsWith('('))
            return lines.Count == 1
                ? body
                : throw BatchLineReader.CreateError(SourceFile, lines[0].Line, "a parenthesis in it is never closed");
        if (BatchSyntax.FindClosingParenthesis(body) is not var (line, at))
            throw BatchLineReader.CreateError(SourceFile, lines[0].Line, "a parenthesis that opens here is never closed");
        if (line < body.Count - 1 || body[line].Text.AsSpan(at + 1).Trim().Length > 0)
            throw BatchLineReader.CreateError(SourceFile, body[line].Line, "what follows the closing parenthesis is not understood");
        return GetBlockContent(body, line, at);
    }

    private static List<BatchLine> GetBlockContent(List<BatchLine> body, int line, int at)
    {
        var inner = body.GetRange(0, line + 1);
        inner[line] = inner[line] with { Text = inner[line].Text[..at] };
        inner[0] = inner[0] with { Text = inner[0].Text[1..] };
        return inner;
    }

    private void RunCondition(string text, List<BatchLine> lines)
    {
        var condition = new BatchCondition(state.Variables, folder, state.IsCreatedByTest);
        if (!condition.TryParse(state.Variables.Expand(text, '!')))
        {
            SkipLines(lines, lines[0].Line, $"'{Shorten(lines[0].Text)}' is not a condition that IoBench understands");
            return;
        }
        var (then, otherwise) = SplitBranches(condition.Remainder, lines);
        if (condition.IsTrue is { } holds)
            RunBlock(holds ? then : otherwise);
        else
            SkipLines(
                [.. then, .. otherwise],
                lines[0].Line,
                $"whether '{Shorten(lines[0].Text)}' holds depends on {condition.UnknownPart}, which is not known here: set it in the file, or leave in it what is to run"
            );
    }

    private (List<BatchLine> Then, List<BatchLine> Otherwise) SplitBranches(string rest, List<BatchLine> lines)
    {
        var all = new List<BatchLine>(lines) { [0] = lines[0] with { Text = rest } };
        if (!rest.StartsWith('('))
            return (GetBody(rest, lines), []);
        if (BatchSyntax.FindClosingParenthesis(all) is not var (line, at))
            throw BatchLineReader.CreateError(SourceFile, lines[0].Line, "a parenthesis that opens here is never closed");
        var then = GetBlockContent(all, line, at);
        var afterBlock = all[line].Text[(at + 1)..].Trim();
        if (afterBlock.Length == 0 && line == all.Count - 1)
            return (then, []);
        if (!BatchSyntax.GetFirstWord(afterBlock).Equals("else", StringComparison.OrdinalIgnoreCase))
            throw BatchLineReader.CreateError(SourceFile, all[line].Line, "what follows the closing parenthesis is not understood");
        afterBlock = afterBlock[4..].TrimStart();
        var otherwise = all.GetRange(line, all.Count - line);
        otherwise[0] = otherwise[0] with { Text = afterBlock };
        return (then, afterBlock.StartsWith('(') ? GetBody(afterBlock, otherwise) : otherwise);
    }

    /// <summary>Refuses the tests of lines that may not run, and makes their variables unknown. A jump in them is an error.</summary>
    private void SkipLines(List<BatchLine> lines, int line, string problem)
    {
        if (lines.Exists(l => BatchSyntax.GetJumpRegex().IsMatch(l.Text)))
            throw BatchLineReader.CreateError(SourceFile, line, problem);
        foreach (var skipped in lines)
        foreach (Match set in BatchSyntax.GetAnySetRegex().Matches(skipped.Text))
            state.Variables.Set(set.Groups["name"].Value.Trim(), BatchPlaceholder.CreateUnknown($"%{set.Groups["name"].Value.Trim()}%"));
        if (lines.Exists(l => BatchSyntax.ContainsToolName(l.Text) && !BatchSyntax.IsHarmless(BatchSyntax.GetFirstWord(l.Text))))
            state.AddRefusal(BatchLineReader.CreateError(SourceFile, line, problem));
        else
            state.AddNote(SourceFile, line, $"not carried out: {problem}");
    }

    private void RunLine(BatchLine line)
    {
        if (BatchSyntax.IsCommentOrLabel(line.Text))
            return;
        var text = BatchSyntax.RemovePrompt(ExpandVariables(line, '!'));
        var commands = BatchSyntax.SplitCommands(text, out var pipe);
        if (pipe is not null && BatchSyntax.GetToolRegex().IsMatch(pipe))
        {
            state.AddRefusal(
                BatchLineReader.CreateError(
                    SourceFile,
                    line.Line,
                    "a test's input comes from another program (|), which is not done here: leave that out"
                )
            );
            return;
        }
        for (var i = 0; i < commands.Count && _flow == ControlFlow.Next; i++)
        {
            if (commands.Count > 1 && BatchSyntax.IsConditionOrLoop(commands[i]))
                RunStatement([line with { Text = commands[i] }]);
            else
                RunCommand(line.Line, commands[i].Trim(), i == commands.Count - 1 ? pipe : null);
        }
    }

    private void RunCommand(int line, string command, string? pipe)
    {
        command = command.TrimStart('@', ' ', '\t');
        if (command.Length == 0 || BatchSyntax.IsCommentOrLabel(command) || TryRunControlFlow(line, command))
            return;
        if (BatchSyntax.GetCalculationRegex().Match(command) is { Success: true } calculation)
        {
            Calculate(line, calculation.Groups["what"].Value.Trim());
            return;
        }
        if (BatchSyntax.GetSetRegex().Match(command) is { Success: true } set)
        {
            SetVariable(line, set);
            return;
        }
        var words = CommandLineSplitter.Split(command);
        if (words.Count == 0)
            return;
        if (!BatchToolCalls.TryFindTool(words, out _, out _) && BatchWaitCommands.GetDuration(words) is { } wait)
            state.PendingRest += wait;
        else if (BatchSyntax.FindInnerCommands(words) is { } inner)
            RunShell(line, inner, pipe);
        else if (BatchToolCalls.TryFindTool(words, out var start, out var isParallel) && isParallel)
            state.AddRefusal(
                BatchLineReader.CreateError(
                    SourceFile,
                    line,
                    "'start' without /wait runs a test at the same time as the next one: name all files in one command, or use start /wait"
                )
            );
        else if (start < words.Count && ToolName.IsTool(words[start]))
            _calls.AddTests(SourceFile, line, words, start, pipe);
        else if (_calls.IsContinuation(SourceFile, line, words[0]))
            _calls.RefuseBrokenCall(SourceFile, line);
        else if (BatchSyntax.GetToolRegex().IsMatch(command) && !BatchSyntax.IsHarmless(words[0]))
            state.AddRefusal(
                BatchLineReader.CreateError(
                    SourceFile,
                    line,
                    $"'{Shorten(command)}' holds a test but is not understood: the line must begin with the tool, call or start /wait"
                )
            );
        else if (!BatchSyntax.IsHarmless(words[0]))
        {
            state.ForgetOutputs(words);
            state.AddNote(SourceFile, line, $"'{Shorten(command)}' is not a command line of sqlio, diskspd, or fio, and is skipped");
        }
    }

    private void RunShell(int line, IReadOnlyList<string> commands, string? pipe)
    {
        if (++_shells > DeepestLoop)
            throw BatchLineReader.CreateError(SourceFile, line, "shells are nested too deep");
        foreach (var command in commands)
            RunLine(new BatchLine(line, pipe is null ? command : $"{command} | {pipe}"));
        _shells--;
    }

    private bool TryRunControlFlow(int line, string command)
    {
        var word = BatchSyntax.GetFirstWord(command);
        var rest = command[Math.Min(word.Length, command.Length)..].Trim();
        switch (word.ToUpperInvariant())
        {
            case "GOTO":
                JumpTo(line, rest.TrimStart(':').Trim());
                return true;
            case "EXIT":
                _flow = rest.StartsWith("/b", StringComparison.OrdinalIgnoreCase) ? ControlFlow.Return : ControlFlow.Exit;
                return true;
            case "CALL" when rest.StartsWith(':'):
                CallLabel(line, CommandLineSplitter.Split(rest[1..], keepQuotes: true));
                return true;
            case "CALL" when CommandLineSplitter.Split(rest) is [var name, ..] && IsBatchFile(name):
                return CallFile(line, name, CommandLineSplitter.Split(rest, keepQuotes: true));
            case "SETLOCAL":
                state.Variables.SaveLocals();
                return true;
            case "ENDLOCAL":
                state.Variables.RestoreLocals(Math.Max(0, state.Variables.LocalScopeCount - 1));
                return true;
            case "SHIFT" when state.Variables.Arguments is { Count: > 1 } arguments:
                arguments.RemoveAt(1);
                return true;
            case "ELSE":
                throw BatchLineReader.CreateError(
                    SourceFile,
                    line,
                    "an 'else' must follow the closing parenthesis of its 'if' in the same line"
                );
            default:
                return false;
        }
    }

    private void JumpTo(int line, string label)
    {
        if (label.Equals("eof", StringComparison.OrdinalIgnoreCase))
        {
            _flow = ControlFlow.Return;
            return;
        }
        _jump = FindLabel(line, label);
        _flow = ControlFlow.Jump;
    }

    private int FindLabel(int line, string label)
    {
        if (BatchPlaceholder.FindFirstName(label) is { } unknown)
            throw BatchLineReader.CreateError(SourceFile, line, $"where it jumps to depends on {unknown}, which is not known");
        return program.FindLabel(label.Split([' ', '\t', ':'], 2)[0])
            ?? throw BatchLineReader.CreateError(SourceFile, line, $"the label :{Shorten(label)} does not exist");
    }

    private void CallLabel(int line, List<string> words)
    {
        var label = words.Count > 0 ? words[0] : "";
        if (label.Equals("eof", StringComparison.OrdinalIgnoreCase))
            return;
        var at = FindLabel(line, label);
        RunCall(line, words, () => RunFrom(at));
    }

    private static bool IsBatchFile(string name) =>
        name.EndsWith(".bat", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".cmd", StringComparison.OrdinalIgnoreCase);

    private bool CallFile(int line, string name, List<string> words)
    {
        if (BatchPlaceholder.FindFirstName(name) is not null || BatchFileLookup.FindFile(folder, name) is not { } path)
            return false;
        var other = TextInput.ReadText(path, reader => new BatchProgram(new BatchLineReader(reader, path), path));
        RunCall(
            line,
            words,
            () =>
            {
                var file = state.Variables.SourceFile;
                state.Variables.SourceFile = path;
                if (new BatchInterpreter(other, folder, state).Run())
                    _flow = ControlFlow.Exit;
                state.Variables.SourceFile = file;
            }
        );
        return true;
    }

    private void RunCall(int line, List<string> words, Action run)
    {
        state.EnterCall(SourceFile, line);
        var arguments = state.Variables.Arguments;
        var locals = state.Variables.LocalScopeCount;
        var loops = _loops;
        state.Variables.Arguments = words;
        _loops = 0;
        run();
        _loops = loops;
        state.Variables.Arguments = arguments;
        state.Variables.RestoreLocals(locals);
        state.LeaveCall();
    }

    private void Calculate(int line, string text)
    {
        if (BatchArithmetic.Evaluate(text, state.Variables) is { } problem)
            throw BatchLineReader.CreateError(SourceFile, line, $"'set /a {Shorten(text)}' {problem}");
    }

    private void SetVariable(int line, Match set)
    {
        var name = set.Groups["name"].Value.Trim();
        var value = set.Groups["value"].Value.Trim();
        var quoted = set.Groups["quote"].Length > 0 && value.LastIndexOf('"') is >= 0 and var end ? value[..end] : value;
        var isAsked = set.Groups["kind"].Value.Trim().Equals("/p", StringComparison.OrdinalIgnoreCase);
        state.Variables.Set(name, isAsked ? BatchPlaceholder.CreateUnknown($"%{name}% (set /p asks for it)") : quoted);
        if (isAsked)
            state.AddNote(SourceFile, line, $"'set /p {name}' asks for a value that is not known here");
    }

    private static string Shorten(string text) =>
        BatchPlaceholder.FormatForMessage(text).Trim() is { Length: > 60 } longText
            ? longText[..60] + "…"
            : BatchPlaceholder.FormatForMessage(text).Trim();
}
