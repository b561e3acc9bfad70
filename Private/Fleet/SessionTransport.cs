using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using System.Text;
using IoBench.Application;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell;

/// <summary>Connects to members in PowerShell sessions. The transport of the session (SSH, WinRM) also carries the lines.</summary>
/// <param name="sessions">Session of each host, by the name of the host in the group.</param>
internal sealed class SessionTransport(IReadOnlyDictionary<string, PSSession> sessions) : IFleetTransport
{
    public IFleetLine Open(FleetHost host, FleetLaunch launch, IFleetEar ear) => new Line(sessions[host.Name].Runspace, host, launch, ear);

    private sealed class Line : IFleetLine
    {
        private static readonly TimeSpan s_patience = TimeSpan.FromSeconds(10);

        private readonly object _gate = new();

        // Separate from _gate, which is held while a command is written: that write can wait until received lines are processed.
        private readonly object _tally = new();
        private readonly Shell _shell = Shell.Create();
        private readonly PSDataCollection<PSObject> _input = [];
        private readonly PSDataCollection<PSObject> _output = [];
        private readonly Runspace _runspace;
        private readonly string _source = $"IoBench.Fleet.{Guid.NewGuid():N}";
        private readonly ManualResetEventSlim _ended = new();
        private readonly IFleetEar _ear;
        private volatile bool _isOver;
        private bool _isClosed;
        private int _heard;
        private int _said;
        private string? _reason;
        private bool _isToldClosed;

        public Line(Runspace runspace, FleetHost host, FleetLaunch launch, IFleetEar ear)
        {
            (_ear, _runspace) = (ear, runspace);
            _shell.Runspace = runspace;
            _shell
                .AddScript(SessionScripts.Member)
                .AddParameters(
                    new Hashtable
                    {
                        ["Group"] = launch.Group,
                        ["Member"] = host.Name,
                        ["Plan"] = launch.Plan,
                        ["Force"] = launch.Force,
                        ["Source"] = _source,
                    }
                );
            _shell.InvocationStateChanged += (_, change) => OnState(change.InvocationStateInfo);
            // Lines arrive as events of the session, without delay and without polling. A poll could write to an ssh process that has just
            // ended (see Send).
            runspace.Events.ReceivedEvents.PSEventReceived += TakeLine;
            try
            {
                _shell.BeginInvoke(_input, _output, new PSInvocationSettings { Host = new SilentHost() }, null, null);
            }
            catch (Exception error)
                when (error
                        is RuntimeException
                            or InvalidOperationException
                            or InvalidRunspaceStateException
                            or InvalidRunspacePoolStateException
                )
            {
                _isClosed = true;
                _ended.Set();
                runspace.Events.ReceivedEvents.PSEventReceived -= TakeLine;
                ear.Closed(error.Message);
            }
        }

        public void Send(string line)
        {
            lock (_gate)
            {
                // PowerShell ends the whole process if it writes to an ssh process that has ended, so nothing is sent unless the session is
                // open.
                if (_isClosed || _isOver || _shell.Runspace.RunspaceStateInfo.State != RunspaceState.Opened)
                    return;
                try
                {
                    _input.Add(line);
                }
                catch (InvalidOperationException)
                {
                    // The pipeline ended in the meantime. OnStateChanged reports that.
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
            _input.Complete();
        }

        public void Dispose()
        {
            Close();
            if (!_ended.Wait(s_patience))
                _shell.BeginStop(null, null);
            // Disposing a running call would wait for a host that might never respond.
            if (_ended.Wait(s_patience))
                _shell.Dispose();
        }

        private void TakeLine(object sender, PSEventArgs e)
        {
            if (e.SourceIdentifier != _source)
                return;
            // The session keeps events until they are removed.
            var kept = _runspace.Events.ReceivedEvents;
            for (var i = kept.Count - 1; i >= 0; i--)
                if (kept[i].SourceIdentifier == _source)
                    kept.RemoveAt(i);
            if (e.SourceArgs is [var line] && PSObject.AsPSObject(line).BaseObject is string text)
                _ear.Heard(Encoding.UTF8.GetBytes(text));
            lock (_tally)
                _heard++;
            TellClosed();
        }

        private void OnState(PSInvocationStateInfo state)
        {
            if (
                state.State
                is not (
                    PSInvocationState.Completed
                    or PSInvocationState.Failed
                    or PSInvocationState.Stopped
                    or PSInvocationState.Disconnected
                )
            )
                return;
            lock (_tally)
            {
                _isOver = true;
                _reason = state.Reason?.Message;
                _said = state.State == PSInvocationState.Completed && _output.ReadAll() is [{ BaseObject: int said }] ? said : 0;
            }
            _ended.Set();
            TellClosed();
        }

        /// <summary>Reports the end once all lines have arrived: lines and the end of the call use different channels.</summary>
        private void TellClosed()
        {
            lock (_tally)
            {
                if (!_isOver || _isToldClosed || _heard < _said)
                    return;
                _isToldClosed = true;
            }
            _runspace.Events.ReceivedEvents.PSEventReceived -= TakeLine;
            _ear.Closed(_reason);
        }
    }
}
