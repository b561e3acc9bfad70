using System.Management.Automation;
using System.Management.Automation.Runspaces;

namespace IoBench.PowerShell;

/// <summary>Tests on many hosts, each at one moment on all of them; an answer for each test.</summary>
[Cmdlet(
    VerbsLifecycle.Invoke,
    "IoFleet",
    DefaultParameterSetName = "Inventory",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.High,
    HelpUri = HelpPages.Root + "Invoke-IoFleet"
)]
[OutputType(typeof(FleetGroup))]
public sealed class InvokeIoFleetCommand : SuiteOptionCmdlet
{
    private string? _output;

    /// <summary>A file of hosts (.csv, .json, Ansible's .ini or .yml), or names.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Inventory")]
    public string[]? Inventory { get; set; }

    /// <summary>Run on the hosts of these sessions.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Session")]
    public PSSession[]? Session { get; set; }

    /// <summary>What is tested on each host that names nothing of its own.</summary>
    [Parameter(Position = 1, ParameterSetName = "Inventory")]
    [Parameter(Position = 0, ParameterSetName = "Session")]
    public string? Path { get; set; }

    /// <summary>SQL Server's I/O by name.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(WorkloadCompleter))]
    public override string[]? Workload { get; set; }

    /// <summary>Default 20 GB, at most 10 % of the free space.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(FileSizeCompleter))]
    public override IoSize[]? FileSize { get; set; }

    /// <summary>Measured time of each test; default 30 s.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoDuration Duration { get; set; }

    /// <summary>Bytes per I/O; default 8 KB.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? BlockSize { get; set; }

    /// <summary>Outstanding I/Os per thread and target; default 8.</summary>
    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? OutstandingIO { get; set; }

    /// <summary>Threads per target, or Auto; default 4.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [ValidateThreadCount]
    public override string[]? ThreadCount { get; set; }

    /// <summary>Share of writes; default 0.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? WritePercent { get; set; }

    /// <summary>Order of blocks; default Random.</summary>
    [Parameter]
    public override IoAccessPattern[]? AccessPattern { get; set; }

    /// <summary>Run all tests this many times, round by round.</summary>
    [Parameter]
    [ValidateRange(1, 10000)]
    public override int Repeat { get; set; } = 1;

    /// <summary>Your name for the results.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(LabelCompleter))]
    public override string[]? Label { get; set; }

    /// <summary>A test begins with so many hosts, and so many are enough.</summary>
    [Parameter]
    [ValidateRange(1, 100_000)]
    public int MinHosts { get; set; }

    /// <summary>A host that says nothing for so long is lost; default 90 s.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration HostTimeout { get; set; }

    /// <summary>Run with the first 1, 2, 4 hosts and so on: the knee of what they share.</summary>
    [Parameter]
    public int[]? Ramp { get; set; }

    /// <summary>Run each host alone too.</summary>
    [Parameter]
    public SwitchParameter Alone { get; set; }

    /// <summary>Open loop: I/Os per second of all hosts together.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double GroupIops { get; set; }

    /// <summary>Closed loop: no more than this of all hosts together.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoRate GroupMaxRate { get; set; }

    /// <summary>The program on the hosts; default iobench.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public string? Program { get; set; }

    /// <summary>Copy this program to each host that does not have it byte for byte.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public string? Copy { get; set; }

    /// <summary>Start members that begin and end by themselves, and wait for nothing.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public SwitchParameter Detach { get; set; }

    /// <summary>When detached members begin: 02:00, 2026-12-01T02:00:00Z or +90s.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public string? StartAt { get; set; }

    /// <summary>Figures to reach, such as "sum iops > 300000".</summary>
    [Parameter]
    public string? Require { get; set; }

    /// <summary>A JSON file that keeps each result as its test ends.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Continue with -OutputPath: a test that not all of its hosts gave is run again by all.</summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    /// <summary>Continue with the missing hosts alone; their results are marked.</summary>
    [Parameter]
    public SwitchParameter ResumeAlone { get; set; }

