using System.Collections;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using System.Text;
using System.Text.Json;
using IoBench.Application;
using IoBench.Formats;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell;

/// <summary>A member that runs in a PowerShell session.</summary>
internal sealed class SessionMemberConnection : IMemberConnection
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
    private readonly Action<ReadOnlyMemory<byte>> _onLine;
    private readonly Action<string?> _onClosed;
    private volatile bool _isOver;
    private volatile bool _isBroken;
    private bool _isClosed;
    private int _receivedLines;
    private int _sentLines;
    private string? _reason;
    private bool _isClosedReported;

    private SessionMemberConnection(Runspace runspace, Hashtable parameters, Action<ReadOnlyMemory<byte>> onLine, Action<string?> onClosed)
    {
        _onLine = onLine;
        _onClosed = onClosed;
        _runspace = runspace;
        _shell.Runspace = runspace;
        _shell.AddScript(SessionScripts.RunFleetMember).AddParameters(parameters).AddParameter("Source", _source);
        _shell.InvocationStateChanged += (_, change) => OnStateChanged(change.InvocationStateInfo);
        // Lines arrive as events of the session, without delay and without polling. A poll could write to an ssh process that has just
        // ended (see Send).
        runspace.Events.ReceivedEvents.PSEventReceived += OnEventReceived;
        if (RemoteScriptCall.TryBeginInvoke(_shell, _input, _output, out var message) is null)
        {
            _isClosed = true;
            _ended.Set();
            runspace.Events.ReceivedEvents.PSEventReceived -= OnEventReceived;
            onClosed(message);
        }
    }

    /// <param name="suite">Settings of a suite whose hosts are not a group; null for a fleet.</param>
    /// <param name="isConfirmed">True if the user confirmed that a server can be slowed down.</param>
    public static MemberStarter CreateStarter(IEnumerable<SessionHost> hosts, SuiteSettings? suite = null, bool isConfirmed = true) =>
        (work, group, onLine, onClosed) =>
            new SessionMemberConnection(
                hosts.First(host => host.Member.Name == work.Host.Name).Session.Runspace,
                new Hashtable
                {
                    ["Group"] = group,
                    ["Member"] = work.Host.Name,
                    ["Plan"] = JsonResultSerializer.SerializePlan(work.Tests),
                    ["Suite"] = suite is null ? null : CreateSuiteParameter(work, suite, isConfirmed),
                },
                onLine,
                onClosed
            );

    /// <summary>Contains only simple values, which PowerShell remoting transfers without change.</summary>
    private static Hashtable CreateSuiteParameter(HostWorkload work, SuiteSettings settings, bool isConfirmed) =>
        new()
        {
            ["Permissions"] = JsonSerializer.Serialize(settings.Permissions),
            ["RemoveTestFile"] = settings.RemoveTestFile,
            ["IsConfirmed"] = isConfirmed,
            ["CompletedTests"] = work.CompletedTests.ToArray(),
            ["EarlierResults"] = work
                .EarlierResults.Select(result => JsonResultSerializer.SerializeToElement(result).GetRawText())
                .ToArray(),
        };

    public void Send(string line)
    {
        lock (_gate)
        {
            // PowerShell ends the whole process if it writes to an ssh process that has ended.
            if (_isClosed || _isOver || _shell.Runspace.RunspaceStateInfo.State != RunspaceState.Opened)
                return;
            WriteInput(() => _input.Add(line));
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
        WriteInput(_input.Complete);
    }

    public void Dispose()
    {
        Close();
        if (!_isBroken && !_ended.Wait(s_endTimeout))
            _shell.BeginStop(null, null);
        // Disposing a running call would wait for a host that might never respond.
        if (!_isBroken && _ended.Wait(s_endTimeout))
            _shell.Dispose();
        _runspace.Events.ReceivedEvents.PSEventReceived -= OnEventReceived;
    }

    /// <summary>Writes to the session. If the process of the session has just ended, the write fails with one of many exceptions, including
    /// internal errors of PowerShell.</summary>
    private void WriteInput(Action write)
    {
        try
        {
            write();
        }
        catch (InvalidOperationException)
        {
            // The pipeline ended in the meantime. OnStateChanged reports that.
        }
        catch (Exception error)
        {
            lock (_countLock)
            {
                _isOver = true;
                _isBroken = true;
                _reason = (error as IOException)?.Message;
            }
            NotifyIfClosed();
        }
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
            _onLine(Encoding.UTF8.GetBytes(text));
        lock (_countLock)
            _receivedLines++;
        NotifyIfClosed();
    }

    private void OnStateChanged(PSInvocationStateInfo state)
    {
        if (
            state.State
            is not (PSInvocationState.Completed or PSInvocationState.Failed or PSInvocationState.Stopped or PSInvocationState.Disconnected)
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
        _onClosed(_reason);
    }
}
