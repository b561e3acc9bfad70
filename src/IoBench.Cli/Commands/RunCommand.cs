using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary><c>iobench run</c>. Other commands also run their tests with this class.</summary>
internal sealed class RunCommand(CliConsole console)
{
    private bool _hasHeader;

    public required OutputPlan Output { get; init; }

    public bool Quiet { get; init; }

    public bool Verbose { get; init; }

    public OptionValues? Shown { get; init; }

    public bool Resume { get; init; }

    public Expectations? Expectations { get; init; }

    /// <summary>
    /// Prints the meaning of the results and returns the exit code. Called only if all tests are complete; null if there is nothing to
    /// print.
    /// </summary>
    public Func<IReadOnlyList<IoTestResult>, int>? Judge { get; init; }

    public IReadOnlyList<string> EraseDevices { get; init; } = [];

    /// <summary>Address of the write witness of a verification test; null for none.</summary>
    public string? Witness { get; init; }

    public bool RequiresRate { get; init; }

    public bool RemoveTestFile { get; init; }

    public bool SizeIsGiven { get; init; }

    public int Execute(IReadOnlyList<IoTestSpecification> plan)
    {
        CheckFormats(plan);
        CheckResume();
        using var files = Output.Open(console, plan);
        if (Output.HasFile)
            console.ResultsAreInAFile();
        using var last = Resume && files.Results is null ? RunJournal.Resume(plan, TellJournal) : null;
        // Copy the lists, because later results are added to the originals.
        IReadOnlyList<IoTestResult> earlier = [.. files.Results?.Results ?? last?.Results ?? []];
        if (Resume)
            plan = Remaining(plan, earlier);
        if (plan.Count == 0)
        {
            Say($"{Output.OutputPath ?? last!.Path} holds every result of this plan: nothing is left to run.");
            WriteReport(files, earlier);
            return Judged(earlier);
        }
        console.TestsBegin();
        return Run(plan, files, last, earlier);
    }

    private IReadOnlyList<IoTestSpecification> Remaining(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<IoTestResult> earlier)
    {
        var left = ResumePlan.Remaining(plan, earlier);
        if (left.Count > 0)
            Say(ResumePlan.Words(plan.Count, left.Count));
        return left;
    }

    private int Run(IReadOnlyList<IoTestSpecification> plan, RunOutputs files, RunJournal? last, IReadOnlyList<IoTestResult> earlier)
    {
        var table = ResultTable.For(plan);
        var suite = new ConsoleSuite(console, new ProgressLine(console.Error, console.ErrorIsTerminal && !Quiet))
        {
            Verbose = Verbose,
            IsQuiet = Quiet,
            Emit = result =>
            {
                if (Output.Format is null)
                    WriteRow(table, result);
                ReportWriting.TellNotices(console, files);
            },
        };
        var approval = SuiteApproval.Create(
            plan,
            new SuiteSettings
            {
                Force = Output.Force,
                EraseDevices = [.. EraseDevices],
                Witness = Witness,
            },
            suite,
            endsAtFirst: true
        );
        if (approval.Refusals.Count > 0)
            throw approval.Refusals[0].Error;
        if (!Quiet)
            WriteHeader(approval);
        WriteErrorLines(
            NewFileNotice
                .Of(approval.Targets, SizeIsGiven)
                .Concat(PreconditionNotice.Of(approval))
                .Select(notice => notice.Render(console.Spelling))
        );
        using var journal = last ?? RunJournal.Begin(TellJournal, earlier);
        try
        {
            var outcome = new SuiteRunner(suite)
            {
                IsQuiet = Quiet,
                RequiresRate = RequiresRate,
                Sinks = ResultSinks.Of(files.Results, journal, sink => new HeardSink(console, files.Results!.Output.Path, sink)),
            }.Run(approval, earlier, console.Cancelled);
            return End(approval, outcome, files, journal, [.. earlier, .. outcome.Results]);
        }
        finally
        {
            if (RemoveTestFile)
                RemoveFiles(approval);
        }
    }

    private int End(SuiteApproval approval, SuiteOutcome outcome, RunOutputs files, RunJournal? journal, IReadOnlyList<IoTestResult> all)
    {
        if (Output.Format is { } format)
            ResultWriter.Write(console.DataOf(format), outcome.Results, format);
        HeatMapText.Write(console, Shown, outcome.Results, Output);
        IntegrityLines.Write(console, outcome.Results);
        ReportWriting.TellNotices(console, files);
        if (!Quiet)
            RunNotes.Write(console, outcome.Results, approval.Targets, RemoveTestFile, withVerdict: Judge is null, Output.Storage);
        if (all.Count > 0)
            WriteReport(files, all);
        if (console.OutputLost is { } lost)
            Say($"Note: standard output could not be written ({lost}); the results are in {Output.OutputPath ?? Output.ReportPath}.");
        var exitCode =
            outcome.IsCancelled || outcome.Failures.Any(failure => failure.Result?.Status != IoResultStatus.Complete)
                ? Broken(approval.Tests.Count, outcome, journal)
                : Judged(all);
        return exitCode == ExitCodes.Done && (outcome.IsRateMissed || !outcome.IsSaved) ? ExitCodes.Failed : exitCode;
    }

