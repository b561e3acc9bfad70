using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary><c>iobench run</c>. Other commands also run their tests with this class.</summary>
internal sealed class RunCommand(CliConsole console)
{
    private bool _hasHeader;

    public required OutputDestinations Output { get; init; }

    public required SuiteSettings Settings { get; init; }

    public bool IsQuiet { get; init; }

    public bool IsVerbose { get; init; }

    public OptionValues? DisplayOptions { get; init; }

    public Expectations? Expectations { get; init; }

    /// <summary>Prints the meaning of complete results and returns the exit code; null if there is nothing to print.</summary>
    public Func<IReadOnlyList<IoTestResult>, int>? ResultEvaluator { get; init; }

    /// <summary>Shows verdict, checked reads, and errors by kind instead of rates and latencies.</summary>
    public bool ShowsIntegrity { get; init; }

    public int Execute(IReadOnlyList<IoTestSpecification> plan)
    {
        CheckFormats(plan);
        CheckResume();
        if (Output.HasFile)
            console.MarkResultsSaved();
        console.RequireOutput();
        var table = ShowsIntegrity ? ResultTable.CreateIntegrity(plan, console.TableWidth) : ResultTable.Create(plan, console.TableWidth);
        Suite? suite = null;
        var front = new ConsoleSuiteFront(console, IsQuiet)
        {
            IsVerbose = IsVerbose,
            ResultHandler = result =>
            {
                if (Output.Format is null)
                    WriteRow(table, result);
                OutputDestinations.WriteNotices(console, suite!.Outputs);
            },
        };
        using (suite = Suite.Prepare(plan, Settings, Output, front, isQuiet: IsQuiet))
        {
            if (!suite.IsComplete)
                return RunTests(suite);
            var outputs = suite.Outputs;
            WriteErrorLine(
                $"{Output.OutputPath ?? outputs.Journal!.Path} contains the results of all planned tests, so there is nothing to run."
            );
            WriteReport(outputs, outputs.EarlierResults);
            OutputDestinations.WriteMetrics(console, Output, outputs, outputs.EarlierResults, Expectations?.Rules);
            return EvaluateResults(outputs.EarlierResults);
        }
    }

    private int RunTests(Suite suite)
    {
        try
        {
            var outcome = suite.Run(console.CancellationToken);
            return FinishRun(suite, outcome, [.. suite.Outputs.EarlierResults, .. outcome.Results]);
        }
        finally
        {
            if (Settings.RemoveTestFile)
                foreach (var removal in suite.CleanUp().Where(removal => removal.Error is not null))
                    App.WriteError(console, removal.Text);
        }
    }

    private int FinishRun(Suite suite, SuiteOutcome outcome, IReadOnlyList<IoTestResult> all)
    {
        var files = suite.Outputs;
        if (Output.Format is { } format)
            ResultWriter.Write(console.GetDataWriter(format), outcome.Results, format);
        RunMessages.WriteHeatMaps(console, DisplayOptions, outcome.Results, Output);
        RunMessages.WriteIntegrity(console, outcome.Results);
        OutputDestinations.WriteNotices(console, files);
        if (!IsQuiet)
            RunMessages.WriteNotes(
                console,
                outcome.Results,
                suite.Targets,
                Settings.RemoveTestFile,
                withVerdict: ResultEvaluator is null,
                Output.ReportOptions.Storage,
                hasRequirement: Expectations?.Rules is not null
            );
        if (all.Count > 0)
        {
            WriteReport(files, all);
            OutputDestinations.WriteMetrics(console, Output, files, all, Expectations?.Rules);
        }
        if (console.OutputFailure is { } lost)
            WriteErrorLine(
                $"Note: IoBench could not write to standard output ({lost}). The results are in {Output.OutputPath ?? Output.ReportPath}."
            );
        var exitCode =
            outcome.IsCancelled || outcome.Failures.Any(failure => failure.Result?.Status != IoResultStatus.Complete)
                ? ReportIncomplete(suite.Tests.Count, outcome, files.Journal)
                : EvaluateResults(all);
        if (exitCode == ExitCodes.Success && (outcome.IsRateMissed || !outcome.IsSaved))
            return ExitCodes.Failed;
        var unverified = SuiteSummary.DescribeUnverified(outcome.Results);
        foreach (var line in IsQuiet || ResultEvaluator is not null ? unverified : [])
            console.Error.WriteLine(line);
        return exitCode == ExitCodes.Success && unverified.Count > 0 ? ExitCodes.RequirementNotMet : exitCode;
    }

