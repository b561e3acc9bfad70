using System.Collections.Concurrent;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>A host and its tests.</summary>
/// <param name="Tests">Tests of the host. The n-th test of every host starts at the same time.</param>
public sealed record FleetWork(FleetHost Host, IReadOnlyList<IoTestSpecification> Tests);

/// <summary>Runs tests on many hosts with a synchronized start of each test.</summary>
/// <param name="options">Options of the fleet.</param>
/// <param name="transport">Opens connections to the hosts.</param>
/// <param name="observer">Displays the fleet.</param>
public sealed class FleetController(FleetOptions options, IFleetTransport transport, IFleetObserver observer)
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);
    private static readonly long s_patience = 20 * Clock.Second;

    private readonly BlockingCollection<Event> _events = [];

    /// <summary>Whether members may use files that IoBench did not create.</summary>
    public bool Force { get; init; }

    /// <summary>File that stores results as they arrive.</summary>
    public required FleetSpool Spool { get; init; }

    /// <summary>Whether only the parts of results that the fleet summary needs stay in memory.</summary>
    public bool IsSlim { get; init; }

    /// <summary>Outputs that receive the results when each test ends.</summary>
    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    /// <summary>Runs the tests on all hosts.</summary>
    /// <param name="work">Hosts and their tests.</param>
    /// <param name="cancelled">Stops all hosts.</param>
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

    // Close all connections before waiting for any of them, so that all members end at the same time.
    private static void End(IReadOnlyCollection<IFleetLine> lines)
    {
        foreach (var line in lines)
            line.Close();
        AtOnce.Do(lines, AtOnce.Hosts, line => line.Dispose());
    }

    private sealed record Event(FleetHost Host, FleetMessage? Message, SpooledResult? Result, string? Reason, long At);

    /// <summary>
    /// Stamps each message with its arrival time, so that time in the queue does not make a connection look slow. Results go directly to
    /// the spool.
    /// </summary>
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
