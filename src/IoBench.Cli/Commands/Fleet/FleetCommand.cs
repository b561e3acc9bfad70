using System.CommandLine;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

internal static class FleetCommand
{
    public static Command Create(CliConsole console)
    {
        var inventory = new Argument<string>("INVENTORY")
        {
            Description =
                "Inventory file (.csv, .json, Ansible .ini or .yml), or host names separated by commas. localhost is this computer.",
        };
        var path = new Argument<string?>("PATH")
        {
            Description = "Test file or folder, for hosts without a path in the inventory.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var tests = new CommandOptionSet(OptionTables.FleetTests.Where(row => row.Name != OptionNames.Force.Name));
        var lead = new CommandOptionSet(OptionTables.FleetLead);
        var output = new OutputOptions();
        var judging = new CommandOptionSet(OptionTables.FleetJudging);
        var write = OptionParsing.CreateOption(
            "--document",
            "KIND",
            $"Write a document that starts the members, and run nothing: {string.Join(", ", FleetDocuments.Names)}."
        );
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only errors.", "-q");
        var command = new Command(
            "fleet",
            "Run tests on many hosts with a synchronized start, and report the sum, the slowest host, and the saturation point of shared storage."
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
                return WriteDocument(console, plan, values, kind);
            var setup = new FleetSetup(values);
            if (!setup.IsDetached && setup.StartAt is not null)
                throw IoBenchException.Usage(
                    FleetErrorIds.InvalidMemberOptions,
                    $"{new OptionName("StartAt")} requires {new OptionName("Detach")} or {new OptionName("Document")}."
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
            Description = "Files with the output of members, one per host.",
            Arity = ArgumentArity.OneOrMore,
        };
        var output = new OutputOptions();
        var judging = new CommandOptionSet(OptionTables.FleetJudging);
        var command = new Command(
            "merge",
            "Merge the output of members that started on their own (--start-at), and print the fleet summary."
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

    private static int WriteDocument(CliConsole console, FleetPlan plan, OptionValues lead, string kind)
    {
        if (lead.GetText(new OptionName("StartAt")) is not { } startAt)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("Document")} requires {new OptionName("StartAt")}: without a coordinator, the hosts start at this time."
            );
        var text = FleetDocuments.Write(
            kind,
            GroupRate.Create(lead).ApplyTo(plan),
            new FleetDocumentRequest(
                GroupId.Create(DateTimeOffset.Now),
                StartTimeParser.Parse(startAt, DateTimeOffset.Now),
                FleetSetup.ReadProgram(lead) ?? "iobench"
            )
        );
        console.Data.Write(text);
        console.Data.Flush();
        return ExitCodes.Success;
    }

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
        var inventory = CreateInventoryArgument();
        var group = new Argument<string>("GROUP") { Description = "the group, as the call that started it named it." };
        var lead = new CommandOptionSet(OptionTables.FleetFetch);
        var judging = new CommandOptionSet(OptionTables.FleetJudging);
        var output = new OutputOptions();
        var command = new Command(
            "fetch",
            "Fetch the output of detached members, and print the fleet summary. The files stay on the hosts."
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
        var inventory = CreateInventoryArgument();
        var path = new Argument<string?>("PATH")
        {
            Description = "Test file, or its folder, on hosts without a path in the inventory.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var lead = new CommandOptionSet(OptionTables.FleetLead.Where(row => s_hostOptions.Contains(row.Name)));
        var command = new Command(
            "remove",
            "Remove the files of IoBench from all hosts: test files, copied programs, and files of detached members that ended."
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
        var options = new CommandOptionSet(OptionTables.FleetWatch);
        var command = new Command(
            "watch",
            "Watch a fleet that runs on this computer: the sum, the five slowest hosts, and hosts that do not respond."
        )
        {
            group,
        };
        options.AddTo(command);
        command.SetAction(parsed =>
        {
            var last = "";
            var isOnce = options.ReadValues(parsed).IsOn(new OptionName("Once"));
            LiveViewReader.FollowFleet(
                () =>
                {
                    var snapshot = LiveViewReader.ReadSnapshot(parsed.GetValue(group));
                    return isOnce ? snapshot with { IsAlive = false } : snapshot;
                },
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

    private static readonly OptionName[] s_memberOptions = [new("Group"), new("Member"), new("GroupHosts")];

    /// <returns>The exit code of the member; null if this run is not a member. The request then has the tests of the
    /// specification.</returns>
    public static int? TryRunMember(CliConsole console, OptionValues values, PlanRequest request)
    {
        var plan = values.GetText(new OptionName("Specification"));
        var startAt = values.GetText(new OptionName("StartAt"));
        if (startAt is null)
        {
            if (Array.Find(s_memberOptions, values.Has) is { Name: not null } lost)
                throw IoBenchException.Usage(
                    FleetErrorIds.InvalidMemberOptions,
                    $"{lost} is for a member of a fleet. It requires {new OptionName("StartAt")}."
                );
            if (plan is not null)
                request.Specifications = ReadPlan(console, plan);
            return null;
        }
        if (plan is null || values.GetText(new OptionName("Group")) is not { } group)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("StartAt")} makes this a member of a fleet: "
                    + $"give {new OptionName("Specification")} and {new OptionName("Group")} too."
            );
        var name = values.GetText(new OptionName("Member")) ?? Environment.MachineName;
        FleetMemberRequest.CheckNames(group, name);
        console.RequireOutput();
        var isLine = startAt.Equals("line", StringComparison.OrdinalIgnoreCase);
        var member = new FleetMemberRequest
        {
            Tests = ReadPlan(console, plan),
            Group = group,
            Member = name,
            StartAt = isLine ? null : StartTimeParser.Parse(startAt, DateTimeOffset.Now),
            Settings = request.Suite,
            Hosts = values.GetValue<int>(new OptionName("GroupHosts")),
            IsConfirmed = isLine,
        };
        using var run = new FleetMemberRunner(
            member,
            isLine ? console.Input : null,
            line =>
            {
                console.Data.Write(line + "\n");
                console.Data.Flush();
            }
        );
        var isComplete = run.Run(console.CancellationToken);
        if (request.Suite.RemoveTestFile)
            foreach (var removal in SuiteTestFiles.RemoveOwnFiles(run.Targets).Where(removal => removal.Error is not null))
                App.WriteError(console, removal.Text);
        if (isComplete)
            return ExitCodes.Success;
        if (console.CancellationToken.IsCancellationRequested)
            return ExitCodes.Canceled;
        return ExitCodes.Failed;
    }

    private static IReadOnlyList<IoTestSpecification> ReadPlan(CliConsole console, string file) =>
        file == "-"
            ? JsonResultSerializer.DeserializePlan(console.Input.ReadLine() ?? "", "standard input")
            : JsonResultSerializer.DeserializePlan(CancellableFileCall.Run(console, file, () => InputFiles.ReadAllText(file)), file);
}
