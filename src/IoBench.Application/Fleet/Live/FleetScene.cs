using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>A host in the live view of a fleet.</summary>
/// <param name="Host">Name of the host.</param>
/// <param name="Iops">IOPS over about the last second; null if the host does not run a test.</param>
/// <param name="SilentSeconds">Seconds since the last message of the host.</param>
public sealed record FleetSceneHost(string Host, double? Iops, double SilentSeconds);

/// <summary>
/// Live view of a fleet, short enough for one screen whatever the number of hosts: the sum, the five slowest hosts, and the silent hosts.
/// </summary>
public sealed record FleetScene
{
    private const int EventsShown = 6;

    /// <summary>Id of the group.</summary>
    public required string Group { get; init; }

    /// <summary>Time of this view.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>Whether the fleet has ended.</summary>
    public bool HasEnded { get; init; }

    /// <summary>Process id of the controller; null if there is none.</summary>
    public int? Controller { get; init; }

    /// <summary>Number of hosts.</summary>
    public int Hosts { get; init; }

    /// <summary>Number of hosts in each state: <c>38 running, 1 armed, 1 failed</c>.</summary>
    public string Phases { get; init; } = "";

    /// <summary>IOPS of all hosts that run a test.</summary>
    public double IOPS { get; init; }

    /// <summary>MiB/s of all hosts that run a test.</summary>
    public double MBps { get; init; }

    /// <summary>The five running hosts with the lowest IOPS.</summary>
    public IReadOnlyList<FleetSceneHost> Worst { get; init; } = [];

    /// <summary>Up to five hosts that have been silent for some seconds.</summary>
    public IReadOnlyList<FleetSceneHost> Silent { get; init; } = [];

    /// <summary>Latest events: hosts that others wait for, failures, starts of tests.</summary>
    public IReadOnlyList<FleetEvent> Events { get; init; } = [];

    /// <summary>Lines of the view: number of hosts in each state, sum, slowest hosts, silent hosts.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            var lines = new List<string> { $"{Figures.Counted(Hosts, "host")}: {Phases}" };
            if (IOPS > 0)
                lines.Add($"{Figures.Grouped(IOPS)} IOPS, {Throughput.Text(MBps)}");
            if (Worst.Count > 0)
                lines.Add($"lowest {string.Join(", ", Worst.Select(host => $"{host.Host} {Figures.Grouped(host.Iops, 0, "?")}"))}");
            if (Silent.Count > 0)
                lines.Add(
                    $"silent {string.Join(", ", Silent.Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Host} {host.SilentSeconds:0} s")))}"
                );
            return lines;
        }
    }

    /// <summary>The whole view with the group and the latest events, with neutral option names.</summary>
    public string Text => Render(TextSpelling.Neutral);

    /// <summary>Returns the whole view with the option names of a front end.</summary>
    public string Render(TextSpelling spelling) =>
        string.Join(
            '\n',
            [
                $"{Group}{(HasEnded ? ", ended" : "")} {Time.ToLocalTime().ToString("HH:mm:ss", CultureInfo.InvariantCulture)}",
                .. Lines,
                .. Events.TakeLast(EventsShown).Select(happened => "  " + happened.Render(spelling)),
            ]
        );

    /// <inheritdoc/>
    public override string ToString() => string.Join("; ", Lines);

    /// <summary>Creates a view of a status.</summary>
    public static FleetScene Of(string group, FleetStatus status, DateTimeOffset time)
    {
        ArgumentNullException.ThrowIfNull(status);
        return new FleetScene
        {
            Group = group,
            Time = time,
            Hosts = status.Hosts,
            IOPS = status.SumIops,
            MBps = status.SumMBps,
            Worst = [.. status.Worst.Select(Host)],
            Silent = [.. status.Silent.Select(Host)],
            Phases = PhasesOf(status.Phases),
        };

        static FleetSceneHost Host(FleetHostStatus host) => new(host.Host.Name, host.Iops, Math.Round(host.SilentSeconds, 1));
    }

    internal static string PhasesOf(IReadOnlyDictionary<FleetPhase, int> phases) =>
        string.Join(
            ", ",
            phases
                .OrderBy(phase => phase.Key)
                .Select(phase => string.Create(CultureInfo.InvariantCulture, $"{phase.Value} {phase.Key.ToString().ToLowerInvariant()}"))
        );
}
