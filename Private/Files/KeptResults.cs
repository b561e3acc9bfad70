namespace IoBench.PowerShell.Files;

/// <summary>Where the results of a call are kept: the file that was asked for, and the journal of the last run.</summary>
internal sealed class KeptResults : IDisposable
{
    private readonly Action<IoWarning> _warn;
    private ResultFile? _file;
    private RunJournal? _journal;

    private KeptResults(Action<IoWarning> warn) => _warn = warn;

    /// <summary>Results of the earlier part of the run that is gone on with.</summary>
    public IReadOnlyList<IoTestResult> Earlier { get; private set; } = [];

    /// <summary>What takes each result.</summary>
    public IReadOnlyList<IResultSink> Sinks => ResultSinks.Of(_file, _journal);

    /// <summary>Finds the results of the run that is gone on with, if it is; writes nothing.</summary>
    /// <param name="warn">Takes what keeps the journal from being written.</param>
    /// <exception cref="IoBenchException">There is nothing to go on with, or the file cannot be read.</exception>
    public static KeptResults Open(SuiteCall call, IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        var kept = new KeptResults(warn);
        if (!call.Settings.Resume)
            return kept;
        try
        {
            if (call.OutputFile is null)
                kept._journal = RunJournal.Resume(plan, warn);
            else if (File.Exists(call.OutputFile))
                kept.Take(ResultFile.Resume(call.OutputFile, ResultFormat.Json), call, plan);
            // What is added later goes into the same lists.
            kept.Earlier = [.. kept._file?.Results ?? kept._journal?.Results ?? []];
            return kept;
        }
        catch
        {
            kept.Dispose();
            throw;
        }
    }

    /// <summary>Takes the names of the files that are not open yet: only once it is known that something will run.</summary>
    /// <exception cref="IoBenchException">The output cannot be written, or is a file of the tests.</exception>
    public void Begin(SuiteCall call, IReadOnlyList<IoTestSpecification> plan)
    {
        if (call.OutputFile is not null && _file is null)
            Take(ResultFile.Create(call.OutputFile, ResultFormat.Json, replace: true), call, plan);
        _journal ??= RunJournal.Begin(_warn, Earlier);
    }

    /// <summary>Where results went that could not go where they were to; each is reported once.</summary>
    public string? TakeNotice() => _file?.Output.TakeNotice();

    /// <summary>Lets the names go.</summary>
    public void Dispose()
    {
        _journal?.Dispose();
        _file?.Dispose();
    }

    private void Take(ResultFile file, SuiteCall call, IReadOnlyList<IoTestSpecification> plan)
    {
        _file = file;
        // Paths of other hosts are none of this one.
        if (!call.IsElsewhere)
            OutputTargets.Check(file.Output, plan);
    }
}

/// <summary>A call that runs tests.</summary>
/// <param name="Activity">What it does, in words for the progress bar.</param>
/// <param name="Settings">What it may do.</param>
internal sealed record SuiteCall(string Activity, SuiteSettings Settings)
{
    /// <summary>The file that keeps the results; null = none was asked for.</summary>
    public string? OutputFile { get; init; }

    /// <summary>The user said how large files shall be; else a large one is announced before it is made.</summary>
    public bool SizeIsGiven { get; init; }

    /// <summary>The tests run on other hosts.</summary>
    public bool IsElsewhere { get; init; }

    /// <summary>Takes each result; null = nobody does before the end.</summary>
    public Action<IoTestResult>? Emit { get; init; }
}
