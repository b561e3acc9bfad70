using IoBench.Engine;

namespace IoBench.Analysis;

public enum RuleOutcome
{
    Pass,

    Fail,

    NotRated,

    /// <summary>The result meets the limit, but with a warning.</summary>
    Warn,

    /// <summary>Preliminary pass: a test with a small file or a short run can fail a rule, but cannot show that the rule passes.</summary>
    Provisional,
}

/// <summary>Verdict of one limit on one result.</summary>
public sealed class RuleVerdict : IHasFindings
{
    public required string RuleSet { get; init; }

    /// <summary>The limit in words, such as <c>average latency at most 1 ms</c>.</summary>
    public required string Rule { get; init; }

    public string? Workload { get; init; }

    public string? IOPattern { get; init; }

    public string? Path { get; init; }

    public string? Label { get; init; }

    /// <summary>Number of the result among repeats; null without repeats.</summary>
    public int? Repeat => Run?.Repeat;

    /// <summary>Rated metric: the name of a property of the results.</summary>
    public required string Metric { get; init; }

    public double? Measured { get; init; }

    /// <summary>Limit, in the unit of the metric.</summary>
    public required double Limit { get; init; }

    /// <summary>Name of the range that the value is in; null if the rule has no ranges.</summary>
    public string? Band { get; init; }

    public required RuleOutcome Outcome { get; init; }

    /// <summary>Created on demand, because only a few of many verdicts are displayed.</summary>
    public string Reason => ReasonNotRated ?? $"{RuleEvaluator.DescribeValue(Metric, Measured ?? double.NaN)}, {ReasonWithoutValue}";

    internal string? ReasonNotRated { get; init; }

    internal string? ReasonWithoutValue { get; init; }

    public string? Source { get; init; }

    /// <summary>Whether the limit is an IoBench limit (no published source).</summary>
    public bool HouseRule { get; init; }

    /// <summary>Value at or above which a failure is critical, below it a warning; null = decided by <see cref="HouseRule"/>.</summary>
    internal double? BadFrom { get; init; }

    /// <summary>Value at or above which a passing result gets a warning; null if there is no warning threshold.</summary>
    internal double? WarnFrom { get; init; }

    internal IoTestResult? Run { get; init; }

    public IReadOnlyList<Finding> Findings => (Finding[])[RuleVerdict.CreateFinding(this)];

    public override string ToString() => $"{Workload ?? IOPattern ?? Path ?? RuleSet}: {Outcome}: {Reason}";

    internal static FindingSeverity GetSeverity(RuleVerdict verdict) =>
        verdict.Outcome switch
        {
            RuleOutcome.Pass => FindingSeverity.Good,
            RuleOutcome.Fail when verdict.BadFrom is { } bad => verdict.Measured < bad ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Fail => verdict.HouseRule && verdict.RuleSet != RuleSets.HardLimits ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Warn => FindingSeverity.Watch,
            _ => FindingSeverity.Unknown,
        };

    /// <summary>A failed IoBench limit is only a warning, except for hard limits: SQL Server itself reports those I/Os as errors.</summary>
    internal static Finding CreateFinding(RuleVerdict verdict)
    {
        var subject = verdict.Workload ?? verdict.IOPattern ?? verdict.Rule;
        var unit = MetricCatalog.Find(verdict.Metric)?.Unit ?? "";
        return new()
        {
            Code = verdict.Outcome switch
            {
                RuleOutcome.Pass => FindingCodes.RuleKept,
                RuleOutcome.Fail => FindingCodes.RuleMissed,
                RuleOutcome.Warn => FindingCodes.RuleWarned,
                RuleOutcome.Provisional => FindingCodes.RuleProvisional,
                _ => FindingCodes.RuleNotRated,
            },
            Subject = subject,
            What = $"{subject}: {verdict.Reason} (rule set {verdict.RuleSet})",
            Severity = GetSeverity(verdict),
            Evidence = [new(verdict.Metric, verdict.Measured, unit), new("Limit", verdict.Limit, unit)],
            Values = Finding.CreateValues(
                ("RuleSet", verdict.RuleSet),
                ("Rule", verdict.Rule),
                ("Path", verdict.Path),
                ("Label", verdict.Label),
                ("Band", verdict.Band),
                ("Source", verdict.Source)
            ),
        };
    }
}
