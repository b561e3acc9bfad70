namespace IoBench.Analysis;

/// <summary>The verdict on a set of results as one object, for mail subjects, monitoring, and JSON.</summary>
public sealed record VerdictSummary
{
    /// <summary>The first word of the sentence: <c>PASS</c>, <c>PRELIMINARY PASS</c>, <c>FAIL</c>, or <c>NOT RATED</c>.</summary>
    public required string Verdict { get; init; }

    /// <summary>Severity of a failure; Warning also for a pass with a warning.</summary>
    public required FindingSeverity Severity { get; init; }

    public required string Sentence { get; init; }

    /// <summary>Test with the value that is farthest above its limit, or nearest to it; null if nothing was rated.</summary>
    public string? WorstTest { get; init; }

    /// <summary>Metric of the worst test: the name of a property of the results.</summary>
    public string? Metric { get; init; }

    /// <summary>Value of the worst test in <see cref="Unit"/>.</summary>
    public double? Measured { get; init; }

    /// <summary>Limit of the worst test in <see cref="Unit"/>.</summary>
    public double? Limit { get; init; }

    /// <summary>Unit of <see cref="Measured"/> and <see cref="Limit"/>, such as <c>ms</c>; empty for a ratio.</summary>
    public string? Unit { get; init; }

    /// <summary>Rule set that rated the worst test, or the rule set in use if nothing was rated.</summary>
    public required string RuleSet { get; init; }

    /// <summary>Source of the limit of the worst test, or of the rule set.</summary>
    public string? Source { get; init; }

    /// <summary>Every limit on every result.</summary>
    public required IReadOnlyList<RuleVerdict> Rules { get; init; }

    /// <summary>One finding for each rule.</summary>
    public IReadOnlyList<Finding> Findings => Finding.CollectFrom(Rules);

    public override string ToString() => Sentence;

    internal static VerdictSummary Create(Verdict verdict) =>
        Create(verdict.Outcome, verdict.Severity, verdict.Sentence, verdict.RuleSet, verdict.Rules);

    internal static VerdictSummary Create(
        VerdictOutcome outcome,
        FindingSeverity severity,
        string sentence,
        IoRuleSet set,
        IReadOnlyList<RuleVerdict> rules
    )
    {
        var worst = rules
            .Where(rule => rule is { Measured: not null, Outcome: not VerdictOutcome.NotRated })
            .OrderByDescending(rule => rule.Outcome == VerdictOutcome.Fail)
            .ThenByDescending(rule => rule.Severity)
            .ThenByDescending(GetShareOfLimit)
            .FirstOrDefault();
        return new()
        {
            Verdict = VerdictWords.Describe(outcome),
            Severity = severity,
            Sentence = sentence,
            WorstTest = worst is null ? null : worst.Workload ?? worst.IOPattern ?? worst.Path,
            Metric = worst?.Metric,
            Measured = worst?.Measured,
            Limit = worst?.Limit,
            Unit = worst?.Unit,
            RuleSet = worst?.RuleSet ?? set.Name,
            Source = worst?.Source ?? set.Source,
            Rules = rules,
        };
    }

    /// <summary>Measured value as a share of the limit; above 1 if the limit is exceeded, also for a limit that is a minimum.</summary>
    private static double GetShareOfLimit(RuleVerdict rule) =>
        rule.IsMinimum ? rule.Limit / rule.Measured!.Value : rule.Measured!.Value / rule.Limit;
}
