using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Describes a verdict in the same words for the prompt, a workbook, and the HTML report.</summary>
public static class VerdictMessages
{
    private const int MaxReasons = 4;

    /// <summary>The outcome, the rule sets that rated something, and the values. Then one sentence per failure or warning.</summary>
    public static string DescribeVerdict(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        if (verdict.Outcome == VerdictOutcome.NotRated)
            return string.Join(
                " ",
                [
                    $"{VerdictWords.Describe(verdict.Outcome)}: {DescribeReasonNotRated(verdict)}.",
                    .. GetHighest(verdict),
                    .. DescribeReasons(verdict),
                ]
            );
        List<string> parts = [];
        if (GetPassed(verdict) is { Count: > 0 } passed)
            parts.Add(
                string.Join(", ", passed.Select((answer, i) => i == 0 ? answer.ToString() : LowerFirstLetter(answer.ToString()))) + "."
            );
        parts.AddRange(DescribeReasons(verdict));
        if (parts.Count == 0)
            parts.Add($"{NumberFormat.PluralizeGrouped(verdict.Rules.Count(IsRated), "rule")} rated, no failure.");
        // The name of a test keeps its case.
        if (GetPassed(verdict).Count > 0 || GetReasons(verdict) is not [var first, ..] || FindAnswer(verdict, first) is not null)
            parts[0] = LowerFirstLetter(parts[0]);
        if (verdict.Outcome == VerdictOutcome.PreliminaryPass)
            parts.Add(RatingEligibility.Advice);
        return $"{DescribeHeading(verdict)}: {string.Join(" ", parts)}";
    }

    /// <summary>Describes one of several verdicts: only the outcome if there is nothing to explain.</summary>
    public static string DescribeShort(Verdict verdict)
    {
        ArgumentNullException.ThrowIfNull(verdict);
        return verdict is { Outcome: VerdictOutcome.Pass or VerdictOutcome.PreliminaryPass, Severity: FindingSeverity.Info }
            ? DescribeHeading(verdict) + "."
            : DescribeVerdict(verdict);
    }

    internal static IReadOnlyList<SummaryResult> GetNamed(Verdict verdict) =>
        verdict.Outcome switch
        {
            VerdictOutcome.NotRated => GetRates(verdict),
            VerdictOutcome.Fail => [.. verdict.Answers.Where(answer => answer.Outcome == VerdictOutcome.Fail)],
            _ => GetPassed(verdict),
        };

    // "PASS with a warning (rule sets flash, hard-limits)", "FAIL (critical; rule set flash)"
    private static string DescribeHeading(Verdict verdict)
    {
        var word = VerdictWords.Describe(verdict.Outcome);
        List<string> names = [.. GetRatedBy(verdict)];
        var sets = $"rule {(names.Count == 1 ? "set" : "sets")} {string.Join(", ", names)}";
        if (verdict.Outcome == VerdictOutcome.Fail)
            return $"{word} ({VerdictWords.Describe(verdict.Severity).ToLowerInvariant()}; {sets})";
        var warnings = GetReasons(verdict).Count(rule => rule.Outcome != VerdictOutcome.Fail);
        return warnings switch
        {
            0 => $"{word} ({sets})",
            1 => $"{word} with a warning ({sets})",
            _ => $"{word} with {warnings} warnings ({sets})",
        };
    }

    private static bool IsRated(RuleVerdict rule) => rule.Outcome != VerdictOutcome.NotRated;

    private static IEnumerable<string> GetRatedBy(Verdict verdict) =>
        verdict.Rules.Concat(verdict.Answers.SelectMany(answer => answer.Verdicts)).Where(IsRated).Select(rule => rule.RuleSet).Distinct();

    /// <summary>Rated values without a failure or a warning. Failures are described without the values that pass.</summary>
    private static List<SummaryResult> GetPassed(Verdict verdict) =>
        verdict.Outcome == VerdictOutcome.Fail
            ? []
            :
            [
                .. verdict.Answers.Where(answer =>
                    answer.IsRated && answer.Verdicts.All(rule => rule.Severity == FindingSeverity.Info || IsP99(rule))
                ),
            ];

    private static bool IsP99(RuleVerdict rule) => rule.Metric is "P99Ms" or "ResponseP99Ms";

    /// <summary>One rule per failure or warning, the most severe first. Of equal tests, the worst value counts.</summary>
    private static List<RuleVerdict> GetReasons(Verdict verdict) =>
        [
            .. verdict
                .Rules.Where(rule => rule.Severity != FindingSeverity.Info)
                .GroupBy(rule => (DescribeSubject(verdict, rule), rule.RuleSet, rule.Limit))
                .Select(group => group.OrderByDescending(rule => rule.Severity).ThenByDescending(GetExcess).First())
                .OrderByDescending(rule => rule.Outcome == VerdictOutcome.Fail)
                .ThenByDescending(rule => rule.Severity),
        ];

    private static double GetExcess(RuleVerdict rule) => (rule.Measured ?? 0) * (rule.IsMinimum ? -1 : 1);

    private static IEnumerable<string> DescribeReasons(Verdict verdict)
    {
        var reasons = GetReasons(verdict);
        foreach (var rule in reasons.Take(MaxReasons))
            yield return DescribeReason(verdict, rule);
        if (reasons.Count > MaxReasons)
            yield return FormattableString.Invariant($"Failures and warnings that are not listed here: {reasons.Count - MaxReasons}.");
    }

