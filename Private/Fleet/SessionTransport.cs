using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using IoBench.Application;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell;

/// <summary>Members in PowerShell sessions: whatever opened a session (SSH, WinRM) carries the lines too.</summary>
/// <param name="sessions">The session of each host, by the host's name in the group.</param>
internal sealed class SessionTransport(IReadOnlyDictionary<string, PSSession> sessions) : IFleetTransport
{
    /// <inheritdoc/>
    public IFleetLine Open(FleetHost host, FleetLaunch launch, IFleetEar ear) => new Line(sessions[host.Name].Runspace, host, launch, ear);

    private sealed class Line : IFleetLine
    {
        // Each question may be the one that is written to an ssh that has just gone (see Send): no more of them than a live line needs.
        private const int NewsMs = 1000;
        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

        private readonly object _gate = new();
        private readonly Shell _shell = Shell.Create();
        private readonly PSDataCollection<PSObject> _input = [];
        private readonly PSDataCollection<PSObject> _output = [];
        private readonly ManualResetEventSlim _ended = new();
        private readonly IFleetEar _ear;
        private readonly Timer _news;
        private volatile bool _isOver;
        private bool _isClosed;

        public Line(Runspace runspace, FleetHost host, FleetLaunch launch, IFleetEar ear)
        {
            _ear = ear;
            _shell.Runspace = runspace;
            _shell.AddScript(SessionScripts.Member).AddParameters(new Hashtable { ["Group"] = launch.Group, ["Member"] = host.Name, ["Plan"] = launch.Plan, ["Force"] = launch.Force });
            _output.DataAdded += (_, _) => TakeLines();
            _shell.InvocationStateChanged += (_, change) => OnState(change.InvocationStateInfo);
            // A host speaks when it is asked: an empty order asks for news.
            _news = new Timer(_ => Send(""), null, Timeout.Infinite, Timeout.Infinite);
            try
            {
                _shell.BeginInvoke(_input, _output, new PSInvocationSettings { Host = new SilentHost() }, null, null);
                _news.Change(NewsMs, NewsMs);
            }
            catch (Exception error) when (error is RuntimeException or InvalidOperationException or InvalidRunspaceStateException or InvalidRunspacePoolStateException)
            {
                _isClosed = true;
                _ended.Set();
                ear.Closed(error.Message);
            }
        }

        public void Send(string line)
        {
            lock (_gate)
            {
                // PowerShell ends the whole process when it has written to an ssh that is gone: nothing is sent once the session is known to be.
                if (_isClosed || _isOver || _shell.Runspace.RunspaceStateInfo.State != RunspaceState.Opened)
                    return;
                try
                {
                    _input.Add(line);
                }
                catch (InvalidOperationException)
                {
                    // The pipeline ended meanwhile, and that is heard.
                }
            }
        }

        public void Close()
        {
            lock (_gate)
            {
                if (_isClosed)
                    return;
                _isClosed = true;
            }
            _news.Change(Timeout.Infinite, Timeout.Infinite);
            _input.Complete();
        }

        public void Dispose()
        {
            Close();
            _news.Dispose();
            if (!_ended.Wait(s_patience))
                _shell.BeginStop(null, null);
            // Disposing of a call that still runs would wait for a host that may never answer.
            if (_ended.Wait(s_patience))
                _shell.Dispose();
        }

        private void TakeLines()
        {
            foreach (var line in _output.ReadAll())
                if (line?.BaseObject is string text)
                    _ear.Heard(text);
        }

        private void OnState(PSInvocationStateInfo state)
        {
            if (state.State is not (PSInvocationState.Completed or PSInvocationState.Failed or PSInvocationState.Stopped or PSInvocationState.Disconnected))
                return;
            _isOver = true;
            TakeLines();
            _ended.Set();
            _ear.Closed(state.Reason?.Message);
        }
    }
}
