using System.Text;
using System.Text.RegularExpressions;

namespace IoBench.Formats;

/// <summary>
/// Interprets a batch file as cmd does, and collects the tests instead of running them. Follows loops, conditions, jumps, and subroutines
/// if everything that
/// decides them is known. Otherwise the error names the line that cannot be decided.
/// </summary>
internal sealed class BatchRunner(BatchProgram program, string? folder, BatchState state)
{
    private const int DeepestLoop = 8;

    // More than any real batch file needs, and far less than the stack allows.
    private const int DeepestBlock = 200;

    private enum Flow
    {
        Next,
        Jump,
        Return,
        Exit,
    }

    private Flow _flow;
    private int _jump;
    private int _loops;
    private int _blocks;
    private int _shells;
    private readonly BatchCalls _calls = new(state, folder);

    private string? SourceFile => program.SourceFile;

    /// <summary>Interprets all lines. Returns true if <c>exit</c> ended the whole run, not only this file.</summary>
    internal bool Run()
    {
        RunFrom(0);
        return _flow == Flow.Exit;
    }

    private void RunFrom(int at)
    {
        while (at < program.Statements.Count && _flow == Flow.Next)
        {
            // cmd expands the variables of a whole block before it runs the block.
            var statement = program.Statements[at++];
            RunBlock(statement.ConvertAll(l => l with { Text = Expand(l, '%') }));
            if (_flow == Flow.Jump)
                (_flow, at) = (Flow.Next, _jump);
        }
        if (_flow == Flow.Return)
            _flow = Flow.Next;
    }

    private string Expand(BatchLine line, char sign)
    {
        state.Variables.UsedClock = false;
        var text = state.Variables.Expand(line.Text, sign);
        if (state.Variables.UsedClock && !BatchCommand.IsHarmless(BatchCommand.FirstWord(line.Text)))
            state.Note(SourceFile, line.Line, "%DATE% and %TIME% are the present ones, written as an American Windows does");
        return text;
    }

    private void RunBlock(List<BatchLine> lines)
    {
        if (++_blocks > DeepestBlock)
            throw BatchError.At(SourceFile, lines is [var first, ..] ? first.Line : 0, "blocks are nested too deep");
        for (var i = 0; i < lines.Count && _flow == Flow.Next; i++)
        {
            state.Step(SourceFile, lines[i]);
            var last = i;
            for (
                var open = BatchCommand.OpenParentheses(lines[i].Text);
                open > 0 && last + 1 < lines.Count;
                open += BatchCommand.Balance(lines[last].Text)
            )
                last++;
            RunGroup(lines.GetRange(i, last - i + 1));
            i = last;
        }
        _blocks--;
    }

    private void RunGroup(List<BatchLine> lines)
    {
        var text = lines[0].Text.TrimStart(' ', '\t', '@');
        if (text.StartsWith('('))
            RunBlock(Body(text, lines));
        else if (BatchCommand.For().Match(text) is { Success: true } loop)
            RunLoop(loop, lines);
        else if (BatchCommand.FirstWord(text).Equals("if", StringComparison.OrdinalIgnoreCase))
            RunCondition(text[2..], lines);
        else
            lines.ForEach(RunLine);
    }

    private void RunLoop(Match loop, List<BatchLine> lines)
    {
        if (_loops >= DeepestLoop)
            throw BatchError.At(SourceFile, lines[0].Line, "loops are nested too deep");
        var body = Body(loop.Groups["body"].Value, lines);
        var name = loop.Groups["name"].Value[0];
        var values = new BatchLoop(folder);
        var head = BatchCommand.For().Match(state.Variables.Expand(loop.Value, '!'));
        if (values.Rounds(head.Success ? head : loop) is not { } rounds)
        {
            Skip(body, lines[0].Line, values.Problem);
            return;
        }
        _loops++;
        foreach (var round in rounds)
        {
            RunBlock(body.ConvertAll(l => l with { Text = Substitute(l.Text, name, round) }));
            if (_flow != Flow.Next)
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
            var end = text[i] == '%' ? LetterBehind(text, i, name, values.Length) : -1;
            if (end < 0)
            {
                result.Append(text[i]);
                continue;
            }
            var value = values[text[end] - name];
            result.Append(text[i + 1] == '~' ? BatchVariables.Modified(value, text[(i + 2)..end]) : value);
            i = end;
        }
        return result.ToString();
    }

