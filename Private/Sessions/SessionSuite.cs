using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class SessionSuite(PSCmdlet cmdlet, SuiteCall call, CancellationToken stopped)
{
    private readonly SessionCalls _calls = new(cmdlet, stopped);

    public required Action<IoWarning> Warn { get; init; }

    public void Run(IReadOnlyList<IoTestSpecification> plan, IEnumerable<PSSession> sessions)
    {
        var hosts = SessionHost.Of(sessions.Where(session => IsWanted(plan, session)));
        if (hosts.Count == 0)
            return;
        new SessionConnection(_calls).Open(hosts);
        hosts = [.. hosts.Where(host => host.IsUsable)];
        if (hosts.Count == 0 || stopped.IsCancellationRequested)
            return;
        using var kept = KeptResults.Open(call, plan, Warn);
        _calls.View.Activity = $"{call.Activity} on {hosts.Count} host{(hosts.Count == 1 ? "" : "s")}";
        var settings = call.Settings;
        new HostSuite<SessionHost>(new SessionWork(cmdlet, _calls, settings), new Observer(_calls.View, call, kept))
        {
            IsResumed = settings.Resume,
            RequiresRate = settings.RequireRate,
            RemovesTestFiles = settings.RemoveTestFile,
            Storage = settings.Storage,
            OpenSinks = () =>
            {
                kept.Begin(call, plan);
                return kept.Sinks;
            },
        }.Run(plan, hosts, kept.Earlier, stopped);
        stopped.ThrowIfCancellationRequested();
    }

    private bool IsWanted(IReadOnlyList<IoTestSpecification> plan, PSSession session)
    {
        var paths = string.Join("; ", plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct());
        return cmdlet.ShouldProcess(SafeText.Escape($"{paths} on {session.ComputerName}"), SafeText.Escape(SuiteWords.RunElsewhere(plan)));
    }

    private sealed class Observer(SessionView view, SuiteCall call, KeptResults kept) : IHostObserver<SessionHost>
    {
        public void OnResult(SessionHost host, IoTestResult result)
        {
            if (kept.TakeNotice() is { } notice)
                view.Warn(host, notice);
            call.Emit?.Invoke(result);
        }

        public void OnFailure(SessionHost host, SuiteFailure failure) => view.Fail(host, failure.Error);

        public void OnWarning(SessionHost host, IoWarning warning) => view.Warn(host, warning.Text.Render(ModuleSpelling.Default));

        public void OnNote(SessionHost host, IoText note) => view.Note(host, note.Render(ModuleSpelling.Default));
    }
}
