using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Outcome of a comparison. Each front end prints it in its own way.</summary>
public abstract record ComparisonOutcome
{
    private ComparisonOutcome() { }

    /// <summary>Every group of results compared with the baseline.</summary>
    /// <param name="Comparisons">One comparison per group.</param>
    /// <param name="Earlier">Baseline results that are not among the compared results; null if they are among them.</param>
    /// <param name="IsExpected">True if the baseline is a file or results from elsewhere, so that a worse result fails.</param>
    public sealed record BaselineComparison(
        IReadOnlyList<ComparisonResult> Comparisons,
        IReadOnlyList<IoTestResult>? Earlier,
        bool IsExpected
    ) : ComparisonOutcome
    {
        /// <summary>True if the baseline is an expectation and a result is worse.</summary>
        public bool IsMissed =>
            IsExpected && Comparisons.Any(comparison => comparison.Rows.Any(row => row.Verdict == ComparisonVerdict.Worse));
    }

    /// <summary>Throughput and latency that each file role loses when all roles run concurrently.</summary>
    /// <param name="List">One item per file role.</param>
    public sealed record RoleInterferences(IReadOnlyList<RoleInterference> List) : ComparisonOutcome;

    /// <summary>Latency that SQL Server observed, compared with the latency of the storage.</summary>
    /// <param name="List">One item per test.</param>
    public sealed record ObservedLatencies(IReadOnlyList<ObservedLatency> List) : ComparisonOutcome;

    /// <summary>Equal runs compared with one another.</summary>
    /// <param name="List">One item per repeated test.</param>
    public sealed record RepeatSummaries(IReadOnlyList<RepeatSummary> List) : ComparisonOutcome;
}