    private static int LetterBehind(string text, int percent, char name, int count)
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

    private List<BatchLine> Body(string first, List<BatchLine> lines)
    {
        var body = new List<BatchLine>(lines) { [0] = lines[0] with { Text = first.TrimStart() } };
        if (!body[0].Text.StartsWith('('))
            return lines.Count == 1 ? body : throw BatchError.At(SourceFile, lines[0].Line, "a parenthesis in it is never closed");
        if (BatchCommand.Closing(body) is not var (line, at))
            throw BatchError.At(SourceFile, lines[0].Line, "a parenthesis that opens here is never closed");
        if (line < body.Count - 1 || body[line].Text.AsSpan(at + 1).Trim().Length > 0)
            throw BatchError.At(SourceFile, body[line].Line, "what follows the closing parenthesis is not understood");
        return Inner(body, line, at);
    }

    private static List<BatchLine> Inner(List<BatchLine> body, int line, int at)
    {
        var inner = body.GetRange(0, line + 1);
        inner[line] = inner[line] with { Text = inner[line].Text[..at] };
        inner[0] = inner[0] with { Text = inner[0].Text[1..] };
        return inner;
    }

    private void RunCondition(string text, List<BatchLine> lines)
    {
        var condition = new BatchCondition(state.Variables, folder, state.IsMade);
        if (!condition.TryTake(state.Variables.Expand(text, '!')))
        {
            Skip(lines, lines[0].Line, $"'{Shorten(lines[0].Text)}' is not a condition that IoBench understands");
            return;
        }
        var (then, otherwise) = Branches(condition.Rest, lines);
        if (condition.Value is { } holds)
            RunBlock(holds ? then : otherwise);
        else
            Skip(
                [.. then, .. otherwise],
                lines[0].Line,
                $"whether '{Shorten(lines[0].Text)}' holds depends on {condition.Unknown}, which is not known here: set it in the file, or leave in it what is to run"
            );
    }

    private (List<BatchLine> Then, List<BatchLine> Otherwise) Branches(string rest, List<BatchLine> lines)
    {
        var all = new List<BatchLine>(lines) { [0] = lines[0] with { Text = rest } };
        if (!rest.StartsWith('('))
            return (Body(rest, lines), []);
        if (BatchCommand.Closing(all) is not var (line, at))
            throw BatchError.At(SourceFile, lines[0].Line, "a parenthesis that opens here is never closed");
        var then = Inner(all, line, at);
        var behind = all[line].Text[(at + 1)..].Trim();
        if (behind.Length == 0 && line == all.Count - 1)
            return (then, []);
        if (!BatchCommand.FirstWord(behind).Equals("else", StringComparison.OrdinalIgnoreCase))
            throw BatchError.At(SourceFile, all[line].Line, "what follows the closing parenthesis is not understood");
        behind = behind[4..].TrimStart();
        var otherwise = all.GetRange(line, all.Count - line);
        otherwise[0] = otherwise[0] with { Text = behind };
        return (then, behind.StartsWith('(') ? Body(behind, otherwise) : otherwise);
    }

    /// <summary>
    /// Skips lines if it is unknown whether they run. Their tests are refused, and the variables that they set become unknown. A jump in
    /// them is an error, because
    /// the lines that follow are then unknown too.
    /// </summary>
    private void Skip(List<BatchLine> lines, int line, string problem)
    {
        if (lines.Exists(l => BatchCommand.Jumps().IsMatch(l.Text)))
            throw BatchError.At(SourceFile, line, problem);
        foreach (var skipped in lines)
        foreach (Match set in BatchCommand.AnySet().Matches(skipped.Text))
            state.Variables.Set(set.Groups["name"].Value.Trim(), BatchValue.Unknown($"%{set.Groups["name"].Value.Trim()}%"));
        if (lines.Exists(l => BatchCommand.NamesTool(l.Text) && !BatchCommand.IsHarmless(BatchCommand.FirstWord(l.Text))))
            state.Refuse(BatchError.At(SourceFile, line, problem));
        else
            state.Note(SourceFile, line, $"not carried out: {problem}");
    }

