using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal static class SelfTestCommand
{
    public static Command Create(CliConsole console)
    {
        var folder = new Argument<string?>("FOLDER")
        {
            Description = "where its test file of 64 MB is made and removed; default the temporary folder.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var options = new CommandOptionSet(OptionTables.SelfTest);
        var command = new Command(
            "self-test",
            "Checks what this computer and this program can do: flags, locks, clock, durability, own cost. Exit code 1 when a check fails."
        )
        {
            folder,
        };
        options.AddTo(command);
        command.SetAction(parsed =>
            RunChecks(
                console,
                SelfTestRequest.Create(
                    parsed.GetValue(folder),
                    options.ReadValues(parsed),
                    Program.StartCommand is { } own ? new SelfTestChildProgram(own) : null
                )
            )
        );
        return command;
    }

    private static int RunChecks(CliConsole console, SelfTestRequest request)
    {
        using var output = SelfTestReport.ClaimOutput(request);
        console.Error.WriteLine(SelfTestRunner.GetHeading(request));
        var report = CancellableFileCall.Run(
            console,
            request.FolderInUse,
            () => SelfTestRunner.Run(request, check => WriteCheck(console, check), console.CancellationToken)
        );
        console.Out.WriteLine(report.Summary);
        if (output is not null)
            CancellableFileCall.RunToCompletion(console, output.Path, () => output.Save(stream => SelfTestReport.Write(stream, report)));
        return report.IsPassed ? ExitCodes.Success : ExitCodes.Failed;
    }

    private static void WriteCheck(CliConsole console, SelfTestCheck check)
    {
        const int words = 11,
            subjects = 16;
        console.Out.WriteLine($"{check.Word, -words}  {check.Check, -subjects}  {check.Text}");
        console.Out.Flush();
    }
}
