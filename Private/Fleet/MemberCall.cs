using System.Collections.Concurrent;
using System.Management.Automation;
using IoBench.Application;
using IoBench.Formats;

namespace IoBench.PowerShell;

/// <summary>
/// Member of a fleet on the host of a session. PowerShell's thread only passes commands to the member. The member sends its lines as
/// forwarded events, which do not need the pipeline's thread, so that each line arrives without delay and without polling.
/// </summary>
public sealed class MemberCall : IDisposable
{
    private static readonly TimeSpan s_longestEnd = TimeSpan.FromSeconds(10);

    private readonly PSEventManager _events;
    private readonly string _source;
    private readonly PSEventSubscriber _forwarding;
    private readonly OrderReader _orders = new();
    private readonly CancellationTokenSource _stop = new();
    private readonly FleetMember _member;
    private readonly Task _run;
    private int _said;

    private MemberCall(FleetMemberRequest request, PSEventManager events, string source)
    {
        (_events, _source) = (events, source);
        _forwarding = events.SubscribeEvent(
            null,
            null,
            source,
            null,
            (PSEventReceivedEventHandler?)null,
            supportEvent: true,
            forwardEvent: true
        );
        _member = new FleetMember(request, _orders, Say);
        _run = Task.Factory.StartNew(
            () => _member.Run(_stop.Token),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
    }

    /// <summary>Starts a member.</summary>
    /// <param name="group">Id of the fleet's group.</param>
    /// <param name="member">Name of the host in the group.</param>
    /// <param name="plan">Tests of the member, as JSON.</param>
    /// <param name="force">True to use files that IoBench did not create.</param>
    /// <param name="events">Events of the session.</param>
    /// <param name="source">Source identifier of the events that carry the member's lines.</param>
    public static MemberCall Begin(string group, string member, string plan, bool force, PSEventManager events, string source) =>
        new(
            new FleetMemberRequest
            {
                Group = group,
                Member = member,
                Tests = JsonResultText.ReadPlan(plan, "the plan"),
                IsConfirmed = true,
                Settings = new SuiteSettings { Force = force },
            },
            events,
            source
        );

    /// <summary>Adds a command for the member.</summary>
    public void Take(string order) => _orders.Add(order);

    /// <summary>Closes the list of commands, so that the member ends and sends its last lines.</summary>
    /// <returns>
    /// Number of lines that the member sent. The end of the call can arrive before the last lines, because they use different channels.
    /// </returns>
    public int End()
    {
        _orders.Complete();
        Task.WaitAny([_run], s_longestEnd);
        return Volatile.Read(ref _said);
    }

    public void Dispose()
    {
        _orders.Complete();
        _stop.Cancel();
        // A member that does not end still uses its resources.
        if (Task.WaitAny([_run], s_longestEnd) != 0)
            return;
        _events.UnsubscribeEvent(_forwarding);
        _member.Dispose();
        _stop.Dispose();
        _orders.Dispose();
    }

    private void Say(string line)
    {
        try
        {
            // Generated on this thread, which sends one line after the other, so that the lines keep their order.
            _events.GenerateEvent(_source, null, [line], null, processInCurrentThread: true, waitForCompletionInCurrentThread: false);
            Interlocked.Increment(ref _said);
        }
        catch (Exception error) when (error is RuntimeException or InvalidOperationException)
        {
            throw new IOException("the session takes no more lines: " + error.Message, error);
        }
    }

    private sealed class OrderReader : TextReader
    {
        private readonly BlockingCollection<string> _orders = [];

        public void Add(string order) => _orders.Add(order);

        public void Complete() => _orders.CompleteAdding();

        public override string? ReadLine() => _orders.TryTake(out var order, Timeout.Infinite) ? order : null;
    }
}
