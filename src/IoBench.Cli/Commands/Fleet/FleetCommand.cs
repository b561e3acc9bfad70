using System.CommandLine;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Cli;

/// <summary><c>iobench fleet</c> and <c>iobench fleet merge</c>.</summary>
internal sealed class FleetCommand(CliConsole console) : IFleetObserver
{
    private const int MaxRows = 24;

    private readonly Dictionary<string, int> _reportedFailures = [];
    private int _lines;

    public required OptionValues CoordinatorOptions { get; init; }

    public required OutputDestinations Output { get; init; }

    public IReadOnlyList<FleetRequirement> Requirements { get; init; } = [];

    public bool IsQuiet { get; init; }

    public static Command Create(CliConsole console)
    {
        var inventory = new Argument<string>("INVENTORY")
        {
            Description = "Inventory file (.csv, .json, or Ansible .ini), or host names separated by commas. localhost is this computer.",
        };
        var path = new Argument<string?>("PATH")
        {
            Description = "Test file or folder, for hosts without a path in the inventory.",
            Arity = ArgumentArity.ZeroOrOne,
        };
        var tests = new CommandOptionSet(OptionTables.FleetTests.Where(row => row.Name != OptionNames.Force.Name));
        var lead = new CommandOptionSet(OptionTables.FleetLead);
        var output = new OutputOptions();
        var judging = new CommandOptionSet(OptionTables.FleetRating);
        var write = OptionParsing.CreateOption(
            "--document",
            "KIND",
            "Print a file that another tool uses to start the fleet members. IoBench runs no test. KIND is ansible (an Ansible playbook)."
        );
        var startAt = OptionParsing.CreateOption(
            "--start-at",
            "TIME",
            "With --document: start time of all members, such as 02:00, 2026-12-01T02:00:00Z, or +90s."
        );
        var quiet = OptionParsing.CreateFlag("--quiet", "Print only results and errors.", "-q");
        var command = new Command(
            "fleet",
            "Run tests on many hosts with a synchronized start, and report the total, the slowest host, and the saturation point of shared storage."
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
        command.Add(startAt);
        command.Add(quiet);
        command.Add(CreateMergeCommand(console));
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
                return WriteDocument(console, plan, new FleetSetup(values), kind, parsed.GetText(startAt));
            if (parsed.GetText(startAt) is not null)
                throw IoBenchException.Usage(
                    FleetErrorIds.InvalidMemberOptions,
                    $"{new OptionName("StartAt")} requires {new OptionName("Document")}."
                );
            var setup = new FleetSetup(values);
            return new FleetCommand(console)
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
            Description = "Files with the output of fleet members, one per host.",
            Arity = ArgumentArity.OneOrMore,
        };
        var output = new OutputOptions();
        var judging = new CommandOptionSet(OptionTables.FleetRating);
        var command = new Command(
            "merge",
            "Merge the output of fleet members that were started separately (--start-at), and print the fleet summary."
        )
        {
            files,
        };
        judging.AddTo(command);
        output.AddTo(command);
        command.SetAction(parsed =>
        {
            var run = new FleetCommand(console)
            {
                CoordinatorOptions = new OptionValues(OptionTables.FleetLead),
                Output = output.ReadTargets(parsed, DateTime.Now),
                Requirements = FleetRequirement.FromOptions(judging.ReadValues(parsed)),
            };
            return run.MergeMembers(parsed.GetValue(files)!);
        });
        return command;
    }