    private void RunLine(BatchLine line)
    {
        if (BatchCommand.IsComment(line.Text))
            return;
        var text = BatchCommand.WithoutPrompt(Expand(line, '!'));
        var commands = BatchCommand.SplitCommands(text, out var pipe);
        if (pipe is not null && BatchCommand.Tool().IsMatch(pipe))
        {
            state.Refuse(
                BatchError.At(
                    SourceFile,
                    line.Line,
                    "a test's input comes from another program (|), which is not done here: leave that out"
                )
            );
            return;
        }
        for (var i = 0; i < commands.Count && _flow == Flow.Next; i++)
        {
            if (commands.Count > 1 && BatchCommand.HoldsForRest(commands[i]))
                RunGroup([line with { Text = commands[i] }]);
            else
                RunCommand(line.Line, commands[i].Trim(), i == commands.Count - 1 ? pipe : null);
        }
    }

    private void RunCommand(int line, string command, string? pipe)
    {
        command = command.TrimStart('@', ' ', '\t');
        if (command.Length == 0 || BatchCommand.IsComment(command) || RunFlow(line, command))
            return;
        if (BatchCommand.Calculate().Match(command) is { Success: true } calculation)
        {
            Calculate(line, calculation.Groups["what"].Value.Trim());
            return;
        }
        if (BatchCommand.Set().Match(command) is { Success: true } set)
        {
            SetVariable(line, set);
            return;
        }
        var words = CommandLineWords.Split(command);
        if (words.Count == 0)
            return;
        if (BatchWaits.LengthOf(words) is { } wait)
            state.Rest += wait;
        else if (BatchShell.CommandOf(words) is { } inner)
            RunShell(line, inner, pipe);
        else if (BatchTool.Find(words, out var start, out var isParallel) && isParallel)
            state.Refuse(
                BatchError.At(
                    SourceFile,
                    line,
                    "'start' without /wait runs a test at the same time as the next one: name all files in one command, or use start /wait"
                )
            );
        else if (start < words.Count && BatchTool.IsTool(words[start]))
            _calls.Add(SourceFile, line, words, start, pipe);
        else if (_calls.IsRestOfCall(SourceFile, line, words[0]))
            _calls.RefuseBroken(SourceFile, line);
        else if (BatchCommand.Tool().IsMatch(command) && !BatchCommand.IsHarmless(words[0]))
            state.Refuse(
                BatchError.At(
                    SourceFile,
                    line,
                    $"'{Shorten(command)}' holds a test but is not understood: the line must begin with the tool, call or start /wait"
                )
            );
        else if (!BatchCommand.IsHarmless(words[0]))
            state.Note(SourceFile, line, $"'{Shorten(command)}' is not carried out");
    }

    private void RunShell(int line, IReadOnlyList<string> commands, string? pipe)
    {
        if (++_shells > DeepestLoop)
            throw BatchError.At(SourceFile, line, "shells are nested too deep");
        foreach (var command in commands)
            RunLine(new BatchLine(line, pipe is null ? command : $"{command} | {pipe}"));
        _shells--;
    }

