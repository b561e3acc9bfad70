using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class DrillCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "New file, file that IoBench created, or folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Drill);
        var format = OptionParsing.CreateOption("--format", "table|jsonl", "Output: a table at the end, or one line of JSON per event.");
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only the result and errors.", "-q");
        var command = new Command("drill", "Run a steady load during a failover, and report outages, the longest I/O, and errors.")
        {
            path,
        };
        options.AddTo(command);
        command.Add(format);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            return RunDrill(
                console,
                DrillPlan.Create(parsed.GetValue(path)!, values),
                values.IsOn(new OptionName("RemoveTestFile")),
                IsJsonLines(parsed.GetText(format)),
                parsed.GetValue(quiet)
            );
        });
        return command;
    }

    private static bool IsJsonLines(string? format) =>
        format?.ToUpperInvariant() switch
        {
            "JSONL" => true,
            null or "TABLE" => false,
            _ => throw IoBenchException.Usage("IoBench.Usage", $"{new OptionName("Format")} of iobench drill must be table or jsonl."),
        };

    private static int RunDrill(CliConsole console, DrillPlan plan, bool removes, bool isLines, bool quiet)
    {
        plan.CheckKeyboard(console.CanAsk);
        console.RequireOutput();
        var suite = new ConsoleSuiteFront(console, quiet);
        var approval = SuiteApproval.Create([plan.Test], new SuiteSettings { OwnFilesOnly = true }, suite);
        var mismatches = 0;
        DrillResult result;
        try
        {
            result = DrillRunner.Run(
                plan,
                approval.GetOptions(plan.Test),
                (text, _) => suite.Progress.Show(text),
                WriteEvent,
                plan.EndsWithKey ? IsKeyPressed : null,
                console.CancellationToken
            );
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Canceled;
        }
        if (!isLines)
        {
            suite.Progress.Clear();
            WriteResult(console, result);
        }
        if (removes)
            foreach (var removal in SuiteTestFiles.RemoveOwnFiles([result.Path]).Where(removal => removal.Error is not null))
                App.WriteError(console, removal.Text);
        if (result.FileChange is { } change)
            App.WriteError(console, IoBenchException.Failure("IoBench.FileGone", change, result.Path));
        if (result.Integrity is { ErrorCount: > 0 })
            return ExitCodes.Failed;
        return result.Outcome switch
        {
            VerdictOutcome.Pass => ExitCodes.Success,
            VerdictOutcome.NotRated when result.CanceledOfSeconds is not null => ExitCodes.Canceled,
            _ => ExitCodes.RequirementNotMet,
        };
        void WriteEvent(DrillEvent happened)
        {
            if (isLines)
            {
                console.Json.WriteLine(AnalysisJson.SerializeEvent(happened));
                console.Json.Flush();
            }
            if (
                quiet
                || happened.Event is DrillEventKind.Live or DrillEventKind.End
                || happened.Event == DrillEventKind.Mismatch && ++mismatches > RunMessages.MaxIntegrityErrors
            )
                return;
            suite.Progress.Clear();
            console.Error.WriteLine(
                Invariant(
                    $"{happened.Time:HH:mm:ss.fff}  {(happened.Warning is { } warning ? $"Warning: {warning.RenderWithId(console.Spelling)}" : happened.Words.Render(console.Spelling))}"
                )
            );
        }
    }

    private static bool IsKeyPressed()
    {
        var isPressed = false;
        for (; Console.KeyAvailable; isPressed = true)
            Console.ReadKey(intercept: true);
        return isPressed;
    }

    private static void WriteResult(CliConsole console, DrillResult result)
    {
        if (result.Outages.Count > 0)
        {
            var table = new TextTable(
                [
                    new TextColumn("Begin s", 10, IsNumber: true),
                    new TextColumn("Length s", 10, IsNumber: true),
                    new TextColumn("Errors", 8, IsNumber: true),
                    new TextColumn("Kind", 44, IsNumber: false),
                ],
                120
            );
            foreach (var line in table.FormatHeader())
                console.Out.WriteLine(line);
            foreach (var outage in result.Outages)
                console.Out.WriteLine(
                    table.FormatRow([
                        NumberFormat.Fixed(outage.Begin, 3),
                        NumberFormat.Fixed(outage.Seconds, 3),
                        NumberFormat.Integer(outage.Errors),
                        Outage.DescribeKind(outage.Kind) + (outage.IsOver ? "" : "; not ended"),
                    ])
                );
            console.Out.WriteLine();
        }
        foreach (var error in result.Errors)
            console.Out.WriteLine(Invariant($"{NumberFormat.PluralizeGrouped(error.Count, "I/O")} failed: {error.Text} ({error.Code})"));
        foreach (var finding in result.Findings.Where(finding => finding.Code != FindingCodes.DrillOutage))
        {
            var advice = finding.WhatToDo is null ? "" : $" {finding.WhatToDo}.";
            var outcome = DescribeOutcome(finding) + ": ";
            // The sentence of an integrity check has its outcome.
            console.Out.WriteLine($"{(finding.What.StartsWith(outcome, StringComparison.Ordinal) ? "" : outcome)}{finding.What}{advice}");
        }
        if (result.Integrity is { } integrity)
            RunMessages.WriteIntegrityErrors(console.Out, integrity);
    }

    private static string DescribeOutcome(Finding finding) =>
        finding.Outcome is { } outcome ? VerdictWords.Describe(outcome) : VerdictWords.Describe(finding.Severity);
}
