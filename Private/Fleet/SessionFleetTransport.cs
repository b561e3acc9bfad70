using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using System.Text;
using IoBench.Application;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell;

/// <param name="sessions">Session of each host, by the name of the host in the group.</param>
internal sealed class SessionFleetTransport(IReadOnlyDictionary<string, PSSession> sessions) : IFleetTransport
{
    public IMemberConnection Open(FleetHost host, MemberStartInfo launch, IFleetMessageHandler handler) =>
        new SessionMemberConnection(sessions[host.Name].Runspace, host, launch, handler);

    private sealed class SessionMemberConnection : IMemberConnection
    {
        private static readonly TimeSpan s_endTimeout = TimeSpan.FromSeconds(10);

        private readonly object _gate = new();

        // Separate from _gate, which is held while a command is written: that write can wait until received lines are processed.
        private readonly object _countLock = new();
        private readonly Shell _shell = Shell.Create();
        private readonly PSDataCollection<PSObject> _input = [];
        private readonly PSDataCollection<PSObject> _output = [];
        private readonly Runspace _runspace;
        private readonly string _source = $"IoBench.Fleet.{Guid.NewGuid():N}";
        private readonly ManualResetEventSlim _ended = new();
        private readonly IFleetMessageHandler _handler;
        private volatile bool _isOver;
        private bool _isClosed;
        private int _receivedLines;
        private int _sentLines;
        private string? _reason;
        private bool _isClosedReported;

        public SessionMemberConnection(Runspace runspace, FleetHost host, MemberStartInfo launch, IFleetMessageHandler handler)
        {
            _handler = handler;
            _runspace = runspace;
            _shell.Runspace = runspace;
            _shell
                .AddScript(SessionScripts.RunFleetMember)
                .AddParameters(
                    new Hashtable
                    {
                        ["Group"] = launch.Group,
                        ["Member"] = host.Name,
                        ["Plan"] = launch.Plan,
                        ["Source"] = _source,
                    }
                );
            _shell.InvocationStateChanged += (_, change) => OnStateChanged(change.InvocationStateInfo);
            // Lines arrive as events of the session, without delay and without polling. A poll could write to an ssh process that has just
            // ended (see Send).
            runspace.Events.ReceivedEvents.PSEventReceived += OnEventReceived;
            try
            {
                _shell.BeginInvoke(_input, _output, new PSInvocationSettings { Host = new RemoteOutputHost() }, null, null);
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
                runspace.Events.ReceivedEvents.PSEventReceived -= OnEventReceived;
                handler.OnClosed(error.Message);
            }
        }

        public void Send(string line)
        {
            lock (_gate)
            {
                // PowerShell ends the whole process if it writes to an ssh process that has ended.
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
            if (!_ended.Wait(s_endTimeout))
                _shell.BeginStop(null, null);
            // Disposing a running call would wait for a host that might never respond.
            if (_ended.Wait(s_endTimeout))
                _shell.Dispose();
        }

        private void OnEventReceived(object sender, PSEventArgs e)
        {
            if (e.SourceIdentifier != _source)
                return;
            // The session keeps events until they are removed.
            var events = _runspace.Events.ReceivedEvents;
            for (var i = events.Count - 1; i >= 0; i--)
                if (events[i].SourceIdentifier == _source)
                    events.RemoveAt(i);
            if (e.SourceArgs is [var line] && PSObject.AsPSObject(line).BaseObject is string text)
                _handler.OnLine(Encoding.UTF8.GetBytes(text));
            lock (_countLock)
                _receivedLines++;
            NotifyIfClosed();
        }

        private void OnStateChanged(PSInvocationStateInfo state)
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
            lock (_countLock)
            {
                _isOver = true;
                _reason = state.Reason?.Message;
                if (state.State == PSInvocationState.Completed && _output.ReadAll() is [{ BaseObject: int count }])
                    _sentLines = count;
            }
            _ended.Set();
            NotifyIfClosed();
        }

        /// <summary>Reports the end once all lines have arrived: lines and the end of the call use different channels.</summary>
        private void NotifyIfClosed()
        {
            lock (_countLock)
            {
                if (!_isOver || _isClosedReported || _receivedLines < _sentLines)
                    return;
                _isClosedReported = true;
            }
            _runspace.Events.ReceivedEvents.PSEventReceived -= OnEventReceived;
            _handler.OnClosed(_reason);
        }
    }
}
