namespace IoBench.Application.Verdicts;

/// <summary>What the results of one computer need said beside their rows.</summary>
/// <param name="Warnings">Each kind of warning once, with the tests that have it.</param>
/// <param name="Lines">What they come to, and the spread of repeats.</param>
public sealed record SuiteNotes(IReadOnlyList<DigestWarning> Warnings, IReadOnlyList<string> Lines)
{
    /// <param name="results">The results of one computer.</param>
    /// <param name="storage">The kind of storage that the user says it is; null = as the host says.</param>
    public static SuiteNotes Of(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        var repeats = results.Any(result => result.Repeat > 1) ? RepeatSummary.Of(results).Select(summary => summary.Summary) : [];
        return new SuiteNotes(WarningDigest.Of(results), [.. SuiteVerdict.Of(results, storage).Union(repeats)]);
    }
}
