using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class VerifyCommand
{
    public static Command Create(CliConsole console)
    {
        // The output options have their own --force.
        var plan = new PlanOptions(
            OptionTables.Verify.Where(row => row.Name != Opt.Force.Name),
            "; several are tested one after the other"
        );
        var crash = new RowOptions(OptionTables.AfterCrash);
        var output = new OutputOptions();
        var quiet = OptionText.CreateFlag(
            "--quiet",
            "Nothing on standard error but errors, and a large file that no size was given for.",
            "-q"
        );
        var command = new Command(
            "verify",
            "Checks whether storage keeps what it acknowledged: each read of a mixed load is compared with what the file must hold; after a power cut, the writes that a witness knows are looked for."
        );
        crash.AddTo(command);
        plan.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var request = plan.Read(parsed);
            if (request.Paths.Count == 0)
                throw plan.NoPath(IoCommand.Verify);
            var results = output.Read(parsed, DateTime.Now);
            var isQuiet = parsed.GetValue(quiet);
            if (crash.Read(parsed).Text(Opt.AfterCrash) is { } witness)
            {
                VerifyPlan.CheckAfterCrash(plan.Rows.Read(parsed));
                return AfterCrash(console, request, witness, results, isQuiet);
            }
            VerifyPlan.Complete(request);
            var made = TestPlanner.Create(request);
            foreach (var warning in isQuiet ? [] : made.Warnings)
                console.Error.WriteLine($"Note: {warning.Text.Render(console.Spelling)}");
            return new RunCommand(console)
            {
                Output = results,
                Quiet = isQuiet,
                Witness = request.Suite.Witness,
                RemoveTestFile = request.Suite.RemoveTestFile,
                EraseDevices = [.. request.Suite.EraseDevices],
                SizeIsGiven = request.Has(Opt.FileSize),
            }.Execute(made.Tests);
        });
        return command;
    }

    private static int AfterCrash(CliConsole console, PlanRequest request, string witness, OutputPlan output, bool quiet)
    {
        if (request.Paths.Count != 1)
            throw IoBenchException.Usage("IoBench.Usage", $"{Opt.AfterCrash} is about one file: name one.");
        using var files = output.Open(console, []);
        var result = FileLook.Take(console, request.Paths[0], () => CrashCheck.Run(request.Paths[0], witness, console.Cancelled));
        files.Results?.Add(result);
        IntegrityLines.Write(console, result, output.Format);
        ReportWriting.Write(console, output, files, [result], quiet);
        if (result.ErrorId is null)
            return ExitCodes.Done;
        App.WriteError(console, result.ErrorMessage!);
        return ExitCodes.Failed;
    }
}