    private bool RunFlow(int line, string command)
    {
        var word = BatchCommand.FirstWord(command);
        var rest = command[Math.Min(word.Length, command.Length)..].Trim();
        switch (word.ToUpperInvariant())
        {
            case "GOTO":
                Jump(line, rest.TrimStart(':').Trim());
                return true;
            case "EXIT":
                _flow = rest.StartsWith("/b", StringComparison.OrdinalIgnoreCase) ? Flow.Return : Flow.Exit;
                return true;
            case "CALL" when rest.StartsWith(':'):
                CallLabel(line, CommandLineWords.Split(rest[1..], keepQuotes: true));
                return true;
            case "CALL" when CommandLineWords.Split(rest) is [var name, ..] && IsBatchFile(name):
                return CallFile(line, name, CommandLineWords.Split(rest, keepQuotes: true));
            case "SETLOCAL":
                state.Variables.SaveLocals();
                return true;
            case "ENDLOCAL":
                state.Variables.RestoreLocals(Math.Max(0, state.Variables.Locals - 1));
                return true;
            case "SHIFT" when state.Variables.Arguments is { Count: > 1 } arguments:
                arguments.RemoveAt(1);
                return true;
            case "ELSE":
                throw BatchError.At(SourceFile, line, "an 'else' must follow the closing parenthesis of its 'if' in the same line");
            default:
                return false;
        }
    }

    private void Jump(int line, string label)
    {
        if (label.Equals("eof", StringComparison.OrdinalIgnoreCase))
        {
            _flow = Flow.Return;
            return;
        }
        _jump = Find(line, label);
        _flow = Flow.Jump;
    }

    private int Find(int line, string label)
    {
        if (BatchValue.FirstIn(label) is { } unknown)
            throw BatchError.At(SourceFile, line, $"where it jumps to depends on {unknown}, which is not known");
        return program.Find(label.Split([' ', '\t', ':'], 2)[0])
            ?? throw BatchError.At(SourceFile, line, $"there is no label :{Shorten(label)} to jump to");
    }

    private void CallLabel(int line, List<string> words)
    {
        var label = words.Count > 0 ? words[0] : "";
        if (label.Equals("eof", StringComparison.OrdinalIgnoreCase))
            return;
        var at = Find(line, label);
        InCall(line, words, () => RunFrom(at));
    }

    private static bool IsBatchFile(string name) =>
        name.EndsWith(".bat", StringComparison.OrdinalIgnoreCase) || name.EndsWith(".cmd", StringComparison.OrdinalIgnoreCase);

    private bool CallFile(int line, string name, List<string> words)
    {
        if (BatchValue.FirstIn(name) is not null || BatchFolder.Open(folder, name) is not { } path)
            return false;
        var other = TextInput.ReadText(path, reader => new BatchProgram(new BatchLines(reader, path), path));
        InCall(
            line,
            words,
            () =>
            {
                var file = state.Variables.SourceFile;
                state.Variables.SourceFile = path;
                if (new BatchRunner(other, folder, state).Run())
                    _flow = Flow.Exit;
                state.Variables.SourceFile = file;
            }
        );
        return true;
    }

    private void InCall(int line, List<string> words, Action run)
    {
        state.Enter(SourceFile, line);
        var (arguments, locals, loops) = (state.Variables.Arguments, state.Variables.Locals, _loops);
        state.Variables.Arguments = words;
        _loops = 0;
        run();
        _loops = loops;
        state.Variables.Arguments = arguments;
        state.Variables.RestoreLocals(locals);
        state.Leave();
    }

    private void Calculate(int line, string text)
    {
        if (BatchArithmetic.Run(text, state.Variables) is { } problem)
            throw BatchError.At(SourceFile, line, $"'set /a {Shorten(text)}' {problem}");
    }

    private void SetVariable(int line, Match set)
    {
        var name = set.Groups["name"].Value.Trim();
        var value = set.Groups["value"].Value.Trim();
        var quoted = set.Groups["quote"].Length > 0 && value.LastIndexOf('"') is >= 0 and var end ? value[..end] : value;
        var isAsked = set.Groups["kind"].Value.Trim().Equals("/p", StringComparison.OrdinalIgnoreCase);
        state.Variables.Set(name, isAsked ? BatchValue.Unknown($"%{name}% (set /p asks for it)") : quoted);
        if (isAsked)
            state.Note(SourceFile, line, $"'set /p {name}' asks for a value that is not known here");
    }

    private static string Shorten(string text) =>
        BatchValue.ForMessage(text).Trim() is { Length: > 60 } longText ? longText[..60] + "…" : BatchValue.ForMessage(text).Trim();
}
