using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class RunCommandLine
{
    public static Command Create(CliConsole console)
    {
        // The output options have their own --force.
        var plan = new PlanOptions(
            OptionTables.Run.Where(row => row.Name != Opt.Force.Name).Except(OptionTables.Judging),
            "; several are tested one after the other (see --path-mode)"
        );
        var output = new OutputOptions();
        var quiet = OptionText.CreateFlag(
            "--quiet",
            "Nothing on standard error but errors and the notice of a large file whose size was not given; no intermediate figures.",
            "-q"
        );
        var verbose = OptionText.CreateFlag("--verbose", "Report what is really done: file, backend, flags.", "-v");
        var shown = new RowOptions(OptionTables.Shown);

        var expected = new RowOptions(OptionTables.Expectations);
        var command = new Command("run", "Tests storage.");
        var member = new RowOptions(OptionTables.Member);
        plan.AddTo(command);
        member.AddTo(command, twoPages: true);
        output.AddTo(command);
        expected.AddTo(command);
        shown.AddTo(command);
        command.Add(quiet);
        command.Add(verbose);

        command.SetAction(parsed =>
        {
            var request = plan.Read(parsed);
            if (MemberRun.Take(console, member.Read(parsed), request) is { } done)
                return done;
            if (request is { Paths.Count: 0, Roles.IsEmpty: true, Specifications.Count: 0 })
                throw plan.NoPath(IoCommand.Run);
            var isOwnLoad = request.FileStats.Count > 0;
            var made = TestPlanner.Create(request);
            if (!parsed.GetValue(quiet))
                foreach (var line in request.OwnLoad?.Lines ?? [])
                    console.Error.WriteLine(line);
            foreach (var warning in parsed.GetValue(quiet) ? [] : made.Warnings)
                console.Error.WriteLine($"Note: {warning.Text.Render(console.Spelling)}");
            var results = output.Read(parsed, DateTime.Now);
            var run = new RunCommand(console)
            {
                Output = results,
                Quiet = parsed.GetValue(quiet),
                Verbose = parsed.GetValue(verbose),
                Shown = shown.Read(parsed),
                Resume = request.Suite.Resume,
                RequiresRate = request.Suite.RequireRate,
                RemoveTestFile = request.Suite.RemoveTestFile,
                EraseDevices = [.. request.Suite.EraseDevices],
                Witness = request.Suite.Witness,
                SizeIsGiven = request.Has(Opt.FileSize),
                Expectations = Expectations.Create(expected.Read(parsed)),
                Judge =
                    isOwnLoad ? runs => AnswerTables.WriteOwnLoad(console, runs, results.Format is null)
                    : request.Roles.IsEmpty ? null
                    : runs => AnswerTables.WriteRoles(console, runs, results.Format is null),
            };
            return run.Execute(made.Tests);
        });
        return command;
    }
}
