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
        var options = new RowOptions(OptionTables.SelfTest);
        var command = new Command(
            "self-test",
            "Checks what this computer and this program can do: flags, locks, clock, durability, own cost. Exit code 1 when a check fails."
        )
        {
            folder,
        };
        options.AddTo(command);
        command.SetAction(parsed =>
            Run(
                console,
                SelfTestRequest.Create(
                    parsed.GetValue(folder),
                    options.Read(parsed),
                    OwnProgram.Command is { } own ? new SelfTestProgram(own) : null
                )
            )
        );
        return command;
    }

    private static int Run(CliConsole console, SelfTestRequest request)
    {
        using var output = SelfTestOutput.Claim(request);
        console.Error.WriteLine(SelfTestRunner.Heading(request));
        var report = FileLook.Take(
            console,
            request.FolderInUse,
            () => SelfTestRunner.Run(request, check => Write(console, check), console.Cancelled)
        );
        console.Out.WriteLine(report.Summary);
        if (output is not null)
            FileLook.Finish(console, output.Path, () => output.Save(stream => SelfTestOutput.Write(stream, report)));
        return report.IsPassed ? ExitCodes.Done : ExitCodes.Failed;
    }

    private static void Write(CliConsole console, SelfTestCheck check)
    {
        const int words = 11,
            subjects = 16;
        console.Out.WriteLine($"{check.Word, -words}  {check.Check, -subjects}  {check.Text}");
        console.Out.Flush();
    }
}
