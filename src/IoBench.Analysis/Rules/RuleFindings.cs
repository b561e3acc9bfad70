using IoBench.Engine;

namespace IoBench.Analysis;

internal static class RuleVerdict
{
    public static FindingSeverity GetSeverity(RuleVerdict verdict) =>
        verdict.Outcome switch
        {
            RuleOutcome.Pass => FindingSeverity.Good,
            RuleOutcome.Fail when verdict.BadFrom is { } bad => verdict.Measured < bad ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Fail => verdict.HouseRule && verdict.RuleSet != RuleSets.HardLimits ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Warn => FindingSeverity.Watch,
            _ => FindingSeverity.Unknown,
        };

    /// <summary>
    /// A failed IoBench limit is only a warning, unless it belongs to <see cref="RuleSets.HardLimits"/>: SQL Server itself reports those
    /// I/Os as errors.
    /// </summary>
    public static Finding CreateFinding(RuleVerdict verdict)
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
