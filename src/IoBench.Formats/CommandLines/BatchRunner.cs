using System.Buffers;
using System.Globalization;
using System.Text.RegularExpressions;
using IoBench.Engine;

namespace IoBench.Formats;

/// <summary>
/// Goes through a batch file as cmd would and collects the tests in place of running them. Loops are run through;
/// a condition is an error where a test depends on it.
/// </summary>
internal sealed class BatchRunner(string? sourceFile, string? folder)
{
    private const int MostTests = 10_000;
    private const int DeepestLoop = 8;

    private static readonly SearchValues<char> s_wordEnds = SearchValues.Create(" \t(\"/:=");

    private readonly BatchVariables _variables = new(folder);
    private readonly List<(char Name, string Value)> _loops = [];
    private TimeSpan _rest;
    private int _steps;

    internal List<IoTestSpecification> Specifications { get; } = [];
    internal List<string> Notes { get; } = [];

    /// <summary>Goes through all lines.</summary>
    internal void Run(BatchLines lines)
    {
        while (lines.TryRead(out var line))
        {
            if (BatchCommand.IsComment(line.Text))
                continue;
            var statement = new List<BatchLine> { line };
            // A block in parentheses is one statement.
            for (var open = MayOpenBlock(line.Text) ? BatchCommand.Balance(line.Text) : 0; open > 0; open += BatchCommand.Balance(line.Text))
            {
                if (!lines.TryRead(out line))
                    throw BatchError.At(sourceFile, statement[0].Line, "a parenthesis that opens here is never closed");
                if (BatchCommand.IsComment(line.Text))
                    line = line with { Text = "" };
                statement.Add(line);
            }
            RunStatement(statement);
        }
    }

    /// <summary>Runs one statement. Like cmd, values are put in for the whole of a block before it runs.</summary>
    private void RunStatement(List<BatchLine> statement)
    {
        var expanded = statement.ConvertAll(l => l with { Text = Expand(l, '%') });
        RunBlock(expanded);
    }

    private string Expand(BatchLine line, char sign)
    {
        var text = _variables.Expand(line.Text, sign, out var unknown);
        if (unknown is not null && NamesTool(line.Text) && !BatchCommand.IsHarmless(FirstWord(line.Text)))
            throw BatchError.At(sourceFile, line.Line, $"the value of {unknown} is not known: set it in the file, or write the value in its place");
        return text;
    }

    private static bool NamesTool(string text) => BatchCommand.Tool().IsMatch(text) || text.Contains("sqlio", StringComparison.OrdinalIgnoreCase) || text.Contains("diskspd", StringComparison.OrdinalIgnoreCase);

    /// <summary>Runs lines that belong together; a loop in them takes the lines up to its closing parenthesis.</summary>
    private void RunBlock(List<BatchLine> lines)
    {
        for (var i = 0; i < lines.Count; i++)
        {
            if (++_steps > 10 * MostTests)
                throw BatchError.At(sourceFile, lines[i].Line, "its loops run more often than makes sense for tests");
            var last = i;
            for (var open = MayOpenBlock(lines[i].Text) ? BatchCommand.Balance(lines[i].Text) : 0; open > 0 && last + 1 < lines.Count; open += BatchCommand.Balance(lines[last].Text))
                last++;
            if (BatchCommand.For().Match(lines[i].Text) is { Success: true } loop)
                RunLoop(loop, lines.GetRange(i, last - i + 1));
            else if (last > i)
                RunOther(lines.GetRange(i, last - i + 1));
            else
                RunLine(lines[i]);
            i = last;
        }
    }

    private void RunLoop(Match loop, List<BatchLine> lines)
    {
        if (_loops.Count >= DeepestLoop)
            throw BatchError.At(sourceFile, lines[0].Line, "loops are nested too deep");
        var body = Body(loop.Groups["body"].Value, lines);
        var name = loop.Groups["name"].Value[0];
        foreach (var value in Values(loop, lines[0].Line, body))
        {
            _loops.Add((name, value));
            RunBlock(body.ConvertAll(l => l with { Text = Substitute(l.Text, name, value) }));
            _loops.RemoveAt(_loops.Count - 1);
        }
    }

