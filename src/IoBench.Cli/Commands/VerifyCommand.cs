using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class VerifyCommand
{
    public static Command Create(CliConsole console)
    {
        var plan = new PlanOptions(OptionTables.Verify, ". Several paths are tested one after the other");
        var crash = new CommandOptionSet(OptionTables.AfterCrash);
        var output = new OutputOptions();
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors and the notice about a large file.", "-q");
        var command = new Command(
            "verify",
            "Verify data integrity: compare each read with the last acknowledged write, also after a power loss."
        );
        crash.AddTo(command);
        plan.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var request = plan.ReadRequest(parsed);
            if (request.Paths.Count == 0)
                throw plan.CreateMissingPathError(IoCommand.Verify);
            var results = output.ReadTargets(parsed, DateTime.Now);
            var isQuiet = parsed.GetValue(quiet);
            if (crash.ReadValues(parsed).GetText(OptionNames.AfterCrash) is { } witness)
            {
                VerificationPlanning.CheckCrashOptions(plan.Rows.ReadValues(parsed));
                return VerifyAfterCrash(console, request, witness, results, isQuiet);
            }
            VerificationPlanning.ApplyDefaults(request);
            var made = TestPlanner.Create(request);
            foreach (var warning in isQuiet ? [] : made.Warnings)
                console.Error.WriteLine(App.DescribeWarning(warning, console.Spelling));
            return new RunCommand(console)
            {
                Output = results,
                IsQuiet = isQuiet,
                Settings = request.Suite,
                ShowsIntegrity = true,
            }.Execute(made.Tests);
        });
        return command;
    }

    private static int VerifyAfterCrash(CliConsole console, PlanRequest request, string witness, OutputDestinations output, bool quiet)
    {
        if (request.Paths.Count != 1)
            throw IoBenchException.Usage("IoBench.Usage", $"{OptionNames.AfterCrash} requires one file.");
        using var files = output.OpenFiles(console);
        var result = CancellableFileCall.Run(
            console,
            request.Paths[0],
            () => CrashVerification.Run(request.Paths[0], witness, console.CancellationToken)
        );
        files.Results?.Add(result);
        RunMessages.WriteIntegrity(console, result, output.Format);
        OutputDestinations.WriteReport(console, output, files, [result], quiet);
        if (result.ErrorId is not null)
        {
            App.WriteError(console, result.ErrorMessage!);
            return ExitCodes.Failed;
        }
        if (VerificationPlanning.CreateNotVerifiedError(result) is not { } error)
            return ExitCodes.Success;
        App.WriteError(console, error);
        return ExitCodes.RequirementNotMet;
    }
}
