namespace IoBench.Analysis.Verdicts;

/// <summary>How results came out against rules, all in all.</summary>
public enum VerdictOutcome
{
    /// <summary>Every rule that could be judged is kept.</summary>
    Kept,

    /// <summary>Kept, as far as a quick look can tell: nothing was judged on a run of full size and length.</summary>
    Provisional,

    /// <summary>A rule is missed.</summary>
    Missed,

    /// <summary>Nothing could be judged.</summary>
    NotRated,
}

/// <summary>
/// The one verdict about results: the answers to what a manager asks and every limit on every run. Table, JSON, summary, page, cmdlet, requirement and exit code
/// show these objects; none judges by itself.
/// </summary>
public sealed class Verdict : IHasFindings
{
    /// <summary>The rules that judged.</summary>
    public required IoRuleSet RuleSet { get; init; }

    /// <summary>The results that were judged.</summary>
    public required IReadOnlyList<IoTestResult> Results { get; init; }

    /// <summary>The answers, in the order of the questions; a question that no test is about has none.</summary>
    public required IReadOnlyList<VerdictAnswer> Answers { get; init; }

    /// <summary>Every limit on every result it is about, and stalls that SQL Server would report whatever the rule set.</summary>
    public required IReadOnlyList<RuleVerdict> Rules { get; init; }

    /// <summary>How it came out.</summary>
    public VerdictOutcome Outcome =>
        Rules.Any(rule => rule.Outcome == RuleOutcome.Fail) ? VerdictOutcome.Missed
        : Rules.Any(rule => rule.Outcome is RuleOutcome.Pass or RuleOutcome.Warn) ? VerdictOutcome.Kept
        : Rules.Any(rule => rule.Outcome == RuleOutcome.Provisional) ? VerdictOutcome.Provisional
        : VerdictOutcome.NotRated;

    /// <summary>Whether a requirement fails: a rule is missed, or nothing could be rated, which is no proof of anything.</summary>
    public bool FailsRequirement => Outcome is VerdictOutcome.Missed or VerdictOutcome.NotRated;

    /// <summary>What was missed, each once, in words.</summary>
    public IReadOnlyList<string> Missed =>
        [.. Rules.Where(rule => rule.Outcome == RuleOutcome.Fail).Select(rule => rule.Findings[0].What).Distinct()];

    /// <summary>What was not judged and why, a line for each reason.</summary>
    public IReadOnlyList<string> NotRated =>
        [
            .. Rules
                .Where(rule => rule.Outcome == RuleOutcome.NotRated)
                .GroupBy(rule => rule.Reason)
                .Select(group =>
                    $"not rated: {string.Join(", ", group.Select(rule => rule.Workload ?? rule.IOPattern ?? rule.RuleSet).Distinct())}: {group.Key}."
                ),
        ];

    /// <summary>The verdict in a sentence.</summary>
    public string Sentence => VerdictWords.Of(this);

    /// <summary>Whether the sentence names an answer of rounds that never became steady, with that.</summary>
    public bool SaysNeverSteady => VerdictWords.Named(this).Any(answer => answer.IsNeverSteady);

    /// <summary>The rules as findings.</summary>
    public IReadOnlyList<Finding> Findings => ResultFindings.Of(Rules);

    /// <inheritdoc/>
    public override string ToString() => Sentence;

    /// <summary>Judges results.</summary>
    public static Verdict Of(IReadOnlyList<IoTestResult> results, IoRuleSet rules)
    {
        ArgumentNullException.ThrowIfNull(results);
        ArgumentNullException.ThrowIfNull(rules);
        // A modelled device says nothing about storage.
        results = [.. results.Where(result => !BackendCatalog.IsModelled(result))];
        var judged = RuleJudge.Judge(results, rules).ToList();
        var stalls =
            rules.Name == RuleSets.HardLimits ? judged : [.. RuleJudge.Each(results, RuleSets.Find(RuleSets.HardLimits)).Where(IsStall)];
        var ownRules = judged.Where(verdict => verdict.Run is not null && !IsStall(verdict));
        var byRun = ownRules.Concat(stalls.Where(IsStall)).ToLookup(verdict => verdict.Run!);
        if (rules.Name != RuleSets.HardLimits)
            judged.AddRange(stalls.Where(verdict => IsStall(verdict) && verdict.Outcome is RuleOutcome.Fail or RuleOutcome.Warn));
        return new()
        {
            RuleSet = rules,
            Results = results,
            Rules = judged,
            Answers = [.. VerdictQuestion.All.Select(question => VerdictAnswer.Of(question, results, byRun)).OfType<VerdictAnswer>()],
        };
    }

    /// <summary>Of an open loop the longest wait is counted from the moment an I/O was due.</summary>
    private static bool IsStall(RuleVerdict verdict) => verdict.Metric is "MaxLatencyMs" or "ResponseMaxMs";
}
