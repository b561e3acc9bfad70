namespace IoBench.Formats.BatchFiles;

/// <summary>Calls of the tools in a batch file: each becomes a test, or is refused with its line, and the file goes on.</summary>
internal sealed class BatchCalls(BatchState state, string? folder)
{
    /// <summary>Commands whose name as a word of a call shows that a line break was lost before it.</summary>
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

    private (string? File, int Line) _last;
    private IoBenchException? _lastError;

    /// <summary>Adds the tests of a call.</summary>
    /// <param name="sourceFile">The batch file; null = none.</param>
    /// <param name="words">The command's words.</param>
    /// <param name="start">The word that names the tool.</param>
    /// <param name="pipe">What the call's output goes into behind <c>|</c>; null = nothing.</param>
    internal void Add(string? sourceFile, int line, List<string> words, int start, string? pipe)
    {
        if (state.Specifications.Count >= BatchState.MaxTests)
            throw BatchError.At(sourceFile, line, $"it has more than {BatchState.MaxTests} tests, or jumps back without end");
        (_last, _lastError) = ((sourceFile, line), null);
        try
        {
            TakePipe(sourceFile, line, words, pipe);
            if (Problem(sourceFile, line, words, start) is { } problem)
                throw BatchError.At(sourceFile, line, problem);
            var text = string.Join(' ', words.Skip(start).Select(CommandLineWords.Quote));
            var specifications = Parse(sourceFile, line, words, start, text, out var notes);
            foreach (var specification in specifications)
            {
                specification.Origin().SourceFile = sourceFile;
                specification.Origin().SourceLine = line;
                specification.RestBefore = state.Rest;
                state.Rest = TimeSpan.Zero;
                state.Specifications.Add(specification);
            }
            foreach (var note in notes)
                state.Note(sourceFile, line, note);
        }
        catch (IoBenchException error)
        {
            _lastError = error;
            state.Refuse(error);
        }
    }

    /// <summary>Whether a line begins with an option right below a call: that was broken by hand.</summary>
    internal bool IsRestOfCall(string? sourceFile, int line, string word) =>
        _last == (sourceFile, line - 1) && word.Length > 1 && word[0] is '-' or '\u2013' && char.IsAsciiLetter(word[1]);

    /// <summary>Refuses a call that goes on in a line: what was read of it is another test.</summary>
    internal void RefuseBroken(string? sourceFile, int line)
    {
        state.Specifications.RemoveAll(test => test.Origin().SourceFile == sourceFile && test.Origin().SourceLine == line - 1);
        // What half a call lacks is no news then.
        state.Refused.RemoveAll(error => ReferenceEquals(error, _lastError));
        _lastError = BatchError.At(
            sourceFile,
            line - 1,
            $"this call goes on in line {line}: join the two lines, or end the first one with ^"
        );
        state.Refuse(_lastError);
    }

    private IReadOnlyList<IoTestSpecification> Parse(
        string? sourceFile,
        int line,
        List<string> words,
        int start,
        string text,
        out IReadOnlyList<string> notes
    )
    {
        try
        {
            return BatchTool.Parse(words, start, text, folder, out notes);
        }
        catch (IoBenchException error)
        {
            throw BatchError.At(sourceFile, line, error);
        }
    }

    /// <summary>Why the words are no call that can be read; null when they are. Values that only the output's name needs may be unknown.</summary>
    private string? Problem(string? sourceFile, int line, List<string> words, int start)
    {
        for (var i = 0; i < words.Count; i++)
        {
            if (IsOutputName(words, i) && BatchValue.FirstIn(words[i]) is { } part)
            {
                state.Note(sourceFile, line, $"the value of {part} is not known: in the output's name it stays as it is");
                words[i] = BatchValue.ForMessage(words[i]);
                continue;
            }
            if (BatchValue.FirstIn(words[i]) is { } unknown)
                return BatchValue.IsArgument(unknown)
                    ? $"the value of {unknown} is not known: give the batch file's arguments, or write the value in its place"
                    : $"the value of {unknown} is not known: set it in the file, or write the value in its place";
            if (i > start && IsOutputName(words, i))
                continue;
            if (i > start && PowerShellVariable(words[i]) is { } variable)
                return $"{variable} is a variable of PowerShell, whose value is not known here: write the value in its place";
            if (
                i > start
                && s_commands.Contains(ToolName.Name(words[i]), StringComparer.OrdinalIgnoreCase)
                && (i + 1 == words.Count || IsOfAnotherCommand(words, i))
            )
                return $"'{words[i]}' is another command within the line: a line break is missing before it";
        }
        return null;
    }

    /// <summary>A word that is called like a command, with what such a command has behind it: an option that is not of the tools, or a number.</summary>
    private static bool IsOfAnotherCommand(List<string> words, int i) =>
        words[i + 1] is ['/' or '-', ..] || BatchTool.IsTool(words[i]) || char.IsAsciiDigit(words[i + 1].FirstOrDefault());

    private static bool IsOutputName(List<string> words, int i) =>
        (i > 0 && words[i - 1] is ">" or ">>" or "1>" or "1>>" or "2>" or "2>>")
        || (words[i].Length > 1 && words[i].TrimStart('1', '2').StartsWith('>'));

    /// <summary><c>$name</c>, <c>${name}</c> or <c>$(…)</c> where a value begins; a dollar sign within a name is part of it (<c>\\host\d$</c>).</summary>
    private static string? PowerShellVariable(string word)
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

    /// <summary>What goes on with the output: to a file (<c>tee</c>, <c>Out-File</c>) it is the output's name, else it is noted.</summary>
    private void TakePipe(string? sourceFile, int line, List<string> words, string? pipe)
    {
        if (pipe is null)
            return;
        var next = CommandLineWords.Split(pipe);
        var name = next.Count == 0 ? "" : ToolName.Name(next[0]).ToUpperInvariant();
        if (name is not ("TEE" or "TEE-OBJECT" or "OUT-FILE" or "SET-CONTENT" or "ADD-CONTENT"))
        {
            state.Note(
                sourceFile,
                line,
                $"what the test prints goes into '{BatchValue.ForMessage(pipe).Trim()}', which is not carried out"
            );
            return;
        }
        var file = next.Skip(1)
            .Where(
                (word, i) =>
                    !word.StartsWith('-')
                    && !(
                        next[i].Equals("-Encoding", StringComparison.OrdinalIgnoreCase)
                        || next[i].Equals("-Width", StringComparison.OrdinalIgnoreCase)
                    )
            )
            .FirstOrDefault();
        if (file is null)
            throw BatchError.At(sourceFile, line, $"'{next[0]}' behind | has no name of a file");
        words.AddRange([">", file]);
    }
}
