using System.Collections.Concurrent;
using System.Management.Automation;

namespace IoBench.PowerShell.Fleet;

/// <summary>
/// A member of a fleet on the host of a session. PowerShell's thread only hands it orders as they come. What it says goes as events that are forwarded to the other side:
/// they need no thread of the pipeline, so that a line is there when it is said, and nobody asks for it.
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
    /// <param name="member">The host's name in its group.</param>
    /// <param name="plan">Its tests, as JSON.</param>
    /// <param name="force">It may use files that IoBench did not make.</param>
    /// <param name="events">The events of the session.</param>
    /// <param name="source">The name of the events that carry its lines.</param>
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

    /// <summary>Takes an order.</summary>
    public void Take(string order) => _orders.Add(order);

    /// <summary>No more orders come: the member ends, and says its last lines.</summary>
    /// <returns>How many lines it said: they go another way than the end of the call, which may come first.</returns>
    public int End()
    {
        _orders.Complete();
        Task.WaitAny([_run], s_longestEnd);
        return Volatile.Read(ref _said);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _orders.Complete();
        _stop.Cancel();
        // One that hangs keeps what it needs.
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
            // On this thread, which says one line after the other: they leave in their order.
            _events.GenerateEvent(_source, null, [line], null, processInCurrentThread: true, waitForCompletionInCurrentThread: false);
            Interlocked.Increment(ref _said);
        }
        catch (Exception error) when (error is RuntimeException or InvalidOperationException)
        {
            throw new IOException("the session takes no more lines: " + error.Message, error);
        }
    }

    /// <summary>Orders as lines of a text that is still being written.</summary>
    private sealed class OrderReader : TextReader
    {
        private readonly BlockingCollection<string> _orders = [];

        public void Add(string order) => _orders.Add(order);

        public void Complete() => _orders.CompleteAdding();

        public override string? ReadLine() => _orders.TryTake(out var order, Timeout.Infinite) ? order : null;
    }
}
