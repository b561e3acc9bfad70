using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class OutputTargets
{
    public static void WriteReport(
        CliConsole console,
        OutputTargets output,
        RunOutputs files,
        IReadOnlyList<IoTestResult> results,
        bool quiet,
        IReadOnlyList<IoTestResult>? baseline = null,
        string? ruleSet = null
    )
    {
        if (files.Report is null)
            return;
        var options = new ReportOptions
        {
            Title = output.Title,
            NoSummary = output.NoSummary,
            Classic = output.Classic,
            Baseline = baseline,
            Storage = output.Storage,
            Bought = output.ProvisionedStorage,
        };
        if (ruleSet is not null)
            options.RuleSet = ruleSet;
        CancellableFileCall.RunToCompletion(console, files.Report.Output.Path, () => files.Report.Write(results, options));
        WriteNotices(console, files);
        if (!quiet)
            console.Error.WriteLine($"{output.ReportPath}: report of {NumberFormat.Pluralize(results.Count, "result")}");
    }

    /// <summary>Reports results that were written to another file than the specified one.</summary>
    public static void WriteNotices(CliConsole console, RunOutputs files)
    {
        foreach (var notice in files.TakeNotices())
            App.WriteError(console, notice);
    }
}
