using IoBench.Engine;

namespace IoBench.Formats;

internal sealed class BatchToolCalls(BatchState state, string? folder)
{
    /// <summary>Commands whose name inside a call shows that a line break is missing before it.</summary>
    private static readonly string[] s_commands =
    [
        "timeout",
        "ping",
        "choice",
        "sleep",
        "echo",
        "pause",
        "call",
        "start",
        "copy",
        "del",
        "goto",
        "rem",
        "exit",
        "cls",
        "sqlio",
        "diskspd",
        "fio",
    ];

    private int _lastLine = -1;
    private IoBenchException? _lastError;

    /// <param name="start">Index of the word that names the tool.</param>
    internal void AddTests(int line, List<string> words, int start, string? pipe)
    {
        if (state.Specifications.Count >= BatchState.MaxTests)
            throw state.CreateError(line, $"the batch file has more than {BatchState.MaxTests} tests");
        _lastLine = line;
        _lastError = null;
        if ((ReadPipe(line, words, pipe) ?? FindProblem(line, words, start)) is { } problem)
        {
            Refuse(state.CreateError(line, problem));
            return;
        }
        IReadOnlyList<IoTestSpecification> specifications;
        IReadOnlyList<string> notes;
        try
        {
            var text = string.Join(' ', words.Skip(start).Select(CommandLineSplitter.Quote));
            specifications = ParseTool(words, start, text, folder, out notes);
        }
        catch (IoBenchException error)
        {
            Refuse(state.CreateError(line, error));
            return;
        }
        foreach (var specification in specifications)
        {
            specification.GetOrAddOrigin().SourceFile = state.SourceFile;
            specification.GetOrAddOrigin().SourceLine = line;
            specification.RestBefore = state.PendingRest;
            state.PendingRest = TimeSpan.Zero;
            state.Specifications.Add(specification);
        }
        foreach (var note in notes)
            state.AddNote(line, note);
        if (specifications is [var first, ..])
            state.AddOutput(line, first.GetOrAddOrigin().OutputFile, !words.Exists(IsAppending));
    }

    private void Refuse(IoBenchException error)
    {
        _lastError = error;
        state.AddRefusal(error);
    }

    /// <summary>An option directly below a call is the rest of a call that was broken by hand.</summary>
    internal bool IsContinuation(int line, string word) =>
        _lastLine == line - 1 && word.Length > 1 && word[0] is '-' or '\u2013' && char.IsAsciiLetter(word[1]);

    /// <summary>Refuses the call above the line, because a call without its rest is another test.</summary>
    internal void RefuseBrokenCall(int line)
    {
        state.Specifications.RemoveAll(test => test.GetOrAddOrigin().SourceLine == line - 1);
        // An error of the first half does not matter, because the whole call is refused.
        state.Refused.RemoveAll(error => ReferenceEquals(error, _lastError));
        Refuse(state.CreateError(line - 1, $"this call continues on line {line}. Join the two lines, or end the first line with ^"));
    }

    /// <summary>Returns why the call cannot be read, or null. Unknown values are allowed in the name of the output file.</summary>
    private string? FindProblem(int line, List<string> words, int start)
    {
        for (var i = 0; i < words.Count; i++)
        {
            if (IsOutputName(words, i) && CommandLineSplitter.FindFirstPlaceholder(words[i]) is { } part)
            {
                state.AddNote(
                    line,
                    $"the value of {part} is unknown, so the name of the output file contains the variable name instead of the value"
                );
                words[i] = CommandLineSplitter.FormatPlaceholders(words[i]);
                continue;
            }
            if (CommandLineSplitter.FindFirstPlaceholder(words[i]) is { } unknown)
                return unknown is ['%', .., >= '1' and <= '9'] or "%*"
                    ? $"the value of {unknown} is unknown. Specify the arguments of the batch file, or replace {unknown} with the value"
                    : $"the value of {unknown} is unknown. Set the variable in the file, or replace the variable with its value";
            if (i > start && IsOutputName(words, i))
                continue;
            if (i > start && FindPowerShellVariable(words[i]) is { } variable)
                return $"the value of the PowerShell variable {variable} is unknown. Replace the variable with its value";
            if (
                i > start
                && s_commands.Contains(ToolName.GetProgramName(words[i]), StringComparer.OrdinalIgnoreCase)
                && (i + 1 == words.Count || IsOtherCommand(words, i))
            )
                return $"'{words[i]}' is another command on the same line. Insert a line break before it";
        }
        return null;
    }