    /// <summary>Use files that IoBench did not make, and replace the output.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <inheritdoc/>
    protected override void End()
    {
        var isSession = Session is not null;
        var setup = new FleetSetup(GivenOptions.Read(this, OptionTables.FleetLead));
        if (Require is not null)
            _ = FleetRequirement.Parse(Require);
        _output = string.IsNullOrEmpty(OutputPath) ? null : OutputPaths.Resolve(SessionState, OutputPath);
        setup.CheckOutput(_output);
        var sessions = isSession ? FleetSessions.HostsOf(Session!) : [];
        var hosts = isSession ? [.. sessions.Select(session => session.Host)] : FleetInventories.Read(SessionState, Inventory!);
        var plan = FleetPlan.Create(
            hosts,
            Path,
            () => new PlanRequest([], GivenOptions.Read(this, OptionTables.FleetTests, isElsewhere: true))
        );
        if (setup.IsDetached)
            StartDetached(setup, setup.Rate.Split(plan));
        else
            Run(setup, plan, sessions);
    }

    private void Run(FleetSetup setup, FleetPlan plan, IReadOnlyList<(FleetHost Host, SessionHost Session)> sessions)
    {
        // Before it is known that something will run no file is taken.
        var earlier =
            setup.Resume != FleetResume.None && File.Exists(_output) ? ResultReader.ReadFile(_output!, ResultFormat.Json).ToList() : [];
        if (
            !IsWanted(setup.Words(plan, earlier))
            || (setup.Resume == FleetResume.None && _output is not null && !UserPrompts.MayReplace(Host, _output, Force))
        )
            return;
        using var files = RunOutputs.Claim(_output, ResultFormat.Json, setup.Resume != FleetResume.None, null, replace: true, []);
        using var journal = BeginJournal();
        var streams = Streams();
        var view = new FleetCmdletView(streams);
        FleetAnswer answer;
        using var spool = FleetSpool.Begin(setup.Group);
        using (var live = FleetLive.Begin(setup.Group, view))
        {
            var transport = sessions.Count > 0 ? FleetSessions.Open(this, sessions, Stopped) : setup.Transport(null);
            answer = setup.Runner(transport, spool, live, ResultSinks.Of(files.Results, journal), earlier, Force).Run(plan, Stopped);
        }
        Stopped.ThrowIfCancellationRequested();
        view.End();
        foreach (var notice in files.TakeNotices())
            WriteWarning(notice);
        FleetCmdletAnswer.Tell(answer, Require, streams);
        foreach (var group in answer.Groups)
            WriteObject(group);
        foreach (var ramp in answer.Ramps)
            WriteObject(ramp);
    }

    private void StartDetached(FleetSetup setup, FleetPlan plan)
    {
        if (!IsWanted(setup.Words(plan, [])))
            return;
        // Hosts are started several at a time: what they say waits for PowerShell's thread.
        var said = new System.Collections.Concurrent.ConcurrentQueue<IoWarning>();
        var at = setup.StartAt!.Value;
        var failures = setup.Hands(null, said.Enqueue).Detach(plan, setup.Group, at, Force, Stopped);
        Stopped.ThrowIfCancellationRequested();
        foreach (var warning in said)
            WriteWarning(warning.Text.Render(ModuleSpelling.Default));
        foreach (var failure in failures)
            WriteProblem(FleetCmdletView.ErrorOf(failure), failure.Host);
        if (failures.Count < plan.Work.Count)
            WriteNote(FleetText.Detached(plan, setup.Group, at, plan.Work.Count - failures.Count));
        // What Receive-IoFleet takes.
        WriteObject(setup.Group);
    }

    /// <summary>One yes for all hosts.</summary>
    private bool IsWanted(IoText words)
    {
        if (!UserPrompts.CanAsk(Host) && !UserPrompts.IsConfirmed(this) && !UserPrompts.IsWhatIf(this))
            throw IoBenchException.Usage(
                FleetErrors.NotConfirmed,
                $"nobody is there to say yes to this: {words.Render(ModuleSpelling.Default)}",
                advice: "Give -Confirm:$false."
            );
        return ShouldProcess(words.Render(ModuleSpelling.Default), "run on all hosts at one moment");
    }

    private FleetStreams Streams() =>
        new(
            text => IfGoing(() => WriteWarning(text.Render(ModuleSpelling.Default))),
            text => IfGoing(() => WriteNote(text)),
            record => IfGoing(() => WriteProgress(record)),
            error => IfGoing(() => WriteProblem(error, error.Target))
        );

    private void IfGoing(Action write)
    {
        if (!Stopping)
            write();
    }
}
