using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class CheckCommand
{
    public static Command Create(CliConsole console)
    {
        var folders = new Argument<string[]>("FOLDER")
        {
            Description = "Folders in which IoBench creates and removes a test file of 64 MB. Default: the temporary folder.",
            Arity = ArgumentArity.ZeroOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Check);
        var format = OptionParsing.CreateOption(
            "--format",
            "table|json",
            "Output: one line per check, or JSON without names and paths.",
            "-f"
        );
        var command = new Command(
            "check",
            "Check whether SQL Server can use the storage, and whether this computer can measure the storage."
        )
        {
            folders,
        };
        options.AddTo(command);
        command.Add(format);
        command.SetAction(parsed =>
            RunChecks(
                console,
                HostCheckRunner.ChooseFolders(parsed.GetValue(folders) ?? []),
                options.ReadValues(parsed),
                parsed.IsJsonRequested(format)
            )
        );
        return command;
    }

    private static int RunChecks(CliConsole console, IReadOnlyList<string> folders, OptionValues values, bool isJson)
    {
        using var output = HostCheckReport.ClaimOutput(values);
        using var metrics = MetricsFile.Reserve(values.GetText(new OptionName("MetricsPath")));
        console.Error.WriteLine(HostCheckRunner.GetHeading(folders));
        string? folder = null;
        var report = CancellableFileCall.Run(
            console,
            folders[0],
            () => HostCheckRunner.Run(folders, isJson ? null : WriteCheck, console.CancellationToken)
        );
        if (isJson)
            console.Json.WriteLine(HostCheckReport.Serialize(report));
        else
            console.Out.WriteLine(report.Summary);
        if (output is not null)
            CancellableFileCall.RunToCompletion(console, output.Path, () => output.Save(stream => HostCheckReport.Write(stream, report)));
        if (metrics is not null)
            CancellableFileCall.RunToCompletion(console, metrics.Output.Path, () => metrics.WriteChecks(report));
        return report.IsPassed ? ExitCodes.Success : ExitCodes.RequirementNotMet;

        void WriteCheck(HostCheck check)
        {
            if (check.Path is { } path && path != folder)
            {
                folder = path;
                console.Out.WriteLine();
                console.Out.WriteLine(folder);
            }
            console.Out.WriteLine($"{check.Word, -9}  {check.Check, -16}  {check.Text}");
            console.Out.Flush();
        }
    }
}
