using IoBench.Engine;

namespace IoBench.Analysis;

public enum VerdictOutcome
{
    /// <summary>Pass: every rated rule passes.</summary>
    Kept,

    /// <summary>Preliminary pass: every rated rule passes, but the file is small or the runs are short.</summary>
    Provisional,

    /// <summary>Fail: a rule fails.</summary>
    Missed,

    NotRated,
}

/// <summary>Table, JSON, summary, HTML report, cmdlet, <c>--require</c>, and exit code all use these objects.</summary>
public sealed class Verdict : IHasFindings
{
    public required IoRuleSet RuleSet { get; init; }

    public required IReadOnlyList<IoTestResult> Results { get; init; }

    /// <summary>The values of the summary, in the order of their metrics; without metrics that no test provides.</summary>
    public required IReadOnlyList<SummaryResult> Answers { get; init; }

    /// <summary>Every limit on every result, and stalls that SQL Server would report regardless of the rule set.</summary>
    public required IReadOnlyList<RuleVerdict> Rules { get; init; }

    public VerdictOutcome Outcome =>
        Rules.Any(rule => rule.Outcome == RuleOutcome.Fail) ? VerdictOutcome.Missed
        : HasImpossibleValues || HasUnverifiedContent ? VerdictOutcome.NotRated
        : Rules.Any(rule => rule.Outcome is RuleOutcome.Pass or RuleOutcome.Warn) ? VerdictOutcome.Kept
        : Rules.Any(rule => rule.Outcome == RuleOutcome.Provisional) ? VerdictOutcome.Provisional
        : VerdictOutcome.NotRated;

    /// <summary>A limit was not rated because the reader of the results ignored an impossible value.</summary>
    internal bool HasImpossibleValues =>
        Rules.Any(rule =>
            rule.Run?.HasWarning(WarningCodes.ImpossibleValue) == true && rule is { Outcome: RuleOutcome.NotRated, Measured: null }
        );

    internal bool HasNoResults { get; init; }

    /// <summary>Whether the integrity check of a result could not verify all content. Then the verdict is never a pass.</summary>
    public bool HasUnverifiedContent => Results.Any(result => result.Integrity?.Outcome == IoIntegrityOutcome.NotVerified);

    /// <summary>Whether a requirement fails: a rule fails, or nothing could be rated.</summary>
    public bool FailsRequirement => Outcome is VerdictOutcome.Missed or VerdictOutcome.NotRated;

    /// <summary>Failed rules in words, without duplicates.</summary>
    public IReadOnlyList<string> Missed =>
        [.. Rules.Where(rule => rule.Outcome == RuleOutcome.Fail).Select(rule => rule.Findings[0].What).Distinct()];

    /// <summary>Rules that were not rated, one line per reason.</summary>
    public IReadOnlyList<string> NotRated =>
        [
            .. Rules
                .Where(rule => rule.Outcome == RuleOutcome.NotRated)
                .GroupBy(rule => rule.Reason)
                .Select(group =>
                    $"not rated: {string.Join(", ", group.Select(rule => rule.Workload ?? rule.IOPattern ?? rule.RuleSet).Distinct())}: {group.Key}."
                ),
        ];

    public string Sentence => VerdictMessages.DescribeVerdict(this);

    /// <summary>Whether the sentence contains a value of rounds that never became steady.</summary>
    public bool SaysNeverSteady => VerdictMessages.GetNamed(this).Any(answer => answer.IsNeverSteady);

    public IReadOnlyList<Finding> Findings => Finding.CollectFrom(Rules);

    public override string ToString() => Sentence;

    public static Verdict Create(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        ArgumentNullException.ThrowIfNull(results);
        ArgumentNullException.ThrowIfNull(rules);
        var hasNoResults = results.Count == 0;
        // Results of a modeled device do not measure storage.
        results = [.. results.Where(result => !BackendCatalog.IsModeled(result))];
        var judged = RuleEvaluator.Evaluate(results, rules).ToList();
        var stalls =
            rules.Name == RuleSets.HardLimits
                ? judged
                : [.. RuleEvaluator.EnumerateVerdicts(results, RuleSets.Find(RuleSets.HardLimits)).Where(IsStall)];
        var ownRules = judged.Where(verdict => verdict.Run is not null && !IsStall(verdict));
        var byRun = ownRules.Concat(stalls.Where(IsStall)).ToLookup(verdict => verdict.Run!);
        if (rules.Name != RuleSets.HardLimits)
            judged.AddRange(stalls.Where(verdict => IsStall(verdict) && verdict.Outcome is RuleOutcome.Fail or RuleOutcome.Warn));
        judged.AddRange(RuleEvaluator.CreateIntegrityVerdicts(results, rules));
        return new()
        {
            RuleSet = rules,
            Results = results,
            HasNoResults = hasNoResults,
            Rules = judged,
            Answers = [.. SummaryMetric.All.Select(question => SummaryResult.Create(question, results, byRun)).OfType<SummaryResult>()],
        };
    }

    /// <summary>For an open loop, the maximum counts from the scheduled start of an I/O.</summary>
    private static bool IsStall(RuleVerdict verdict) => verdict.Metric is "MaxLatencyMs" or "ResponseMaxMs";
}
