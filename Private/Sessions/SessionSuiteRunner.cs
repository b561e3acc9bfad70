using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Application;
using IoBench.Engine;

namespace IoBench.PowerShell;

internal sealed class SessionSuiteRunner(PSCmdlet cmdlet, CmdletSuiteRequest call, CancellationToken stopped)
{
    private readonly RemoteScriptRunner _calls = new(cmdlet, stopped);

    public required Action<IoWarning> WarningHandler { get; init; }

    public void Run(IReadOnlyList<IoTestSpecification> plan, IEnumerable<PSSession> sessions)
    {
        var hosts = SessionHost.FromSessions(sessions.Where(session => ConfirmHost(plan, session)));
        if (hosts.Count == 0)
            return;
        new RemoteModuleLoader(_calls).LoadModule(hosts);
        hosts = [.. hosts.Where(host => host.IsUsable)];
        if (hosts.Count == 0 || stopped.IsCancellationRequested)
            return;
        using var store = CmdletResultStore.Open(call, plan, WarningHandler);
        _calls.MessageWriter.Activity = $"{call.Activity} on {hosts.Count} host{(hosts.Count == 1 ? "" : "s")}";
        var settings = call.Settings;
        var outcome = new HostSuiteRunner<SessionHost>(
            new SessionSuiteTransport(cmdlet, _calls, settings),
            new SessionSuiteObserver(_calls.MessageWriter, call, store)
        )
        {
            IsResumed = settings.Resume,
            RequiresRate = settings.RequireRate,
            RemovesTestFiles = settings.RemoveTestFile,
            Storage = settings.Storage,
            OpenSinks = () =>
            {
                store.OpenFiles(call, plan);
                return store.Sinks;
            },
        }.Run(plan, hosts, store.EarlierResults, stopped);
        store.WriteMetrics(call, outcome.Results);
        stopped.ThrowIfCancellationRequested();
    }

    private bool ConfirmHost(IReadOnlyList<IoTestSpecification> plan, PSSession session)
    {
        var paths = string.Join("; ", plan.SelectMany(test => test.Targets).Select(target => target.Path).Distinct());
        return cmdlet.ShouldProcess(
            SafeText.Escape($"{paths} on {session.ComputerName}"),
            SafeText.Escape(SuiteMessages.DescribeRemoteRun(plan))
        );
    }

    private sealed class SessionSuiteObserver(HostMessageWriter view, CmdletSuiteRequest call, CmdletResultStore store)
        : IHostSuiteObserver<SessionHost>
    {
        public void OnResult(SessionHost host, IoTestResult result)
        {
            if (store.TakeNotice() is { } notice)
                view.WriteWarning(host, notice);
            call.ResultHandler?.Invoke(result);
        }

        public void OnFailure(SessionHost host, SuiteFailure failure) => view.WriteError(host, failure.Error);

        public void OnWarning(SessionHost host, IoWarning warning) =>
            view.WriteWarning(host, warning.Text.Render(PowerShellSpelling.Default));

        public void OnNote(SessionHost host, IoMessage note) => view.WriteNote(host, note.Render(PowerShellSpelling.Default));
    }
}
