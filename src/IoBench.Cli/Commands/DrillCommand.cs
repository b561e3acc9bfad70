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
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
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
        var view = new DrillView(console, suite.Progress) { WritesJsonLines = isLines, IsQuiet = quiet };
        DrillResult result;
        try
        {
            result = DrillRunner.Run(
                plan,
                approval.GetOptions(plan.Test),
                view,
                plan.EndsWithKey ? IsKeyPressed : null,
                console.CancellationToken
            );
        }
        catch (OperationCanceledException)
        {
            return ExitCodes.Canceled;
        }
        if (!isLines)
            view.WriteResult(result);
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
    }

    private static bool IsKeyPressed()
    {
        var isPressed = false;
        for (; Console.KeyAvailable; isPressed = true)
            Console.ReadKey(intercept: true);
        return isPressed;
    }
}