    /// <summary>What a loop repeats, without the parentheses around it.</summary>
    private List<BatchLine> Body(string first, List<BatchLine> lines)
    {
        var body = new List<BatchLine>(lines) { [0] = lines[0] with { Text = first } };
        if (!first.TrimStart().StartsWith('('))
            return lines.Count == 1 ? body : throw BatchError.At(sourceFile, lines[0].Line, "a parenthesis in it is never closed");
        body[0] = body[0] with { Text = first.TrimStart()[1..] };
        var end = body[^1].Text.LastIndexOf(')');
        if (end < 0)
            throw BatchError.At(sourceFile, lines[0].Line, "a parenthesis that opens here is never closed");
        if (body[^1].Text.AsSpan(end + 1).Trim().Length > 0)
            throw BatchError.At(sourceFile, body[^1].Line, "what follows the closing parenthesis of a loop is not understood");
        body[^1] = body[^1] with { Text = body[^1].Text[..end] };
        return body;
    }

    private IEnumerable<string> Values(Match loop, int line, List<BatchLine> body)
    {
        var list = loop.Groups["list"].Value;
        switch (loop.Groups["kind"].Value.Trim().ToUpperInvariant())
        {
            case "":
                var values = list.Split([' ', '\t', ',', ';', '='], StringSplitOptions.RemoveEmptyEntries);
                if (values.Any(v => v.Contains('*', StringComparison.Ordinal) || v.Contains('?', StringComparison.Ordinal)))
                    break;
                return values;
            case "/L":
                return Counted(list, line);
        }
        // A loop over files or another command's output: only a matter of its own if no test is in it.
        if (body.Exists(l => NamesTool(l.Text)))
            throw BatchError.At(sourceFile, line, "this kind of 'for' is not understood: lists (for %%i in (8 64) do …) and counts (for /L) are");
        Note(line, "the loop over files or another command's output is not carried out");
        return [];
    }

