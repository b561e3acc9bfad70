using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Compares equal runs with one another.</summary>
public static class ComparisonRequest
{
    /// <summary>Summarizes each repeated test.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NoRepeats</c>: no result is complete.</exception>
    public static IReadOnlyList<RepeatSummary> GetRepeatSummaries(IReadOnlyList<IoTestResult> results) =>
        RepeatSummary.Summarize(results) is { Count: > 0 } summaries
            ? summaries
            : throw IoBenchException.Usage(
                "IoBench.NoRepeats",
                "There are no complete results to compare.",
                advice: $"Repeat a test with {OptionNames.Repeat.WithValue(3)}, or run it to a steady state."
            );
}
