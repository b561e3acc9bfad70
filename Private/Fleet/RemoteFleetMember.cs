using System.Collections;
using System.Collections.Concurrent;
using System.Management.Automation;
using System.Text;
using System.Text.Json;
using IoBench.Application;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>Runs the member of a host in its session. Each line is a forwarded event of the session, because an event is sent immediately,
/// without the thread of the pipeline and without polling.</summary>
public sealed class RemoteFleetMember : IDisposable
{
    private static readonly TimeSpan s_stopTimeout = TimeSpan.FromSeconds(10);

    private readonly PSEventManager _events;
    private readonly string _source;
    private readonly PSEventSubscriber _forwarding;
    private readonly BlockingCollection<string> _commands = [];
    private readonly CancellationTokenSource _stop = new();
    private readonly FleetMemberRunner _member;
    private readonly Task _run;
    private int _sentLines;

    private RemoteFleetMember(FleetMemberRequest request, PSEventManager events, string source)
    {
        _events = events;
        _source = source;
        _forwarding = events.SubscribeEvent(
            null,
            null,
            source,
            null,
            (PSEventReceivedEventHandler?)null,
            supportEvent: true,
            forwardEvent: true
        );
        _member = new FleetMemberRunner(request, () => _commands.TryTake(out var command, Timeout.Infinite) ? command : null, SendLine);
        _run = Task.Factory.StartNew(
            () => _member.Run(_stop.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }

    /// <param name="suite">Settings of a suite, as <see cref="SessionMemberConnection"/> sends them; null for a fleet.</param>
    /// <param name="source">Source identifier of the events that carry the member's lines.</param>
    public static RemoteFleetMember Begin(string group, string member, string plan, Hashtable? suite, PSEventManager events, string source)
    {
        var request = new FleetMemberRequest
        {
            Group = group,
            Member = member,
            Tests = JsonResultSerializer.DeserializePlan(plan, "the plan"),
            IsConfirmed = true,
        };
        return new(suite is null ? request : ApplySuite(request, suite), events, source);
    }

    private static FleetMemberRequest ApplySuite(FleetMemberRequest request, Hashtable suite) =>
        request with
        {
            IsSuite = true,
            Settings = new SuiteSettings
            {
                Permissions = JsonSerializer.Deserialize<TargetPermissions>(LanguagePrimitives.ConvertTo<string>(suite["Permissions"]))!,
                RemoveTestFile = LanguagePrimitives.IsTrue(suite["RemoveTestFile"]),
            },
            IsConfirmed = LanguagePrimitives.IsTrue(suite["IsConfirmed"]),
            CompletedTests = LanguagePrimitives.ConvertTo<int[]>(suite["CompletedTests"]),
            EarlierResults =
            [
                .. LanguagePrimitives
                    .ConvertTo<string[]>(suite["EarlierResults"])
                    .Select(result => JsonResultSerializer.DeserializeResult(Encoding.UTF8.GetBytes(result))),
            ],
        };

    public void AddCommand(string command) => _commands.Add(command);

    /// <summary>Closes the list of commands, so that the member ends and sends its last lines.</summary>
    /// <returns>Number of lines sent. The end of the call can arrive before the last lines, because they use different channels.</returns>
    public int End()
    {
        _commands.CompleteAdding();
        Task.WaitAny([_run], s_stopTimeout);
        return Volatile.Read(ref _sentLines);
    }

    public void Dispose()
    {
        _commands.CompleteAdding();
        _stop.Cancel();
        // A member that has not ended still uses the objects below.
        if (Task.WaitAny([_run], s_stopTimeout) != 0)
            return;
        _events.UnsubscribeEvent(_forwarding);
        _member.Dispose();
        _stop.Dispose();
        _commands.Dispose();
    }

    private void SendLine(string line)
    {
        try
        {
            // Generate the event on this thread, which sends one line after the other, so that the lines keep their order.
            _events.GenerateEvent(_source, null, [line], null, processInCurrentThread: true, waitForCompletionInCurrentThread: false);
            Interlocked.Increment(ref _sentLines);
        }
        catch (Exception error) when (error is RuntimeException or InvalidOperationException)
        {
            throw new IOException("the session accepts no more commands: " + error.Message, error);
        }
    }
}
