using System.Globalization;

namespace IoBench.Application.Fleet.Live;

/// <summary>A host on the screen of a fleet.</summary>
/// <param name="Host">Its name.</param>
/// <param name="Iops">I/Os per second over about the last second; null when it does not run.</param>
/// <param name="SilentSeconds">How long nothing was heard from it.</param>
public sealed record FleetSceneHost(string Host, double? Iops, double SilentSeconds);

/// <summary>A fleet at a moment, on one screen whatever its size: the sum, the lowest five, those that nothing is heard from.</summary>
public sealed record FleetScene
{
    private const int EventsShown = 6;

    /// <summary>Names the group.</summary>
    public required string Group { get; init; }

    /// <summary>When this was so.</summary>
    public DateTimeOffset Time { get; init; }

    /// <summary>It is over.</summary>
    public bool HasEnded { get; init; }

    /// <summary>The process that leads it; null where nobody does.</summary>
    public int? Controller { get; init; }

    /// <summary>Hosts in all.</summary>
    public int Hosts { get; init; }

    /// <summary>How many are where: <c>38 running, 1 armed, 1 failed</c>.</summary>
    public string Phases { get; init; } = "";

    /// <summary>I/Os per second of all that run.</summary>
    public double IOPS { get; init; }

    /// <summary>MiB per second of all that run.</summary>
    public double MBps { get; init; }

    /// <summary>The five that run with the fewest I/Os per second.</summary>
    public IReadOnlyList<FleetSceneHost> Worst { get; init; } = [];

    /// <summary>Those that nothing was heard from for some seconds; five at most.</summary>
    public IReadOnlyList<FleetSceneHost> Silent { get; init; } = [];

    /// <summary>What happened last: who is waited for, what failed, which test began.</summary>
    public IReadOnlyList<FleetEvent> Events { get; init; } = [];

    /// <summary>The figures in lines: how many are where, the sum, the lowest, the silent.</summary>
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

    /// <summary>The whole screen: the group, the figures, what happened last, with the options' neutral names.</summary>
    public string Text => Render(TextSpelling.Neutral);

    /// <summary>The whole screen as a front writes options.</summary>
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

    /// <summary>The scene of a status.</summary>
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
