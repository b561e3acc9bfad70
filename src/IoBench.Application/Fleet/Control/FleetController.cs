using System.Collections.Concurrent;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs tests on many hosts, each test on all hosts at the same time.</summary>
public sealed class FleetController(FleetOptions options, IFleetTransport transport, IFleetObserver observer)
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);
    private static readonly long s_stopTimeout = 20 * Clock.Second;

    private readonly BlockingCollection<Action> _events = [];

    public required ResultSpool Spool { get; init; }

    public void Run(IReadOnlyList<HostWorkload> work, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(work);
        var connections = new Dictionary<string, IMemberConnection>(StringComparer.Ordinal);
        var coordinator = new FleetCoordinator(
            options,
            (host, command) => connections.GetValueOrDefault(host.Name)?.Send(FleetMessageSerializer.Serialize(command)),
            observer
        );
        foreach (var item in work)
            coordinator.AddHost(item.Host, item.Tests.Count, item.CompletedTests);
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
                    received();
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
                    observer.OnStatus(FleetProgressMessages.DescribeStatus(coordinator.Hosts, now));
                }
            }
        }
        finally
        {
            coordinator.FlushWarnings();
            CloseConnections(connections.Values);
        }

        void Open(HostWorkload item)
        {
            coordinator.OnConnecting(item.Host, Clock.Now);
            // Each event has its arrival time, so that time in the queue does not make a connection look slow.
            connections[item.Host.Name] = transport.Open(
                item,
                options.Group,
                line =>
                {
                    var now = Clock.Now;
                    if (FleetMessageSerializer.SplitResult(line.Span) is not { } found)
                        return;
                    var read = found.Result is { } place ? Spool.Add(line.Span, place) : null;
                    Enqueue(item.Host, () => coordinator.OnMessage(item.Host, found.Message, now, read));
                },
                reason =>
                {
                    var now = Clock.Now;
                    Enqueue(item.Host, () => coordinator.OnClosed(item.Host, reason, now));
                }
            );
        }

        void Enqueue(FleetHost host, Action handle) =>
            _events.Add(
                () =>
                {
                    handle();
                    if (coordinator.IsFinished(host))
                        connections.GetValueOrDefault(host.Name)?.Close();
                },
                CancellationToken.None
            );
    }

    // Close all connections before waiting for any of them, so that all members end at the same time.
    private static void CloseConnections(IReadOnlyCollection<IMemberConnection> connections)
    {
        foreach (var connection in connections)
            connection.Close();
        BoundedParallel.ForEach(connections, BoundedParallel.MaxHosts, connection => connection.Dispose());
    }
}
