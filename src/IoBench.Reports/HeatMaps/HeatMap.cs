namespace IoBench.Reports.HeatMaps;

/// <summary>I/Os by time and latency: stalls are seen as gaps in the usual rows and towers above them.</summary>
/// <param name="Name">The run's name.</param>
/// <param name="Ends">End of each column in seconds from the start of the measurement.</param>
/// <param name="Bands">Bands of latency, the same in maps that are compared.</param>
/// <param name="Counts">I/Os by column and band, the lowest band first.</param>
/// <param name="Highest">The count that has the darkest colour, the same in maps that are compared.</param>
internal sealed record HeatMap(string Name, IReadOnlyList<double> Ends, LatencyBands Bands, IReadOnlyList<double[]> Counts, double Highest)
{
    /// <summary>Columns of a map, at most: more are finer than a page.</summary>
    public const int MaxColumns = 120;

    /// <summary>Columns of a map at most where many runs are shown: two stand side by side.</summary>
    public const int MaxColumnsAbreast = 59;

    /// <summary>Columns of a map, at least: fewer show nothing that a table does not.</summary>
    public const int MinColumns = 5;

    /// <summary>Levels of colour above "none".</summary>
    public static int Levels => Palette.HeatRamp.Count;

    /// <summary>0 for no I/O, else 1 to <see cref="Levels"/>, a step for each equal factor: a single I/O of two seconds shall be seen beside ten thousand quick ones.</summary>
    public int LevelOf(int column, int band) =>
        Counts[column][band] is not > 0 ? 0
        : Highest <= 1 ? Levels
        : 1 + (int)Math.Min(Levels - 1, Math.Log(Math.Max(1, Counts[column][band])) / Math.Log(Highest) * Levels);

    /// <summary>Seconds at the end of the last column.</summary>
    public double Duration => Ends[^1];

    /// <summary>Maps of runs with the same bands and the same scale of colours.</summary>
    /// <param name="runs">Name and intervals of each.</param>
    /// <param name="maxColumns">Columns of a map at most: of a longer run each stands for several intervals.</param>
    public static IReadOnlyList<HeatMap> Of(
        IReadOnlyList<(string Name, IReadOnlyList<LatencyInterval> Intervals)> runs,
        int maxColumns = MaxColumns
    )
    {
        var known = runs.Where(run => run.Intervals.Count >= MinColumns).ToList();
        if (known.Count == 0)
            return [];
        var bands = LatencyBands.Covering(known.SelectMany(run => run.Intervals).Select(interval => interval.Histogram));
        var maps = known.ConvertAll(run => Columns(run.Name, run.Intervals, bands, maxColumns));
        var highest = maps.Max(map => map.Counts.Max(column => column.Max()));
        return maps.ConvertAll(map => map with { Highest = highest });
    }

    private static HeatMap Columns(string name, IReadOnlyList<LatencyInterval> intervals, LatencyBands bands, int maxColumns)
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
