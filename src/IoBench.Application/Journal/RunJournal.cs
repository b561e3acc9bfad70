using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Saves the results of each run automatically in its own file, so that concurrent runs do not conflict. After the first result of
/// a run, its journal replaces the journals of earlier runs.</summary>
public sealed class RunJournal : IResultSink, IDisposable
{
    private readonly string _folder;
    private readonly ResultOutputFile _file;
    private readonly Action<IoWarning> _warn;
    private bool _isOff;
    private bool _hasRemovedEarlier;

    private RunJournal(string folder, ResultOutputFile file, Action<IoWarning> warn) => (_folder, _file, _warn) = (folder, file, warn);

    public string Path => _file.Output.Path;

    /// <summary>Results of the resumed run, then the added results.</summary>
    public IReadOnlyList<IoTestResult> Results => _file.Results;

    /// <summary>Creates the journal of a run. Returns null if the journal is disabled or cannot be created.</summary>
    /// <param name="warn">Receives the reason if the journal cannot be written, now or later.</param>
    public static RunJournal? Create(Action<IoWarning> warn, IReadOnlyList<IoTestResult>? earlier = null) =>
        Create(JournalFolder.Path, warn, earlier ?? []);

    /// <param name="plan">Requested tests. The last run must have run some of them.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NoJournal</c>: there is no journal. <c>IoBench.NothingToResume</c>: the last run had
    /// other tests. <c>IoBench.OutputInUse</c>: the run has not ended.</exception>
    public static RunJournal Resume(IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn) =>
        Resume(JournalFolder.Path, plan, warn);

    public static IReadOnlyList<IoTestResult> ReadLastRun() => [.. ResultReader.ReadFile(LastFile, ResultFormat.Json)];

    /// <exception cref="IoBenchException"><c>IoBench.NoJournal</c>: there is no journal.</exception>
    public static string LastFile => FindLastFile(JournalFolder.Path);

    public void Add(IoTestResult result) => AddAll([result]);

    public void AddAll(IReadOnlyList<IoTestResult> results) => TrySave(() => _file.AddAll(results));

    public void Flush() { }

    /// <summary>Closes the file, and removes it if it has no results.</summary>
    public void Dispose() => _file.Dispose();

    internal static RunJournal? Create(string? folder, Action<IoWarning> warn, IReadOnlyList<IoTestResult> earlier)
    {
        if (folder is null)
            return null;
        try
        {
            JournalFolder.CreateFolder(folder);
            var name = string.Create(
                CultureInfo.InvariantCulture,
                $"run-{DateTime.UtcNow:yyyyMMdd'T'HHmmssfff}-{Environment.ProcessId}-{Guid.NewGuid().ToString("N")[..4]}.json"
            );
            var journal = new RunJournal(folder, ResultOutputFile.Create(System.IO.Path.Combine(folder, name), ResultFormat.Json), warn);
            if (earlier.Count > 0)
                journal.TrySave(() => journal._file.AddAll(earlier));
            return journal;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            // A test does not require a journal. A service account, or a full or read-only home folder, can prevent it.
            warn(CreateWarning(error));
            return null;
        }
    }

    internal static RunJournal Resume(string? folder, IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var journal = new RunJournal(folder ?? "", ResultOutputFile.Resume(FindLastFile(folder), ResultFormat.Json), warn);
        try
        {
            if (ResumePlan.GetRemainingTests(plan, journal.Results).Count < plan.Count)
                return journal;
        }
        catch
        {
            // The journal belongs to a run with another duration. Release it for a later attempt with the right one.
            journal.Dispose();
            throw;
        }
        var when = journal.Results.Select(result => result.StartTime).FirstOrDefault(time => time is not null);
        journal.Dispose();
        var startTime = when is null ? "" : $" ({when.Value.LocalDateTime:yyyy-MM-dd HH:mm})";
        throw IoBenchException.Usage(
            "IoBench.NothingToResume",
            $"The last run{startTime} was of other tests: it cannot be resumed.",
            advice: $"Repeat the same command with {OptionNames.Resume}, or name its file of results."
        );
    }

    internal static string FindLastFile(string? folder) =>
        (folder is null ? [] : JournalFolder.GetFiles(folder)).FirstOrDefault(file => new FileInfo(file) is { Exists: true, Length: > 2 })
        ?? throw IoBenchException.NotFound(
            "IoBench.NoJournal",
            folder is null
                ? (IoMessage)
                    $"No journal is kept ({JournalFolder.Variable} says so, or there is no place for it): name the file of results."
                : $"There is no journal of a run in {folder}: name the file of results.",
            folder
        );

    private void TrySave(Action save)
    {
        if (_isOff)
            return;
        try
        {
            save();
            if (!_hasRemovedEarlier)
                RemoveEarlierJournals();
            _hasRemovedEarlier = true;
        }
        catch (Exception error) when (error is IOException or UnauthorizedAccessException or IoBenchException)
        {
            _isOff = true;
            _warn(CreateWarning(error));
        }
    }

    /// <summary>Removes journals of earlier runs. A journal that another run has locked stays.</summary>
    private void RemoveEarlierJournals()
    {
        foreach (
            var file in JournalFolder
                .GetFiles(_folder)
                .Where(file => string.CompareOrdinal(System.IO.Path.GetFileName(file), System.IO.Path.GetFileName(Path)) < 0)
        )
        {
            using var locked = PlatformOutputFiles.Current.TryLockFile(file, out _);
            if (locked is not null)
                PlatformOutputFiles.Current.RemoveIfUnmodified(locked, file);
        }
    }

    private static IoWarning CreateWarning(Exception error) =>
        new(
            "IoBench.JournalNotKept",
            error is IoBenchException ours
                ? (IoMessage)$"no journal of this run is kept: {ours.Text}"
                : $"no journal of this run is kept: {error.Message}"
        );
}
