using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class FleetCommand
{
    public static Command Create(CliConsole console)
    {
        var inventory = new Argument<string>("INVENTORY")
        {
            Description =
                "a file of hosts (.csv, .json, Ansible's .ini or .yml), or names with commas between them; localhost is this computer.",
        };
        var path = new Argument<string?>("PATH")
        {
            Description = "what is tested on each host that names nothing of its own: a test file, or a folder.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var tests = new CommandOptions(OptionTables.FleetTests.Where(row => row.Name != OptionNames.Force.Name));
        var lead = new CommandOptions(OptionTables.FleetLead);
        var output = new OutputOptions();
        var judging = new CommandOptions(OptionTables.FleetJudging);
        var write = OptionParsing.CreateOption(
            "--document",
            "KIND",
            $"Run nothing; write a document that starts the same on all hosts: {string.Join(", ", FleetDocuments.Names)}."
        );
        var quiet = OptionParsing.CreateFlag("--quiet", "Nothing on standard error but errors.", "-q");
        var command = new Command(
            "fleet",
            "Runs tests on many hosts, each test at one moment on all of them: the sum, the slowest host, the knee of the storage that they share."
        )
        {
            inventory,
            path,
        };
        lead.AddTo(command);
        judging.AddTo(command);
        tests.AddTo(command, twoPages: true);
        output.AddTo(command);
        command.Add(write);
        command.Add(quiet);
        command.Add(CreateMergeCommand(console));
        FleetCommand.AddSubcommands(command, console);
        command.SetAction(parsed =>
        {
            var values = lead.ReadValues(parsed);
            var results = output.ReadTargets(parsed, DateTime.Now);
            var plan = FleetPlan.Create(
                FleetInventory.Read(parsed.GetValue(inventory)!),
                parsed.GetValue(path),
                () => new PlanRequest([], tests.ReadValues(parsed))
            );
            if (parsed.GetText(write) is { } kind)
                return WriteDocument(console, plan, values, kind, results.Force);
            var setup = new FleetSetup(values);
            if (!setup.IsDetached && setup.StartAt is not null)
                throw IoBenchException.Usage(
                    FleetErrorIds.InvalidMemberOptions,
                    $"{new OptionName("StartAt")} is for hosts that nobody leads: give {new OptionName("Detach")} or {new OptionName("Document")} too."
                );
            return new ConsoleFleetRun(console)
            {
                CoordinatorOptions = values,
                Output = results,
                Requirements = FleetRequirement.FromOptions(judging.ReadValues(parsed)),
                IsQuiet = parsed.GetValue(quiet),
            }.Execute(plan, setup);
        });
        return command;
    }

    private static Command CreateMergeCommand(CliConsole console)
    {
        var files = new Argument<string[]>("FILE")
        {
            Description = "what members printed, a file for each host.",
            Arity = ArgumentArity.OneOrMore,
        };
        var output = new OutputOptions();
        var judging = new CommandOptions(OptionTables.FleetJudging);
        var command = new Command(
            "merge",
            "Reads what members printed that started at a time by themselves, in any order, and gives their one answer."
        )
        {
            files,
        };
        judging.AddTo(command);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var run = new ConsoleFleetRun(console)
            {
                CoordinatorOptions = new OptionValues(OptionTables.FleetLead),
                Output = output.ReadTargets(parsed, DateTime.Now),
                Requirements = FleetRequirement.FromOptions(judging.ReadValues(parsed)),
            };
            return run.MergeMembers(parsed.GetValue(files)!, []);
        });
        return command;
    }

    private static int WriteDocument(CliConsole console, FleetPlan plan, OptionValues lead, string kind, bool force)
    {
        if (lead.GetText(new OptionName("StartAt")) is not { } startAt)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("Document")}: hosts that nobody leads begin at a time.",
                advice: $"Give {new OptionName("StartAt")} too."
            );
        var text = FleetDocuments.Write(
            kind,
            GroupRate.Create(lead).ApplyTo(plan),
            new FleetDocumentRequest(
                GroupId.Create(DateTimeOffset.Now),
                StartTimeParser.Parse(startAt, DateTimeOffset.Now),
                lead.GetText(new OptionName("Program")) ?? "iobench",
                force
            )
        );
        console.Data.Write(text);
        console.Data.Flush();
        return ExitCodes.Success;
    }
}
