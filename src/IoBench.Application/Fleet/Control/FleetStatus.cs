namespace IoBench.Application;

/// <param name="Iops">IOPS over about the last second; null if the host does not run a test.</param>
/// <param name="SilentSeconds">Seconds since the last message of the host.</param>
public sealed record FleetHostStatus(FleetHost Host, FleetHostPhase Phase, double? Iops, double SilentSeconds);

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
    internal const double MinSilentSeconds = 12;

    internal static FleetStatus FromHosts(IReadOnlyCollection<HostState> seats, long now)
    {
        var hosts = seats
            .Select(state =>
                (
                    Seat: state,
                    Status: new FleetHostStatus(
                        state.Host,
                        state.Phase,
                        state.Phase == FleetHostPhase.Running ? state.Iops : null,
                        state.Phase == FleetHostPhase.Waiting ? 0 : Math.Max(0, now - state.LastMessageTime) / 1e9
                    )
                )
            )
            .ToList();
        var running = hosts.Where(host => host.Status.Iops is not null).ToList();
        return new FleetStatus(
            seats.Count,
            seats.GroupBy(state => state.Phase).ToDictionary(group => group.Key, group => group.Count()),
            running.Sum(host => host.Status.Iops!.Value),
            running.Sum(host => host.Seat.MBps ?? 0),
            [.. running.OrderBy(host => host.Status.Iops).Take(MaxListedHosts).Select(host => host.Status)],
            [
                .. hosts
                    .Where(host => !host.Seat.IsFinished && host.Status.SilentSeconds > MinSilentSeconds)
                    .OrderByDescending(host => host.Status.SilentSeconds)
                    .Take(MaxListedHosts)
                    .Select(host => host.Status),
            ]
        );
    }
}
