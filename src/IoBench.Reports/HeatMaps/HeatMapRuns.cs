namespace IoBench.Reports.HeatMaps;

/// <summary>The runs of a report that have heat maps: not more than somebody looks through.</summary>
/// <param name="Shown">Those that are shown, in their order.</param>
/// <param name="Count">How many have the latencies of their intervals.</param>
internal sealed record HeatMapRuns(IReadOnlyList<IoTestResult> Shown, int Count)
{
    private const int MaxShown = 9;

    /// <summary>Of more runs those with the longest latencies; where rows stand for several runs, the last run of each.</summary>
    public static HeatMapRuns Of(RunGroups groups)
    {
        var all = groups.Rows.Select(row => row.Runs.Where(LatencyInterval.AreIn).ToList()).Where(runs => runs.Count > 0).ToList();
        var shown = groups.AreMerged
            ? all.ConvertAll(runs => runs.MaxBy(run => run.StartTime) ?? runs[0])
            : [.. all.SelectMany(runs => runs)];
        if (shown.Count > MaxShown)
        {
            var longest = shown.OrderByDescending(run => ShownLatency.Of(run).MaxMs).Take(MaxShown).ToHashSet();
            shown.RemoveAll(run => !longest.Contains(run));
        }
        return new(shown, all.Sum(runs => runs.Count));
    }
}
