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
            Description =
                "Test file, or folder for iobench.dat. With two or more paths, IoBench finds out whether the paths share a limit.",
            Arity = ArgumentArity.OneOrMore,
        };
        var options = new CommandOptionSet(OptionTables.Cap.Except(OptionTables.Judging));
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors and the notice about a large file.", "-q");
        var output = new OutputOptions();
        var command = new Command(
            "cap",
            "Find what limits the storage: an IOPS limit, a throughput limit, burst credits, the computer, or the device."
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
            plan.ReportOptions.Bought = request.Storage;
            return new RunCommand(console)
            {
                Output = plan,
                IsQuiet = parsed.GetValue(quiet),
                Settings = new PlanRequest([], values).Suite,
                ResultEvaluator = results => ReportCaps(console, results, request.Storage, parsed.GetValue(quiet)),
            }.Execute(request.Tests);
        });
        return command;
    }

    private static int ReportCaps(CliConsole console, IReadOnlyList<IoTestResult> results, StorageSpecification? bought, bool quiet)
    {
        var missed = false;
        foreach (var answer in CapResult.Analyze(results, bought))
        {
            console.Error.WriteLine(answer.Summary);
            missed |= answer.Checks.Any(check => check.IsMet == false);
            foreach (var warning in quiet ? [] : answer.Warnings)
                console.Error.WriteLine($"Note: {warning}");
        }
        return missed ? ExitCodes.RequirementNotMet : ExitCodes.Success;
    }
}