    private static int WriteDocument(CliConsole console, FleetPlan plan, FleetSetup setup, string kind, string? startAt)
    {
        if (!kind.Equals("ansible", StringComparison.OrdinalIgnoreCase))
            throw IoBenchException.Usage(
                "IoBench.InvalidName",
                $"IoBench cannot write a document of the kind '{kind}'. Use ansible.",
                kind
            );
        if (startAt is null)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("Document")} requires {new OptionName("StartAt")}, the time at which all members start."
            );
        var text = AnsiblePlaybook.Write(
            setup.SplitRate(plan),
            setup.Group,
            FleetMemberRequest.ParseStartTime(startAt, DateTimeOffset.Now),
            setup.Program ?? FleetSetup.DefaultProgram
        );
        console.Data.Write(text);
        console.Data.Flush();
        return ExitCodes.Success;
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
                    $"{lost} is an option for a fleet member and requires {new OptionName("StartAt")}."
                );
            if (plan is not null)
                request.Specifications = ReadPlan(console, plan);
            return null;
        }
        if (plan is null || values.GetText(new OptionName("Group")) is not { } group)
            throw IoBenchException.Usage(
                FleetErrorIds.InvalidMemberOptions,
                $"{new OptionName("StartAt")} starts this host as a fleet member. "
                    + $"This option requires {new OptionName("Specification")} and {new OptionName("Group")}."
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
            StartAt = isLine ? null : FleetMemberRequest.ParseStartTime(startAt, DateTimeOffset.Now),
            Settings = request.Suite,
            Hosts = values.GetValue<int>(new OptionName("GroupHosts")),
            IsConfirmed = isLine,
        };
        using var run = new FleetMemberRunner(
            member,
            isLine ? console.Input.ReadLine : null,
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

    private int Execute(FleetPlan plan, FleetSetup setup)
    {
        setup.CheckOutput(Output.OutputPath);
        Output.Resume = setup.Resume != FleetResumeMode.None;
        using var files = Output.OpenFiles(console);
        IReadOnlyList<IoTestResult> earlier = [.. files.Results?.Results ?? []];
        ConfirmStart(setup.DescribePlan(plan, earlier));
        if (Output.HasFile)
            console.MarkResultsSaved();
        console.RequireOutput();
        files.OpenJournal(_ => { });
        using var spool = ResultSpool.Create(setup.Group);
        var answer = setup.Run(
            plan,
            setup.CreateProcessStarter(Program.ExecutablePath),
            spool,
            this,
            files.GetSinks(),
            earlier,
            console.CancellationToken
        );
        ClearLines();
        var code = ReportResults(answer);
        OutputDestinations.WriteNotices(console, files);
        if (answer.Results.Count > 0)
            OutputDestinations.WriteReport(console, Output, files, [.. answer.Results, .. answer.Unmeasured], IsQuiet);
        return code;
    }

    private int MergeMembers(IReadOnlyList<string> members)
    {
        using var files = Output.OpenFiles(console);
        var answer = FleetResult.ReadFiles(members);
        files.Results?.SaveStreamed(answer.Whole);
        OutputDestinations.WriteReport(console, Output, files, answer.Results, IsQuiet);
        return ReportResults(answer);
    }

    private int ReportResults(FleetResult answer)
    {
        if (Output.Format is { } format)
            ResultWriter.Write(console.GetDataWriter(format), answer.Whole, format);
        else
            WriteResults(console.Out, answer, console.Spelling);
        var missed = FleetRequirement.DescribeFailures(Requirements, answer.Groups);
        foreach (var line in missed)
            console.Error.WriteLine(line);
        if (answer.IsCancelled)
            return ExitCodes.Canceled;
        if (!answer.IsSufficient(CoordinatorOptions.GetValue<int>(new OptionName("MinHosts"))))
            return ExitCodes.Failed;
        if (missed.Count > 0)
            return ExitCodes.RequirementNotMet;
        return ExitCodes.Success;
    }

    /// <summary>Asks once for all hosts.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotConfirmed</c>: the user did not confirm, or cannot be asked.</exception>
    private void ConfirmStart(IoMessage words)
    {
        if (!IsQuiet || !CoordinatorOptions.IsOn(new OptionName("Yes")))
            console.Error.WriteLine(words.Render(console.Spelling));
        if (CoordinatorOptions.IsOn(new OptionName("Yes")))
            return;
        if (!console.CanAsk)
            throw IoBenchException.Usage(
                FleetErrorIds.NotConfirmed,
                "IoBench cannot ask for confirmation, because standard input or standard error is redirected or closed.",
                advice: $"Add {new OptionName("Yes")}."
            );
        if (console.AskUser("Begin? [y/N] ")?.Trim().StartsWith("y", StringComparison.OrdinalIgnoreCase) != true)
            throw IoBenchException.Usage(FleetErrorIds.NotConfirmed, "no test was started.");
    }

    public void OnWarning(IoWarning warning) => WriteLine($"Warning: {warning.RenderWithId(console.Spelling)}");

    public void OnProgress(string line) => WriteLine(line);

    public void OnFailure(FleetFailure failure)
    {
        // A lost host fails all of its tests for the same reason.
        if (_reportedFailures.TryAdd(failure.ToString(), 1))
            WriteLine(failure.Render(console.Spelling), always: true);
    }

    public void OnStatus(IReadOnlyList<string> status)
    {
        if (IsQuiet || !console.IsErrorTerminal)
            return;
        // A wrapped line cannot be cleared, and a terminal without escape sequences can clear only one line.
        var width = ProgressLine.GetTerminalWidth() - 1;
        List<string> lines =
        [
            .. (TerminalMode.SupportsEscapeSequences ? status : [string.Join("; ", status)])
                .Select(line => SafeText.Escape(line))
                .Select(line => line.Length > width ? line[..width] : line),
        ];
        ClearLines();
        console.Error.Write(
            TerminalMode.SupportsEscapeSequences
                ? string.Concat(lines.Select(line => line + "\u001b[K\n"))
                : "\r" + lines[0].PadRight(width)
        );
        console.Error.Flush();
        _lines = lines.Count;
    }

    private void ClearLines()
    {
        if (_lines > 0)
            console.Error.Write(
                TerminalMode.SupportsEscapeSequences
                    ? $"\u001b[{_lines}A\u001b[J"
                    : "\r" + new string(' ', ProgressLine.GetTerminalWidth() - 1) + "\r"
            );
        _lines = 0;
    }

    private static void WriteResults(TextWriter output, FleetResult answer, OptionSpelling spelling)
    {
        foreach (var group in answer.Groups)
        {
            output.WriteLine(group.Summary);
            foreach (var warning in group.Warnings)
                output.WriteLine($"  {warning.Text.Render(spelling)}");
            foreach (var failure in group.Failures)
                output.WriteLine($"  {failure.Render(spelling)}");
            if (group.Hosts.Count > 1)
                WriteHosts(output, group);
            output.WriteLine();
        }
        foreach (var ramp in answer.Ramps)
        {
            output.WriteLine(ramp.Summary);
            TextTable.WriteTable(
                output,
                [
                    .. ramp.Points.Select(point =>
                        new[]
                        {
                            NumberFormat.Integer(point.Hosts),
                            NumberFormat.Grouped(point.IOPS),
                            ThroughputDisplay.Format(point.MBps ?? 0),
                            NumberFormat.Grouped(point.IOPS / point.Hosts),
                            NumberFormat.Latency(point.AverageLatencyMs),
                        }
                    ),
                ],
                "#hosts",
                "#IOPS",
                "#throughput",
                "#per host",
                "#avg ms"
            );
            output.WriteLine();
        }
    }

    private static void WriteHosts(TextWriter output, FleetGroup group)
    {
        var shown = group.Hosts.Count <= MaxRows ? group.Hosts : [.. group.Hosts.OrderBy(host => host.IOPS).Take(MaxRows / 2)];
        TextTable.WriteTable(
            output,
            [
                .. shown.Select(host =>
                    new[]
                    {
                        host.Host,
                        host.Result.ComputerName ?? "",
                        NumberFormat.Grouped(host.IOPS, 0, "-"),
                        NumberFormat.Grouped(ThroughputDisplay.ToUnit(host.MBps), 1, "-"),
                        NumberFormat.Latency(DisplayLatency.FromResult(host.Result).AverageMs),
                        NumberFormat.Latency(DisplayLatency.FromResult(host.Result).P99Ms),
                        host.SharePercent is { } share ? NumberFormat.Integer((int)Math.Round(share)) : "-",
                        host.Result.StartOffsetSeconds is { } offset ? (offset * 1000).ToString("0.0", CultureInfo.InvariantCulture) : "-",
                        host.IsOutlier ? "outlier" : "",
                    }
                ),
            ],
            "host",
            "computer",
            "#IOPS",
            $"#{ThroughputDisplay.Unit}",
            "#avg ms",
            "#p99 ms",
            "#share %",
            "#start ms",
            "note"
        );
        if (shown.Count < group.Hosts.Count)
            output.WriteLine(Invariant($"the {shown.Count} slowest of {group.Hosts.Count} hosts"));
    }

    private void WriteLine(string text, bool always = false)
    {
        if (IsQuiet && !always)
            return;
        ClearLines();
        console.Error.WriteLine(text);
    }
}
