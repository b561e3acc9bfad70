using System.CommandLine;
using IoBench.Analysis;
using IoBench.Cli.Options;
using IoBench.Engine;

namespace IoBench.Cli.Commands;

/// <summary><c>iobench cap</c>: who or what limits the storage.</summary>
internal static class CapCommand
{
    public static Command Create(CliConsole console)
    {
        var paths = new Argument<string[]>("PATH") { Description = "a test file, or a folder for iobench.dat in it; two or more to see whether they share a limit.", Arity = ArgumentArity.OneOrMore };
        var specification = OptionText.Create("--specification", "TEXT", "What was bought: \"IOPS = 2300; Throughput = '150 MB/s'\"; exit code 3 when it is not there.");
        var pathMode = OptionText.Create("--path-mode", "NAME", "Several paths: each, together or both. Default both.");
        var size = OptionText.Create("--file-size", "SIZE", "Size of the test file. Default 20 GB, at most 10 % of the free space.", "--size");
        var duration = OptionText.Create("--duration", "TIME", "Measured time of each run. Default 20 s.", "-d");
        var outstanding = OptionText.Create("--outstanding-io", "LIST", "Total outstanding I/Os to go through. Default 1,8,32,128.", "--outstanding", "--qd", "-o");
        var backend = OptionText.Create("--backend", "NAME", "auto, iouring, linuxaio, overlapped, threads, null.");
        var quiet = OptionText.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var output = new OutputOptions();
        var command = new Command("cap", "Finds out who or what limits the storage: an IOPS or bandwidth cap, the host, a burst, or the medium.") { paths };
        foreach (var option in new Option[] { specification, pathMode, size, duration, outstanding, backend })
            command.Add(option);
        output.AddTo(command);
        command.Add(quiet);
        command.SetAction(parsed =>
        {
            var names = parsed.GetValue(paths) ?? [];
            var bought = parsed.Text(specification) is { } text ? StorageSpecification.Parse(text) : null;
            var mode = parsed.Value(pathMode, OptionText.Name<IoPathMode>) ?? (names.Length > 1 ? IoPathMode.Both : IoPathMode.Each);
            var loads = parsed.List(outstanding, OptionText.Integer);
            var time = parsed.Value(duration, OptionText.Duration);
            var template = new IoTestSpecification
            {
                FileSize = parsed.Value(size, OptionText.Size),
                Backend = parsed.Value(backend, OptionText.Name<IoBackendKind>) ?? IoBackendKind.Auto,
            };
            var options = new CapPlanOptions(Outstanding: loads.Count > 0 ? loads : null, Duration: time, WarmUp: time is { } given ? TestPlan.DefaultWarmUp(given) : null);
            var plan = CapPlan.Of(names, mode, options, template);
            foreach (var test in plan)
                SpecificationValidator.Validate(test);
            return new RunCommand(console)
            {
                Output = output.Read(parsed, DateTime.Now),
                Quiet = parsed.GetValue(quiet),
                Judge = results => Judge(console, results, bought),
            }.Execute(plan);
        });
        return command;
    }

    private static int Judge(CliConsole console, IReadOnlyList<IoTestResult> results, StorageSpecification? bought)
    {
        var missed = false;
        foreach (var answer in CapFinder.Judge(results, bought))
        {
            console.Error.WriteLine(answer.Summary);
            foreach (var check in answer.Checks)
            {
                console.Error.WriteLine(check.Summary);
                missed |= check.Kept == false;
            }
            foreach (var warning in answer.Warnings)
                console.Error.WriteLine($"Note: {warning}");
        }
        return missed ? ExitCodes.Missed : ExitCodes.Done;
    }
}
