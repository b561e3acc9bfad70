using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

internal static class FleetProgressMessages
{
    private const int MaxNamedHosts = 3;
    private const int MaxListedHosts = 5;
    private const double MinSilentSeconds = 12;

    /// <summary><c>waiting for sql11, 40 s</c>.</summary>
    public static string DescribeWaiting(IReadOnlyList<FleetHost> hosts, long nanoseconds) =>
        string.Create(CultureInfo.InvariantCulture, $"waiting for {NumberFormat.List(hosts, MaxNamedHosts)}, {nanoseconds / 1e9:0} s");

    /// <summary><c>test 1 begins on 40 hosts</c>.</summary>
    public static string DescribeTestStart(int test, int hosts) =>
        $"test {NumberFormat.Integer(test)} begins on {NumberFormat.Pluralize(hosts, "host")}";

    /// <summary>Number of hosts in each state, sum, slowest hosts, and silent hosts: short enough for one screen whatever the number of
    /// hosts.</summary>
    public static IReadOnlyList<string> DescribeStatus(IReadOnlyCollection<HostState> hosts, long now)
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
