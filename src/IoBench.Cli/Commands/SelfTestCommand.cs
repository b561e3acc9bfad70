using System.CommandLine;
using IoBench.Application;

namespace IoBench.Cli;

internal static class SelfTestCommand
{
    public static Command Create(CliConsole console)
    {
        var folder = new Argument<string?>("FOLDER")
        {
            Description = "folder in which IoBench creates and removes a test file of 64 MB; default: the temporary folder.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var options = new CommandOptionSet(OptionTables.SelfTest);
        var command = new Command(
            "self-test",
            "Check whether this computer can measure storage: open flags, alignment, durability, clock, priorities, and CPU cost."
        )
        {
            folder,
        };
        options.AddTo(command);
        command.SetAction(parsed => RunChecks(console, SelfTestRequest.Create(parsed.GetValue(folder), options.ReadValues(parsed))));
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
