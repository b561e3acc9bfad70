using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Heat maps of results as lines of text for a terminal.</summary>
public static class ResultHeatMaps
{
    /// <summary>One heat map for each result that has latencies of intervals, on one scale; otherwise, one line with the reason.</summary>
    public static IReadOnlyList<string> FormatLines(IReadOnlyList<IoTestResult> results, int width = 100)
    {
        ArgumentNullException.ThrowIfNull(results);
        var known = results.Where(LatencyInterval.HasLatencies).ToList();
        var names = RunDescription.CreateNames(known);
        var maps = HeatMap.CreateAll([.. known.Select((run, index) => (names[index], LatencyInterval.FromResult(run)!))]);
        if (maps.Count == 0)
            return [$"No heat map: it needs a test of IoBench with at least {HeatMap.MinColumns} intervals, such as 5 s of 1 s each."];
        return
        [
            .. maps.SelectMany(
                (map, index) => index == 0 ? HeatMapText.FormatLines(map, width) : HeatMapText.FormatLines(map, width).Prepend("")
            ),
        ];
    }
}