    private static string DescribeReason(Verdict verdict, RuleVerdict rule)
    {
        if (rule.Metric == RuleEvaluator.IntegrityMetric)
            return $"{rule.Workload ?? rule.IOPattern}: {rule.Reason}.";
        var texts = RuleEvaluator.FormatTogether(rule.Metric, rule.Measured!.Value, rule.Limit, rule.WarnFrom ?? rule.Limit);
        var load = FindAnswer(verdict, rule)?.Load;
        var details = string.Join(
            ", ",
            new[] { load, rule.Repeat is { } repeat ? FormattableString.Invariant($"run {repeat}") : null }.OfType<string>()
        );
        var value = $"{DescribeSubject(verdict, rule)} {texts[0]}{(details.Length == 0 ? "" : $" ({details})")}";
        if (rule.Outcome != VerdictOutcome.Fail)
            return !rule.IsExceeded ? $"{value} reaches the warning threshold of {texts[2]}; limit {texts[1]}."
                : rule.IsMinimum ? $"{value} is below the IoBench limit of {texts[1]}."
                : $"{value} exceeds the IoBench limit of {texts[1]}.";
        var set = GetRatedBy(verdict).Count() > 1 ? $" ({rule.RuleSet})" : "";
        var band = rule is { HasSeveralSources: true, Band: { } name } ? $" The value is {name}." : "";
        return $"{value}; limit {(rule.IsMinimum ? "at least " : "")}{texts[1]}{set}.{band}";
    }

    private static SummaryResult? FindAnswer(Verdict verdict, RuleVerdict rule) => verdict.AnswersByReason.GetValueOrDefault(rule);

    private static string DescribeSubject(Verdict verdict, RuleVerdict rule) =>
        FindAnswer(verdict, rule) is not { } answer ? DescribeTest(rule)
        : IsP99(rule) ? answer.Words.Replace("Average", "P99", StringComparison.Ordinal)
        : answer.Words;

    // The value of a rate has its name as unit: "log-commit: 1,829 IOPS". Integrity errors are not a metric.
    private static string DescribeTest(RuleVerdict rule)
    {
        var words = MetricCatalog.Find(rule.Metric)?.Words;
        return $"{rule.Workload ?? rule.IOPattern}:{(words is null || words == rule.Unit ? "" : " " + words)}";
    }

    private static List<SummaryResult> GetRates(Verdict verdict) =>
        [.. verdict.Answers.Where(answer => answer.Question.Kind == SummaryMetricKind.Rate)];

    private static string DescribeUnverified(Verdict verdict)
    {
        var count = verdict.Results.Count(result => result.Integrity?.Outcome == IoIntegrityOutcome.NotVerified);
        var results = NumberFormat.Pluralize(count, "result");
        return $"the content of {results} of {verdict.Results.Count} could not be verified ({IntegrityMessages.NotVerified})";
    }

    private static string DescribeReasonNotRated(Verdict verdict)
    {
        if (verdict.HasUnverifiedContent)
            return DescribeUnverified(verdict);
        if (verdict.HasNoResults)
            return "the input contains no results";
        if (verdict.HasImpossibleValues)
            return "results have impossible values, which IoBench ignores";
        if (verdict.Doubtful is { } doubtful)
            return $"{doubtful.Workload ?? doubtful.IOPattern}: {doubtful.Reason}";
        if (verdict.Results.FirstOrDefault(result => result.HasMissedRate()) is { } run)
            return $"{run.Workload ?? run.IOPattern}: {RuleEvaluator.DescribeMissedRate(run)}";
        if (verdict.Results.Count == 0)
            return "results of a modeled device do not measure storage";
        if (verdict.Results.All(result => result.Status != IoResultStatus.Complete))
            return "no test completed";
        if (verdict.UnfinishedRuns.FirstOrDefault() is not null)
            return DescribeUnfinishedRuns(verdict);
        if (!verdict.Results.Any(RuleEvaluator.IsLowLoad))
            return verdict.Results.Count == 1
                ? "this is a saturation test, so latency is not rated"
                : "these are saturation tests, so latency is not rated";
        return verdict.Rules is [var rule, ..]
            ? $"{rule.Workload ?? rule.IOPattern}: {rule.Reason}"
            : $"rule set {verdict.RuleSet.Name} has no rule for these tests";
    }

    private static string DescribeUnfinishedRuns(Verdict verdict)
    {
        const int maxNames = 3;
        var names = verdict
            .UnfinishedRuns.Select(run => $"{TestIdentity.GetDisplayName(run)} ({RuleEvaluator.DescribeStatus(run.Status)})")
            .ToList();
        var passed = verdict.Rules.Count(IsRated);
        var others = passed == 0 ? "" : $"; {NumberFormat.PluralizeGrouped(passed, "rule")} of the other tests passed";
        return $"not all tests completed: {NumberFormat.List(names, maxNames)}{others}";
    }

    // Use the same value of repeats and rounds as the summary, because the best of eight rounds is not representative.
    private static IEnumerable<string> GetHighest(Verdict verdict)
    {
        if (GetRates(verdict) is { Count: > 0 } rates)
            yield return $"Highest results: {string.Join(", ", rates.Select(answer => LowerFirstLetter(answer.ToString())))}.";
    }

    private static string LowerFirstLetter(string words) => char.ToLowerInvariant(words[0]) + words[1..];
}
