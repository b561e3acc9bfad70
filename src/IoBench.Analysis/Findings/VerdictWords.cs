namespace IoBench.Analysis;

/// <summary>The words for outcomes, severities, and comparisons. Every surface uses them.</summary>
public static class VerdictWords
{
    /// <summary>First word of a verdict: <c>PASS</c>, <c>PRELIMINARY PASS</c>, <c>FAIL</c>, or <c>NOT RATED</c>.</summary>
    public static string Describe(VerdictOutcome outcome) =>
        outcome switch
        {
            VerdictOutcome.Pass => "PASS",
            VerdictOutcome.PreliminaryPass => "PRELIMINARY PASS",
            VerdictOutcome.Fail => "FAIL",
            _ => "NOT RATED",
        };

    /// <summary>Outcome in a table, such as <c>pass</c>, <c>pass (warning)</c>, <c>fail (critical)</c>, or <c>not rated</c>.</summary>
    /// <param name="outcome">Null if there is no limit.</param>
    public static string DescribeRule(VerdictOutcome? outcome, FindingSeverity severity)
    {
        if (outcome is not { } known)
            return "no limit";
        var word = Describe(known).ToLowerInvariant();
        return severity == FindingSeverity.Info ? word : $"{word} ({Describe(severity).ToLowerInvariant()})";
    }

    public static string Describe(FindingSeverity severity) => severity.ToString();

    /// <summary>Outcome of a finding as in <see cref="DescribeRule"/>; its severity if it has no outcome.</summary>
    public static string Describe(Finding finding) =>
        finding.Outcome is { } outcome ? DescribeRule(outcome, finding.Severity) : Describe(finding.Severity).ToLowerInvariant();

    public static string Describe(ComparisonVerdict verdict) =>
        verdict switch
        {
            ComparisonVerdict.Better => "better",
            ComparisonVerdict.Worse => "worse",
            ComparisonVerdict.NoDetectableChange => "no detectable change",
            _ => "inconclusive",
        };

    public static string Describe(TrendDirection direction) =>
        direction switch
        {
            TrendDirection.Better => "better",
            TrendDirection.Worse => "worse",
            TrendDirection.Steady => "steady",
            _ => "too few runs",
        };
}
