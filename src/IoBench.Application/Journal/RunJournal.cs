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
    public IEnumerable<IoTestResult> Results => _file.Results;

    /// <summary>Creates the journal of a run. Returns null if the journal is disabled or cannot be created.</summary>
    /// <param name="warn">Receives the reason if the journal cannot be written, now or later.</param>
    public static RunJournal? Create(Action<IoWarning> warn, IReadOnlyList<IoTestResult>? earlier = null) =>
        Create(JournalFolder.FindPath(warn), warn, earlier ?? []);

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
            var journal = new RunJournal(folder, CreateFile(folder), warn);
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

    private static ResultOutputFile CreateFile(string folder)
    {
        for (var number = JournalFolder.GetNextRunNumber(folder); ; number++)
        {
            try
            {
                var file = ResultOutputFile.CreateJournal(JournalFolder.GetRunPath(folder, number));
                JournalFolder.MakePrivate(file.Output.Path);
                return file;
            }
            catch (IoBenchException error) when (error.ErrorId is ErrorIds.FileExists or ErrorIds.OutputInUse)
            {
                // Another run has just created its journal.
            }
        }
    }

    internal static RunJournal Resume(string? folder, IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var journal = new RunJournal(folder ?? "", ResultOutputFile.ResumeJournal(FindLastFile(folder)), warn);
        try
        {
            if (ResumePlan.GetRemainingTests(plan, [.. journal.Results], Environment.MachineName).Count < plan.Count)
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
            $"The last run{startTime} had different tests, so IoBench cannot resume it.",
            advice: $"Repeat the command of that run with {OptionNames.Resume}, or specify the file that contains the results of that run."
        );
    }

    internal static string FindLastFile(string? folder) =>
        (folder is null ? [] : JournalFolder.GetRuns(folder)).FirstOrDefault(file => new FileInfo(file) is { Exists: true, Length: > 0 })
        ?? throw IoBenchException.NotFound(
            "IoBench.NoJournal",
            folder is null
                ? (IoMessage)
                    $"IoBench has no journal, because {JournalFolder.Variable} turns the journal off, or the journal folder is not available. Specify the file with the results."
                : $"{folder} contains no journal of a run. Specify the file with the results.",
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
        using var folder = OutputFolder.Open(_folder);
        var number = JournalFolder.GetRunNumber(Path);
        foreach (var file in JournalFolder.GetRuns(_folder).Where(file => JournalFolder.GetRunNumber(file) < number))
        {
            var name = folder.GetName(System.IO.Path.GetFileName(file));
            using var locked = PlatformOutputFiles.Current.TryLockFile(name, out _);
            if (locked is not null)
                PlatformOutputFiles.Current.RemoveIfUnmodified(locked, name);
        }
    }

    private static IoWarning CreateWarning(Exception error) =>
        new(
            WarningCodes.JournalNotKept,
            error is IoBenchException ours
                ? (IoMessage)$"IoBench could not write the journal of this run: {ours.Text}"
                : $"IoBench could not write the journal of this run: {error.Message}"
        );
}
