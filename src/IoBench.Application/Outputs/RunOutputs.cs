using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Files that a run writes. Null means that the file is not requested.</summary>
public class OutputRequest
{
    /// <summary>File of the results.</summary>
    public string? OutputPath { get; init; }

    public ResultFormat OutputFormat { get; init; } = ResultFormat.Json;

    public string? ReportPath { get; init; }

    /// <summary>File of the metrics for monitoring.</summary>
    public string? MetricsPath { get; init; }

    /// <summary>True to replace existing files.</summary>
    public bool Force { get; init; }

    /// <summary>True to continue the run of the results file, otherwise the last run.</summary>
    public bool Resume { get; set; }

    /// <summary>True if the tests run on other hosts, so that their files are not files of this computer.</summary>
    public bool IsRemote { get; init; }

    /// <summary>The requested files, for messages about a file that does not respond.</summary>
    public string DescribePaths() => string.Join(" or ", new[] { OutputPath, ReportPath, MetricsPath }.OfType<string>());
}

/// <summary>Result, report, and metrics files of a run, and its journal. The names are reserved before the first test.</summary>
public sealed class RunOutputs(OutputRequest request) : IDisposable
{
    public ResultOutputFile? Results { get; private set; }

    public OutputFile? Report { get; private set; }

    public MetricsFile? Metrics { get; private set; }

    /// <summary>The journal of a test run; null if it is not open or not possible.</summary>
    public RunJournal? Journal { get; private set; }

    /// <summary>Results of the run that is resumed.</summary>
    public IReadOnlyList<IoTestResult> EarlierResults { get; private set; } = [];

    /// <summary>Reserves the names.</summary>
    /// <exception cref="IoBenchException">A file was refused; the error has the reasons of all files. Nothing was changed.</exception>
    /// <param name="plan">Tests whose files the outputs must not replace; null for none.</param>
    public static RunOutputs Reserve(OutputRequest request, IReadOnlyList<IoTestSpecification>? plan = null)
    {
        var outputs = new RunOutputs(request);
        try
        {
            outputs.Reserve(plan ?? []);
            return outputs;
        }
        catch
        {
            outputs.Dispose();
            throw;
        }
    }

    /// <summary>Opens the results of the run to resume; nothing if no run is resumed. Creates no file.</summary>
    /// <param name="warn">Receives a problem of the journal.</param>
    public void OpenEarlierRun(IReadOnlyList<IoTestSpecification> plan, Action<IoWarning> warn)
    {
        if (!request.Resume)
            return;
        if (request.OutputPath is null)
            Journal = RunJournal.Resume(plan, warn);
        else if (File.Exists(request.OutputPath))
            Results = ResultOutputFile.Resume(request.OutputPath, request.OutputFormat);
        // A copy, because later results are added to the same lists.
        EarlierResults = [.. Results?.Results ?? Journal?.Results ?? []];
    }

    /// <summary>Reserves the names that are not reserved yet.</summary>
    /// <param name="plan">Tests whose files the outputs must not replace.</param>
    /// <exception cref="IoBenchException">A file was refused; the error has the reasons of all files. Nothing was changed.</exception>
    public void Reserve(IReadOnlyList<IoTestSpecification> plan)
    {
        if (request.ReportPath is { } page)
            IoBench.Reports.Report.CheckName(page);
        var refusals = new List<IoBenchException>();
        if (request.OutputPath is { } path)
            TryReserve(
                () =>
                    Results ??= request.Resume
                        ? ResultOutputFile.Resume(path, request.OutputFormat)
                        : ResultOutputFile.Create(path, request.OutputFormat, request.Force),
                refusals
            );
        if (request.ReportPath is { } report)
        {
            if (Results?.Output.IsSameFile(report) == true)
                throw IoBenchException.Usage(
                    "IoBench.InvalidOutputPath",
                    $"{report} cannot be both the results file and the report.",
                    report
                );
            TryReserve(() => Report ??= ReportFile.Reserve(report, request.Force), refusals);
        }
        TryReserve(() => Metrics ??= MetricsFile.Reserve(request.MetricsPath), refusals);
        if (refusals.Count > 0)
            throw IoBenchException.Combine(refusals);
        foreach (var output in request.IsRemote ? [] : new[] { Results?.Output, Report, Metrics?.Output })
            CheckNotTestFile(output, plan);
    }

