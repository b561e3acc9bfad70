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
        var repeats = results.Any(result => result.Repeat > 1) ? RepeatSummary.Summarize(results).Select(summary => summary.Summary) : [];
        return new SuiteSummary(WarningSummary.Summarize(results), [.. SuiteSummary.CreateSentences(results, storage).Union(repeats)]);
    }

    /// <summary>Returns the sentences; empty if there is nothing to report.</summary>
    /// <param name="hasRequirement">Whether a required rule set rates the results. It replaces the default rules, so they are not
    /// used.</param>
    public static IEnumerable<string> CreateSentences(
        IReadOnlyList<IoTestResult> results,
        StorageClass? asked = null,
        bool hasRequirement = false
    )
    {
        // Results of a modeled device do not measure storage.
        results = [.. results.Where(r => !BackendCatalog.IsModeled(r))];
        foreach (var answer in IntegrityResult.Find(results))
            yield return answer.Summary;
        // Wrong or unknown data is the verdict. Rates and latencies of such results are not rated.
        var hasOtherVerdict = hasRequirement || IntegrityResult.FindProblems(results).Count > 0;
        var knees = DescribeSaturation(results).ToList();
        // If there is a sweep, its low-load tests are not rated on their own.
        var choice = RuleSetChoice.ChooseFor(results, asked);
        if (!hasOtherVerdict && knees.Count == 0 && CreateVerdict(results, choice.Rules) is { } verdict)
        {
            yield return verdict.Sentence;
            if (verdict.Outcome != VerdictOutcome.NotRated)
            {
                if (DescribeSaturationTests(results) is { } saturated)
                    yield return saturated;
                yield return $"Storage type: {choice.Words}.";
            }
        }
        foreach (var knee in knees)
            yield return knee;
        foreach (var repeated in RepeatSummary.Summarize(results).Where(r => r.Runs > 1))
            yield return repeated.Summary;
        foreach (var finding in Finding.CollectFrom([.. StalledRun.Find(results), .. SlowestIO.Find(results)]))
            yield return $"Note: {Finding.DescribeAdvice(finding)}";
    }

    private static Verdict? CreateVerdict(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        var verdict = Verdict.Create(results, rules);
        return verdict.Outcome == VerdictOutcome.NotRated && results.All(result => result.Integrity is not null) ? null : verdict;
    }

    private static string? DescribeSaturationTests(IReadOnlyList<IoTestResult> results)
    {
        const int maxNames = 4;
        List<string> names =
        [
            .. results
                .Where(result => !RuleEvaluator.IsLowLoad(result) && !result.HasMissedRate())
                .Select(result => result.Workload ?? result.IOPattern ?? "")
                .Distinct(),
        ];
        return names.Count == 0 ? null : $"IoBench does not rate the latency of saturation tests: {NumberFormat.List(names, maxNames)}.";
    }

    /// <summary>A sweep needs at least three loads: two tests of a suite can differ in their load by chance.</summary>
    private static IEnumerable<string> DescribeSaturation(IReadOnlyList<IoTestResult> results)
    {
        var swept = results
            .GroupBy(r => (r.Workload, r.IOPattern, r.Path, r.Label, r.FileSizeMB, r.Buffering))
            .Where(g => g.Select(r => r.TotalOutstanding).Distinct().Count() >= 3)
            .SelectMany(g => g)
            .ToList();
        return SaturationResult.Find(swept).SelectMany(s => s.Warnings.Select(w => $"Note: {w}").Prepend(s.Summary));
    }
}
