using System.Collections.Concurrent;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs tests on many hosts with a synchronized start of each test.</summary>
public sealed class FleetController(FleetOptions options, IFleetTransport transport, IFleetObserver observer)
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);
    private static readonly long s_stopTimeout = 20 * Clock.Second;

    private readonly BlockingCollection<ConnectionEvent> _events = [];

    public bool Force { get; init; }

    public required ResultSpool Spool { get; init; }

    /// <summary>Whether only the parts of results that the fleet summary needs stay in memory.</summary>
    public bool IsSlim { get; init; }

    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    public FleetStepResult Run(IReadOnlyList<HostWorkload> work, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(work);
        var record = new FleetResultRecorder(options.Group, observer, Sinks, Spool, IsSlim, work);
        var lines = new Dictionary<string, IMemberConnection>(StringComparer.Ordinal);
        var conductor = new FleetCoordinator(
            options,
            (host, order) => lines.GetValueOrDefault(host.Name)?.Send(FleetMessageSerializer.Serialize(order)),
            record
        );
        foreach (var item in work)
            conductor.AddHost(item.Host, item.Tests.Count);
        var waiting = new Queue<HostWorkload>(work);
        var shown = 0L;
        var stopped = 0L;
        try
        {
            while (!conductor.IsDone)
            {
                while (
                    !cancelled.IsCancellationRequested
                    && waiting.Count > 0
                    && conductor.Hosts.Count(state => state.Phase == FleetHostPhase.Connecting) < options.OpenAtOnce
                )
                    Open(waiting.Dequeue());
                if (_events.TryTake(out var happened, s_pollInterval))
                    Take(happened);
                if (Spool.DequeueWarning() is { } trouble)
                    observer.OnWarning(trouble);
                var now = Clock.Now;
                conductor.Tick(now);
                if (cancelled.IsCancellationRequested && stopped == 0)
                {
                    stopped = now;
                    conductor.StopHosts("Stopped: all hosts end.");
                }
                if (stopped > 0 && now - stopped > s_stopTimeout)
                    conductor.AbandonHosts(now);
                if (now - shown >= Clock.Second)
                {
                    shown = now;
                    observer.OnStatus(FleetStatus.FromHosts(conductor.Hosts, now));
                }
            }
        }
        finally
        {
            conductor.FlushWarnings();
            CloseConnections(lines.Values);
        }
        return record.Finish(cancelled.IsCancellationRequested);

        void Open(HostWorkload item)
        {
            conductor.OnConnecting(item.Host, Clock.Now);
            lines[item.Host.Name] = transport.Open(
                item.Host,
                new MemberStartInfo(options.Group, JsonResultSerializer.SerializePlan(item.Tests), Force),
                new MessageEnqueuer(item.Host, _events, Spool)
            );
        }

        void Take(ConnectionEvent happened)
        {
            if (happened.Message is { } message)
                conductor.OnMessage(happened.Host, message, happened.At, happened.Result is { } place ? () => Spool.ReadNew(place) : null);
            else
                conductor.OnClosed(happened.Host, happened.Reason, happened.At);
            if (conductor.IsFinished(happened.Host))
                lines.GetValueOrDefault(happened.Host.Name)?.Close();
        }
    }

    // Close all connections before waiting for any of them, so that all members end at the same time.
    private static void CloseConnections(IReadOnlyCollection<IMemberConnection> lines)
    {
        foreach (var line in lines)
            line.Close();
        BoundedParallel.ForEach(lines, BoundedParallel.MaxHosts, line => line.Dispose());
    }

    private sealed record ConnectionEvent(FleetHost Host, MemberMessage? Message, SpoolLocation? Result, string? Reason, long At);

    /// <summary>Stamps each message with its arrival time, so that time in the queue does not make a connection look slow.</summary>
    private sealed class MessageEnqueuer(FleetHost host, BlockingCollection<ConnectionEvent> events, ResultSpool spool)
        : IFleetMessageHandler
    {
        public void OnLine(ReadOnlySpan<byte> line)
        {
            var now = Clock.Now;
            if (FleetMessageSerializer.SplitResult(line) is { } found)
                events.Add(new ConnectionEvent(host, found.Message, found.Result is { } place ? spool.Add(line, place) : null, null, now));
        }

        public void OnClosed(string? reason) => events.Add(new ConnectionEvent(host, null, null, reason, Clock.Now));
    }
}

/// <param name="IsSaved">Whether every output has every result.</param>
public sealed record FleetStepResult(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>Failures as results without values, as they are saved.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];
}
