using IoBench.Cli.Judging;
using IoBench.Cli.Options;
using IoBench.Cli.Output;
using IoBench.Cli.Running;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli.Commands;

/// <summary>Runs a plan: checks everything first, then tests, prints, saves and reports.</summary>
internal sealed class RunCommand(CliConsole console)
{
    /// <summary>Where results go.</summary>
    public required OutputPlan Output { get; init; }
    /// <summary>Only errors on standard error.</summary>
    public bool Quiet { get; init; }
    /// <summary>Say what is really done.</summary>
    public bool Verbose { get; init; }
    /// <summary>Latency bands under each row.</summary>
    public bool Histogram { get; init; }
    /// <summary>Go on with the output file.</summary>
    public bool Resume { get; init; }
    /// <summary>What the results must keep; null = nothing.</summary>
    public Expectations? Expectations { get; init; }
    /// <summary>Says what the results mean and gives the exit code, once all tests are complete; null = nothing more to say.</summary>
    public Func<IReadOnlyList<IoTestResult>, int>? Judge { get; init; }
    /// <summary>Remove test files at the end.</summary>
    public bool RemoveTestFile { get; init; }

    public int Execute(IReadOnlyList<IoTestSpecification> plan)
    {
        CheckFormats(plan);
        var file = OpenOutput();
        if (Resume)
            plan = ResumePlan.Remaining(plan, file!.Results);
        if (plan.Count == 0)
        {
            Say($"{Output.OutputPath} holds every result of this plan: nothing is left to run.");
            WriteReport(file!.Results);
            return Judged(file.Results);
        }

        var progress = new ProgressLine(console.Error, console.ErrorIsTerminal && !Quiet);
        var options = new TestRunOptions { Force = Output.Force, AllowSqlServerRead = Output.Force, Quiet = Quiet, Log = Verbose ? line => Log(progress, line) : null };
        var targets = PlannedTargets.All(plan, options, console);
        if (!Quiet)
            WriteHeader(plan, targets);

        var table = ResultTable.For(plan);
        if (Output.Format is null)
            WriteLines(table.Header());
        var outcome = new SuiteRunner(console, options, progress).Run(plan, result =>
        {
            if (Output.Format is null)
                WriteRow(table, result);
            file?.Add(result);
        }, file?.Results);

        if (Output.Format is { } format)
            ResultWriter.Write(console.Out, outcome.Results, format);
        var all = file?.Results ?? outcome.Results;
        if (!Quiet)
            RunNotes.Write(console, outcome.Results, targets, RemoveTestFile, withVerdict: Judge is null);
        if (all.Count > 0)
            WriteReport(all);
        if (RemoveTestFile)
            PlannedTargets.RemoveOurs(targets);
        return outcome.Cancelled || outcome.Error is not null ? Broken(plan, outcome) : Judged(all);
    }

    private void WriteReport(IReadOnlyList<IoTestResult> results)
        => ReportWriting.Write(console, Output, results, Quiet, Expectations?.Baseline, Expectations?.RulesName);

    private int Judged(IReadOnlyList<IoTestResult> results)
    {
        var exitCode = Judge?.Invoke(results) ?? ExitCodes.Done;
        return Expectations?.Judge(console, results) is { } missed and not ExitCodes.Done ? missed : exitCode;
    }

    /// <summary>SQLIO's text has no words for some patterns: said before the tests, not after them.</summary>
    private void CheckFormats(IReadOnlyList<IoTestSpecification> plan)
    {
        if (Output.Format != ResultFormat.Sqlio && Output.OutputFormat != ResultFormat.Sqlio)
            return;
        if (plan.FirstOrDefault(test => test.Operation == IoOperation.Mixed || test.AccessPattern == IoAccessPattern.PartRandom || test.BlockSize % 1024 != 0) is { } test)
            throw IoBenchException.Usage("IoBench.NotRepresentable", $"--format sqlio: SQLIO's text has no words for {PatternText.Of(test)}. Use --format json, csv or diskspd.");
    }

    private ResultFile? OpenOutput()
    {
        if (Resume && Output.OutputPath is null)
            throw IoBenchException.Usage("IoBench.Usage", "--resume needs --output: the file whose results are not run again.");
        if (Resume && Output.OutputFormat != ResultFormat.Json)
            throw IoBenchException.Usage("IoBench.Usage", $"--resume needs a JSON file: {Output.OutputPath} does not tell what was asked for.");
        Output.Resume = Resume;
        Output.CheckPaths();
        if (Output.OutputPath is null)
            return null;
        return Resume
            ? ResultFile.Resume(Output.OutputPath, Output.OutputFormat!.Value)
            : new ResultFile(Output.OutputPath, Output.OutputFormat!.Value);
    }

    private void WriteHeader(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<PlannedTarget> targets)
    {
        var estimate = TestPlan.Estimate(plan, targets.Sum(t => t.BytesToMake));
        console.Error.WriteLine();
        foreach (var line in RunHeader.Of([.. targets.Select(t => t.Target)], plan, estimate))
            console.Error.WriteLine(line);
        console.Error.WriteLine();
    }

    private void WriteRow(ResultTable table, IoTestResult result)
    {
        console.Out.WriteLine(table.Row(result));
        if (!Histogram)
            return;
        console.Out.WriteLine();
        WriteLines(ResultText.Of(result));
        console.Out.WriteLine();
    }

    /// <summary>A suite that was cancelled or failed: says how far it came.</summary>
    private int Broken(IReadOnlyList<IoTestSpecification> plan, SuiteOutcome outcome)
    {
        var complete = outcome.Results.Count(r => r.Status == IoResultStatus.Complete);
        var kept = Output.OutputPath is null ? "" : $" and {(complete == 1 ? "is" : "are")} kept in {Output.OutputPath}";
        var finished = plan.Count == 1 ? "" : $" {complete} of {plan.Count} tests {(complete == 1 ? "was" : "were")} finished{kept}.";
        if (outcome.Cancelled)
        {
            App.WriteError(console, $"cancelled.{finished}");
            return ExitCodes.Cancelled;
        }
        App.WriteError(console, outcome.Error!.Message + finished);
        return outcome.Results.Count == 0 ? outcome.Error.ExitCode : ExitCodes.Failed;
    }

    private void Say(string line)
    {
        if (!Quiet)
            console.Error.WriteLine(line);
    }

    private void Log(ProgressLine progress, string line)
    {
        // Called from the run's thread; whole lines, so nothing interleaves within one.
        progress.Clear();
        console.Error.WriteLine(line);
    }

    private void WriteLines(IEnumerable<string> lines)
    {
        foreach (var line in lines)
            console.Out.WriteLine(line);
    }
}
