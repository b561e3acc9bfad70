using System.Collections.Concurrent;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

/// <summary>Runs tests on many hosts with a synchronized start of each test.</summary>
public sealed class FleetController(FleetOptions options, IFleetTransport transport, IFleetObserver observer)
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);
    private static readonly long s_stopTimeout = 20 * Clock.Second;

    private readonly BlockingCollection<ConnectionEvent> _events = [];

    public required ResultSpool Spool { get; init; }

    /// <summary>Whether only the parts of results that the fleet summary needs stay in memory.</summary>
    public bool IsSlim { get; init; }

    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    public FleetResult Run(IReadOnlyList<HostWorkload> work, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(work);
        var record = new FleetResultRecorder(options.Group, observer, Sinks, Spool, IsSlim, work);
        var connections = new Dictionary<string, IMemberConnection>(StringComparer.Ordinal);
        var coordinator = new FleetCoordinator(
            options,
            (host, command) => connections.GetValueOrDefault(host.Name)?.Send(FleetMessageSerializer.Serialize(command)),
            record
        );
        foreach (var item in work)
            coordinator.AddHost(item.Host, item.Tests.Count);
        var waiting = new Queue<HostWorkload>(work);
        var lastStatus = 0L;
        var stopTime = 0L;
        try
        {
            while (!coordinator.IsDone)
            {
                while (
                    !cancelled.IsCancellationRequested
                    && waiting.Count > 0
                    && coordinator.Hosts.Count(state => state.Phase == FleetHostPhase.Connecting) < options.OpenAtOnce
                )
                    Open(waiting.Dequeue());
                if (_events.TryTake(out var received, s_pollInterval))
                    Handle(received);
                if (Spool.DequeueWarning() is { } warning)
                    observer.OnWarning(warning);
                var now = Clock.Now;
                coordinator.Tick(now);
                if (cancelled.IsCancellationRequested && stopTime == 0)
                {
                    stopTime = now;
                    coordinator.StopHosts("The fleet was stopped. All hosts end their tests.");
                }
                if (stopTime > 0 && now - stopTime > s_stopTimeout)
                    coordinator.AbandonHosts(now);
                if (now - lastStatus >= Clock.Second)
                {
                    lastStatus = now;
                    observer.OnStatus(FleetStatus.FromHosts(coordinator.Hosts, now));
                }
            }
        }
        finally
        {
            coordinator.FlushWarnings();
            CloseConnections(connections.Values);
        }
        return record.Finish(cancelled.IsCancellationRequested);

        void Open(HostWorkload item)
        {
            coordinator.OnConnecting(item.Host, Clock.Now);
            connections[item.Host.Name] = transport.Open(
                item.Host,
                new MemberStartInfo(options.Group, JsonResultSerializer.SerializePlan(item.Tests)),
                new MessageEnqueuer(item.Host, _events, Spool)
            );
        }

        void Handle(ConnectionEvent received)
        {
            if (received.Message is { } message)
                coordinator.OnMessage(
                    received.Host,
                    message,
                    received.At,
                    received.Result is { } place ? () => Spool.ReadNew(place) : null
                );
            else
                coordinator.OnClosed(received.Host, received.Reason, received.At);
            if (coordinator.IsFinished(received.Host))
                connections.GetValueOrDefault(received.Host.Name)?.Close();
        }
    }

    // Close all connections before waiting for any of them, so that all members end at the same time.
    private static void CloseConnections(IReadOnlyCollection<IMemberConnection> connections)
    {
        foreach (var connection in connections)
            connection.Close();
        BoundedParallel.ForEach(connections, BoundedParallel.MaxHosts, connection => connection.Dispose());
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
