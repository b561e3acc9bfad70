using System.Collections;
using System.Collections.ObjectModel;
using System.Diagnostics;
using System.Management.Automation;
using System.Management.Automation.Remoting;
using System.Management.Automation.Runspaces;
using IoBench.Engine;

namespace IoBench.PowerShell;

/// <summary>Runs scripts on hosts. A lost host is an error, and the other hosts continue. If the enumeration ends early, the scripts end on
/// all hosts.</summary>
public sealed class RemoteScriptRunner(PSCmdlet cmdlet, CancellationToken stopped)
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(50);

    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(10);

    /// <summary>Time without a message after which a host is lost: a host that lost power does not close its connection.</summary>
    public TimeSpan OutputTimeout { get; init; } = TimeSpan.FromSeconds(90);

    internal const string AdviceOnLostRun =
        "The other hosts continue, and the results that this host has already returned are saved. Connect to the host again, and run the same command with -Resume.";

    /// <summary>Advice in the error about a lost host. The default applies to a run, whose results so far are saved.</summary>
    public string AdviceOnLoss { get; init; } = AdviceOnLostRun;

    internal PSCmdlet Cmdlet { get; } = cmdlet;

    /// <returns>Output of the hosts. Errors and warnings go to the cmdlet's streams.</returns>
    public IEnumerable<KeyValuePair<SessionHost, PSObject>> Invoke(
        IReadOnlyList<SessionHost> hosts,
        string script,
        Func<SessionHost, IDictionary> parameters
    )
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(parameters);
        // All calls are created before the first starts, so that the scripts start with as little time between them as possible.
        var calls = hosts.Select(host => new RemoteScriptCall(host, script, parameters(host))).ToList();
        try
        {
            foreach (var call in calls)
                if (call.Start() is { } reason)
                    MarkHostLost(call, reason);
            while (!stopped.IsCancellationRequested && calls.Exists(call => !call.IsFinished))
            {
                foreach (var call in calls.Where(call => !call.IsFinished))
                foreach (var value in ReadOutput(call))
                    yield return KeyValuePair.Create(call.Host, value);
                if (calls.Exists(call => !call.IsFinished))
                    stopped.WaitHandle.WaitOne(s_pollInterval);
            }
        }
        finally
        {
            EndCalls(calls);
        }
    }

    internal void InvokeAndDiscard(IReadOnlyList<SessionHost> hosts, string script, Func<SessionHost, IDictionary> parameters)
    {
        foreach (var _ in Invoke(hosts, script, parameters))
        {
            // Invoke has written the messages.
        }
    }

    private Collection<PSObject> ReadOutput(RemoteScriptCall call)
    {
        // Read before the output: a completed script produces no further output.
        var isOver = call.IsCompleted;
        var values = call.ReadOutput();
        WriteErrorsAndWarnings(call);
        if (isOver)
            CompleteCall(call);
        else if (call.TimeSinceOutput > OutputTimeout)
        {
            MarkHostLost(call, $"it did not respond for {(int)call.TimeSinceOutput.TotalSeconds} s");
            call.BeginStop();
        }
        return values;
    }

    private void WriteErrorsAndWarnings(RemoteScriptCall call)
    {
        foreach (var record in call.ReadErrors())
            // A broken connection also appears here. CompleteCall reports it.
            if (record.Exception is not PSRemotingTransportException)
                Cmdlet.WriteHostError(call.Host, CreateError(record));
        foreach (var record in call.ReadWarnings())
            Cmdlet.WriteHostWarning(call.Host, record.Message);
    }

    private void CompleteCall(RemoteScriptCall call)
    {
        call.IsFinished = true;
        var isOpen = call.Host.Session.Runspace.RunspaceStateInfo.State == RunspaceState.Opened;
        if (call.State.State == PSInvocationState.Completed && isOpen)
            return;
        if (isOpen && call.State.Reason is RemoteException { ErrorRecord: { } record })
        {
            // A terminating error of a host ends the script on this host only.
            call.Host.HasFailed = true;
            Cmdlet.WriteHostError(call.Host, CreateError(record));
            return;
        }
        MarkHostLost(call, call.State.Reason?.Message ?? $"its session is {call.Host.Session.Runspace.RunspaceStateInfo.State}");
    }

    private void MarkHostLost(RemoteScriptCall call, string reason)
    {
        call.IsFinished = true;
        call.Host.IsLost = true;
        Cmdlet.WriteHostLost(call.Host, reason, AdviceOnLoss);
    }

    /// <summary>Ids without the prefix "IoBench." belong to PowerShell or to other modules.</summary>
    private static IoBenchException CreateError(ErrorRecord record)
    {
        var id = record.FullyQualifiedErrorId.Split(',')[0];
        var kind = record.CategoryInfo.Category switch
        {
            ErrorCategory.InvalidArgument => IoErrorKind.Usage,
            ErrorCategory.PermissionDenied or ErrorCategory.ResourceExists => IoErrorKind.Refused,
            ErrorCategory.ObjectNotFound => IoErrorKind.NotFound,
            ErrorCategory.InvalidData => IoErrorKind.InvalidData,
            _ => IoErrorKind.Failure,
        };
        return new IoBenchException(
            id.StartsWith("IoBench.", StringComparison.Ordinal) ? id : "IoBench.SessionFailed",
            kind,
            record.ErrorDetails?.Message ?? record.Exception.Message,
            advice: record.ErrorDetails?.RecommendedAction is { Length: > 0 } advice ? (IoMessage)advice : null
        );
    }

    /// <summary>Also runs after Ctrl+C, so that no host continues to work.</summary>
    private static void EndCalls(List<RemoteScriptCall> calls)
    {
        foreach (var call in calls.Where(call => !call.IsFinished))
            call.BeginStop();
        var watch = Stopwatch.StartNew();
        foreach (var call in calls)
            call.Close(s_stopTimeout - watch.Elapsed);
    }
}
