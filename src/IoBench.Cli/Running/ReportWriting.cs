using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class ReportWriting
{
    public static void Write(
        CliConsole console,
        OutputPlan output,
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
            Bought = output.Bought,
        };
        if (ruleSet is not null)
            options.RuleSet = ruleSet;
        FileLook.Finish(console, files.Report.Output.Path, () => files.Report.Write(results, options));
        TellNotices(console, files);
        if (!quiet)
            console.Error.WriteLine($"{output.ReportPath}: report of {Figures.Counted(results.Count, "result")}");
    }

    /// <summary>Reports results that were written to another file than the specified one.</summary>
    public static void TellNotices(CliConsole console, RunOutputs files)
    {
        foreach (var notice in files.TakeNotices())
            App.WriteError(console, notice);
    }
}
