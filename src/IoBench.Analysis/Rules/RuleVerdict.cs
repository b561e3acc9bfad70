using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

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

    /// <summary>Id of the rated run; null if the result has none.</summary>
    [JsonIgnore]
    public string? RunId => Run?.RunId;

    [JsonIgnore]
    public string? ComputerName => Run?.ComputerName;

    /// <summary>Start time of the rated run.</summary>
    [JsonIgnore]
    public DateTimeOffset? StartTime => Run?.StartTime;

    /// <summary>Rated metric: the name of a property of the results.</summary>
    public required string Metric { get; init; }

    /// <summary>Measured value in <see cref="Unit"/>; null if the result does not have it.</summary>
    public double? Measured { get; init; }

    /// <summary>Limit in <see cref="Unit"/>.</summary>
    public required double Limit { get; init; }

    /// <summary>Unit of <see cref="Measured"/> and <see cref="Limit"/>, such as <c>ms</c>; empty for a ratio.</summary>
    public string Unit => MetricCatalog.Find(Metric)?.Unit ?? "";

    /// <summary>Name of the range that the value is in; null if the rule has no ranges.</summary>
    public string? Band { get; init; }

    public required VerdictOutcome Outcome { get; init; }

    /// <summary>Severity of a failure; Warning also for a pass that exceeds an IoBench limit or the warning threshold.</summary>
    public FindingSeverity Severity =>
        Outcome switch
        {
            VerdictOutcome.Fail => Measured < CriticalFrom ? FindingSeverity.Warning : FindingSeverity.Critical,
            VerdictOutcome.Pass or VerdictOutcome.PreliminaryPass when HasWarning => FindingSeverity.Warning,
            _ => FindingSeverity.Info,
        };

    /// <summary>Created on demand, because only a few of many verdicts are displayed.</summary>
    public string Reason => ReasonNotRated ?? RuleEvaluator.DescribeRated(this);

    public string? Source { get; init; }

    /// <summary>Whether the limit has no published source. A result that exceeds it passes with a warning.</summary>
    public bool IsIoBenchLimit { get; init; }

    /// <summary>Outcome as tables show it, such as <c>pass</c>, <c>pass (warning)</c>, or <c>fail (critical)</c>.</summary>
    [JsonIgnore]
    public string Word => VerdictWords.DescribeRule(Outcome, Severity);

    /// <summary>Measured value with its unit, such as <c>0.11 ms</c>; empty if the result does not have it.</summary>
    [JsonIgnore]
    public string MeasuredText => Measured is { } measured ? RuleEvaluator.FormatMeasured(Metric, measured, Limit) : "";

    internal string? ReasonNotRated { get; init; }

    /// <summary>Whether waiting for a CPU can be the reason that the limit is exceeded. A set with such a rule never passes.</summary>
    internal bool IsDoubtful { get; init; }

    internal bool IsMinimum { get; init; }

    internal bool HasWarning { get; init; }

    /// <summary>Whether a failure names the band, for example because the rule set has several sources.</summary>
    internal bool HasSeveralSources { get; init; }

    /// <summary>Whether the pass of this rule alone is no rating.</summary>
    internal bool IsSupplement { get; init; }

    /// <summary>Value at or above which a failure is critical, below it a warning; null = always critical.</summary>
    internal double? CriticalFrom { get; init; }

    /// <summary>Value at or above which a passing result gets a warning; null if there is no warning threshold.</summary>
    internal double? WarnFrom { get; init; }

    /// <summary>A lower limit that a passing result exceeds, in words; null = none.</summary>
    internal string? ExceededGuideline { get; init; }

    internal IoTestResult? Run { get; init; }

    internal bool IsExceeded => Measured is { } measured && (IsMinimum ? measured < Limit : measured > Limit);

    // Not a property of its own: it repeats the other properties, and ConvertTo-Json would cut its depth with a warning.
    IReadOnlyList<Finding> IHasFindings.Findings => [CreateFinding(this)];

    public override string ToString() => $"{Workload ?? IOPattern ?? Path ?? RuleSet}: {Word}: {Reason}";

    internal static Finding CreateFinding(RuleVerdict verdict)
    {
        var subject = verdict.Workload ?? verdict.IOPattern ?? verdict.Rule;
        return new()
        {
            Code = verdict.Outcome switch
            {
                VerdictOutcome.Fail => FindingCodes.RuleFailed,
                VerdictOutcome.NotRated => FindingCodes.RuleNotRated,
                _ when verdict.HasWarning => FindingCodes.RuleWarning,
                VerdictOutcome.PreliminaryPass => FindingCodes.RulePreliminaryPass,
                _ => FindingCodes.RulePassed,
            },
            Subject = subject,
            What = $"{subject}: {verdict.Reason} (rule set {verdict.RuleSet})",
            Severity = verdict.Severity,
            Outcome = verdict.Outcome,
            Evidence = [new(verdict.Metric, verdict.Measured, verdict.Unit), new("Limit", verdict.Limit, verdict.Unit)],
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
