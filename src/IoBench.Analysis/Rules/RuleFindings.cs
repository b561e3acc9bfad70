namespace IoBench.Analysis.Rules;

/// <summary>A verdict of a rule as a finding.</summary>
internal static class RuleFindings
{
    /// <summary>How grave it is: the finding's severity, without the finding.</summary>
    public static FindingSeverity SeverityOf(RuleVerdict verdict) =>
        verdict.Outcome switch
        {
            RuleOutcome.Pass => FindingSeverity.Good,
            RuleOutcome.Fail when verdict.BadFrom is { } bad => verdict.Measured < bad ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Fail => verdict.HouseRule && verdict.RuleSet != RuleSets.HardLimits ? FindingSeverity.Watch : FindingSeverity.Bad,
            RuleOutcome.Warn => FindingSeverity.Watch,
            _ => FindingSeverity.Unknown,
        };

    /// <summary>The finding. A rule of IoBench's own that is missed is worth a look, no more; those of <see cref="RuleSets.HardLimits"/> are about I/Os that SQL Server itself reports as errors.</summary>
    public static Finding Of(RuleVerdict verdict)
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
            Severity = SeverityOf(verdict),
            Evidence = [new(verdict.Metric, verdict.Measured, unit), new("Limit", verdict.Limit, unit)],
            Values = Finding.ValuesOf(
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
