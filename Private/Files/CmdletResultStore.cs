using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

internal sealed class CmdletResultStore : IDisposable
{
    private readonly Action<IoWarning> _warn;
    private ResultOutputFile? _file;
    private RunJournal? _journal;
    private MetricsFile? _metrics;

    private CmdletResultStore(Action<IoWarning> warn) => _warn = warn;

    public IReadOnlyList<IoTestResult> EarlierResults { get; private set; } = [];

    public IReadOnlyList<IResultSink> Sinks => ResultSinks.Create(_file, _journal);

    /// <summary>Reads the results of the run to resume, if there is one. Creates no file.</summary>
    public static CmdletResultStore Open(CmdletSuiteRequest call, IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        var store = new CmdletResultStore(warn);
        if (!call.Settings.Resume)
            return store;
        try
        {
            if (call.OutputFile is null)
                store._journal = RunJournal.Resume(plan, warn);
            else if (File.Exists(call.OutputFile))
                store.SetFile(ResultOutputFile.Resume(call.OutputFile, ResultFormat.Json), call, plan);
            // A copy, because later results are added to the same lists.
            store.EarlierResults = [.. store._file?.Results ?? store._journal?.Results ?? []];
            return store;
        }
        catch
        {
            store.Dispose();
            throw;
        }
    }

    /// <summary>Creates the files that are not open yet. Call it only if a test will run.</summary>
    public void OpenFiles(CmdletSuiteRequest call, IReadOnlyList<IoTestSpecification> plan)
    {
        if (call.OutputFile is not null && _file is null)
            SetFile(ResultOutputFile.Create(call.OutputFile, ResultFormat.Json, replace: true), call, plan);
        _metrics = MetricsFile.Reserve(call.MetricsFile);
        if (!call.IsRemote)
            RunOutputs.CheckNotTestFile(_metrics?.Output, plan);
        _journal ??= RunJournal.Create(_warn, EarlierResults);
    }

    /// <summary>Writes the metrics of the earlier and the new results; nothing if they were not requested.</summary>
    public void WriteMetrics(CmdletSuiteRequest call, IReadOnlyList<IoTestResult> results)
    {
        List<IoTestResult> all = [.. EarlierResults, .. results];
        if (all.Count > 0)
            _metrics?.WriteResults("run", all, [RuleSetChoice.ChooseFor(all, call.Settings.Storage).Rules]);
    }

    /// <summary>Returns where results were saved if the requested file could not be used, once per notice; otherwise null.</summary>
    public string? TakeNotice() => _file?.Output.TakeNotice() ?? _metrics?.Output.TakeNotice();

    public void Dispose()
    {
        _metrics?.Dispose();
        _journal?.Dispose();
        _file?.Dispose();
    }

    private void SetFile(ResultOutputFile file, CmdletSuiteRequest call, IReadOnlyList<IoTestSpecification> plan)
    {
        _file = file;
        // The tests of a remote call use files of other hosts.
        if (!call.IsRemote)
            RunOutputs.CheckNotTestFile(file.Output, plan);
    }
}

internal sealed record CmdletSuiteRequest(string Activity, SuiteSettings Settings)
{
    public string? OutputFile { get; init; }

    /// <summary>File for the metrics; null for none.</summary>
    public string? MetricsFile { get; init; }

    /// <summary>True if the user specified the file size. Otherwise a large file is announced before it is created.</summary>
    public bool HasExplicitFileSize { get; init; }

    public bool IsRemote { get; init; }

    public Action<IoTestResult>? ResultHandler { get; init; }
}
