using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Runs tests on many hosts, each test on all hosts at the same time, and returns a summary of each test.</summary>
[Cmdlet(
    VerbsLifecycle.Invoke,
    "IoFleet",
    DefaultParameterSetName = "Inventory",
    SupportsShouldProcess = true,
    ConfirmImpact = ConfirmImpact.High,
    HelpUri = HelpPages.Root + "Invoke-IoFleet"
)]
[OutputType(typeof(FleetGroup))]
public sealed class InvokeIoFleetCommand : LoadOptionCmdlet
{
    private string? _output;

    /// <summary>Inventory file (.csv, .json, or Ansible's .ini), or host names.</summary>
    [Parameter(Mandatory = true, Position = 0, ParameterSetName = "Inventory")]
    public string[]? Inventory { get; set; }

    /// <summary>PowerShell sessions to the hosts.</summary>
    [Parameter(Mandatory = true, ParameterSetName = "Session")]
    public PSSession[]? Session { get; set; }

    /// <summary>Path to test on each host for which the inventory names no path.</summary>
    [Parameter(Position = 1, ParameterSetName = "Inventory")]
    [Parameter(Position = 0, ParameterSetName = "Session")]
    public string? Path { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Workload { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? FileSize { get; set; }

    /// <summary>Duration of the measurement of each test; default 30 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [Input(InputRule.OneDuration)]
    public override IoDuration Duration { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override IoSize[]? BlockSize { get; set; }

    [Parameter]
    [Alias("QueueDepth", "QD")]
    [ValidateRange(1, SpecificationValidator.MaxOutstanding)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? OutstandingIO { get; set; }

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    [ValidateThreadCount]
    public override string[]? ThreadCount { get; set; }

    /// <summary>Write percentage; default 0.</summary>
    [Parameter]
    [ValidateRange(0, 100)]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override int[]? WritePercent { get; set; }

    /// <summary>Access pattern; default Random.</summary>
    [Parameter]
    public override IoAccessPattern[]? AccessPattern { get; set; }

    /// <summary>Number of times that all tests run, round by round.</summary>
    [Parameter]
    [ValidateRange(1, 10000)]
    public int Repeat { get; set; } = 1;

    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public override string[]? Label { get; set; }

    /// <summary>Minimum number of hosts to start a test, and for a valid result.</summary>
    [Parameter]
    [ValidateRange(1, 100_000)]
    public int MinHosts { get; set; }

    /// <summary>Time without a message after which a host is lost; default 90 seconds.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoDuration HostTimeout { get; set; }

    /// <summary>Runs with the first 1, 2, 4 hosts and so on, to find the saturation point of shared storage.</summary>
    [Parameter]
    public int[]? Ramp { get; set; }

    /// <summary>Also runs each host alone.</summary>
    [Parameter]
    public SwitchParameter Alone { get; set; }

    /// <summary>Open loop: target rate of all hosts together, in IOPS.</summary>
    [Parameter]
    [ValidateRange(0.001, 1e9)]
    public double GroupIops { get; set; }

    /// <summary>Closed loop: maximum rate of all hosts together.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public IoRate GroupMaxRate { get; set; }

    /// <summary>Program on the hosts; default iobench.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public string? Program { get; set; }

    /// <summary>Copies this program to each host that does not have an identical copy.</summary>
    [Parameter(ParameterSetName = "Inventory")]
    public string? Copy { get; set; }

    /// <summary>Values to reach, such as "sum iops > 300000".</summary>
    [Parameter]
    public string? Require { get; set; }

    /// <summary>JSON file to which each result is saved as its test ends.</summary>
    [Parameter]
    public string? OutputPath { get; set; }

    /// <summary>Resumes the run of -OutputPath. A test without results of all of its hosts runs again on all of them.</summary>
    [Parameter]
    public SwitchParameter Resume { get; set; }

    /// <summary>Resumes the run with the missing hosts only; their results are marked.</summary>
    [Parameter]
    public SwitchParameter ResumeAlone { get; set; }

    /// <summary>Uses files that IoBench did not create, and replaces the output.</summary>
    [Parameter]
    public SwitchParameter Force { get; set; }

    /// <summary>Idle time between tests.</summary>
    [Parameter]
    [Alias("Idle")]
    public IoDuration IdleSeconds { get; set; }

    /// <summary>Number of times that each file is overwritten before its test, such as 2x.</summary>
    [Parameter]
    [ArgumentCompleter(typeof(OptionCompleter))]
    public string? Precondition { get; set; }

    protected override void End()
    {
        var isSession = Session is not null;
        var setup = new FleetSetup(ReadParameters(OptionTables.FleetLead));
        if (Require is not null)
            _ = FleetRequirement.Parse(Require);
        _output = string.IsNullOrEmpty(OutputPath) ? null : PathResolver.ResolveOutputPath(SessionState, OutputPath);
        setup.CheckOutput(_output);
        var sessions = isSession ? SessionHost.FromSessions(Session!) : [];
        var plan = FleetPlan.Create(
            isSession ? [.. sessions.Select(session => session.Member)] : ReadInventory(Inventory!),
            Path,
            () => new PlanRequest([], ReadParameters(OptionTables.FleetTests, isElsewhere: true))
        );
        RunFleet(setup, plan, sessions);
    }

    private void RunFleet(FleetSetup setup, FleetPlan plan, IReadOnlyList<SessionHost> sessions)
    {
        // Ask before any file is created or locked.
        var earlier =
            setup.Resume != FleetResumeMode.None && File.Exists(_output) ? ResultReader.ReadFile(_output!, ResultFormat.Json).ToList() : [];
        if (!ConfirmRun(setup.DescribePlan(plan, earlier)))
            return;
        if (setup.Resume == FleetResumeMode.None && _output is not null && !UserPrompts.ConfirmReplace(Host, _output, Force))
            return;
        using var files = RunOutputs.Reserve(
            new OutputRequest
            {
                OutputPath = _output,
                Force = true,
                Resume = setup.Resume != FleetResumeMode.None,
            }
        );
        files.OpenJournal(Front.OnJournalProblem);
        var observer = new FleetCmdletObserver(this);
        using var spool = ResultSpool.Create(setup.Group);
        var start = sessions.Count > 0 ? CreateSessionStarter(sessions) : setup.CreateProcessStarter(null);
        var result = setup.Run(plan, start, spool, observer, files.GetSinks(), earlier, StopToken);
        StopToken.ThrowIfCancellationRequested();
        observer.ClearProgress();
        foreach (var notice in files.TakeNotices())
            WriteWarning(notice);
        observer.WriteResult(result, Require);
    }

    private FleetHost[] ReadInventory(string[] inventory)
    {
        var names = string.Join(',', inventory);
        var file = inventory.Length == 1 ? PathResolver.GetFullPath(SessionState, names) : names;
        return [.. FleetInventory.Read(File.Exists(file) ? file : names)];
    }

    /// <exception cref="IoBenchException"><c>IoBench.HostNotReached</c>: no host can run a member.</exception>
    private MemberStarter CreateSessionStarter(IReadOnlyList<SessionHost> sessions)
    {
        new RemoteModuleLoader(new RemoteScriptRunner(this, StopToken)).LoadModule(sessions);
        return sessions.Any(session => session.IsUsable)
            ? SessionMemberConnection.CreateStarter(sessions)
            : throw IoBenchException.Failure(
                FleetErrorIds.NotReached,
                sessions.Count == 1
                    ? "The session cannot run the test."
                    : (IoMessage)$"None of the {sessions.Count} sessions can run the test."
            );
    }

    private bool ConfirmRun(IoMessage plan)
    {
        if (!UserPrompts.CanPrompt(Host) && !UserPrompts.IsConfirmed(this) && !UserPrompts.IsWhatIf(this))
            throw IoBenchException.Usage(
                FleetErrorIds.NotConfirmed,
                $"IoBench cannot ask for confirmation here: {plan.Render(PowerShellSpelling.Default)}",
                advice: "Add -Confirm:$false."
            );
        return ShouldProcess(plan.Render(PowerShellSpelling.Default), "run on all hosts with a synchronized start");
    }
}
