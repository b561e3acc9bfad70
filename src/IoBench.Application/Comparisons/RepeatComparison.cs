namespace IoBench.Application.Comparisons;

/// <summary>Equal runs compared with one another.</summary>
public static class RepeatComparison
{
    /// <summary>A summary for each test that was repeated.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRepeats</c>: nothing is complete.</exception>
    public static IReadOnlyList<RepeatSummary> Summaries(IReadOnlyList<IoTestResult> results) =>
        RepeatSummary.Of(results) is { Count: > 0 } summaries
            ? summaries
            : throw IoBenchException.Usage(
                "IoBench.NoRepeats",
                "There are no complete results to compare.",
                advice: $"Repeat a test with {Opt.Repeat.With(3)}, or run it to a steady state."
            );
}
