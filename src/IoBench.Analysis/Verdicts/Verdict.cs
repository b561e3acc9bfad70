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

    public string Sentence => VerdictMessages.DescribeVerdict(this);

    /// <summary>Whether the sentence contains a value of rounds that never became steady.</summary>
    public bool SaysNeverSteady => VerdictMessages.GetNamed(this).Any(answer => answer.IsNeverSteady);

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
        ArgumentNullException.ThrowIfNull(results);
        ArgumentNullException.ThrowIfNull(rules);
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
}
