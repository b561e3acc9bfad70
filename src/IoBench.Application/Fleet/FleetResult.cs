using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Ramps">Scaling curves of the steps; empty without a ramp.</param>
/// <param name="IsSaved">Whether every output has every result.</param>
public sealed record FleetResult(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    IReadOnlyList<ScalingCurve> Ramps,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>Failures as results without values, as they are saved. They show which hosts are missing and why.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];

    /// <summary>All results with all their details, each read on access. <see cref="Results"/> are trimmed if there are very
    /// many.</summary>
    public IEnumerable<IoTestResult> Whole { get; init; } = Results;

    /// <summary>True if every host, or at least <paramref name="minHosts"/> hosts, have a complete result for each test.</summary>
    public bool IsSufficient(int? minHosts) =>
        !IsCancelled
        && IsSaved
        && Groups.Count > 0
        && (
            minHosts is { } count
                ? Groups.All(group => group.Hosts.Count >= Math.Min(count, group.AskedHosts))
                : Failures.Count == 0 && Groups.All(group => group.Failures.Count == 0)
        );
}
