using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class LimitCommand
{
    public static Command Create(CliConsole console)
    {
        var plan = new PlanOptions(OptionTables.LimitTest.Where(row => row.Name != Opt.Force.Name));
        var search = new RowOptions(OptionTables.LimitSearch);
        var output = new OutputOptions();
        var quiet = OptionText.CreateFlag(
            "--quiet",
            "Nothing on standard error but errors and the notice of a large file whose size was not given.",
            "-q"
        );
        var command = new Command("limit", "Finds the highest rate that keeps a limit on latency, such as p99 of at most 5 ms.");
        search.AddTo(command);
        plan.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = search.Read(parsed);
            var request = plan.Read(parsed);
            if (request.Paths.Count == 0)
                throw plan.NoPath(IoCommand.Limit);
            return Search(
                console,
                output.Read(parsed, DateTime.Now),
                LimitPlan.Create(values, request),
                request.Suite,
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static int Search(CliConsole console, OutputPlan output, LimitPlan plan, SuiteSettings settings, bool quiet)
    {
        if (output.Format is not (null or ResultFormat.Json))
            throw IoBenchException.Usage(
                "IoBench.Usage",
                $"{new OptionName("Format")}: limit prints a table or json; {Opt.OutputPath} keeps its runs in other formats."
            );
        using var outputs = output.Open(console, [plan.Test]);
        if (output.HasFile)
            console.ResultsAreInAFile();
        console.TestsBegin();
        var suite = new ConsoleSuite(console, new ProgressLine(console.Error, console.ErrorIsTerminal && !quiet)) { IsQuiet = quiet };
        settings.Force = output.Force;
        var approval = SuiteApproval.Create([plan.Test], settings, suite, endsAtFirst: true);
        if (approval.Refusals.Count > 0)
            throw approval.Refusals[0].Error;
        if (!quiet)
        {
            console.Error.WriteLine();
            foreach (
                var line in RunHeader.Of(
                    [.. approval.Targets.Select(t => t.Target)],
                    [plan.Test],
                    LimitRunner.Estimate(plan, approval),
                    isMost: true
                )
            )
                console.Error.WriteLine(line);
            console.Error.WriteLine();
        }
        foreach (var line in NewFileNotice.Of(approval.Targets, sizeIsGiven: plan.Test.FileSize is not null))
            console.Error.WriteLine(line.Render(console.Spelling));
        var table = new TextTable(
            [
                .. new[] { "Asked IOPS", "IOPS", plan.Limit.Name == "p99" ? "P99 ms" : "Avg ms", "Limit" }.Select(
                    (h, i) => new TableColumn(h, i == 3 ? 7 : 10, IsNumber: i < 3)
                ),
            ],
            120
        );
        if (output.Format is null)
            foreach (var line in table.Header())
                console.Out.WriteLine(line);
        using var journal = RunJournal.Begin(_ => { }, []);
        var runner = new SuiteRunner(suite) { IsQuiet = quiet, Sinks = ResultSinks.Of(outputs.Results, journal) };
        var found = LimitRunner.Find(
            plan,
            approval,
            runner,
            probe =>
            {
                ReportWriting.TellNotices(console, outputs);
                if (output.Format is null)
                    console.Out.WriteLine(
                        table.Line([
                            Number(probe.TargetIops) ?? "all",
                            Number(probe.IOPS),
                            probe.LatencyMs?.ToString("0.000", CultureInfo.InvariantCulture),
                            probe.TargetIops is null ? ""
                            : probe.Kept ? "kept"
                            : "missed",
                        ])
                    );
            },
            console.Cancelled
        );
        if (output.Format is ResultFormat.Json)
            console.Json.WriteLine(AnswerJson.Write(new[] { found }));
        if (!quiet)
            console.Error.WriteLine();
        // The result is printed even with --quiet.
        console.Error.WriteLine(found.Summary);
        if (!quiet)
            RunNotes.Write(console, [.. found.Probes.Select(p => p.Result)], approval.Targets, removed: false, withVerdict: false);
        ReportWriting.Write(console, output, outputs, [.. found.Probes.Select(p => p.Result)], quiet);
        return found.Outcome switch
        {
            LimitOutcome.NeverKept => ExitCodes.Missed,
            LimitOutcome.Interrupted => console.Cancelled.IsCancellationRequested ? ExitCodes.Cancelled : ExitCodes.Failed,
            _ => ExitCodes.Done,
        };
    }

    private static string? Number(double? value) => value?.ToString(value >= 100 ? "#,##0" : "0.#", CultureInfo.InvariantCulture);
}
