using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Analysis;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Runs a suite on the hosts of sessions. Each test starts on all hosts when the last host has ended the previous one. A failure
/// costs only its own host that test. Results of a lost host are kept.</summary>
internal sealed class SessionSuite(
    PSCmdlet cmdlet,
    string activity,
    SuiteSettings settings,
    OutputRequest request,
    Action<IoTestResult> resultHandler,
    CancellationToken stopped
) : IFleetObserver
{
    private readonly FleetCmdletObserver _view = new(cmdlet, activity);
    private readonly HashSet<string> _reportedFailures = [];
    private readonly List<(SessionHost Host, IoTestResult Result)> _received = [];
    private readonly List<Action> _lastNotes = [];
    private Dictionary<string, SessionHost> _hosts = [];
    private RunOutputs? _outputs;
    private SuiteResults? _results;

    public required Action<IoWarning> WarningHandler { get; init; }

    public void Run(IReadOnlyList<IoTestSpecification> plan, IEnumerable<PSSession> sessions)
    {
        var hosts = SessionHost.FromSessions(sessions.Where(session => ConfirmHost(plan, session)));
        if (hosts.Count == 0)
            return;
        new RemoteModuleLoader(new RemoteScriptRunner(cmdlet, stopped)).LoadModule(hosts);
        _hosts = hosts.Where(host => host.IsUsable).ToDictionary(host => host.Member.Name, StringComparer.Ordinal);
        if (_hosts.Count == 0 || stopped.IsCancellationRequested)
            return;
        using var outputs = new RunOutputs(request);
        _outputs = outputs;
        outputs.OpenEarlierRun(plan, WarningHandler);
        var work = HostWorkload.CreateForSuite(
            plan,
            [.. _hosts.Values.Select(host => (host.Member, host.ComputerName))],
            outputs.EarlierResults
        );
        foreach (var item in settings.Resume ? work : [])
            cmdlet.WriteHostNote(_hosts[item.Host.Name], ResumePlan.DescribeProgress(plan.Count, plan.Count - item.CompletedTests.Count));
        work = [.. work.Where(item => item.CompletedTests.Count < plan.Count)];
        if (work.Count > 0)
            RunTests(plan, work, outputs);
        stopped.ThrowIfCancellationRequested();
    }

    public void OnWarning(IoWarning warning) => _view.OnWarning(warning);

    public void OnStatus(IReadOnlyList<string> lines) => _view.OnStatus(lines);

    public void OnResult(FleetHost host, IoTestResult result)
    {
        // All results of a host have the same name, so that a resumed run finds them. The hosts are not a group.
        result.ComputerName = _hosts[host.Name].ComputerName;
        result.GroupId = null;
        result.Member = null;
        result.GroupMembers = [];
        result.GroupHosts = null;
        _results!.AddResult(
            result.Specification!,
            result,
            added =>
            {
                _received.Add((_hosts[host.Name], added));
                foreach (var notice in _outputs!.TakeNotices())
                    cmdlet.WriteHostWarning(_hosts[host.Name], notice);
                cmdlet.WriteUnlessStopped(() => resultHandler(added));
            },
            failure => cmdlet.WriteHostError(_hosts[host.Name], failure.Error)
        );
    }

    public void OnFailure(FleetFailure failure)
    {
        // Show a reason once, although it fails all tests of a lost host or of a refused file. The host has already reported the reason of
        // tests that it did not run.
        if (failure.ErrorId == FleetErrorIds.NotRun || !_reportedFailures.Add(failure.ToString()))
            return;
        var host = _hosts[failure.Host];
        if (failure.ErrorId is FleetErrorIds.HostLost or FleetErrorIds.NotReached)
            cmdlet.WriteHostLost(host, failure.What.Render(PowerShellSpelling.Default), RemoteScriptRunner.AdviceOnLostRun);
        else
            cmdlet.WriteHostError(host, new IoBenchException(failure.ErrorId, failure.Kind, failure.What, advice: failure.Advice));
    }

    public void OnNote(FleetHost host, MemberMessage note)
    {
        var text = note.GetText() ?? "";
        if (note.State == MemberMessageKind.Log)
            cmdlet.WriteHostVerbose(_hosts[host.Name], $"{text}");
        else if (note.ErrorId is not null)
            cmdlet.WriteHostError(_hosts[host.Name], note.GetError());
        else
            // After the summaries of all hosts, as in a suite on this computer.
            _lastNotes.Add(() => cmdlet.WriteHostNote(_hosts[host.Name], text.Render(PowerShellSpelling.Default)));
    }

    private bool ConfirmHost(IReadOnlyList<IoTestSpecification> plan, PSSession session)
    {
        var paths = string.Join("; ", plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct());
        return cmdlet.ShouldProcess(
            SafeText.Escape($"{paths} on {session.ComputerName}"),
            SafeText.Escape(SuiteMessages.DescribeRemoteRun(plan))
        );
    }

    private void RunTests(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<HostWorkload> work, RunOutputs outputs)
    {
        outputs.Reserve(plan);
        outputs.OpenJournal(WarningHandler);
        _results = new SuiteResults(outputs.GetSinks(), settings.RequireRate);
        var options = new FleetOptions { Group = FleetPlan.CreateGroupId(DateTimeOffset.Now), IsSynchronized = false };
        // A host cannot prompt, so -Confirm:$false on this computer applies to it.
        var start = SessionMemberConnection.CreateStarter(_hosts.Values, settings, UserPrompts.IsConfirmed(cmdlet));
        using (var spool = ResultSpool.Create(options.Group))
            new FleetController(options, start, this) { Spool = spool }.Run(work, stopped);
        _view.ClearProgress();
        var outcome = _results.Complete(stopped.IsCancellationRequested);
        foreach (var item in outcome.IsCancelled ? [] : work)
            WriteSummary(_hosts[item.Host.Name]);
        _lastNotes.ForEach(write => write());
        outputs.WriteMetrics([.. outputs.EarlierResults, .. outcome.Results], settings.Storage);
    }

    /// <summary>Summarizes each host separately, because results of two computers are not repeats.</summary>
    private void WriteSummary(SessionHost host)
    {
        var results = _received.Where(item => item.Host == host).Select(item => item.Result);
        var summary = SuiteSummary.Create([.. results], settings.Storage);
        foreach (var warning in summary.Warnings)
            cmdlet.WriteHostWarning(host, warning.Text.Render(PowerShellSpelling.Default));
        foreach (var line in summary.Lines)
            cmdlet.WriteHostNote(host, line);
    }
}
