namespace IoBench.Application.Comparisons;

/// <summary>What came of a comparison: one of the answers below, which each front prints its own way.</summary>
public abstract record ComparisonAnswer
{
    private ComparisonAnswer() { }

    /// <summary>Every side against the baseline.</summary>
    /// <param name="Comparisons">One per side.</param>
    /// <param name="Earlier">The baseline's results where they are not among those that were compared; null = they are.</param>
    /// <param name="IsExpected">The baseline is a file or results from elsewhere: what is worse misses an expectation.</param>
    public sealed record Sides(IReadOnlyList<ComparisonResult> Comparisons, IReadOnlyList<IoTestResult>? Earlier, bool IsExpected)
        : ComparisonAnswer
    {
        /// <summary>An expectation is missed.</summary>
        public bool IsMissed =>
            IsExpected && Comparisons.Any(comparison => comparison.Rows.Any(row => row.Verdict == ComparisonVerdict.Worse));
    }

    /// <summary>What each role loses to the others.</summary>
    /// <param name="List">One per role.</param>
    public sealed record Roles(IReadOnlyList<RoleInterference> List) : ComparisonAnswer;

    /// <summary>What SQL Server saw against what the storage gives.</summary>
    /// <param name="List">One per test.</param>
    public sealed record OwnLoad(IReadOnlyList<ObservedLatency> List) : ComparisonAnswer;

    /// <summary>Equal runs with one another.</summary>
    /// <param name="List">One per test that was repeated.</param>
    public sealed record Repeats(IReadOnlyList<RepeatSummary> List) : ComparisonAnswer;
}
