using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Table, JSON, summary, HTML report, cmdlet, <c>--require</c>, and exit code all use these objects.</summary>
public sealed class Verdict : IHasFindings
{
    private Dictionary<RuleVerdict, SummaryResult>? _answersByReason;
    private ILookup<IoTestResult, RuleVerdict>? _rulesByRun;

    public required IoRuleSet RuleSet { get; init; }

    public required IReadOnlyList<IoTestResult> Results { get; init; }

    /// <summary>The values of the summary, in the order of their metrics; without metrics that no test provides.</summary>
    public required IReadOnlyList<SummaryResult> Answers { get; init; }

    /// <summary>Every limit on every result. With the default rules also longest I/Os that fail or have a warning.</summary>
    public required IReadOnlyList<RuleVerdict> Rules { get; init; }

    public VerdictOutcome Outcome
    {
        get
        {
            var outcome = Combine(Rules.Where(rule => !rule.IsSupplement || rule.Outcome == VerdictOutcome.Fail)).Outcome;
            return
                outcome != VerdictOutcome.Fail
                && (HasImpossibleValues || HasUnverifiedContent || UnfinishedRuns.Any() || Doubtful is not null)
                ? VerdictOutcome.NotRated
                : outcome;
        }
    }

    /// <summary>Severity of a failure; otherwise Warning if a passing rule has a warning.</summary>
    public FindingSeverity Severity => Combine(Rules).Severity;

    /// <summary>A limit was not rated because the reader of the results ignored an impossible value.</summary>
    internal bool HasImpossibleValues =>
        Rules.Any(rule =>
            rule.Run?.HasWarning(WarningCodes.ImpossibleValue) == true && rule is { Outcome: VerdictOutcome.NotRated, Measured: null }
        );

    /// <summary>The first rule whose limit is exceeded, perhaps only because worker threads waited for a CPU; null if there is
    /// none.</summary>
    internal RuleVerdict? Doubtful => Rules.FirstOrDefault(rule => rule.IsDoubtful);

    internal bool HasNoResults { get; init; }

    /// <summary>Failed, canceled, and incomplete runs. A set with such a run never passes.</summary>
    internal IEnumerable<IoTestResult> UnfinishedRuns => Results.Where(result => result.Status != IoResultStatus.Complete);

    /// <summary>Whether the integrity check of a result could not verify all content. Then the verdict is never a pass.</summary>
    public bool HasUnverifiedContent => Results.Any(result => result.Integrity?.Outcome == IoIntegrityOutcome.NotVerified);

    /// <summary>Whether a requirement fails: a rule fails, or nothing could be rated.</summary>
    public bool FailsRequirement => Outcome is VerdictOutcome.Fail or VerdictOutcome.NotRated;

    /// <summary>Failed rules in words, without duplicates.</summary>
    public IReadOnlyList<string> Failures =>
        [.. Rules.Where(rule => rule.Outcome == VerdictOutcome.Fail).Select(rule => RuleVerdict.CreateFinding(rule).What).Distinct()];

    /// <summary>Rules that were not rated, one line per reason.</summary>
    public IReadOnlyList<string> NotRated =>
        [
            .. Rules
                .Where(rule => rule.Outcome == VerdictOutcome.NotRated)
                .GroupBy(rule => rule.Reason)
                .Select(group =>
                    $"not rated: {string.Join(", ", group.Select(rule => rule.Workload ?? rule.IOPattern ?? rule.RuleSet).Distinct())}, because {group.Key}."
                ),
        ];

    public string Sentence => DescribeVerdict();

    /// <summary>Whether the sentence contains a value of rounds that never became steady.</summary>
    public bool SaysNeverSteady => GetNamed().Any(answer => answer.IsNeverSteady);

    public IReadOnlyList<Finding> Findings => Finding.CollectFrom(Rules);

    public VerdictSummary Summary => VerdictSummary.Create(this);

    /// <summary>Summary values by the failures and warnings that rate them.</summary>
    internal IReadOnlyDictionary<RuleVerdict, SummaryResult> AnswersByReason =>
        _answersByReason ??= Answers
            .SelectMany(answer => answer.Verdicts.Where(rule => rule.Severity != FindingSeverity.Info).Select(rule => (answer, rule)))
            .DistinctBy(pair => pair.rule)
            .ToDictionary(pair => pair.rule, pair => pair.answer);

