using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.Cli;

internal static class FleetHandCommands
{
    private static readonly string[] s_ofHosts = ["Program", "Copy", "HostTimeout"];

    public static void AddTo(Command fleet, CliConsole console)
    {
        fleet.Add(Fetch(console));
        fleet.Add(Remove(console));
        fleet.Add(Watch(console));
    }

    private static Argument<string> Inventory() =>
        new("INVENTORY") { Description = "a file of hosts (.csv, .json, Ansible's .ini or .yml), or names with commas between them." };

    private static Command Fetch(CliConsole console)
    {
        var (inventory, group) = (
            Inventory(),
            new Argument<string>("GROUP") { Description = "the group, as the call that started it named it." }
        );
        var (lead, judging, output) = (
            new RowOptions(OptionTables.FleetFetch),
            new RowOptions(OptionTables.FleetJudging),
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
            var values = lead.Read(parsed);
            var run = new FleetRun(console)
            {
                Lead = values,
                Output = output.Read(parsed, DateTime.Now),
                Requirements = FleetRequirement.Of(judging.Read(parsed)),
            };
            using var folder = new FetchFolder();
            var (files, failures) = new FleetSetup(values)
                .Hands(null)
                .Fetch(FleetInventory.Read(parsed.GetValue(inventory)!), parsed.GetValue(group)!, folder.Path, console.Cancelled);
            if (files.Count > 0)
                return run.Merge(files, failures);
            foreach (var failure in failures)
                App.WriteError(console, failure.Words);
            return ExitCodes.Failed;
        });
        return command;
    }

    private static Command Remove(CliConsole console)
    {
        var (inventory, path) = (
            Inventory(),
            new Argument<string?>("PATH")
            {
                Description = "the test file, or its folder, on hosts that name nothing of their own.",
                Arity = ArgumentArity.ZeroOrOne,
            }
        );
        var lead = new RowOptions(OptionTables.FleetLead.Where(row => s_ofHosts.Contains(row.Name)));
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
            var failures = new FleetSetup(lead.Read(parsed))
                .Hands(OwnProgram.File, say: console.Out.WriteLine)
                .Remove(FleetInventory.Read(parsed.GetValue(inventory)!), parsed.GetValue(path), console.Cancelled);
            foreach (var failure in failures)
                App.WriteError(console, failure.Words);
            return failures.Count == 0 ? ExitCodes.Done : ExitCodes.Failed;
        });
        return command;
    }

    private static Command Watch(CliConsole console)
    {
        var group = new Argument<string?>("GROUP")
        {
            Description = "the group; by default the one that runs, or ran last.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var options = new RowOptions(OptionTables.FleetWatch);
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
            var (last, isOnce) = ("", options.Read(parsed).IsOn(new OptionName("Once")));
            FleetWatch.Follow(
                () => FleetWatch.Look(parsed.GetValue(group)) is var sight && isOnce ? sight with { IsAlive = false } : sight,
                TimeSpan.FromSeconds(1),
                scene =>
                {
                    if (last.Length > 0 && TerminalMode.HasEscapes && console.ErrorIsTerminal)
                        console.Out.Write($"\u001b[{last.Split('\n').Length}A\u001b[J");
                    last = scene.Render(console.Spelling);
                    console.Out.WriteLine(last);
                },
                console.Cancelled
            );
            return ExitCodes.Done;
        });
        return command;
    }
}
