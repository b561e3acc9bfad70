using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class RunCommand
{
    public static Command Create(CliConsole console)
    {
        // The output options have their own --force.
        var plan = new PlanOptions(
            OptionTables.Run.Where(row => row.Name != OptionNames.Force.Name).Except(OptionTables.Judging),
            "; several are tested one after the other (see --path-mode)"
        );
        var output = new OutputOptions();
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Nothing on standard error but errors and the notice of a large file whose size was not given; no intermediate figures.",
            "-q"
        );
        var verbose = OptionParsing.CreateFlag("--verbose", "Report what is really done: file, backend, flags.", "-v");
        var shown = new CommandOptions(OptionTables.Shown);

        var expected = new CommandOptions(OptionTables.Expectations);
        var command = new Command("run", "Tests storage.");
        var member = new CommandOptions(OptionTables.Member);
        plan.AddTo(command);
        member.AddTo(command, twoPages: true);
        output.AddTo(command);
        expected.AddTo(command);
        shown.AddTo(command);
        command.Add(quiet);
        command.Add(verbose);

        command.SetAction(parsed =>
        {
            var request = plan.ReadRequest(parsed);
            if (FleetCommand.TryRunMember(console, member.ReadValues(parsed), request) is { } done)
                return done;
            if (request is { Paths.Count: 0, Roles.IsEmpty: true, Specifications.Count: 0 })
                throw plan.CreateMissingPathError(IoCommand.Run);
            var isOwnLoad = request.FileStats.Count > 0;
            var made = TestPlanner.Create(request);
            if (!parsed.GetValue(quiet))
                foreach (var line in request.OwnLoad?.Lines ?? [])
                    console.Error.WriteLine(line);
            foreach (var warning in parsed.GetValue(quiet) ? [] : made.Warnings)
                console.Error.WriteLine($"Note: {warning.Text.Render(console.Spelling)}");
            var results = output.ReadTargets(parsed, DateTime.Now);
            var run = new RunCommand(console)
            {
                Output = results,
                IsQuiet = parsed.GetValue(quiet),
                IsVerbose = parsed.GetValue(verbose),
                DisplayOptions = shown.ReadValues(parsed),
                Resume = request.Suite.Resume,
                RequiresRate = request.Suite.RequireRate,
                RemoveTestFile = request.Suite.RemoveTestFile,
                EraseDevices = [.. request.Suite.EraseDevices],
                Witness = request.Suite.Witness,
                IsSizeSpecified = request.Has(OptionNames.FileSize),
                Expectations = Expectations.Create(expected.ReadValues(parsed)),
                ResultEvaluator =
                    isOwnLoad ? runs => AnalysisTables.WriteObservedLatency(console, runs, results.Format is null)
                    : request.Roles.IsEmpty ? null
                    : runs => AnalysisTables.WriteRoleInterference(console, runs, results.Format is null),
            };
            return run.Execute(made.Tests);
        });
        return command;
    }
}
