using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Result of a comparison. Only the list of the requested comparison has a value; the others are null.</summary>
public sealed record ComparisonResultSet
{
    public IReadOnlyList<ComparisonResult>? Comparisons { get; init; }

    /// <summary>Baseline results that are not among the compared results; null if they are among them.</summary>
    public IReadOnlyList<IoTestResult>? Earlier { get; init; }

    /// <summary>True if the baseline is a file or results from elsewhere, so that a worse result fails.</summary>
    public bool IsExpected { get; init; }

    /// <summary>Throughput and latency that each file role loses when all roles run concurrently.</summary>
    public IReadOnlyList<RoleInterference>? Roles { get; init; }

    /// <summary>Latency that SQL Server observed, compared with the latency of the storage.</summary>
    public IReadOnlyList<ObservedLatencyComparison>? ObservedLatencies { get; init; }

    public IReadOnlyList<RepeatSummary>? Repeats { get; init; }

    public bool HasWorse =>
        IsExpected && Comparisons?.Any(comparison => comparison.Rows.Any(row => row.Verdict == ComparisonVerdict.Worse)) == true;

    /// <summary>Whether a baseline was expected to be met, and no test allows a verdict.</summary>
    public bool IsUndecided =>
        IsExpected
        && Comparisons is { } comparisons
        && comparisons.All(comparison => comparison.Rows.All(row => row.Verdict == ComparisonVerdict.Inconclusive))
        && comparisons.Any(comparison => comparison.Rows.Count > 0);
}
