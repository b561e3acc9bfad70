namespace IoBench.Reports;

/// <summary>I/Os by time and latency. A stall is a gap in the usual rows with high latencies above it.</summary>
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

    /// <summary>
    /// 0 for no I/O, else 1 to <see cref="LevelCount"/> on a logarithmic scale, so that one I/O of two seconds is visible next to ten thousand
    /// fast ones.
    /// </summary>
    public int GetLevel(int column, int band) =>
        Counts[column][band] is not > 0 ? 0
        : MaxCount <= 1 ? LevelCount
        : 1 + (int)Math.Min(LevelCount - 1, Math.Log(Math.Max(1, Counts[column][band])) / Math.Log(MaxCount) * LevelCount);

    public double Duration => Ends[^1];

    /// <summary>The maps have the same bands and the same scale of colors.</summary>
    /// <param name="maxColumns">Each column of a longer run combines several intervals.</param>
    public static IReadOnlyList<HeatMap> CreateAll(
        IReadOnlyList<(string Name, IReadOnlyList<LatencyInterval> Intervals)> runs,
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

    private static HeatMap CreateMap(string name, IReadOnlyList<LatencyInterval> intervals, LatencyBands bands, int maxColumns)
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
}
