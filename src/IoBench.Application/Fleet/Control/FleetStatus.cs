namespace IoBench.Application;

/// <summary>Current state of a fleet, short enough for one screen whatever the number of hosts.</summary>
/// <param name="SumMBps">MiB/s of all hosts that run a test.</param>
/// <param name="Worst">The five running hosts with the lowest IOPS.</param>
/// <param name="Silent">Up to five hosts that have been silent for some seconds, the longest first.</param>
public sealed record FleetStatus(
    int Hosts,
    IReadOnlyDictionary<FleetHostPhase, int> Phases,
    double SumIops,
    double SumMBps,
    IReadOnlyList<LiveViewHost> Worst,
    IReadOnlyList<LiveViewHost> Silent
)
{
    private const int MaxListedHosts = 5;
    internal const double MinSilentSeconds = 12;

    internal static FleetStatus FromHosts(IReadOnlyCollection<HostState> states, long now)
    {
        var hosts = states
            .Select(state =>
                (
                    State: state,
                    Status: new LiveViewHost(
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