    private void RemoveFiles(SuiteApproval approval)
    {
        foreach (var fate in TestFileCare.RemoveOwn(approval.Targets))
            if (fate.Error is not null)
                App.WriteError(console, fate.Text);
    }

    private void TellJournal(IoWarning warning)
    {
        if (Verbose)
            console.Error.WriteLine($"Note: {warning.Text.Render(console.Spelling)}");
    }

    private void WriteReport(RunOutputs files, IReadOnlyList<IoTestResult> results) =>
        ReportWriting.Write(console, Output, files, results, Quiet, Expectations?.Baseline, Expectations?.RulesName);

    private int Judged(IReadOnlyList<IoTestResult> results)
    {
        var exitCode = Judge?.Invoke(results) ?? ExitCodes.Done;
        if (Expectations?.Judge(results) is not { } judgement)
            return exitCode;
        foreach (var note in Quiet ? [] : judgement.Notes)
            console.Error.WriteLine($"Note: {note}");
        // With --quiet, print only requirements that were not met, because they explain exit code 3.
        foreach (var line in Quiet && !judgement.IsMissed ? [] : judgement.Lines)
            console.Error.WriteLine(line);
        return judgement.IsMissed ? ExitCodes.Missed : exitCode;
    }

    /// <summary>SQLIO's and DiskSpd's formats cannot represent some patterns. Checked before the tests, not after them.</summary>
    private void CheckFormats(IReadOnlyList<IoTestSpecification> plan)
    {
        if (
            new[] { Output.Format, Output.OutputFormat }.FirstOrDefault(format => format is ResultFormat.DiskSpd or ResultFormat.DiskSpdXml)
                is { } diskSpd
            && plan.Select(DiskSpdWords.Lacks).FirstOrDefault(words => words is not null) is { } lacking
        )
            throw IoBenchException.Usage(
                "IoBench.NotRepresentable",
                $"{new OptionName("Format", diskSpd == ResultFormat.DiskSpd ? "diskspd" : "diskspd-xml")}: DiskSpd has no words for {lacking}.",
                advice: $"Use {new OptionName("Format", "json")}, csv or fio."
            );
        if (Output.Format != ResultFormat.Sqlio && Output.OutputFormat != ResultFormat.Sqlio)
            return;
        if (plan.Select(SqlioWords.Lacks).FirstOrDefault(words => words is not null) is { } missing)
            throw IoBenchException.Usage(
                "IoBench.NotRepresentable",
                $"{new OptionName("Format", "sqlio")}: SQLIO's text has no words for {missing}.",
                advice: $"Use {new OptionName("Format", "json")} or csv."
            );
    }

    private void CheckResume()
    {
        if (Resume && Output.OutputPath is not null && Output.OutputFormat != ResultFormat.Json)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{Opt.Resume} needs a JSON file: {Output.OutputPath} does not say what was asked for."
            );
        Output.Resume = Resume;
    }

    private void WriteHeader(SuiteApproval approval)
    {
        console.Error.WriteLine();
        foreach (var line in RunHeader.Of([.. approval.Targets.Select(t => t.Target)], approval.Tests, approval.Estimate))
            console.Error.WriteLine(line);
        console.Error.WriteLine();
    }

    private void WriteRow(ResultTable table, IoTestResult result)
    {
        // Print the header with the first row, because a test that is refused during preparation has no row.
        if (!_hasHeader)
            WriteLines(table.Header());
        _hasHeader = true;
        console.Out.WriteLine(table.Row(result));
        if (Shown?.Has(new("Histogram")) != true)
            return;
        console.Out.WriteLine();
        WriteLines(ResultText.Of(result));
        console.Out.WriteLine();
    }

    private int Broken(int count, SuiteOutcome outcome, RunJournal? journal)
    {
        var complete = outcome.CompleteCount;
        IoText kept =
            Output.OutputPath is { } file ? $" and {(complete == 1 ? "is" : "are")} kept in {file}"
            : journal is not null && complete > 0
                ? (IoText)$" and {(complete == 1 ? "is" : "are")} kept: {IoCommand.Import} {new OptionName("Last")}"
            : "";
        IoText finished = count == 1 ? "" : $" {complete} of {count} tests {(complete == 1 ? "was" : "were")} finished{kept}.";
        if (outcome.IsCancelled)
        {
            IoText hung = outcome.Failures.FirstOrDefault(failure => failure.Result?.Status == IoResultStatus.Cancelled) is { } failure
                ? (IoText)$" {failure.Error.Text}"
                : "";
            App.WriteError(console, $"cancelled.{finished}{hung}");
            return ExitCodes.Cancelled;
        }
        if (count > 1)
            App.WriteError(console, $"not all tests could be run.{finished}");
        return outcome.Results.Count == 0 ? outcome.Failures[0].Error.ExitCode : ExitCodes.Failed;
    }

    private void Say(string line)
    {
        if (!Quiet)
            console.Error.WriteLine(line);
    }

    private void WriteErrorLines(IEnumerable<string> lines)
    {
        foreach (var line in lines)
            console.Error.WriteLine(line);
    }

    private void WriteLines(IEnumerable<string> lines)
    {
        foreach (var line in lines)
            console.Out.WriteLine(line);
    }
}
