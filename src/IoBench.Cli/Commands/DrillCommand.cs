using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class DrillCommand
{
    public static Command Create(CliConsole console)
    {
        var path = new Argument<string>("PATH") { Description = "a new file, one of IoBench's own, or a folder for iobench.dat." };
        var options = new CommandOptionSet(OptionTables.Drill);
        var format = OptionParsing.CreateOption(
            "--format",
            "table|jsonl",
            "What is printed: a table at the end, or a line of JSON for each event while it runs."
        );
        var quiet = OptionParsing.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command(
            "drill",
            "Runs a steady load while you pull a cable, fail a controller or move a disk: outages, the longest I/O, errors, and a verdict. Exit code 3 when the limit is missed, or when the host did not run IoBench long enough to rate it."
        )
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
            _ => throw IoBenchException.Usage("IoBench.Usage", $"{new OptionName("Format")}: drill prints a table or jsonl."),
        };

    private static int RunDrill(CliConsole console, DrillPlan plan, bool removes, bool isLines, bool quiet)
    {
        plan.CheckKeyboard(console.CanAsk);
        console.RequireOutput();
        var progress = new ProgressLine(console.Error, console.IsErrorTerminal && !quiet);
        var suite = new ConsoleSuiteObserver(console, progress) { IsQuiet = quiet };
        var approval = SuiteApproval.Create([plan.Test], new SuiteSettings { OwnFilesOnly = true }, suite, needsAll: true);
        approval.ThrowIfRefused();
        var view = new DrillView(console, progress) { WritesJsonLines = isLines, IsQuiet = quiet };
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
            App.WriteError(console, change);
        if (result.FileChange is not null || result.Integrity is { ErrorCount: > 0 })
            return ExitCodes.Failed;
        if (result.IsLimitMissed || result.IsNotRated)
            return ExitCodes.RequirementNotMet;
        return ExitCodes.Success;
    }

    private static bool IsKeyPressed()
    {
        var isPressed = false;
        for (; Console.KeyAvailable; isPressed = true)
            Console.ReadKey(intercept: true);
        return isPressed;
    }
}