    /// <summary>Outcome of the limits on one of the results; null if no limit applies to it.</summary>
    public VerdictOutcome? FindOutcome(IoTestResult result)
    {
        _rulesByRun ??= Rules.Where(rule => rule.Run is not null).ToLookup(rule => rule.Run!);
        return _rulesByRun.Contains(result) ? Combine(_rulesByRun[result]).Outcome : null;
    }

    public override string ToString() => Sentence;

    /// <summary>Rates the results by these rules and no others.</summary>
    public static Verdict Create(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        var hasNoResults = results.Count == 0;
        // Results of a modeled device do not measure storage.
        results = [.. results.Where(result => !BackendCatalog.IsModeled(result))];
        var rated = RuleEvaluator.Evaluate(results, rules).ToList();
        List<RuleVerdict> supplement = rules.Supplement is { } more
            ? [.. RuleEvaluator.EnumerateVerdicts(results, more, isSupplement: true)]
            : [];
        var byRun = rated.Concat(supplement).Where(verdict => verdict.Run is not null).ToLookup(verdict => verdict.Run!);
        rated.AddRange(supplement.Where(verdict => verdict.Outcome == VerdictOutcome.Fail || verdict.HasWarning || verdict.IsDoubtful));
        rated.AddRange(RuleEvaluator.CreateIntegrityVerdicts(results, rules));
        return new()
        {
            RuleSet = rules,
            Results = results,
            HasNoResults = hasNoResults,
            Rules = rated,
            Answers = [.. SummaryMetric.All.Select(question => SummaryResult.Create(question, results, byRun)).OfType<SummaryResult>()],
        };
    }

    /// <summary>One preliminary pass makes the whole a preliminary pass. The severity is that of the failures, if there are any.</summary>
    internal static (VerdictOutcome Outcome, FindingSeverity Severity) Combine(IEnumerable<RuleVerdict> verdicts)
    {
        var rated = verdicts.Where(verdict => verdict.Outcome != VerdictOutcome.NotRated).ToLookup(verdict => verdict.Outcome);
        VerdictOutcome[] byPrecedence = [VerdictOutcome.Fail, VerdictOutcome.PreliminaryPass, VerdictOutcome.Pass];
        var outcome = byPrecedence.Where(rated.Contains).DefaultIfEmpty(VerdictOutcome.NotRated).First();
        var decisive = outcome == VerdictOutcome.Fail ? rated[outcome] : rated.SelectMany(group => group);
        return (outcome, decisive.Select(verdict => verdict.Severity).DefaultIfEmpty(FindingSeverity.Info).Max());
    }

    private const int MaxReasons = 4;

    /// <summary>The outcome, the rule sets that rated something, and the values. Then one sentence per failure or warning.</summary>
    private string DescribeVerdict()
    {
        if (Outcome == VerdictOutcome.NotRated)
            return string.Join(
                " ",
                [$"{VerdictWords.Describe(Outcome)}: {DescribeReasonNotRated()}.", .. GetHighest(), .. DescribeReasons()]
            );
        List<string> parts = [];
        if (GetPassed() is { Count: > 0 } passed)
            parts.Add(
                string.Join(", ", passed.Select((answer, i) => i == 0 ? answer.ToString() : LowerFirstLetter(answer.ToString()))) + "."
            );
        parts.AddRange(DescribeReasons());
        if (parts.Count == 0)
            parts.Add($"{NumberFormat.PluralizeGrouped(Rules.Count(IsRated), "rule")} rated, no failures.");
        // The name of a test keeps its case.
        if (GetPassed().Count > 0 || GetReasons() is not [var first, ..] || FindAnswer(first) is not null)
            parts[0] = LowerFirstLetter(parts[0]);
        if (Outcome == VerdictOutcome.PreliminaryPass)
            parts.Add(RuleEvaluator.PreliminaryAdvice);
        return $"{DescribeHeading()}: {string.Join(" ", parts)}";
    }

