namespace IoBench.Formats.BatchFiles;

/// <summary>What a batch file and those that it calls have in common.</summary>
/// <param name="variables">Variables and arguments.</param>
/// <param name="maxSteps">Commands that are carried out: a jump back without end ends there.</param>
internal sealed class BatchState(BatchVariables variables, int maxSteps = BatchState.MaxSteps)
{
    /// <summary>Tests of one batch file.</summary>
    internal const int MaxTests = 10_000;

    /// <summary>Commands that are carried out.</summary>
    internal const int MaxSteps = 100_000;

    /// <summary>Characters of them: values that grow end here.</summary>
    private const long MaxCharacters = 20_000_000;

    /// <summary>Subroutines and files within each other.</summary>
    private const int DeepestCall = 16;

    private const int MaxNotes = 1000;

    private readonly HashSet<string> _noted = [];
    private int _steps;
    private long _characters;
    private int _calls;

    /// <summary>The tests in order.</summary>
    internal List<IoTestSpecification> Specifications { get; } = [];

    /// <summary>What was passed over.</summary>
    internal List<string> Notes { get; } = [];

    /// <summary>Tests that cannot be read, each with its line.</summary>
    internal List<IoBenchException> Refused { get; } = [];

    /// <summary>Variables and arguments.</summary>
    internal BatchVariables Variables { get; } = variables;

    /// <summary>Waits since the last test.</summary>
    internal TimeSpan Rest { get; set; }

    /// <summary>Notes what is not carried out; the same line of a loop once.</summary>
    internal void Note(string? sourceFile, int line, string what)
    {
        if (Notes.Count >= MaxNotes)
            return;
        var note = $"{BatchError.Place(sourceFile, line)}: {BatchValue.ForMessage(what).TrimEnd('.')}.";
        if (_noted.Add(note))
            Notes.Add(note);
    }

    /// <summary>Keeps the error of a test that cannot be read; the same line of a loop once. Waits before it are not the next test's.</summary>
    internal void Refuse(IoBenchException error)
    {
        Rest = TimeSpan.Zero;
        if (Refused.Count < MaxNotes && _noted.Add(error.Message))
            Refused.Add(error);
    }

    /// <summary>Counts a command.</summary>
    internal void Step(string? sourceFile, BatchLine line)
    {
        _characters += line.Text.Length;
        if (++_steps > maxSteps || _characters > MaxCharacters)
            throw BatchError.At(sourceFile, line.Line, "its loops and jumps run more often than makes sense for tests, or without end");
    }

    /// <summary>Goes into a subroutine or another file.</summary>
    internal void Enter(string? sourceFile, int line)
    {
        if (++_calls > DeepestCall)
            throw BatchError.At(sourceFile, line, "calls are nested too deep");
    }

    /// <summary>Comes back.</summary>
    internal void Leave() => _calls--;

    /// <summary>Whether an earlier test makes a file of this name.</summary>
    internal bool IsMade(string path) =>
        Specifications.Exists(s => Same(s.Origin().OutputFile, path) || s.Targets.Exists(t => Same(t.Path, path)));

    private static bool Same(string? made, string path) =>
        made is not null && made.Trim('"').Equals(path, StringComparison.OrdinalIgnoreCase);
}
