using System.Collections.Concurrent;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs tests on many hosts, each test on all hosts at the same time.</summary>
public sealed class FleetController(FleetOptions options, MemberStarter start, IFleetObserver observer)
{
    private const int MaxOpenAtOnce = 32;
    private const int MaxParallelCloses = 32;
    private const int MaxListedHosts = 5;
    private const double MinSilentSeconds = 12;

    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);
    private static readonly TimeSpan s_keepAliveInterval = TimeSpan.FromSeconds(10);
    private static readonly long s_stopTimeout = 20 * Clock.Second;

    private readonly BlockingCollection<Action> _events = [];

    public required ResultSpool Spool { get; init; }

    public void Run(IReadOnlyList<HostWorkload> work, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(work);
        var connections = new ConcurrentDictionary<string, IMemberConnection>(StringComparer.Ordinal);
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
        // On a thread of its own, because the observer can block this one: a prompt, or a slow pipeline.
        using var keepAlive = new Timer(_ => coordinator.SendKeepAlives(), null, s_keepAliveInterval, s_keepAliveInterval);
        try
        {
            while (!coordinator.IsDone)
            {
                while (
                    !cancelled.IsCancellationRequested
                    && waiting.Count > 0
                    && coordinator.Hosts.Count(state => state.Phase == FleetHostPhase.Connecting) < MaxOpenAtOnce
                )
                    Open(waiting.Dequeue());
                // Everything that arrived before this time is processed before Tick, so that a blocked observer makes no host look silent.
                var now = Clock.Now;
                var wait = s_pollInterval;
                for (var left = Math.Max(1, _events.Count); left > 0 && _events.TryTake(out var received, wait); left--)
                {
                    received();
                    wait = TimeSpan.Zero;
                }
                if (Spool.DequeueWarning() is { } warning)
                    observer.OnWarning(warning);
                coordinator.Tick(now);
                if (cancelled.IsCancellationRequested && stopTime == 0)
                {
                    coordinator.StopHosts("The fleet was stopped, so all hosts end their tests.");
                    stopTime = Clock.Now;
                }
                if (stopTime > 0 && now - stopTime > s_stopTimeout)
                    coordinator.AbandonHosts(now);
                if (now - lastStatus >= Clock.Second)
                {
                    lastStatus = now;
                    observer.OnStatus(DescribeStatus(coordinator.Hosts, now));
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
            connections[item.Host.Name] = start(
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
    private static void CloseConnections(ICollection<IMemberConnection> connections)
    {
        foreach (var connection in connections)
            connection.Close();
        Parallel.ForEach(
            connections,
            new ParallelOptions { MaxDegreeOfParallelism = MaxParallelCloses },
            connection => connection.Dispose()
        );
    }

    /// <summary>Number of hosts in each state, sum, slowest hosts, and silent hosts: short enough for one screen whatever the number of
    /// hosts.</summary>
    internal static IReadOnlyList<string> DescribeStatus(IReadOnlyCollection<HostState> hosts, long now)
    {
        var phases = hosts
            .GroupBy(host => host.Phase)
            .OrderBy(phase => phase.Key)
            .Select(phase => string.Create(CultureInfo.InvariantCulture, $"{phase.Count()} {phase.Key.ToString().ToLowerInvariant()}"));
        var lines = new List<string> { $"{NumberFormat.Pluralize(hosts.Count, "host")}: {string.Join(", ", phases)}" };
        var running = hosts.Where(host => host is { Phase: FleetHostPhase.Running, Iops: not null }).OrderBy(host => host.Iops).ToList();
        if (running.Sum(host => host.Iops) is > 0 and var sum)
            lines.Add($"{NumberFormat.Grouped(sum)} IOPS, {ThroughputDisplay.Format(running.Sum(host => host.MBps ?? 0))}");
        var slowest = running.Take(MaxListedHosts).Select(host => $"{host.Host.Name} {NumberFormat.Grouped(host.Iops, 0, "?")}").ToList();
        if (slowest.Count > 0)
            lines.Add($"lowest IOPS: {string.Join(", ", slowest)}");
        var silent = hosts
            .Where(host => !host.IsFinished && host.Phase != FleetHostPhase.Waiting)
            .Select(host => (host.Host.Name, Seconds: (now - host.LastMessageTime) / 1e9))
            .Where(host => host.Seconds > MinSilentSeconds)
            .OrderByDescending(host => host.Seconds)
            .Take(MaxListedHosts)
            .Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Name} for {host.Seconds:0} s"))
            .ToList();
        if (silent.Count > 0)
            lines.Add($"no response: {string.Join(", ", silent)}");
        return lines;
    }
}
