using System.CommandLine;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class CapCommand
{
    public static Command Create(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH")
        {
            Description = "a test file, or a folder for iobench.dat in it; two or more to see whether they share a limit.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Cap.Except(OptionTables.Judging));
        var quiet = OptionParsing.CreateFlag(
            "--quiet",
            "Nothing on standard error but errors and the notice of a large file whose size was not given.",
            "-q"
        );
        var output = new OutputOptions();
        var command = new Command(
            "cap",
            "Finds out who or what limits the storage: an IOPS or bandwidth cap, the host, a burst, or the medium."
        )
        {
            paths,
        };
        options.AddTo(command);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var values = options.ReadValues(parsed);
            var request = CapSearchPlan.Create(parsed.GetValue(paths) ?? [], values);
            var plan = output.ReadTargets(parsed, DateTime.Now);
            plan.ProvisionedStorage = request.Storage;
            return new RunCommand(console)
            {
                Output = plan,
                IsQuiet = parsed.GetValue(quiet),
                RemoveTestFile = values.IsOn(new OptionName("RemoveTestFile")),
                Permissions = new PlanRequest([], values).Suite.Permissions,
                IsSizeSpecified = values.Has(OptionNames.FileSize),
                ResultEvaluator = results => ReportCaps(console, results, request.Storage, parsed.GetValue(quiet)),
            }.Execute(request.Tests);
        });
        return command;
    }

    private static int ReportCaps(CliConsole console, IReadOnlyList<IoTestResult> results, StorageSpecification? bought, bool quiet)
    {
        var missed = false;
        foreach (var answer in CapFinder.Analyze(results, bought))
        {
            console.Error.WriteLine(answer.Summary);
            missed |= answer.Checks.Any(check => check.Kept == false);
            foreach (var warning in quiet ? [] : answer.Warnings)
                console.Error.WriteLine($"Note: {warning}");
        }
        return missed ? ExitCodes.RequirementNotMet : ExitCodes.Success;
    }
}
