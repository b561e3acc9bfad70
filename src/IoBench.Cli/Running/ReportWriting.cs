namespace IoBench.Cli.Running;

/// <summary>Writes what an <see cref="OutputPlan"/> asks for, once the results are there.</summary>
internal static class ReportWriting
{
    /// <summary>The report, and a line that says where it is.</summary>
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

    /// <summary>Says where results are that could not go where they were to.</summary>
    public static void TellNotices(CliConsole console, RunOutputs files)
    {
        foreach (var notice in files.TakeNotices())
            App.WriteError(console, notice);
    }
}
