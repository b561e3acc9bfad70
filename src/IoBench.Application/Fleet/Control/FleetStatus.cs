using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Iops">IOPS over about the last second; null if the host does not run a test.</param>
/// <param name="SilentSeconds">Seconds since the last message of the host.</param>
public sealed record FleetHostStatus(string Host, double? Iops, double SilentSeconds);

/// <summary>Current state of a fleet, short enough for one screen whatever the number of hosts.</summary>
/// <param name="SumMBps">MiB/s of all hosts that run a test.</param>
/// <param name="Worst">The five running hosts with the lowest IOPS.</param>
/// <param name="Silent">Up to five hosts that have been silent for some seconds, the longest first.</param>
public sealed record FleetStatus(
    int Hosts,
    IReadOnlyDictionary<FleetHostPhase, int> Phases,
    double SumIops,
    double SumMBps,
    IReadOnlyList<FleetHostStatus> Worst,
    IReadOnlyList<FleetHostStatus> Silent
)
{
    private const int MaxListedHosts = 5;
    private const double MinSilentSeconds = 12;

    /// <summary>Number of hosts in each state, sum, slowest hosts, and silent hosts.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            var lines = new List<string> { $"{NumberFormat.Pluralize(Hosts, "host")}: {FormatPhases()}" };
            if (SumIops > 0)
                lines.Add($"{NumberFormat.Grouped(SumIops)} IOPS, {ThroughputDisplay.Format(SumMBps)}");
            if (Worst.Count > 0)
                lines.Add(
                    $"lowest IOPS: {string.Join(", ", Worst.Select(host => $"{host.Host} {NumberFormat.Grouped(host.Iops, 0, "?")}"))}"
                );
            if (Silent.Count > 0)
                lines.Add(
                    $"no response: {string.Join(", ", Silent.Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Host} for {host.SilentSeconds:0} s")))}"
                );
            return lines;
        }
    }

    public override string ToString() => string.Join("; ", Lines);

    private string FormatPhases() =>
        string.Join(
            ", ",
            Phases
                .OrderBy(phase => phase.Key)
                .Select(phase => string.Create(CultureInfo.InvariantCulture, $"{phase.Value} {phase.Key.ToString().ToLowerInvariant()}"))
        );

    internal static FleetStatus FromHosts(IReadOnlyCollection<HostState> states, long now)
    {
        var hosts = states
            .Select(state =>
                (
                    State: state,
                    Status: new FleetHostStatus(
                        state.Host.Name,
                        state.Phase == FleetHostPhase.Running ? state.Iops : null,
                        state.Phase == FleetHostPhase.Waiting ? 0 : Math.Max(0, now - state.LastMessageTime) / 1e9
                    )
                )
            )
            .ToList();
        var running = hosts.Where(host => host.Status.Iops is not null).ToList();
        return new FleetStatus(
            states.Count,
            states.GroupBy(state => state.Phase).ToDictionary(group => group.Key, group => group.Count()),
            running.Sum(host => host.Status.Iops!.Value),
            running.Sum(host => host.State.MBps ?? 0),
            [.. running.OrderBy(host => host.Status.Iops).Take(MaxListedHosts).Select(host => host.Status)],
            [
                .. hosts
                    .Where(host => !host.State.IsFinished && host.Status.SilentSeconds > MinSilentSeconds)
                    .OrderByDescending(host => host.Status.SilentSeconds)
                    .Take(MaxListedHosts)
                    .Select(host => host.Status),
            ]
        );
    }
}
