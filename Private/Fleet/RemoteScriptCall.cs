using System.Collections;
using System.Collections.ObjectModel;
using System.Diagnostics;
using System.Management.Automation;
using System.Management.Automation.Runspaces;
using Shell = System.Management.Automation.PowerShell;

namespace IoBench.PowerShell;

internal sealed class RemoteScriptCall
{
    private readonly Shell _shell = Shell.Create();
    private readonly PSDataCollection<PSObject> _output = [];
    private readonly Stopwatch _sinceOutput = new();
    private IAsyncResult? _running;
    private IAsyncResult? _stopping;

    public RemoteScriptCall(SessionHost host, string script, IDictionary parameters)
    {
        Host = host;
        _shell.Runspace = host.Session.Runspace;
        _shell.AddScript(script).AddParameters(parameters);
    }

    public SessionHost Host { get; }

    /// <summary>True if the runner no longer waits for the script: it completed, failed, or its host was lost.</summary>
    public bool IsFinished { get; set; }

    public bool IsCompleted => _running!.IsCompleted;

    public PSInvocationStateInfo State => _shell.InvocationStateInfo;

    public TimeSpan TimeSinceOutput => _sinceOutput.Elapsed;

    /// <returns>Reason why the script cannot start; null if it started.</returns>
    public string? Start()
    {
        var nothing = new PSDataCollection<PSObject>();
        nothing.Complete();
        _sinceOutput.Start();
        _running = TryBeginInvoke(_shell, nothing, _output, out var error);
        return error;
    }

    /// <summary>Starts a script in a session.</summary>
    /// <param name="message">Reason why the script cannot start; null if it started.</param>
    public static IAsyncResult? TryBeginInvoke(
        Shell shell,
        PSDataCollection<PSObject> input,
        PSDataCollection<PSObject> output,
        out string? message
    )
    {
        message = null;
        try
        {
            return shell.BeginInvoke(input, output, new PSInvocationSettings { Host = new RemoteOutputHost() }, null, null);
        }
        catch (Exception error)
            when (error
                    is RuntimeException
                        or InvalidOperationException
                        or InvalidRunspaceStateException
                        or InvalidRunspacePoolStateException
            )
        {
            message = error.Message;
            return null;
        }
    }

    public Collection<PSObject> ReadOutput() => RecordOutputTime(_output.ReadAll());

    public Collection<ErrorRecord> ReadErrors() => RecordOutputTime(_shell.Streams.Error.ReadAll());

    public Collection<WarningRecord> ReadWarnings() => RecordOutputTime(_shell.Streams.Warning.ReadAll());

    public void BeginStop() => _stopping ??= _running is null ? null : _shell.BeginStop(null, null);

    public void Close(TimeSpan patience)
    {
        _stopping?.AsyncWaitHandle.WaitOne(patience > TimeSpan.Zero ? patience : TimeSpan.Zero);
        // Disposing a running call would wait for a host that might never respond.
        if (State.State is not (PSInvocationState.Running or PSInvocationState.Stopping))
            _shell.Dispose();
    }

    private Collection<T> RecordOutputTime<T>(Collection<T> records)
    {
        if (records.Count > 0)
            _sinceOutput.Restart();
        return records;
    }
}
