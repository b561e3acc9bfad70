using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Result, report, and metrics files of a run. Their names are reserved before the first test.</summary>
public sealed class RunOutputs : IDisposable
{
    private RunOutputs(ResultOutputFile? results, ReportFile? report, MetricsFile? metrics)
    {
        Results = results;
        Report = report;
        Metrics = metrics;
    }

    public ResultOutputFile? Results { get; }

    public ReportFile? Report { get; }

    public MetricsFile? Metrics { get; }

    /// <exception cref="IoBenchException">A file was refused; the error has the reasons of all files. Nothing was changed.</exception>
    public static RunOutputs Reserve(
        string? results,
        ResultFormat format,
        bool resume,
        string? report,
        bool replace,
        IReadOnlyList<IoTestSpecification> plan,
        string? metrics = null
    )
    {
        ResultOutputFile? file = null;
        ReportFile? page = null;
        MetricsFile? monitored = null;
        try
        {
            if (report is not null)
                IoBench.Reports.Report.CheckName(report);
            var refusals = new List<IoBenchException>();
            if (results is not null)
                TryReserve(
                    () => file = resume ? ResultOutputFile.Resume(results, format) : ResultOutputFile.Create(results, format, replace),
                    refusals
                );
            if (report is not null && file?.Output.IsSameFile(report) == true)
                throw IoBenchException.Usage(
                    "IoBench.InvalidOutputPath",
                    $"{report} cannot be both the results file and the report.",
                    report
                );
            if (report is not null)
                TryReserve(() => page = ReportFile.Reserve(report, replace), refusals);
            TryReserve(() => monitored = MetricsFile.Reserve(metrics), refusals);
            if (refusals.Count > 0)
                throw IoBenchException.Combine(refusals);
            RunOutputs.CheckNotTestFile(file?.Output, plan);
            RunOutputs.CheckNotTestFile(page?.Output, plan);
            RunOutputs.CheckNotTestFile(monitored?.Output, plan);
            return new RunOutputs(file, page, monitored);
        }
        catch
        {
            monitored?.Dispose();
            page?.Dispose();
            file?.Dispose();
            throw;
        }
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
        new[] { Results?.Output.TakeNotice(), Report?.Output.TakeNotice(), Metrics?.Output.TakeNotice() }.OfType<string>();

    /// <summary>Releases the names.</summary>
    public void Dispose()
    {
        Metrics?.Dispose();
        Report?.Dispose();
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
