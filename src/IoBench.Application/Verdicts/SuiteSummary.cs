using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Warnings and summary of the results of one computer.</summary>
/// <param name="Warnings">Each kind of warning once, with the affected tests.</param>
/// <param name="Lines">Verdict, and the variation of repeats.</param>
public sealed record SuiteSummary(IReadOnlyList<WarningSummary> Warnings, IReadOnlyList<string> Lines)
{
    /// <summary>Summarizes results.</summary>
    /// <param name="results">Results of one computer.</param>
    /// <param name="storage">Kind of storage that the user specified; null for the kind that the host reports.</param>
    public static SuiteSummary Create(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        var repeats = results.Any(result => result.Repeat > 1) ? RepeatSummary.Summarize(results).Select(summary => summary.Summary) : [];
        return new SuiteSummary(WarningSummary.Summarize(results), [.. SuiteSummary.CreateSentences(results, storage).Union(repeats)]);
    }
}