    /// <summary>Opens the journal of the run, with the results of the run that is resumed.</summary>
    public void OpenJournal(Action<IoWarning> warn) => Journal ??= RunJournal.Create(warn, EarlierResults);

    /// <summary>Returns the file of the results, then the journal.</summary>
    /// <param name="front">Runs the saves of the file.</param>
    public IReadOnlyList<IResultSink> GetSinks(ISuiteFront? front = null)
    {
        List<IResultSink> sinks = [];
        if (Results is not null)
            sinks.Add(front is null ? Results : new FrontSink(front, Results));
        if (Journal is not null)
            sinks.Add(Journal);
        return sinks;
    }

    /// <summary>Writes the metrics of all results; nothing if they were not requested.</summary>
    /// <param name="rules">Required rule set; null for the rule set of the storage.</param>
    public void WriteMetrics(IReadOnlyList<IoTestResult> results, StorageClass? storage, IoRuleSet? rules = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        if (results.Count > 0)
            Metrics?.WriteResults("run", results, [rules ?? RuleSetChoice.ChooseFor(results, storage).Rules]);
    }

    private static void TryReserve(Action reserve, List<IoBenchException> refusals)
    {
        try
        {
            reserve();
        }
        catch (IoBenchException error) when (error.Kind == IoErrorKind.Refused)
        {
            refusals.Add(error);
        }
    }

    /// <summary>Returns messages about results that were saved under another name. Each is returned once.</summary>
    public IEnumerable<string> TakeNotices() =>
        new[] { Results?.Output.TakeNotice(), Report?.TakeNotice(), Metrics?.Output.TakeNotice() }.OfType<string>();

    /// <summary>Releases the names.</summary>
    public void Dispose()
    {
        Metrics?.Dispose();
        Report?.Dispose();
        Journal?.Dispose();
        Results?.Dispose();
    }

    /// <summary>Replaces <c>{date}</c> with the day (2026-11-21) and <c>{time}</c> with the time (031500).</summary>
    public static string ReplacePlaceholders(string name, DateTime now)
    {
        ArgumentNullException.ThrowIfNull(name);
        return name.Replace("{date}", now.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase)
            .Replace("{time}", now.ToString("HHmmss", CultureInfo.InvariantCulture), StringComparison.OrdinalIgnoreCase);
    }

    public static bool IsReportName(string path) =>
        Path.GetExtension(path).ToUpperInvariant() is ".XLSX" or ".HTML" or ".HTM" or ".SVG" or ".PNG";

    /// <summary>Refuses an output that is a target of the plan, under any name.</summary>
    public static void CheckNotTestFile(OutputFile? output, IEnumerable<IoTestSpecification> plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        if (output is null)
            return;
        // The output file exists, because reserving its name creates it. So the comparison finds it under any path.
        foreach (
            var path in plan.Where(test => !BackendCatalog.IsModeled(test.Backend))
                .SelectMany(test => test.Targets)
                .Select(target => target.Path)
                .Distinct()
        )
        {
            if (TryGetStatus(path) is { } status && output.IsSameFile(status))
                throw IoBenchException.Refused(
                    "IoBench.OutputIsTestFile",
                    $"{path} cannot be both the test file and an output of the run.",
                    path,
                    advice: "Use another name for the output."
                );
        }
    }

    private static FileStatus? TryGetStatus(string path)
    {
        try
        {
            return TargetPath.Resolve(path).Status;
        }
        catch (IoBenchException)
        {
            // The check of the test reports the problem.
            return null;
        }
    }
}

/// <summary>Saves through the front, so that the user is told about a file that does not respond.</summary>
internal sealed class FrontSink(ISuiteFront front, ResultOutputFile file) : IResultSink
{
    public void AddAll(IReadOnlyList<IoTestResult> results) => front.RunToCompletion(file.Output.Path, () => file.AddAll(results));

    public void Flush() => front.RunToCompletion(file.Output.Path, file.Flush);
}
