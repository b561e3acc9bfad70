namespace IoBench.Application.Verdicts;

/// <summary>
/// A suite in a sentence: what a commit and a page read wait for, rated by the default rule set where that is fair; of a sweep its knee, of repeats their spread; what stalled.
/// </summary>
public static class SuiteVerdict
{
    /// <summary>The sentences; empty when there is nothing to say.</summary>
    /// <param name="results">The suite.</param>
    /// <param name="asked">The kind of storage that the user says it is; null = as the host says.</param>
    public static IEnumerable<string> Of(IReadOnlyList<IoTestResult> results, StorageClass? asked = null)
    {
        // A modelled device says nothing about storage.
        results = [.. results.Where(r => !BackendCatalog.IsModelled(r))];
        foreach (var answer in IntegrityAnswer.Find(results))
            yield return answer.Summary;
        var knees = Knees(results).ToList();
        // The lowest loads of a sweep are no answer of their own.
        var yardstick = StorageYardstick.Of(results, asked);
        if (knees.Count == 0 && Sentence(results, yardstick.Rules) is { } sentence)
        {
            yield return sentence;
            yield return $"Storage: {yardstick.Words}.";
        }
        foreach (var knee in knees)
            yield return knee;
        foreach (var repeated in RepeatSummary.Of(results).Where(r => r.Runs > 1))
            yield return repeated.Summary;
        foreach (var finding in ResultFindings.Of([.. ResultStalls.Find(results), .. SlowestIO.Find(results)]))
            yield return $"Note: {FindingText.Advice(finding)}";
    }

    /// <summary>The verdict's sentence where a test was about what somebody waits for, or missed something.</summary>
    private static string? Sentence(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        var verdict = Verdict.Of(results, rules);
        if (
            verdict.Outcome == VerdictOutcome.NotRated
            && !results.Any(result => result.HasMissedRate())
            && !verdict.Answers.Any(answer => answer.Question.Kind == VerdictKind.Wait)
        )
            return null;
        return verdict.Sentence
            + (
                results.Any(r => !RuleJudge.IsWorkingLoad(r)) && verdict.Answers.Any(answer => answer.IsRated)
                    ? " Saturated rows are not rated by latency."
                    : ""
            );
    }

    /// <summary>Groups of at least three loads: two runs of a suite that happen to differ in their load are no sweep.</summary>
    private static IEnumerable<string> Knees(IReadOnlyList<IoTestResult> results)
    {
        var swept = results
            .GroupBy(r => (r.Workload, r.IOPattern, r.Path, r.Label, r.FileSizeMB, r.Buffering))
            .Where(g => g.Select(r => r.TotalOutstanding).Distinct().Count() >= 3)
            .SelectMany(g => g)
            .ToList();
        return SaturationAnalysis.Find(swept).SelectMany(s => s.Warnings.Select(w => $"Note: {w}").Prepend(s.Summary));
    }
}
