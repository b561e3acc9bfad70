using IoBench.Engine;

namespace IoBench.Reports;

internal sealed record HeatMapSelection(IReadOnlyList<IoTestResult> ShownRuns, int AvailableCount)
{
    private const int MaxShown = 9;

    /// <summary>If there are too many, the runs with the longest latencies. Of merged runs, the last one.</summary>
    public static HeatMapSelection SelectRuns(RunGroups groups)
    {
        var all = groups.Rows.Select(row => row.Runs.Where(LatencyInterval.HasLatencies).ToList()).Where(runs => runs.Count > 0).ToList();
        var shown = groups.HasMergedRuns
            ? all.ConvertAll(runs => runs.MaxBy(run => run.StartTime) ?? runs[0])
            : [.. all.SelectMany(runs => runs)];
        if (shown.Count > MaxShown)
        {
            var longest = shown.OrderByDescending(run => DisplayLatency.FromResult(run).MaxMs).Take(MaxShown).ToHashSet();
            shown.RemoveAll(run => !longest.Contains(run));
        }
        return new(shown, all.Sum(runs => runs.Count));
    }
}
