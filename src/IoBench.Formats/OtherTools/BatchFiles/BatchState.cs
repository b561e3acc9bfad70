using IoBench.Engine;

namespace IoBench.Formats;

/// <param name="maxSteps">Maximum number of executed commands.</param>
internal sealed class BatchState(string? sourceFile, int maxSteps)
{
    internal const int MaxTests = 10_000;

    internal const int MaxSteps = 100_000;

    /// <summary>Maximum number of characters of all executed commands, because values can grow in a loop.</summary>
    private const long MaxCharacters = 20_000_000;

    private const int MaxNotes = 1000;

    private readonly HashSet<string> _noted = [];
    private readonly Dictionary<string, int> _outputLines = new(StringComparer.OrdinalIgnoreCase);
    private int _steps;
    private long _characters;

    internal string? SourceFile => sourceFile;

    internal List<IoTestSpecification> Specifications { get; } = [];

    internal List<string> Notes { get; } = [];

    internal List<IoBenchException> Refused { get; } = [];

    /// <summary>Time that the batch file waits after the last test.</summary>
    internal TimeSpan PendingRest { get; set; }

    internal IoBenchException CreateError(int line, string what) => BatchLineReader.CreateError(sourceFile, line, what);

    internal IoBenchException CreateError(int line, IoBenchException error) =>
        error.WithSubject(BatchLineReader.DescribeLocation(sourceFile, line), error.Target ?? sourceFile);

    internal void AddNote(int line, string what)
    {
        if (Notes.Count >= MaxNotes)
            return;
        var note = $"{BatchLineReader.DescribeLocation(sourceFile, line)}: {CommandLineSplitter.FormatPlaceholders(what).TrimEnd('.')}.";
        if (_noted.Add(note))
            Notes.Add(note);
    }

    internal void AddRefusal(int line, string what) => AddRefusal(CreateError(line, what));

    /// <summary>Waits before a refused test do not apply to the next one.</summary>
    internal void AddRefusal(IoBenchException error)
    {
        PendingRest = TimeSpan.Zero;
        if (Refused.Count < MaxNotes && _noted.Add(error.Message))
            Refused.Add(error);
    }

    internal void CountCommand(BatchLine line)
    {
        _characters += line.Text.Length;
        if (++_steps > maxSteps || _characters > MaxCharacters)
            throw CreateError(line.Line, "the loops in the batch file repeat more often than IoBench supports");
    }

    /// <summary>Adds a note if a test replaces the output of an earlier one.</summary>
    /// <param name="replaces">False if the test appends its output.</param>
    internal void AddOutput(int line, string? outputFile, bool replaces)
    {
        if (outputFile is null || outputFile.ToUpperInvariant() is "/DEV/NULL" or "NUL" or "NUL:")
            return;
        var key = GetKey(outputFile);
        if (replaces && _outputLines.TryGetValue(key, out var before))
            AddNote(
                line,
                before == line
                    ? $"each repetition writes to {outputFile} again, so only the last output remains"
                    : $"this line and line {before} both write to {outputFile}, so only the last output remains"
            );
        _outputLines[key] = line;
    }

    private static string GetKey(string path) =>
        path.StartsWith(@".\", StringComparison.Ordinal) || path.StartsWith("./", StringComparison.Ordinal) ? path[2..] : path;

    /// <summary>A command that is not carried out, such as <c>move</c>, can save an output before a test replaces it.</summary>
    internal void ForgetOutputs(IEnumerable<string> words)
    {
        foreach (var word in words)
            _outputLines.Remove(GetKey(word));
    }
}
