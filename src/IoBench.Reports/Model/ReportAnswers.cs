using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record ReportAnswers(
    IReadOnlyList<RoleInterference> Roles,
    IReadOnlyList<HistoryTrend> Trends,
    IReadOnlyList<ObservedLatency> OwnLoads,
    IReadOnlyList<CapResult> Caps
)
{
    public IReadOnlyList<FleetGroup> Fleets { get; init; } = [];

    public IReadOnlyList<FleetRamp> Ramps { get; init; } = [];

    public static ReportAnswers Of(IReadOnlyList<IoTestResult> results, StorageSpecification? bought = null)
    {
        var fleets = FleetMerge.Find(results);
        return new(
            RoleInterference.Find(results),
            HistoryTrend.Find(results),
            ObservedLatency.Find(results),
            CapFinder.OfPlan(results, bought)
        )
        {
            Fleets = fleets,
            Ramps = FleetRamp.Find(fleets),
        };
    }

    /// <param name="isGood">The verdict before is a pass, so sentences that contradict it start with "But".</param>
    public IEnumerable<string> Verdicts(bool isGood)
    {
        if (Ramps.Count > 0)
            yield return Ramps[0].Summary;
        else if (Fleets.Count > 0 && Fleets.MaxBy(group => group.IOPS ?? 0) is { AskedHosts: > 1 } largest)
            yield return largest.Summary;
        if (Roles.Count > 0)
            yield return But(
                isGood && RolesSection.MostTelling(Roles).Findings[0].Severity >= FindingSeverity.Watch,
                RolesSection.Say(Roles)
            );
        if (Trends.Count > 0)
            yield return But(isGood && Trends.Any(trend => trend.Direction == TrendDirection.Worse), TrendSection.Say(Trends));
        foreach (var load in OwnLoads.OrderBy(load => load.Verdict).Take(2))
            yield return But(isGood && load.Findings[0].Severity >= FindingSeverity.Watch, load.Summary);
    }

    private static string But(bool isAgainst, string sentence) =>
        !isAgainst
            ? sentence
            : "But " + (sentence.Length > 1 && char.IsUpper(sentence[1]) ? sentence : char.ToLowerInvariant(sentence[0]) + sentence[1..]);
}
