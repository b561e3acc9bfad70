using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <param name="Ends">End of each column in seconds from the start of the measurement.</param>
/// <param name="Counts">I/Os by column and band, the lowest band first.</param>
internal sealed record HeatMap(string Name, IReadOnlyList<double> Ends, LatencyBands Bands, IReadOnlyList<double[]> Counts, double MaxCount)
{
    /// <summary>More columns are too narrow for a page.</summary>
    public const int MaxColumns = 120;

    /// <summary>Used if many runs are shown, with two maps side by side.</summary>
    public const int MaxColumnsSideBySide = 59;

    public const int MinColumns = 5;

    public static int LevelCount => Palette.HeatRamp.Count;

    /// <summary>0 for no I/O, else 1 to <see cref="LevelCount"/>, logarithmic, so that one slow I/O is visible among thousands.</summary>
    public int GetLevel(int column, int band) =>
        Counts[column][band] is not > 0 ? 0
        : MaxCount <= 1 ? LevelCount
        : 1 + (int)Math.Min(LevelCount - 1, Math.Log(Math.Max(1, Counts[column][band])) / Math.Log(MaxCount) * LevelCount);

    public double Duration => Ends[^1];

    /// <summary>The maps have the same bands and colors. Each column of a long run combines several intervals.</summary>
    public static IReadOnlyList<HeatMap> CreateAll(
        IReadOnlyList<(string Name, IReadOnlyList<HeatMapInterval> Intervals)> runs,
        int maxColumns = MaxColumns
    )
    {
        var known = runs.Where(run => run.Intervals.Count >= MinColumns).ToList();
        if (known.Count == 0)
            return [];
        var bands = LatencyBands.CreateCovering(known.SelectMany(run => run.Intervals).Select(interval => interval.Histogram));
        var maps = known.ConvertAll(run => CreateMap(run.Name, run.Intervals, bands, maxColumns));
        var highest = maps.Max(map => map.Counts.Max(column => column.Max()));
        return maps.ConvertAll(map => map with { MaxCount = highest });
    }

    private static HeatMap CreateMap(string name, IReadOnlyList<HeatMapInterval> intervals, LatencyBands bands, int maxColumns)
    {
        var each = (int)Math.Ceiling(intervals.Count / (double)maxColumns);
        var columns = intervals.Chunk(each).ToList();
        return new(
            name,
            columns.ConvertAll(column => column[^1].Seconds),
            bands,
            columns.ConvertAll(column =>
            {
                var counts = new double[bands.Count];
                foreach (var interval in column)
                    bands.AddCounts(interval.Histogram, counts);
                return counts;
            }),
            0
        );
    }

    /// <returns>A sentence; null if the map shows no stalls.</returns>
    public string? DescribeStalls() => StallPattern.Create(Ends, [.. Counts.Select(column => column.Sum())])?.Describe(Name);
}

internal sealed record HeatMapSelection(IReadOnlyList<IoTestResult> ShownRuns, int AvailableCount)
{
    private const int MaxShown = 9;

    /// <summary>If there are too many, the runs with the longest latencies. Of merged runs, the last one.</summary>
    public static HeatMapSelection SelectRuns(RunGroups groups)
    {
        var all = groups.Rows.Select(row => row.Runs.Where(HeatMapInterval.HasLatencies).ToList()).Where(runs => runs.Count > 0).ToList();
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

/// <summary>Latencies of the I/Os that ended in an interval; of an open loop, of those that were scheduled in it.</summary>
internal sealed record HeatMapInterval(double Seconds, IoHistogram Histogram)
{
    public static bool HasLatencies(IoTestResult run) => run.HasTimeline() && run.Timeline.Exists(point => point.Latencies is not null);

    /// <returns>null if the result has no latencies of intervals. An interval without I/O has an empty histogram.</returns>
    public static IReadOnlyList<HeatMapInterval>? FromResult(IoTestResult run)
    {
        var points = run.Timeline;
        var first = points.FindIndex(point => point.Latencies is not null);
        if (first < 0)
            return null;
        // A long run stores one histogram for several intervals, at the last of them.
        var from = points[first].Latencies!.FromSeconds;
        var each = Math.Max(1, points.Count(point => point.Seconds > from + 1e-9 && point.Seconds <= points[first].Seconds));
        return
        [
            .. points
                .Chunk(each)
                .Select(chunk => new HeatMapInterval(
                    chunk[^1].Seconds,
                    Array.FindLast(chunk, point => point.Latencies is not null)?.Latencies!.ToHistogram() ?? new()
                )),
        ];
    }
}
