using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class VerifyCommand
{
    public static Command Create(CliConsole console)
    {
        var plan = new CommandOptionSet(
            OptionTables.Verify,
            $"{CommandOptionSet.PathDescription}. Several paths are tested one after the other."
        );
        var crash = new CommandOptionSet(OptionTables.AfterCrash);
        var output = new OutputOptions();
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Print only results, errors, and a notice before IoBench creates a large file.",
            "-q"
        );
        var command = new Command(
            "verify",
            "Verify data integrity: compare each read with the last acknowledged write, also after a power loss."
        );
        crash.AddTo(command);
        plan.AddTo(command, twoPages: true);
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
                VerificationPlanning.CheckCrashOptions(plan.ReadValues(parsed));
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

    /// <summary>The witness of <c>iobench verify</c> on another host.</summary>
    public static Command CreateWitness(CliConsole console)
    {
        var listen = OptionParsing.CreateOption(
            "--listen",
            "ADDRESS:PORT",
            "Address and port of this host to listen on, such as 192.0.2.7:8433."
        );
        var output = OptionParsing.CreateOption("--output", "FILE", "Log of the write witness: a new file of at most 4 GB.");
        var command = new Command(
            "witness",
            "Record the acknowledged writes of a verification that runs on another host. Afterwards, iobench verify PATH --after-crash FILE shows whether these writes survived a power loss."
        );
        command.Add(listen);
        command.Add(output);
        command.SetAction(parsed =>
        {
            if (parsed.GetText(listen) is not { } where || parsed.GetText(output) is not { } file)
                throw IoBenchException.Usage(
                    "IoBench.Usage",
                    $"iobench witness requires {new OptionName("Listen")} ADDRESS:PORT and {OptionNames.OutputPath} FILE."
                );
            var place = WitnessAddress.Parse(where);
            if (place.Host is null)
                throw IoBenchException.Usage(
                    "IoBench.InvalidWitness",
                    $"{where} is not a valid address and port.",
                    advice: "Use for example 192.0.2.7:8433."
                );
            var path = Path.GetFullPath(file);
            var summary = CancellableFileCall.Run(
                console,
                path,
                () => WitnessServer.Run(place, path, console.Error.WriteLine, console.CancellationToken)
            );
            console.Error.WriteLine(summary);
            return ExitCodes.Success;
        });
        return command;
    }
}
