using System.CommandLine;
using IoBench.Analysis;
using IoBench.Cli.Judging;
using IoBench.Cli.Options;
using IoBench.Engine;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench run</c>: what it takes.</summary>
internal static class RunCommandLine
{
    public static Command Create(CliConsole console)
    {
        var plan = new PlanOptions();
        var roles = new RoleOptions();
        var ownLoad = new OwnLoadOptions();
        var output = new OutputOptions();
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors; no intermediate figures.", "-q");
        var verbose = OptionText.CreateFlag("--verbose", "Say what is really done: file, backend, flags.", "-v");
        var histogram = OptionText.CreateFlag("--histogram", "Latency bands and rate over time under each row.");
        var resume = OptionText.CreateFlag("--resume", "Go on with the --output file: what is complete there is not run again.");
        var remove = OptionText.CreateFlag("--remove-test-file", "Remove the test file at the end.");

        var expectations = Expectations.CreateOptions();
        var command = new Command("run", "Tests storage.");
        plan.AddTo(command);
        foreach (var option in roles.All)
            command.Add(option);
        command.Add(ownLoad.Option);
        output.AddTo(command);
        command.Add(expectations.Require);
        command.Add(expectations.Baseline);
        foreach (var option in new[] { histogram, resume, remove, quiet, verbose })
            command.Add(option);

        command.SetAction(parsed =>
        {
            var paths = roles.Read(parsed);
            var request = plan.Read(parsed);
            var isOwnLoad = ownLoad.IsGiven(parsed);
            if (isOwnLoad)
                ownLoad.AddTo(request, parsed, paths, console);
            else if (!paths.IsEmpty)
                RolePlan.AddTo(request, paths);
            if (paths.IsEmpty && request.Paths.Count == 0)
                throw IoBenchException.Usage("IoBench.Usage", $"run needs PATH: {PlanOptions.PathDescription}");
            var results = output.Read(parsed, DateTime.Now);
            var run = new RunCommand(console)
            {
                Output = results,
                Quiet = parsed.GetValue(quiet),
                Verbose = parsed.GetValue(verbose),
                Histogram = parsed.GetValue(histogram),
                Resume = parsed.GetValue(resume),
                RemoveTestFile = parsed.GetValue(remove),
                Expectations = Expectations.Read(parsed, expectations),
                Judge = isOwnLoad ? runs => OwnLoadOptions.Write(console, runs, results.Format is null)
                    : paths.IsEmpty ? null : runs => RoleOptions.Write(console, runs, results.Format is null),
            };
            return run.Execute(TestPlan.Create(request));
        });
        return command;
    }
}
