using System.Collections;
using System.Collections.ObjectModel;
using System.Diagnostics;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell.Sessions;

/// <summary>A script that runs on a host.</summary>
internal sealed class SessionCall
{
    private readonly Shell _shell = Shell.Create();
    private readonly PSDataCollection<PSObject> _output = [];
    private readonly Stopwatch _heard = new();
    private IAsyncResult? _running;
    private IAsyncResult? _stopping;

    public SessionCall(SessionHost host, int number, string script, IDictionary parameters)
    {
        (Host, Number) = (host, number);
        _shell.Runspace = host.Session.Runspace;
        _shell.AddScript(script).AddParameters(parameters);
    }

    public SessionHost Host { get; }

    /// <summary>Its place among the hosts, from 0.</summary>
    public int Number { get; }

    /// <summary>Nobody waits for it any more.</summary>
    public bool HasEnded { get; set; }

    /// <summary>The script is over.</summary>
    public bool IsOver => _running!.IsCompleted;

    /// <summary>How it stands, or ended.</summary>
    public PSInvocationStateInfo State => _shell.InvocationStateInfo;

    /// <summary>Time since anything was heard of it.</summary>
    public TimeSpan SilentFor => _heard.Elapsed;

    /// <summary>Starts it.</summary>
    /// <returns>Why it cannot start; null when it has.</returns>
    public string? Start()
    {
        var nothing = new PSDataCollection<PSObject>();
        nothing.Complete();
        _heard.Start();
        try
        {
            _running = _shell.BeginInvoke(nothing, _output, new PSInvocationSettings { Host = new SilentHost() }, null, null);
            return null;
        }
        catch (Exception error)
            when (error
                    is RuntimeException
                        or InvalidOperationException
                        or InvalidRunspaceStateException
                        or InvalidRunspacePoolStateException
            )
        {
            return error.Message;
        }
    }

    public Collection<PSObject> TakeOutput() => Heard(_output.ReadAll());

    public Collection<ErrorRecord> TakeErrors() => Heard(_shell.Streams.Error.ReadAll());

    public Collection<WarningRecord> TakeWarnings() => Heard(_shell.Streams.Warning.ReadAll());

    /// <summary>Asks the host to end it.</summary>
    public void BeginStop() => _stopping ??= _running is null ? null : _shell.BeginStop(null, null);

    /// <summary>Waits for the end of one that was stopped, and lets it go.</summary>
    public void Close(TimeSpan patience)
    {
        _stopping?.AsyncWaitHandle.WaitOne(patience > TimeSpan.Zero ? patience : TimeSpan.Zero);
        // Disposing of a call that still runs would wait for a host that may never answer.
        if (State.State is not (PSInvocationState.Running or PSInvocationState.Stopping))
            _shell.Dispose();
    }

    private Collection<T> Heard<T>(Collection<T> records)
    {
        if (records.Count > 0)
            _heard.Restart();
        return records;
    }
}