    private IEnumerable<string> Counted(string list, int line)
    {
        var parts = list.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries);
        if (parts.Length != 3 || !TryInt(parts[0], out var from) || !TryInt(parts[1], out var step) || !TryInt(parts[2], out var to) || step == 0)
            throw BatchError.At(sourceFile, line, "for /L needs three numbers, (start,step,end), the step not 0");
        if (Math.Abs((to - from) / step) > MostTests)
            throw BatchError.At(sourceFile, line, "the loop runs more often than makes sense for tests");
        for (var i = from; step > 0 ? i <= to : i >= to; i += step)
            yield return i.ToString(CultureInfo.InvariantCulture);
    }

    private static bool TryInt(string text, out long value) => long.TryParse(text, NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out value) && Math.Abs(value) <= int.MaxValue;

    private static string Substitute(string text, char name, string value) => text
        .Replace("%~" + name, value.Trim('"'), StringComparison.Ordinal)
        .Replace("%" + name, value, StringComparison.Ordinal);

    /// <summary>A block that is no loop: plain parentheses run; a condition is an error where a test is in it.</summary>
    private void RunOther(List<BatchLine> lines)
    {
        var first = lines[0].Text.TrimStart(' ', '\t', '@');
        if (first.StartsWith('('))
        {
            RunBlock(Body(first, lines));
            return;
        }
        if (lines.Exists(l => NamesTool(l.Text)))
            throw NotUnderstood(lines[0], first);
        Note(lines[0].Line, $"'{Shorten(first)}' is not carried out");
    }

    private void RunLine(BatchLine line)
    {
        if (BatchCommand.IsComment(line.Text))
            return;
        var text = _variables.Expand(line.Text, '!', out _);
        var name = FirstWord(text);
        // A condition or a loop holds for all that follows in its line.
        if (BatchCommand.IsDeciding(name) || name.Equals("for", StringComparison.OrdinalIgnoreCase))
        {
            RunDeciding(line, name, text);
            return;
        }
        var commands = BatchCommand.SplitCommands(text, out var hasPipe);
        if (hasPipe && BatchCommand.Tool().IsMatch(text))
            throw BatchError.At(sourceFile, line.Line, "a test's input or output goes from or into another program (|), which is not done here: leave that out");
        foreach (var command in commands)
            RunCommand(line.Line, command.Trim());
    }

    private void RunDeciding(BatchLine line, string name, string text)
    {
        if (name.Equals("goto", StringComparison.OrdinalIgnoreCase) && text.Contains(":eof", StringComparison.OrdinalIgnoreCase))
            return;
        if (name.Equals("if", StringComparison.OrdinalIgnoreCase) && !NamesTool(text))
            Note(line.Line, $"'{Shorten(text)}' is not carried out");
        else
            throw NotUnderstood(line, text);
    }

    private IoBenchException NotUnderstood(BatchLine line, string text)
        => BatchError.At(sourceFile, line.Line, $"'{Shorten(text)}': conditions and jumps are not understood. Leave in the file what shall run");

    private void RunCommand(int line, string command)
    {
        command = command.TrimStart('@', ' ', '\t');
        if (command.Length == 0 || BatchCommand.IsComment(command))
            return;
        if (BatchCommand.Set().Match(command) is { Success: true } set)
        {
            SetVariable(line, set);
            return;
        }
        var words = CommandLineWords.Split(command);
        if (words.Count == 0)
            return;
        if (BatchWaits.Of(words) is { } wait)
            _rest += wait;
        else if (BatchTool.Find(words, out var start, out var isParallel))
            AddTests(line, command, words, start, isParallel);
        else if (BatchCommand.Tool().IsMatch(command) && !BatchCommand.IsHarmless(words[0]))
            throw BatchError.At(sourceFile, line, $"'{Shorten(command)}' holds a test but is not understood: the line must begin with the tool, call or start /wait");
        else if (!BatchCommand.IsHarmless(words[0]))
            Note(line, $"'{Shorten(command)}' is not carried out");
    }

    private void SetVariable(int line, Match set)
    {
        var value = set.Groups["value"].Value.Trim();
        if (set.Groups["kind"].Value.Trim().Equals("/a", StringComparison.OrdinalIgnoreCase) && !TryInt(value, out _))
            throw BatchError.At(sourceFile, line, $"'set /a {Shorten(value)}': calculations are not understood: write the number");
        if (set.Groups["kind"].Value.Trim().Equals("/p", StringComparison.OrdinalIgnoreCase))
            throw BatchError.At(sourceFile, line, "'set /p' asks for a value: write the value in its place");
        _variables.Set(set.Groups["name"].Value.Trim(), set.Groups["quote"].Length > 0 ? value.TrimEnd('"') : value);
    }

    private void AddTests(int line, string command, List<string> words, int start, bool isParallel)
    {
        if (isParallel)
            throw BatchError.At(sourceFile, line, "'start' without /wait runs a test at the same time as the next one: name all files in one command, or use start /wait");
        if (Specifications.Count >= MostTests)
            throw BatchError.At(sourceFile, line, $"it has more than {MostTests} tests");
        try
        {
            var text = string.Join(' ', words.Skip(start).Select(CommandLineWords.Quote));
            var specifications = BatchTool.Parse(words, start, text, folder, out var notes);
            foreach (var specification in specifications)
            {
                specification.SourceFile = sourceFile;
                specification.SourceLine = line;
                specification.RestBefore = _rest;
                _rest = TimeSpan.Zero;
                Specifications.Add(specification);
            }
            foreach (var note in notes)
                Note(line, note);
        }
        catch (IoBenchException error)
        {
            throw BatchError.At(sourceFile, line, error);
        }
    }

    private void Note(int line, string what)
    {
        if (Notes.Count < 1000)
            Notes.Add($"{BatchError.Place(sourceFile, line)}: {what.TrimEnd('.')}.");
    }

    private static string FirstWord(string text)
    {
        var begin = text.AsSpan().TrimStart(" \t@");
        var end = begin.IndexOfAny(s_wordEnds);
        return (end < 0 ? begin : begin[..end]).ToString();
    }

    /// <summary>Whether parentheses in a line make a block; in any other command they are text.</summary>
    private static bool MayOpenBlock(string text) => FirstWord(text) is var word
        && (word.Equals("for", StringComparison.OrdinalIgnoreCase) || BatchCommand.IsDeciding(word) || text.TrimStart(' ', '\t', '@') is ['(' or ')', ..]);

    private static string Shorten(string text) => text.Trim() is { Length: > 60 } longText ? longText[..60] + "…" : text.Trim();
}
