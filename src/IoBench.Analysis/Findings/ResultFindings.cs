using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>All that results say, from every analysis that applies to them: one call for whoever wants to show it.</summary>
public static class ResultFindings
{
    /// <summary>The findings in the order of the analyses: rules, comparison, sweeps, stalls, roles, own load, repeats, trends.</summary>
    /// <param name="results">What was measured or read.</param>
    /// <param name="rules">Rules to judge by; null = none.</param>
    /// <param name="baseline">Earlier results to compare with; null = none.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NothingToCompare</c>: no result has a partner in the baseline.</exception>
    public static IReadOnlyList<Finding> Find(IReadOnlyList<IoTestResult> results, IoRuleSet? rules = null, IReadOnlyList<IoTestResult>? baseline = null)
    {
        ArgumentNullException.ThrowIfNull(results);
        List<IHasFindings> answers = [];
        if (rules is not null)
            answers.AddRange(RuleJudge.Judge(results, rules));
        if (baseline is not null)
            answers.Add(ResultComparer.Compare(baseline, results));
        answers.AddRange(SaturationAnalysis.Find(results));
        answers.AddRange(ResultStalls.Find(results));
        answers.AddRange(SlowestIO.Find(results));
        answers.AddRange(RoleInterference.Find(results));
        answers.AddRange(ObservedLatency.Find(results));
        answers.AddRange(RepeatSummary.Of(results).Where(repeats => repeats.Runs > 1));
        answers.AddRange(HistoryTrend.Find(results));
        return Of(answers);
    }

    /// <summary>The findings of answers, in their order.</summary>
    public static IReadOnlyList<Finding> Of(IEnumerable<IHasFindings> answers) => [.. answers.SelectMany(answer => answer.Findings)];
}
