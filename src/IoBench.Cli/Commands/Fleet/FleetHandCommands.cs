using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class FleetCommand
{
    private static readonly string[] s_hostOptions = ["Program", "Copy", "HostTimeout"];

    public static void AddSubcommands(Command fleet, CliConsole console)
    {
        fleet.Add(CreateFetchCommand(console));
        fleet.Add(CreateRemoveCommand(console));
        fleet.Add(CreateWatchCommand(console));
    }

    private static Argument<string> CreateInventoryArgument() =>
        new("INVENTORY") { Description = "a file of hosts (.csv, .json, Ansible's .ini or .yml), or names with commas between them." };

    private static Command CreateFetchCommand(CliConsole console)
    {
        var (inventory, group) = (
            CreateInventoryArgument(),
            new Argument<string>("GROUP") { Description = "the group, as the call that started it named it." }
        );
        var (lead, judging, output) = (
            new CommandOptions(OptionTables.FleetFetch),
            new CommandOptions(OptionTables.FleetJudging),
            new OutputOptions()
        );
        var command = new Command(
            "fetch",
            "Fetches what detached members printed, and gives their one answer. It may be repeated; what lies on the hosts stays there."
        )
        {
            inventory,
            group,
        };
        lead.AddTo(command);
        judging.AddTo(command);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var values = lead.ReadValues(parsed);
            var run = new ConsoleFleetRun(console)
            {
                CoordinatorOptions = values,
                Output = output.ReadTargets(parsed, DateTime.Now),
                Requirements = FleetRequirement.FromOptions(judging.ReadValues(parsed)),
            };
            using var folder = new TemporaryFetchFolder();
            var (files, failures) = new FleetSetup(values)
                .CreateDetachedCommands(null)
                .FetchOutput(
                    FleetInventory.Read(parsed.GetValue(inventory)!),
                    parsed.GetValue(group)!,
                    folder.Path,
                    console.CancellationToken
                );
            if (files.Count > 0)
                return run.MergeMembers(files, failures);
            foreach (var failure in failures)
                App.WriteError(console, failure.Words);
            return ExitCodes.Failed;
        });
        return command;
    }

    private static Command CreateRemoveCommand(CliConsole console)
    {
        var (inventory, path) = (
            CreateInventoryArgument(),
            new Argument<string?>("PATH")
            {
                Description = "the test file, or its folder, on hosts that name nothing of their own.",
                Arity = ArgumentArity.ZeroOrOne,
            }
        );
        var lead = new CommandOptions(OptionTables.FleetLead.Where(row => s_hostOptions.Contains(row.Name)));
        var command = new Command(
            "remove",
            "Removes what is IoBench's own from all hosts: test files, copied programs, files of detached members that ended. Nothing else."
        )
        {
            inventory,
            path,
        };
        lead.AddTo(command);
        command.SetAction(parsed =>
        {
            var failures = new FleetSetup(lead.ReadValues(parsed))
                .CreateDetachedCommands(Program.ExecutablePath, say: console.Out.WriteLine)
                .RemoveFiles(FleetInventory.Read(parsed.GetValue(inventory)!), parsed.GetValue(path), console.CancellationToken);
            foreach (var failure in failures)
                App.WriteError(console, failure.Words);
            return failures.Count == 0 ? ExitCodes.Success : ExitCodes.Failed;
        });
        return command;
    }

    private static Command CreateWatchCommand(CliConsole console)
    {
        var group = new Argument<string?>("GROUP")
        {
            Description = "the group; by default the one that runs, or ran last.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var options = new CommandOptions(OptionTables.FleetWatch);
        var command = new Command(
            "watch",
            "Watches a fleet that runs on this computer: the sum, the lowest five hosts, those that nothing is heard from."
        )
        {
            group,
        };
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var (last, isOnce) = ("", options.ReadValues(parsed).IsOn(new OptionName("Once")));
            LiveViewReader.FollowFleet(
                () => LiveViewReader.ReadSnapshot(parsed.GetValue(group)) is var sight && isOnce ? sight with { IsAlive = false } : sight,
                TimeSpan.FromSeconds(1),
                scene =>
                {
                    if (last.Length > 0 && TerminalMode.SupportsEscapeSequences && console.IsErrorTerminal)
                        console.Out.Write($"\u001b[{last.Split('\n').Length}A\u001b[J");
                    last = scene.Render(console.Spelling);
                    console.Out.WriteLine(last);
                },
                console.CancellationToken
            );
            return ExitCodes.Success;
        });
        return command;
    }
}
