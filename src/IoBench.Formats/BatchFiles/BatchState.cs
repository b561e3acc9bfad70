using IoBench.Engine;

namespace IoBench.Formats;

/// <param name="maxSteps">Maximum number of executed commands. Ends an endless loop.</param>
internal sealed class BatchState(BatchVariables variables, int maxSteps = BatchState.MaxSteps)
{
    internal const int MaxTests = 10_000;

    internal const int MaxSteps = 100_000;

    /// <summary>Maximum number of characters of all executed commands, because values can grow in a loop.</summary>
    private const long MaxCharacters = 20_000_000;

    private const int DeepestCall = 16;

    private const int MaxNotes = 1000;

    private readonly HashSet<string> _noted = [];
    private int _steps;
    private long _characters;
    private int _calls;

    internal List<IoTestSpecification> Specifications { get; } = [];

    internal List<string> Notes { get; } = [];

    internal List<IoBenchException> Refused { get; } = [];

    internal BatchVariables Variables { get; } = variables;

    /// <summary>Time that the batch file waits after the last test.</summary>
    internal TimeSpan PendingRest { get; set; }

    internal void AddNote(string? sourceFile, int line, string what)
    {
        if (Notes.Count >= MaxNotes)
            return;
        var note = $"{BatchLineReader.DescribeLocation(sourceFile, line)}: {BatchPlaceholder.FormatForMessage(what).TrimEnd('.')}.";
        if (_noted.Add(note))
            Notes.Add(note);
    }

    /// <summary>Waits before a refused test do not apply to the next one.</summary>
    internal void AddRefusal(IoBenchException error)
    {
        PendingRest = TimeSpan.Zero;
        if (Refused.Count < MaxNotes && _noted.Add(error.Message))
            Refused.Add(error);
    }

    internal void CountCommand(string? sourceFile, BatchLine line)
    {
        _characters += line.Text.Length;
        if (++_steps > maxSteps || _characters > MaxCharacters)
            throw BatchLineReader.CreateError(
                sourceFile,
                line.Line,
                "its loops and jumps run more often than makes sense for tests, or without end"
            );
    }

    private readonly Dictionary<string, int> _outputLines = new(StringComparer.OrdinalIgnoreCase);

    /// <summary>Adds a note if a test replaces the output of an earlier one.</summary>
    /// <param name="replaces">False if the test appends its output.</param>
    internal void AddOutput(string? sourceFile, int line, string? outputFile, bool replaces)
    {
        if (outputFile is null || IsNullDevice(outputFile))
            return;
        if (replaces && _outputLines.TryGetValue(outputFile, out var before))
            AddNote(
                sourceFile,
                line,
                before == line
                    ? $"each repetition writes to {outputFile} again, so only the last output remains"
                    : $"this line and line {before} write to {outputFile}, so only the last output remains"
            );
        _outputLines[outputFile] = line;
    }

    /// <summary>A command that is not carried out, such as <c>move</c>, can save an output before a test replaces it.</summary>
    internal void ForgetOutputs(IEnumerable<string> words)
    {
        foreach (var word in words)
            _outputLines.Remove(word);
    }

    private static bool IsNullDevice(string path) =>
        path is "/dev/null"
        || path.Equals("nul", StringComparison.OrdinalIgnoreCase)
        || path.Equals("nul:", StringComparison.OrdinalIgnoreCase);

    internal void EnterCall(string? sourceFile, int line)
    {
        if (++_calls > DeepestCall)
            throw BatchLineReader.CreateError(sourceFile, line, "calls are nested too deep");
    }

    internal void LeaveCall() => _calls--;

    internal bool IsCreatedByTest(string path) =>
        Specifications.Exists(s => IsSamePath(s.GetOrAddOrigin().OutputFile, path) || s.Targets.Exists(t => IsSamePath(t.Path, path)));

    private static bool IsSamePath(string? made, string path) =>
        made is not null && made.Trim('"').Equals(path, StringComparison.OrdinalIgnoreCase);
}