    /// <summary>Describes one of several verdicts: only the outcome if there is nothing to explain.</summary>
    public string DescribeShort() =>
        this is { Outcome: VerdictOutcome.Pass or VerdictOutcome.PreliminaryPass, Severity: FindingSeverity.Info }
            ? DescribeHeading() + "."
            : DescribeVerdict();

    private IReadOnlyList<SummaryResult> GetNamed() =>
        Outcome switch
        {
            VerdictOutcome.NotRated => GetRates(),
            VerdictOutcome.Fail => [.. Answers.Where(answer => answer.Outcome == VerdictOutcome.Fail)],
            _ => GetPassed(),
        };

    // "PASS with a warning (rule sets flash, hard-limits)", "FAIL (critical; rule set flash)"
    private string DescribeHeading()
    {
        var word = VerdictWords.Describe(Outcome);
        List<string> names = [.. GetRatedBy()];
        var sets = $"rule {(names.Count == 1 ? "set" : "sets")} {string.Join(", ", names)}";
        if (Outcome == VerdictOutcome.Fail)
            return $"{word} ({VerdictWords.Describe(Severity).ToLowerInvariant()}; {sets})";
        var warnings = GetReasons().Count(rule => rule.Outcome != VerdictOutcome.Fail);
        return warnings switch
        {
            0 => $"{word} ({sets})",
            1 => $"{word} with a warning ({sets})",
            _ => $"{word} with {warnings} warnings ({sets})",
        };
    }

    private static bool IsRated(RuleVerdict rule) => rule.Outcome != VerdictOutcome.NotRated;

    private IEnumerable<string> GetRatedBy() =>
        Rules.Concat(Answers.SelectMany(answer => answer.Verdicts)).Where(IsRated).Select(rule => rule.RuleSet).Distinct();

    /// <summary>Rated values without a failure or a warning. Failures are described without the values that pass.</summary>
    private List<SummaryResult> GetPassed() =>
        Outcome == VerdictOutcome.Fail
            ? []
            :
            [
                .. Answers.Where(answer =>
                    answer.IsRated && answer.Verdicts.All(rule => rule.Severity == FindingSeverity.Info || IsP99(rule))
                ),
            ];

    private static bool IsP99(RuleVerdict rule) => rule.Metric is "P99Ms" or "ResponseP99Ms";

    /// <summary>One rule per failure or warning, the most severe first. Of equal tests, the worst value counts.</summary>
    private List<RuleVerdict> GetReasons() =>
        [
            .. Rules
                .Where(rule => rule.Severity != FindingSeverity.Info)
                .GroupBy(rule => (DescribeSubject(rule), rule.RuleSet, rule.Limit))
                .Select(group => group.OrderByDescending(rule => rule.Severity).ThenByDescending(GetExcess).First())
                .OrderByDescending(rule => rule.Outcome == VerdictOutcome.Fail)
                .ThenByDescending(rule => rule.Severity),
        ];

    private static double GetExcess(RuleVerdict rule) => (rule.Measured ?? 0) * (rule.IsMinimum ? -1 : 1);

    private IEnumerable<string> DescribeReasons()
    {
        var reasons = GetReasons();
        foreach (var rule in reasons.Take(MaxReasons))
            yield return DescribeReason(rule);
        if (reasons.Count > MaxReasons)
            yield return Invariant($"Failures and warnings that are not listed here: {reasons.Count - MaxReasons}.");
    }

    private string DescribeReason(RuleVerdict rule)
    {
        if (rule.Metric == RuleEvaluator.IntegrityMetric)
            return $"{rule.Workload ?? rule.IOPattern}: {rule.Reason}.";
        var texts = RuleEvaluator.FormatTogether(rule.Metric, rule.Measured!.Value, rule.Limit, rule.WarnFrom ?? rule.Limit);
        var load = FindAnswer(rule)?.Load;
        var details = string.Join(", ", new[] { load, rule.Repeat is { } repeat ? Invariant($"run {repeat}") : null }.OfType<string>());
        var value = $"{DescribeSubject(rule)} {texts[0]}{(details.Length == 0 ? "" : $" ({details})")}";
        if (rule.Outcome != VerdictOutcome.Fail)
            return !rule.IsExceeded ? $"{value} reaches the warning threshold of {texts[2]}; limit {texts[1]}."
                : rule.IsMinimum ? $"{value} is below the IoBench limit of {texts[1]}."
                : $"{value} exceeds the IoBench limit of {texts[1]}.";
        var set = GetRatedBy().Count() > 1 ? $" ({rule.RuleSet})" : "";
        var band = rule is { HasSeveralSources: true, Band: { } name } ? $" The value is {name}." : "";
        return $"{value}; limit {(rule.IsMinimum ? "at least " : "")}{texts[1]}{set}.{band}";
    }

