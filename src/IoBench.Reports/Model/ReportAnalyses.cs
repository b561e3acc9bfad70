using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record ReportAnalyses(
    IReadOnlyList<RoleInterference> Roles,
    IReadOnlyList<HistoryTrend> Trends,
    IReadOnlyList<ObservedLatencyComparison> ObservedLatencies,
    IReadOnlyList<CapResult> Caps
)
{
    public IReadOnlyList<FleetGroup> Fleets { get; init; } = [];

    public IReadOnlyList<ScalingCurve> ScalingCurves { get; init; } = [];

    public static ReportAnalyses Analyze(IReadOnlyList<IoTestResult> results, StorageSpecification? bought = null)
    {
        var fleets = FleetMerge.FindGroups(results);
        return new(
            RoleInterference.Find(results),
            HistoryTrend.Find(results),
            ObservedLatencyComparison.Find(results),
            CapResult.AnalyzePlanRuns(results, bought)
        )
        {
            Fleets = fleets,
            ScalingCurves = ScalingCurve.Find(fleets),
        };
    }

    /// <param name="isGood">The verdict before is a pass, so sentences that contradict it start with "But".</param>
    public IEnumerable<string> DescribeAll(bool isGood)
    {
        if (ScalingCurves.Count > 0)
            yield return ScalingCurves[0].Summary;
        else if (Fleets.Count > 0 && Fleets.MaxBy(group => group.IOPS ?? 0) is { AskedHosts: > 1 } largest)
            yield return largest.Summary;
        if (Roles.Count > 0)
            yield return AddContrast(
                isGood && RolesSection.FindMostAffected(Roles).Findings[0].Severity >= FindingSeverity.Warning,
                RolesSection.DescribeMain(Roles)
            );
        if (Trends.Count > 0)
            yield return AddContrast(
                isGood && Trends.Any(trend => trend.Direction == TrendDirection.Worse),
                TrendSection.DescribeTrends(Trends)
            );
        foreach (var load in ObservedLatencies.OrderBy(load => load.Verdict).Take(2))
            yield return AddContrast(isGood && load.Findings[0].Severity >= FindingSeverity.Warning, load.Summary);
    }

    private static string AddContrast(bool isAgainst, string sentence) =>
        !isAgainst
            ? sentence
            : "But " + (sentence.Length > 1 && char.IsUpper(sentence[1]) ? sentence : char.ToLowerInvariant(sentence[0]) + sentence[1..]);
}
