using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Result of one step of a fleet.</summary>
/// <param name="Results">All results, whatever their status.</param>
/// <param name="Failures">Each host and test without a result, with the reason.</param>
/// <param name="Groups">Summary of each test.</param>
/// <param name="IsCancelled">Whether the run was canceled.</param>
/// <param name="IsSaved">Whether every output has every result.</param>
public sealed record FleetStepResult(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>Failures as results without values, as they are saved.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];
}
