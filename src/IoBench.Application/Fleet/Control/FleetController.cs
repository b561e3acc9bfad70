using System.Collections.Concurrent;

namespace IoBench.Application.Fleet.Control;

/// <summary>A host and its tests.</summary>
/// <param name="Tests">The host's tests: the n-th of each host begin at one moment.</param>
public sealed record FleetWork(FleetHost Host, IReadOnlyList<IoTestSpecification> Tests);

/// <summary>Runs tests on many hosts, each test at one moment on all of them.</summary>
/// <param name="options">How they are led.</param>
/// <param name="transport">The way to them.</param>
/// <param name="observer">Hears what happens.</param>
public sealed class FleetController(FleetOptions options, IFleetTransport transport, IFleetObserver observer)
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static readonly long s_patience = 20 * Clock.Second;

    private readonly BlockingCollection<Event> _events = [];

    /// <summary>Members may use files that IoBench did not make.</summary>
    public bool Force { get; init; }

    /// <summary>Where results go as they come.</summary>
    public required FleetSpool Spool { get; init; }

    /// <summary>Of results only what the answer needs is kept in memory.</summary>
    public bool IsSlim { get; init; }

    /// <summary>Where results are kept, as each test ends.</summary>
    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    /// <summary>Runs the tests.</summary>
    /// <param name="work">Hosts and their tests.</param>
    /// <param name="cancelled">Ends all.</param>
    public FleetOutcome Run(IReadOnlyList<FleetWork> work, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(work);
        var record = new FleetRecord(options.Group, observer, Sinks, Spool, IsSlim, work);
        var lines = new Dictionary<string, IFleetLine>(StringComparer.Ordinal);
        var conductor = new FleetConductor(
            options,
            (host, order) => lines.GetValueOrDefault(host.Name)?.Send(FleetLines.Write(order)),
            record
        );
        foreach (var item in work)
            conductor.Add(item.Host, item.Tests.Count);
        var waiting = new Queue<FleetWork>(work);
        var (shown, stopped) = (0L, 0L);
        try
        {
            while (!conductor.IsDone)
            {
                while (
                    !cancelled.IsCancellationRequested
                    && waiting.Count > 0
                    && conductor.Seats.Count(seat => seat.Phase == FleetPhase.Connecting) < options.OpenAtOnce
                )
                    Open(waiting.Dequeue());
                if (_events.TryTake(out var happened, s_look))
                    Take(happened);
                if (Spool.TakeTrouble() is { } trouble)
                    observer.OnWarning(trouble);
                var now = Clock.Now;
                conductor.Tick(now);
                if (cancelled.IsCancellationRequested && stopped == 0)
                {
                    stopped = now;
                    conductor.Stop("Stopped: all hosts end.");
                }
                if (stopped > 0 && now - stopped > s_patience)
                    conductor.GiveUp(now);
                if (now - shown >= Clock.Second)
                {
                    shown = now;
                    observer.OnStatus(FleetStatus.Of(conductor.Seats, now));
                }
            }
        }
        finally
        {
            conductor.SayWarnings();
            End(lines.Values);
        }
        return record.End(cancelled.IsCancellationRequested);

        void Open(FleetWork item)
        {
            conductor.Connecting(item.Host, Clock.Now);
            lines[item.Host.Name] = transport.Open(
                item.Host,
                new FleetLaunch(options.Group, JsonResultText.Plan(item.Tests), Force),
                new Ear(item.Host, _events, Spool)
            );
        }

        void Take(Event happened)
        {
            if (happened.Message is { } message)
                conductor.Heard(happened.Host, message, happened.At, happened.Result is { } place ? () => Spool.Take(place) : null);
            else
                conductor.Closed(happened.Host, happened.Reason, happened.At);
            if (conductor.IsOut(happened.Host))
                lines.GetValueOrDefault(happened.Host.Name)?.Close();
        }
    }

    // All are told before any is waited for.
    private static void End(IReadOnlyCollection<IFleetLine> lines)
    {
        foreach (var line in lines)
            line.Close();
        AtOnce.Do(lines, AtOnce.Hosts, line => line.Dispose());
    }

    /// <summary>Something that happened to a host's line: a message, or without one its end.</summary>
    private sealed record Event(FleetHost Host, FleetMessage? Message, SpooledResult? Result, string? Reason, long At);

    /// <summary>Notes when something was heard: what waits in the queue shall not make a way look slow. A result does not wait there: it is in the spool.</summary>
    private sealed class Ear(FleetHost host, BlockingCollection<Event> events, FleetSpool spool) : IFleetEar
    {
        public void Heard(ReadOnlySpan<byte> line)
        {
            var now = Clock.Now;
            if (FleetLines.Split(line) is { } found)
                events.Add(new Event(host, found.Message, found.Result is { } place ? spool.Add(line, place) : null, null, now));
        }

        public void Closed(string? reason) => events.Add(new Event(host, null, null, reason, Clock.Now));
    }
}
