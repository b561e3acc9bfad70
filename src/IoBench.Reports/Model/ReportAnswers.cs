namespace IoBench.Reports.Model;

/// <summary>Answers that the results hold beside their figures.</summary>
/// <param name="Roles">What each role loses when all run at once.</param>
/// <param name="Trends">Where equal tests of many days go.</param>
/// <param name="OwnLoads">What SQL Server saw against what the storage gives.</param>
/// <param name="Caps">Who or what limits the storage.</param>
internal sealed record ReportAnswers(
    IReadOnlyList<RoleInterference> Roles,
    IReadOnlyList<HistoryTrend> Trends,
    IReadOnlyList<ObservedLatency> OwnLoads,
    IReadOnlyList<CapResult> Caps
)
{
    /// <summary>What hosts gave that ran together.</summary>
    public IReadOnlyList<FleetGroup> Fleets { get; init; } = [];

    /// <summary>Where hosts that share storage stop gaining.</summary>
    public IReadOnlyList<FleetRamp> Ramps { get; init; } = [];

    /// <summary>Looks for each.</summary>
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

    /// <summary>What they say in the verdict: a sentence each kind.</summary>
    /// <param name="isGood">The verdict before it is good: what speaks against it says so.</param>
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

    /// <summary>A sentence that speaks against the one before it.</summary>
    private static string But(bool isAgainst, string sentence) =>
        !isAgainst
            ? sentence
            : "But " + (sentence.Length > 1 && char.IsUpper(sentence[1]) ? sentence : char.ToLowerInvariant(sentence[0]) + sentence[1..]);
}