    private void WriteReport(RunOutputs files, IReadOnlyList<IoTestResult> results) =>
        OutputDestinations.WriteReport(console, Output, files, results, IsQuiet, Expectations?.Baseline, Expectations?.RulesName);

    private int EvaluateResults(IReadOnlyList<IoTestResult> results)
    {
        var exitCode = ResultEvaluator?.Invoke(results) ?? ExitCodes.Success;
        if (Expectations?.Evaluate(results) is not { } rated)
            return exitCode;
        foreach (var note in IsQuiet ? [] : rated.Notes)
            console.Error.WriteLine($"Note: {note}");
        // With --quiet, print only requirements that were not met, because they explain exit code 3.
        foreach (var line in IsQuiet && !rated.IsFailed ? [] : rated.Lines)
            console.Error.WriteLine(line);
        return rated.IsFailed ? ExitCodes.RequirementNotMet : exitCode;
    }

    /// <summary>SQLIO's and DiskSpd's formats cannot represent some patterns. Checked before the tests, not after them.</summary>
    private void CheckFormats(IReadOnlyList<IoTestSpecification> plan)
    {
        if (
            new[] { Output.Format, Output.OutputFormat }.FirstOrDefault(format => format is ResultFormat.DiskSpd or ResultFormat.DiskSpdXml)
                is { } diskSpd
            && plan.Select(DiskSpdSupport.FindUnsupportedFeature).FirstOrDefault(words => words is not null) is { } lacking
        )
        {
            var format = new OptionName("Format", diskSpd == ResultFormat.DiskSpd ? "diskspd" : "diskspd-xml");
            throw IoBenchException.Usage(
                "IoBench.NotRepresentable",
                $"{format}: the output of DiskSpd cannot represent {lacking}.",
                advice: $"Use {new OptionName("Format", "json")}, csv, or fio."
            );
        }
        if (Output.Format != ResultFormat.Sqlio && Output.OutputFormat != ResultFormat.Sqlio)
            return;
        if (plan.Select(SqlioFormat.FindUnsupportedFeature).FirstOrDefault(words => words is not null) is { } missing)
            throw IoBenchException.Usage(
                "IoBench.NotRepresentable",
                $"{new OptionName("Format", "sqlio")}: the output of SQLIO cannot represent {missing}.",
                advice: $"Use {new OptionName("Format", "json")} or csv."
            );
    }

