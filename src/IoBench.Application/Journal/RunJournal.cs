using System.Globalization;

namespace IoBench.Application.Journal;

/// <summary>
/// The results of the last run, kept without being asked for: after Ctrl+C, a closed window or a forgotten output nothing is lost. Each run has a file of its
/// own, so that two at one moment do not meet; once a run has a result, the files of those before it go.
/// </summary>
public sealed class RunJournal : IResultSink, IDisposable
{
    private readonly string _folder;
    private readonly ResultFile _file;
    private readonly Action<IoWarning> _warn;
    private bool _isOff;
    private bool _isAlone;

    private RunJournal(string folder, ResultFile file, Action<IoWarning> warn) => (_folder, _file, _warn) = (folder, file, warn);

    /// <summary>The file.</summary>
    public string Path => _file.Output.Path;

    /// <summary>Results of the run that is gone on with, then those added.</summary>
    public IReadOnlyList<IoTestResult> Results => _file.Results;

    /// <summary>Begins the journal of a run; null when none is to be kept, or none can be.</summary>
    /// <param name="warn">Takes the reason why none is kept, now or later.</param>
    /// <param name="earlier">Results of an earlier part of the run.</param>
    public static RunJournal? Begin(Action<IoWarning> warn, IReadOnlyList<IoTestResult>? earlier = null) =>
        Begin(JournalFolder.Path, warn, earlier ?? []);

    /// <summary>The journal of the last run, to go on with it.</summary>
    /// <param name="plan">The tests that are asked for: the last run must have been of them.</param>
    /// <param name="warn">Takes what keeps it from being written to.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoJournal</c>: there is none; <c>IoBench.NothingToResume</c>: it was of other tests; <c>IoBench.OutputInUse</c>: the run goes on.</exception>
    public static RunJournal Resume(IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn) =>
        Resume(JournalFolder.Path, plan, warn);

    /// <summary>The results of the last run.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoJournal</c>: there is none.</exception>
    public static IReadOnlyList<IoTestResult> ReadLast() => [.. ResultReader.ReadFile(LastFile, ResultFormat.Json)];

    /// <summary>The file of the last run's results.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoJournal</c>: there is none.</exception>
    public static string LastFile => Last(JournalFolder.Path);

    /// <inheritdoc/>
    public void Add(IoTestResult result) => AddAll([result]);

    /// <inheritdoc/>
    public void AddAll(IReadOnlyList<IoTestResult> results) => Try(() => _file.AddAll(results));

    /// <inheritdoc/>
    public void Flush() { }

    /// <summary>Lets the file go; without a result nothing stays of it.</summary>
    public void Dispose() => _file.Dispose();

    internal static RunJournal? Begin(string? folder, Action<IoWarning> warn, IReadOnlyList<IoTestResult> earlier)
    {
        if (folder is null)
            return null;
        try
        {
            JournalFolder.Make(folder);
            var name = string.Create(
                CultureInfo.InvariantCulture,
                $"run-{DateTime.UtcNow:yyyyMMdd'T'HHmmssfff}-{Environment.ProcessId}-{Guid.NewGuid().ToString("N")[..4]}.json"
            );
            var journal = new RunJournal(folder, ResultFile.Create(System.IO.Path.Combine(folder, name), ResultFormat.Json), warn);
            if (earlier.Count > 0)
                journal.Try(() => journal._file.AddAll(earlier));
            return journal;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // A service's account, or a full or read-only home: a test needs no journal.
            warn(NotKept(error));
            return null;
        }
    }

    internal static RunJournal Resume(string? folder, IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var journal = new RunJournal(folder ?? "", ResultFile.Resume(Last(folder), ResultFormat.Json), warn);
        try
        {
            if (ResumePlan.Remaining(plan, journal.Results).Count < plan.Count)
                return journal;
        }
        catch
        {
            // It was of a run of another duration: the one that fits may come next.
            journal.Dispose();
            throw;
        }
        var when = journal.Results.Select(result => result.StartTime).FirstOrDefault(time => time is not null);
        journal.Dispose();
        throw IoBenchException.Usage(
            "IoBench.NothingToResume",
            $"The last run{(when is { } time ? $" ({time.LocalDateTime:yyyy-MM-dd HH:mm})" : "")} was of other tests: it cannot be resumed.",
            advice: $"Repeat the same command with {Opt.Resume}, or name its file of results."
        );
    }

    internal static string Last(string? folder) =>
        (folder is null ? [] : JournalFolder.Files(folder)).FirstOrDefault(file => new FileInfo(file) is { Exists: true, Length: > 2 })
        ?? throw IoBenchException.NotFound(
            "IoBench.NoJournal",
            folder is null
                ? (IoText)$"No journal is kept ({JournalFolder.Variable} says so, or there is no place for it): name the file of results."
                : $"There is no journal of a run in {folder}: name the file of results.",
            folder
        );

    private void Try(Action save)
    {
        if (_isOff)
            return;
        try
        {
            save();
            if (!_isAlone)
                RemoveEarlier();
            _isAlone = true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            _isOff = true;
            _warn(NotKept(error));
        }
    }

    /// <summary>Journals of runs that are over; one that another run holds stays.</summary>
    private void RemoveEarlier()
    {
        foreach (
            var file in JournalFolder
                .Files(_folder)
                .Where(file => string.CompareOrdinal(System.IO.Path.GetFileName(file), System.IO.Path.GetFileName(Path)) < 0)
        )
        {
            using var held = OutputSystem.Current.TryHold(file, out _);
            if (held is not null)
                OutputSystem.Current.Remove(held, file);
        }
    }

    private static IoWarning NotKept(Exception error) =>
        new(
            "IoBench.JournalNotKept",
            error is IoBenchException ours
                ? (IoText)$"no journal of this run is kept: {ours.Text}"
                : $"no journal of this run is kept: {error.Message}"
        );
}
