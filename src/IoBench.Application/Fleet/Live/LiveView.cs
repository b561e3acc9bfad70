using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Iops">IOPS over about the last second; null if the host does not run a test.</param>
/// <param name="SilentSeconds">Seconds since the last message of the host.</param>
public sealed record LiveViewHost(string Host, double? Iops, double SilentSeconds);

/// <summary>State of a fleet on one screen, whatever the number of hosts.</summary>
public sealed record LiveView
{
    private const int MaxShownEvents = 6;

    public required string Group { get; init; }

    public DateTimeOffset Time { get; init; }

    public bool HasEnded { get; init; }

    /// <summary>Process id of the controller; null if there is none.</summary>
    public int? Controller { get; init; }

    public int Hosts { get; init; }

    /// <summary>Number of hosts in each state: <c>38 running, 1 armed, 1 failed</c>.</summary>
    public string Phases { get; init; } = "";

    /// <summary>IOPS of all hosts that run a test.</summary>
    public double IOPS { get; init; }

    /// <summary>MiB/s of all hosts that run a test.</summary>
    public double MBps { get; init; }

    /// <summary>The five running hosts with the lowest IOPS.</summary>
    public IReadOnlyList<LiveViewHost> Worst { get; init; } = [];

    /// <summary>Up to five hosts that have been silent for some seconds.</summary>
    public IReadOnlyList<LiveViewHost> Silent { get; init; } = [];

    /// <summary>Latest events: hosts that others wait for, failures, starts of tests.</summary>
    public IReadOnlyList<FleetEvent> Events { get; init; } = [];

    /// <summary>Lines of the view: number of hosts in each state, sum, slowest hosts, silent hosts.</summary>
    public IReadOnlyList<string> Lines
    {
        get
        {
            var lines = new List<string> { $"{NumberFormat.Pluralize(Hosts, "host")}: {Phases}" };
            if (IOPS > 0)
                lines.Add($"{NumberFormat.Grouped(IOPS)} IOPS, {ThroughputDisplay.Format(MBps)}");
            if (Worst.Count > 0)
                lines.Add($"lowest {string.Join(", ", Worst.Select(host => $"{host.Host} {NumberFormat.Grouped(host.Iops, 0, "?")}"))}");
            if (Silent.Count > 0)
                lines.Add(
                    $"silent {string.Join(", ", Silent.Select(host => string.Create(CultureInfo.InvariantCulture, $"{host.Host} {host.SilentSeconds:0} s")))}"
                );
            return lines;
        }
    }

    public string Text => Render(OptionSpelling.Neutral);

    public string Render(OptionSpelling spelling) =>
        string.Join(
            '\n',
            [
                $"{Group}{(HasEnded ? ", ended" : "")} {Time.ToLocalTime().ToString("HH:mm:ss", CultureInfo.InvariantCulture)}",
                .. Lines,
                .. Events.TakeLast(MaxShownEvents).Select(happened => "  " + happened.Render(spelling)),
            ]
        );

    public override string ToString() => string.Join("; ", Lines);

    public static LiveView FromStatus(string group, FleetStatus status, DateTimeOffset time)
    {
        ArgumentNullException.ThrowIfNull(status);
        return new LiveView
        {
            Group = group,
            Time = time,
            Hosts = status.Hosts,
            IOPS = status.SumIops,
            MBps = status.SumMBps,
            Worst = [.. status.Worst.Select(RoundSeconds)],
            Silent = [.. status.Silent.Select(RoundSeconds)],
            Phases = FormatPhases(status.Phases),
        };

        static LiveViewHost RoundSeconds(LiveViewHost host) => host with { SilentSeconds = Math.Round(host.SilentSeconds, 1) };
    }

    internal static string FormatPhases(IReadOnlyDictionary<FleetHostPhase, int> phases) =>
        string.Join(
            ", ",
            phases
                .OrderBy(phase => phase.Key)
                .Select(phase => string.Create(CultureInfo.InvariantCulture, $"{phase.Value} {phase.Key.ToString().ToLowerInvariant()}"))
        );
}
