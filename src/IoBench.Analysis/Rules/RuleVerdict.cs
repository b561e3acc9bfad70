namespace IoBench.Analysis.Rules;

/// <summary>How a rule came out.</summary>
public enum RuleOutcome
{
    /// <summary>Kept.</summary>
    Pass,

    /// <summary>Missed.</summary>
    Fail,

    /// <summary>Not judged; the reason says why.</summary>
    NotRated,

    /// <summary>Kept, but worth a look.</summary>
    Warn,

    /// <summary>Kept, as far as a quick look can tell: a small file or a short run may miss a rule, but cannot prove that it is kept.</summary>
    Provisional,
}

/// <summary>One limit, judged on one result.</summary>
public sealed class RuleVerdict : IHasFindings
{
    /// <summary>The rule set's name.</summary>
    public required string RuleSet { get; init; }

    /// <summary>The rule in words, such as <c>average latency at most 1 ms</c>.</summary>
    public required string Rule { get; init; }

    /// <summary>Workload of the result.</summary>
    public string? Workload { get; init; }

    /// <summary>Pattern of the result.</summary>
    public string? IOPattern { get; init; }

    /// <summary>Path of the result.</summary>
    public string? Path { get; init; }

    /// <summary>Label of the result.</summary>
    public string? Label { get; init; }

    /// <summary>Number of the result among repeats; null without any.</summary>
    public int? Repeat => Run?.Repeat;

    /// <summary>Property that was judged.</summary>
    public required string Metric { get; init; }

    /// <summary>Its value; null when the result has none.</summary>
    public double? Measured { get; init; }

    /// <summary>The limit that the figure is held against, in the unit of its metric.</summary>
    public required double Limit { get; init; }

    /// <summary>Name of the range the value is in, where the rule names ranges.</summary>
    public string? Band { get; init; }

    /// <summary>How it came out.</summary>
    public required RuleOutcome Outcome { get; init; }

    /// <summary>A sentence: what was measured against what, or why it is not rated.</summary>
    /// <remarks>Made when it is asked for: of a hundred thousand verdicts few are read.</remarks>
    public string Reason => ReasonNotRated ?? $"{RuleJudge.Words(Metric, Measured ?? double.NaN)}, {Bound}";

    /// <summary>Why it is not rated; null where it is.</summary>
    internal string? ReasonNotRated { get; init; }

    /// <summary>The reason without what was measured, for a sentence that has the figure already: <c>limit 1 ms</c>; null = not judged.</summary>
    internal string? Bound { get; init; }

    /// <summary>Where the rule set comes from.</summary>
    public string? Source { get; init; }

    /// <summary>A rule of IoBench's own.</summary>
    public bool HouseRule { get; init; }

    /// <summary>From this value on a miss is bad, below it to watch; null = by <see cref="HouseRule"/>.</summary>
    internal double? BadFrom { get; init; }

    /// <summary>From this value on what keeps the limit is a warning; null = there is none.</summary>
    internal double? WarnFrom { get; init; }

    /// <summary>The result that was judged; null of a rule that no result is about.</summary>
    internal IoTestResult? Run { get; init; }

    /// <summary>The same as a finding.</summary>
    public IReadOnlyList<Finding> Findings => (Finding[])[RuleFindings.Of(this)];

    /// <summary>The outcome and its reason: <c>page-read: Fail: average latency 1.2 ms, limit 1 ms</c>.</summary>
    public override string ToString() => $"{Workload ?? IOPattern ?? Path ?? RuleSet}: {Outcome}: {Reason}";
}
