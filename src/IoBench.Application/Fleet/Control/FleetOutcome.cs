namespace IoBench.Application.Fleet.Control;

/// <summary>What came of a fleet.</summary>
/// <param name="Results">All results, whatever their status.</param>
/// <param name="Failures">Every host and test without one, and why.</param>
/// <param name="Groups">The answer of each test.</param>
/// <param name="IsCancelled">Somebody ended it.</param>
/// <param name="IsSaved">Every sink has every result.</param>
public sealed record FleetOutcome(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>The failures as results without figures, as they are saved.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];
}
