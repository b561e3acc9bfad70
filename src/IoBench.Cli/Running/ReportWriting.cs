using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Engine;
using IoBench.Reports;

namespace IoBench.Cli.Running;

/// <summary>Writes what an <see cref="OutputPlan"/> asks for, once the results are there.</summary>
internal static class ReportWriting
{
    /// <summary>The report, and a line that says where it is.</summary>
    public static void Write(CliConsole console, OutputPlan output, IReadOnlyList<IoTestResult> results, bool quiet,
        IReadOnlyList<IoTestResult>? baseline = null, string? ruleSet = null)
    {
        if (output.ReportPath is null)
            return;
        var options = new ReportOptions { Title = output.Title, NoSummary = output.NoSummary, Force = output.Force, Baseline = baseline };
        if (ruleSet is not null)
            options.RuleSet = ruleSet;
        Report.Write(output.ReportPath, results, options);
        if (!quiet)
            console.Error.WriteLine($"{output.ReportPath}: report of {results.Count} result{(results.Count == 1 ? "" : "s")}");
    }
}