    private void CheckResume()
    {
        if (Settings.Resume && Output.OutputPath is not null && Output.OutputFormat != ResultFormat.Json)
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{OptionNames.Resume} requires a JSON file, because other formats do not contain the settings of the tests. {Output.OutputPath} is not a JSON file."
            );
        Output.Resume = Settings.Resume;
    }

    private void WriteRow(ResultTable table, IoTestResult result)
    {
        // Print the header with the first row, because a test that is refused during preparation has no row.
        if (!_hasHeader)
            WriteLines(table.FormatHeader());
        _hasHeader = true;
        console.Out.WriteLine(table.FormatRow(result));
        if (DisplayOptions?.Has(new("Histogram")) != true)
            return;
        console.Out.WriteLine();
        WriteLines(ResultDetailFormatter.FormatResult(result));
        console.Out.WriteLine();
    }

    private int ReportIncomplete(int count, SuiteOutcome outcome, RunJournal? journal)
    {
        var complete = outcome.CompleteCount;
        IoMessage kept =
            Output.OutputPath is { } file ? $" and saved in {file}"
            : journal is not null && complete > 0 ? (IoMessage)$". To read the results: {IoCommand.Import} {new OptionName("Last")}"
            : "";
        IoMessage finished = count == 1 ? "" : (IoMessage)$" {complete} of {count} tests {(complete == 1 ? "is" : "are")} complete{kept}.";
        if (outcome.IsCancelled)
        {
            IoMessage hung = outcome.Failures.FirstOrDefault(failure => failure.Result?.Status == IoResultStatus.Cancelled) is { } failure
                ? (IoMessage)$" {failure.Error.Text}"
                : "";
            App.WriteError(console, $"Canceled.{finished}{hung}");
            return ExitCodes.Canceled;
        }
        if (count > 1)
            App.WriteError(console, $"Some tests could not run.{finished}");
        return outcome.Results.Count == 0 ? outcome.Failures[0].Error.ExitCode : ExitCodes.Failed;
    }

    private void WriteErrorLine(string line)
    {
        if (!IsQuiet)
            console.Error.WriteLine(line);
    }

    private void WriteLines(IEnumerable<string> lines)
    {
        foreach (var line in lines)
            console.Out.WriteLine(line);
    }

    public static Command Create(CliConsole console)
    {
        // The output options have their own --force.
        var plan = new CommandOptionSet(
            OptionTables.Run.Where(row => row.Name != OptionNames.Force.Name).Except(OptionTables.Rating),
            $"{CommandOptionSet.PathDescription}. Several paths are tested one after the other (see --path-mode)."
        );
        var output = new OutputOptions(hasMetrics: true);
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Print only results, errors, and a notice if IoBench will create a large file or precondition the storage.",
            "-q"
        );
        var verbose = OptionParsing.CreateFlag("--verbose", "Print details: file, backend, open flags.", "-v");
        var shown = new CommandOptionSet(OptionTables.Shown);

        var expected = new CommandOptionSet(OptionTables.Expectations);
        var command = new Command("run", "Test storage with SQL Server workloads or your own I/O pattern.");
        var member = new CommandOptionSet(OptionTables.Member);
        plan.AddTo(command, twoPages: true);
        member.AddTo(command, twoPages: true);
        output.AddTo(command);
        expected.AddTo(command);
        shown.AddTo(command);
        command.Add(quiet);
        command.Add(verbose);

        command.SetAction(parsed =>
        {
            var request = plan.ReadRequest(parsed);
            if (FleetCommand.TryRunMember(console, member.ReadValues(parsed), request) is { } done)
                return done;
            if (request is { Paths.Count: 0, Roles.IsEmpty: true, Specifications.Count: 0 })
                throw plan.CreateMissingPathError(IoCommand.Run);
            var made = TestPlanner.Create(request);
            if (!parsed.GetValue(quiet))
                foreach (var line in request.CapturedWorkload?.Lines ?? [])
                    console.Error.WriteLine(line);
            foreach (var warning in parsed.GetValue(quiet) ? [] : made.Warnings)
                console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
            var results = output.ReadTargets(parsed, DateTime.Now);
            var run = new RunCommand(console)
            {
                Output = results,
                IsQuiet = parsed.GetValue(quiet),
                IsVerbose = parsed.GetValue(verbose),
                DisplayOptions = shown.ReadValues(parsed),
                Settings = request.Suite,
                Expectations = Expectations.Create(expected.ReadValues(parsed)),
                ResultEvaluator =
                    request.CapturedWorkload is not null
                        ? runs => AnalysisTables.WriteObservedLatency(console, runs, results.Format is null)
                    : request.Roles.IsEmpty ? null
                    : runs => AnalysisTables.WriteRoleInterference(console, runs, results.Format is null),
            };
            return run.Execute(made.Tests);
        });
        return command;
    }
}
