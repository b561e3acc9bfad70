using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Warnings">Each kind of warning once, with the affected tests.</param>
/// <param name="Lines">Verdict, and the variation of repeats.</param>
public sealed record SuiteSummary(IReadOnlyList<WarningSummary> Warnings, IReadOnlyList<string> Lines)
{
    /// <summary>Sentences about content that could not be verified. They explain exit code 3, so they are never hidden.</summary>
    public static IReadOnlyList<string> DescribeUnverified(IReadOnlyList<IoTestResult> results) =>
        [.. IntegrityResult.FindUnverified(results).Select(answer => answer.Summary)];

    /// <param name="storage">Kind of storage that the user specified; null for the kind that the host reports.</param>
    public static SuiteSummary Create(IReadOnlyList<IoTestResult> results, StorageClass? storage = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        var repeats = results.Any(result => result.Repeat > 1) ? RepeatSummary.Summarize(results).Select(summary => summary.Summary) : [];
        return new SuiteSummary(WarningSummary.Summarize(results), [.. SuiteSummary.CreateSentences(results, storage).Union(repeats)]);
    }

    /// <summary>Returns the sentences; empty if there is nothing to report.</summary>
    public static IEnumerable<string> CreateSentences(IReadOnlyList<IoTestResult> results, StorageClass? asked = null)
    {
        // Results of a modeled device do not measure storage.
        results = [.. results.Where(r => !BackendCatalog.IsModeled(r))];
        foreach (var answer in IntegrityResult.Find(results))
            yield return answer.Summary;
        var knees = DescribeSaturation(results).ToList();
        // If there is a sweep, its low-load tests are not rated on their own.
        var yardstick = RuleSetChoice.ChooseFor(results, asked);
        if (knees.Count == 0 && CreateVerdictSentence(results, yardstick.Rules) is { } sentence)
        {
            yield return sentence;
            yield return $"Storage: {yardstick.Words}.";
        }
        foreach (var knee in knees)
            yield return knee;
        foreach (var repeated in RepeatSummary.Summarize(results).Where(r => r.Runs > 1))
            yield return repeated.Summary;
        foreach (var finding in Finding.CollectFrom([.. StalledRun.Find(results), .. SlowestIO.Find(results)]))
            yield return $"Note: {Finding.DescribeAdvice(finding)}";
    }

    private static string? CreateVerdictSentence(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        var verdict = Verdict.Create(results, rules);
        if (
            verdict.Outcome == VerdictOutcome.NotRated
            && !results.Any(result => result.HasMissedRate())
            && !verdict.Answers.Any(answer => answer.Question.Kind == SummaryMetricKind.Wait)
        )
            return null;
        return verdict.Sentence
            + (
                results.Any(r => !RuleEvaluator.IsLowLoad(r)) && verdict.Answers.Any(answer => answer.IsRated)
                    ? " Saturated rows are not rated by latency."
                    : ""
            );
    }

    /// <summary>A sweep needs at least three loads: two tests of a suite can differ in their load by chance.</summary>
    private static IEnumerable<string> DescribeSaturation(IReadOnlyList<IoTestResult> results)
    {
        var swept = results
            .GroupBy(r => (r.Workload, r.IOPattern, r.Path, r.Label, r.FileSizeMB, r.Buffering))
            .Where(g => g.Select(r => r.TotalOutstanding).Distinct().Count() >= 3)
            .SelectMany(g => g)
            .ToList();
        return SaturationAnalysis.Find(swept).SelectMany(s => s.Warnings.Select(w => $"Note: {w}").Prepend(s.Summary));
    }
}