    private SummaryResult? FindAnswer(RuleVerdict rule) => AnswersByReason.GetValueOrDefault(rule);

    private string DescribeSubject(RuleVerdict rule) =>
        FindAnswer(rule) is not { } answer ? DescribeTest(rule)
        : IsP99(rule) ? answer.Words.Replace("Average", "P99", StringComparison.Ordinal)
        : answer.Words;

    // The value of a rate has its name as unit: "log-commit: 1,829 IOPS". Integrity errors are not a metric.
    private static string DescribeTest(RuleVerdict rule)
    {
        var words = MetricCatalog.Find(rule.Metric)?.Words;
        return $"{rule.Workload ?? rule.IOPattern}:{(words is null || words == rule.Unit ? "" : " " + words)}";
    }

    private List<SummaryResult> GetRates() => [.. Answers.Where(answer => answer.Question.Kind == SummaryMetricKind.Rate)];

    private string DescribeUnverified()
    {
        var count = Results.Count(result => result.Integrity?.Outcome == IoIntegrityOutcome.NotVerified);
        var results = NumberFormat.Pluralize(Results.Count, "result");
        return $"for {count} of {results}, the contents of the test file could not be verified ({IntegrityMessages.NotVerified})";
    }

    private string DescribeReasonNotRated()
    {
        if (HasUnverifiedContent)
            return DescribeUnverified();
        if (HasNoResults)
            return "the input contains no results";
        if (HasImpossibleValues)
            return "the results contain impossible values, which IoBench ignores";
        if (Doubtful is { } doubtful)
            return $"{doubtful.Workload ?? doubtful.IOPattern}: {doubtful.Reason}";
        if (Results.FirstOrDefault(result => result.HasMissedRate()) is { } run)
            return $"{run.Workload ?? run.IOPattern}: {RuleEvaluator.DescribeMissedRate(run)}";
        if (Results.Count == 0)
            return "results of a modeled device do not measure storage";
        if (Results.All(result => result.Status != IoResultStatus.Complete))
            return "no test completed";
        if (UnfinishedRuns.FirstOrDefault() is not null)
            return DescribeUnfinishedRuns();
        if (!Results.Any(RuleEvaluator.IsLowLoad))
            return Results.Count == 1
                ? "this is a saturation test, so latency is not rated"
                : "these are saturation tests, so latency is not rated";
        return Rules is [var rule, ..]
            ? $"{rule.Workload ?? rule.IOPattern}: {rule.Reason}"
            : $"rule set {RuleSet.Name} has no rule for these tests";
    }

    private string DescribeUnfinishedRuns()
    {
        const int maxNames = 3;
        var names = UnfinishedRuns
            .Select(run => $"{TestIdentity.GetDisplayName(run)} ({RuleEvaluator.DescribeStatus(run.Status)})")
            .ToList();
        var passed = Rules.Count(IsRated);
        var others = passed == 0 ? "" : $"; {NumberFormat.PluralizeGrouped(passed, "rule")} for the other tests passed";
        return $"not all tests completed: {NumberFormat.List(names, maxNames)}{others}";
    }

    // Use the same value of repeats and rounds as the summary, because the best of eight rounds is not representative.
    private IEnumerable<string> GetHighest()
    {
        if (GetRates() is { Count: > 0 } rates)
            yield return $"Highest results: {string.Join(", ", rates.Select(answer => LowerFirstLetter(answer.ToString())))}.";
    }

    private static string LowerFirstLetter(string words) => char.ToLowerInvariant(words[0]) + words[1..];
}
