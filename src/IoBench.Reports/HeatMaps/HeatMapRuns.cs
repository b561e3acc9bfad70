using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record HeatMapRuns(IReadOnlyList<IoTestResult> Shown, int Count)
{
    private const int MaxShown = 9;

    /// <summary>If there are too many, the runs with the longest latencies. Of merged runs, the last one.</summary>
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
