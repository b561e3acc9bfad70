using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

public abstract record ComparisonResultSet
{
    private ComparisonResultSet() { }

    /// <param name="Earlier">Baseline results that are not among the compared results; null if they are among them.</param>
    /// <param name="IsExpected">True if the baseline is a file or results from elsewhere, so that a worse result fails.</param>
    public sealed record BaselineComparison(
        IReadOnlyList<ComparisonResult> Comparisons,
        IReadOnlyList<IoTestResult>? Earlier,
        bool IsExpected
    ) : ComparisonResultSet
    {
        public bool HasWorse =>
            IsExpected && Comparisons.Any(comparison => comparison.Rows.Any(row => row.Verdict == ComparisonVerdict.Worse));

        /// <summary>Whether a baseline was expected to be met, and no test allows a verdict.</summary>
        public bool IsUndecided =>
            IsExpected
            && Comparisons.All(comparison => comparison.Rows.All(row => row.Verdict == ComparisonVerdict.Inconclusive))
            && Comparisons.Any(comparison => comparison.Rows.Count > 0);
    }

    /// <summary>Throughput and latency that each file role loses when all roles run concurrently.</summary>
    public sealed record RoleInterferences(IReadOnlyList<RoleInterference> List) : ComparisonResultSet;

    /// <summary>Latency that SQL Server observed, compared with the latency of the storage.</summary>
    public sealed record ObservedLatencies(IReadOnlyList<ObservedLatencyComparison> List) : ComparisonResultSet;

    public sealed record RepeatSummaries(IReadOnlyList<RepeatSummary> List) : ComparisonResultSet;
}
