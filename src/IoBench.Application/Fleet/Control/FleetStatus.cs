namespace IoBench.Application.Fleet.Control;

/// <summary>A host at this moment.</summary>
/// <param name="Phase">What the host does.</param>
/// <param name="Iops">I/Os per second over about the last second; null when it does not run.</param>
/// <param name="SilentSeconds">How long nothing was heard from it.</param>
public sealed record FleetHostStatus(FleetHost Host, FleetPhase Phase, double? Iops, double SilentSeconds);

/// <summary>A fleet at this moment, on one screen whatever its size.</summary>
/// <param name="Hosts">Hosts in all.</param>
/// <param name="Phases">How many are where.</param>
/// <param name="SumIops">I/Os per second of all that run.</param>
/// <param name="SumMBps">MiB per second of all that run.</param>
/// <param name="Worst">The five that run with the fewest I/Os per second.</param>
/// <param name="Silent">Those that nothing was heard from for some seconds, the longest first; five at most.</param>
public sealed record FleetStatus(
    int Hosts,
    IReadOnlyDictionary<FleetPhase, int> Phases,
    double SumIops,
    double SumMBps,
    IReadOnlyList<FleetHostStatus> Worst,
    IReadOnlyList<FleetHostStatus> Silent
)
{
    private const int Shown = 5;
    internal const double SilentFrom = 12;

    /// <summary>The status of seats.</summary>
    internal static FleetStatus Of(IReadOnlyCollection<FleetSeat> seats, long now)
    {
        var hosts = seats
            .Select(seat =>
                (
                    Seat: seat,
                    Status: new FleetHostStatus(
                        seat.Host,
                        seat.Phase,
                        seat.Phase == FleetPhase.Running ? seat.Iops : null,
                        seat.Phase == FleetPhase.Waiting ? 0 : Math.Max(0, now - seat.Heard) / 1e9
                    )
                )
            )
            .ToList();
        var running = hosts.Where(host => host.Status.Iops is not null).ToList();
        return new FleetStatus(
            seats.Count,
            seats.GroupBy(seat => seat.Phase).ToDictionary(group => group.Key, group => group.Count()),
            running.Sum(host => host.Status.Iops!.Value),
            running.Sum(host => host.Seat.MBps ?? 0),
            [.. running.OrderBy(host => host.Status.Iops).Take(Shown).Select(host => host.Status)],
            [
                .. hosts
                    .Where(host => !host.Seat.IsOut && host.Status.SilentSeconds > SilentFrom)
                    .OrderByDescending(host => host.Status.SilentSeconds)
                    .Take(Shown)
                    .Select(host => host.Status),
            ]
        );
    }
}
