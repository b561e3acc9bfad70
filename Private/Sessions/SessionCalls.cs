using System.Collections;
using System.Diagnostics;
using System.Management.Automation;
using System.Management.Automation.Remoting;
using System.Management.Automation.Runspaces;

namespace IoBench.PowerShell.Sessions;

/// <summary>
/// Runs a script on several hosts at once, each in its session. What they put out comes as it is there; warnings and errors go to the cmdlet's streams under the
/// host's name. A host that is lost is an error; the others go on. Ending the enumeration early ends the script on all hosts.
/// </summary>
/// <param name="cmdlet">Whose streams they are.</param>
/// <param name="stopped">The cmdlet was stopped.</param>
public sealed class SessionCalls(PSCmdlet cmdlet, CancellationToken stopped)
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(50);

    /// <summary>How long hosts may take to end a script that is stopped.</summary>
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(10);

    /// <summary>
    /// A script that works says so several times per second. So long without a word means that the host is gone, even if no connection has noticed: a machine
    /// without power closes none.
    /// </summary>
    public TimeSpan Silence { get; init; } = TimeSpan.FromSeconds(90);

    /// <summary>What to do about a host that was lost; by default what holds of a run, whose results so far are kept.</summary>
    public string AdviceOnLoss { get; init; } =
        "The others go on and what it gave so far is kept. Connect again and run the same with -Resume to make up for it.";

    internal SessionView View { get; } = new(cmdlet);

    /// <summary>Takes the number of each test whose files a host has ready; null = nobody asks.</summary>
    internal Action<SessionHost, int>? ReadyOf { get; set; }

    /// <summary>Runs a script on each host.</summary>
    /// <param name="parameters">Parameters of the script, for each host.</param>
    /// <returns>What the hosts put out, but for messages, which are shown.</returns>
    public IEnumerable<KeyValuePair<SessionHost, PSObject>> Invoke(
        IReadOnlyList<SessionHost> hosts,
        string script,
        Func<SessionHost, IDictionary> parameters
    )
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(parameters);
        // First everything is made ready, then all are started, so that nothing lies between one start and the next.
        var calls = hosts.Select((host, number) => new SessionCall(host, number, script, parameters(host))).ToList();
        try
        {
            foreach (var call in calls)
                if (call.Start() is { } reason)
                    Lose(call, reason);
            while (!stopped.IsCancellationRequested && calls.Exists(call => !call.HasEnded))
            {
                foreach (var call in calls.Where(call => !call.HasEnded))
                foreach (var value in Look(call))
                    yield return KeyValuePair.Create(call.Host, value);
                if (calls.Exists(call => !call.HasEnded))
                    stopped.WaitHandle.WaitOne(s_poll);
            }
        }
        finally
        {
            End(calls);
        }
    }

    /// <summary>Runs a script whose output nobody needs.</summary>
    internal void Do(IReadOnlyList<SessionHost> hosts, string script, Func<SessionHost, IDictionary> parameters)
    {
        foreach (var _ in Invoke(hosts, script, parameters))
        {
            // Messages were shown.
        }
    }

    private List<PSObject> Look(SessionCall call)
    {
        // Asked before its output is taken: what has ended says nothing more.
        var isOver = call.IsOver;
        List<PSObject> values = [];
        foreach (var value in call.TakeOutput())
        {
            if (SessionMessage.From(value) is not { } message)
                values.Add(value);
            else if (message.Kind == SessionMessageKind.Ready)
                ReadyOf?.Invoke(call.Host, message.Number);
            else
                View.Show(call.Host, call.Number, message);
        }
        ShowStreams(call);
        if (isOver)
            Complete(call);
        else if (call.SilentFor > Silence)
        {
            Lose(call, $"nothing was heard from it for {(int)call.SilentFor.TotalSeconds} s");
            call.BeginStop();
        }
        return values;
    }

    private void ShowStreams(SessionCall call)
    {
        foreach (var record in call.TakeErrors())
            // A connection that breaks says so here too; the end of the call is where that is reported.
            if (record.Exception is not PSRemotingTransportException)
                View.Fail(call.Host, ErrorOf(record));
        foreach (var record in call.TakeWarnings())
            View.Warn(call.Host, record.Message);
    }

    /// <summary>What the end of a script means: done, failed (an error of that host), or the host is lost.</summary>
    private void Complete(SessionCall call)
    {
        call.HasEnded = true;
        var isOpen = call.Host.Session.Runspace.RunspaceStateInfo.State == RunspaceState.Opened;
        if (call.State.State == PSInvocationState.Completed && isOpen)
            return;
        if (isOpen && call.State.Reason is RemoteException { ErrorRecord: { } record })
        {
            // What was terminating there ends this host's part only.
            call.Host.HasFailed = true;
            View.Fail(call.Host, ErrorOf(record));
            return;
        }
        Lose(call, call.State.Reason?.Message ?? $"its session is {call.Host.Session.Runspace.RunspaceStateInfo.State}");
    }

    private void Lose(SessionCall call, string reason)
    {
        call.HasEnded = true;
        call.Host.IsLost = true;
        var lost = IoBenchException.Failure(
            FleetErrors.HostLost,
            $"{call.Host.Name} was lost: {reason.Trim().TrimEnd('.')}.",
            call.Host.Name,
            advice: AdviceOnLoss
        );
        View.Fail(call.Host, ErrorRecords.From(lost, call.Host.Session, ErrorCategory.ConnectionError));
    }

    /// <summary>An error of a host, with its id, kind and advice. Ids that begin otherwise are PowerShell's own or those of other modules.</summary>
    private static IoBenchException ErrorOf(ErrorRecord record)
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
            advice: record.ErrorDetails?.RecommendedAction is { Length: > 0 } advice ? (IoText)advice : null
        );
    }

    /// <summary>Reached by Ctrl+C too: no host may be left working.</summary>
    private void End(List<SessionCall> calls)
    {
        foreach (var call in calls.Where(call => !call.HasEnded))
            call.BeginStop();
        var watch = Stopwatch.StartNew();
        foreach (var call in calls)
            call.Close(s_longestEnd - watch.Elapsed);
        View.Clear();
    }
}
