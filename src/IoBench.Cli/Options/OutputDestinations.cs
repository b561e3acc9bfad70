using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal sealed class OutputDestinations : OutputRequest
{
    /// <summary>Format on standard output; null for the table.</summary>
    public ResultFormat? Format { get; init; }

    /// <summary>Appearance and rating of the report.</summary>
    public ReportOptions ReportOptions { get; init; } = new();

    public IReadOnlyList<string> ErrorLogPaths { get; init; } = [];

    public bool HasFile => OutputPath is not null || ReportPath is not null;

    /// <summary>Opens the files before anything runs. The caller disposes the result.</summary>
    public RunOutputs OpenFiles(CliConsole console) => CancellableFileCall.Run(console, DescribePaths(), () => RunOutputs.Reserve(this));

    public static void WriteReport(
        CliConsole console,
        OutputDestinations output,
        RunOutputs files,
        IReadOnlyList<IoTestResult> results,
        bool quiet,
        IReadOnlyList<IoTestResult>? baseline = null,
        string? ruleSet = null
    )
    {
        if (files.Report is not { } report)
            return;
        var options = output.ReportOptions;
        options.Baseline = baseline;
        if (ruleSet is not null)
            options.RuleSet = ruleSet;
        CancellableFileCall.RunToCompletion(console, report.Path, () => ReportFile.Write(report, results, options));
        WriteNotices(console, files);
        if (!quiet)
            console.Error.WriteLine($"Report saved: {output.ReportPath} ({NumberFormat.Pluralize(results.Count, "result")})");
    }

    /// <summary>Saves a report that has no results of tests; nothing if it was not requested.</summary>
    public static void SaveReport(CliConsole console, OutputFile? report, Action<OutputFile> save, bool quiet = false)
    {
        if (report is null)
            return;
        CancellableFileCall.RunToCompletion(console, report.Path, () => save(report));
        if (!quiet)
            console.Error.WriteLine($"Report saved: {report.Path}");
    }

    /// <summary>Writes the metrics of a run; nothing if they were not requested.</summary>
    /// <param name="rules">Required rule set; null for the rule set of the storage type.</param>
    public static void WriteMetrics(
        CliConsole console,
        OutputDestinations output,
        RunOutputs files,
        IReadOnlyList<IoTestResult> results,
        IoRuleSet? rules
    )
    {
        if (files.Metrics is not { } metrics)
            return;
        CancellableFileCall.RunToCompletion(
            console,
            metrics.Output.Path,
            () => files.WriteMetrics(results, output.ReportOptions.Storage, rules)
        );
        WriteNotices(console, files);
    }

    /// <summary>Reports results that were written to another file than the specified one.</summary>
    public static void WriteNotices(CliConsole console, RunOutputs files)
    {
        foreach (var notice in files.TakeNotices())
            App.WriteError(console, notice);
    }
}