    private static bool IsAppending(string word) =>
        word.StartsWith(">>", StringComparison.Ordinal) || word.StartsWith("1>>", StringComparison.Ordinal);

    private static bool IsOtherCommand(List<string> words, int i) =>
        words[i + 1] is ['/' or '-', ..] || ToolName.IsTool(words[i]) || char.IsAsciiDigit(words[i + 1].FirstOrDefault());

    private static bool IsOutputName(List<string> words, int i) =>
        (i > 0 && words[i - 1] is ">" or ">>" or "1>" or "1>>" or "2>" or "2>>")
        || (words[i].Length > 1 && words[i].TrimStart('1', '2').StartsWith('>'));

    /// <summary>A dollar sign inside a name (<c>\\host\d$</c>) is not a variable.</summary>
    private static string? FindPowerShellVariable(string word)
    {
        var at = word.IndexOf('$', StringComparison.Ordinal);
        if (
            at < 0
            || at + 1 == word.Length
            || (at > 0 && word[0] != '-')
            || !(char.IsAsciiLetter(word[at + 1]) || word[at + 1] is '{' or '(' or '_')
        )
            return null;
        if (word[at + 1] == '{' && word.IndexOf('}', at) is > 0 and var brace)
            return word[at..(brace + 1)];
        var end = at + 1;
        while (end < word.Length && (char.IsAsciiLetterOrDigit(word[end]) || word[end] is '_' or ':'))
            end++;
        return end > at + 1 ? word[at..end] : word[at..];
    }

    /// <summary>
    /// A pipe that writes a file (<c>tee</c>, <c>Out-File</c>) names the output file. Any other pipe is noted. Returns a problem, or null.
    /// </summary>
    private string? ReadPipe(int line, List<string> words, string? pipe)
    {
        if (pipe is null)
            return null;
        var next = CommandLineSplitter.Split(pipe);
        var name = next.Count == 0 ? "" : ToolName.GetProgramName(next[0]).ToUpperInvariant();
        if (name is not ("TEE" or "TEE-OBJECT" or "OUT-FILE" or "SET-CONTENT" or "ADD-CONTENT"))
        {
            state.AddNote(
                line,
                $"IoBench ignores '{CommandLineSplitter.FormatPlaceholders(pipe).Trim()}', which reads the output of the test"
            );
            return null;
        }
        var file = next.Where(
                (word, i) => i > 0 && !word.StartsWith('-') && next[i - 1].ToUpperInvariant() is not ("-ENCODING" or "-WIDTH")
            )
            .FirstOrDefault();
        if (file is null)
            return $"'{next[0]}' after | requires a file name";
        var appends = name is "ADD-CONTENT" || next.Exists(word => word.ToUpperInvariant() is "-A" or "--APPEND" or "-APPEND");
        words.AddRange([appends ? ">>" : ">", file]);
        return null;
    }

    internal static IReadOnlyList<IoTestSpecification> ParseTool(
        List<string> words,
        int start,
        string text,
        string? folder,
        out IReadOnlyList<string> notes
    )
    {
        notes = [];
        if (ToolName.IsSqlio(words[start]))
        {
            if (SqlioCommandLine.IsUsageRequested(words.Skip(start + 1).ToList()))
                throw IoBenchException.Usage("IoBench.InvalidCommandLine", "sqlio: this command line shows help and runs no test.");
            var specification = SqlioCommandLine.ParseLine(text, folder);
            notes = specification.GetOrAddOrigin().Sqlio?.Note is { } note ? [note] : [];
            return [specification];
        }
        if (ToolName.IsFio(words[start]))
        {
            var tests = FioCommandLine.ParseLine(text, folder).ThrowIfRefused();
            notes = tests.Notes;
            return tests.Specifications;
        }
        var call = DiskSpdCommandLine.ParseLine(text, folder);
        notes = call.Notes;
        if (call.ShowsUsage)
            throw IoBenchException.Usage("IoBench.InvalidCommandLine", "diskspd: this command line shows help and runs no test.");
        return call.ProfileOnly || call.SystemOnly
            ? throw IoBenchException.Usage(
                "IoBench.InvalidCommandLine",
                "diskspd: this command line (-Rp, -Rs) shows a profile or information about the computer, and runs no test."
            )
            : call.Specifications;
    }
}
