using System.Globalization;
using System.Text;
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
        IReadOnlyList<(string Name, IReadOnlyList<(double Seconds, IoHistogram Histogram)> Intervals)> runs,
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

    private static HeatMap CreateMap(
        string name,
        IReadOnlyList<(double Seconds, IoHistogram Histogram)> intervals,
        LatencyBands bands,
        int maxColumns
    )
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

    private const double Top = 8,
        LabelWidth = 74,
        Bottom = 40,
        RowHeight = 13;
    private const int MaxTicks = 8;

    public string DrawSvg(double width)
    {
        var height = Top + Bottom + Bands.Count * RowHeight;
        var svg = new SvgWriter();
        DrawInto(svg, 10, Top, width - 20, height - Top);
        return svg.CreateImage(width, height, Describe());
    }

    public string Describe() => DescribeStalls() ?? Invariant($"{Name}: I/Os by latency over {Duration:0.#} s, without a stall.");

    public void DrawInto(SvgWriter svg, double x, double y, double width, double height)
    {
        var left = x + LabelWidth;
        var right = x + width - 4;
        var bottom = y + height - Bottom;
        var cell = (right - left) / Ends.Count;
        var row = (bottom - y) / Bands.Count;
        var step = (int)Math.Ceiling(9 / row);
        svg.AddBox(left, y, right - left, bottom - y, Palette.HeatBackground);
        for (var band = 0; band < Bands.Count; band++)
        {
            var top = bottom - (band + 1) * row;
            if (band % step == 0)
                svg.AddText(left - 4, top + row / 2 + 3, Bands.GetName(band), "end", 8);
            DrawRow(svg, band, left, top, cell, row);
        }
        svg.AddLine(left, y, left, bottom, "9AA5B1");
        svg.AddLine(left, bottom, right, bottom, "9AA5B1");
        var scale = SvgAxis.CreateLinear(0, Duration);
        foreach (var tick in scale.Ticks.Where(tick => tick <= Duration * 1.0001).Take(MaxTicks + 1))
            svg.AddText(left + tick / Duration * (right - left), bottom + 12, SvgAxis.FormatTick(tick), "middle", 8);
        svg.AddText((left + right) / 2, bottom + 26, "Seconds. A stronger color means more I/Os (logarithmic scale).", "middle", 9);
        svg.AddText(x + 8, (y + bottom) / 2, "Latency (ms)", "middle", 9, turned: -90);
    }

    /// <summary>Adjacent cells of the same color are one box, so that the map of a long run stays small.</summary>
    private void DrawRow(SvgWriter svg, int band, double left, double top, double cell, double row)
    {
        for (int first = 0, next; first < Ends.Count; first = next)
        {
            var level = GetLevel(first, band);
            for (next = first + 1; next < Ends.Count && GetLevel(next, band) == level; )
                next++;
            if (level > 0)
                svg.AddBox(left + first * cell, top, (next - first) * cell, row, Palette.HeatRamp[level - 1]);
        }
    }

    private const int MaxShown = 9;

    /// <summary>If there are too many, the runs with the longest latencies. Of merged runs, the last one.</summary>
    public static (IReadOnlyList<IoTestResult> ShownRuns, int AvailableCount) SelectRuns(IReadOnlyList<RunGroup> rows, bool hasMergedRuns)
    {
        var all = rows.Select(row => row.Runs.Where(HasLatencies).ToList()).Where(runs => runs.Count > 0).ToList();
        var shown = hasMergedRuns ? all.ConvertAll(runs => runs.MaxBy(run => run.StartTime) ?? runs[0]) : [.. all.SelectMany(runs => runs)];
        if (shown.Count > MaxShown)
        {
            var longest = shown.OrderByDescending(run => DisplayLatency.FromResult(run).MaxMs).Take(MaxShown).ToHashSet();
            shown.RemoveAll(run => !longest.Contains(run));
        }
        return (shown, all.Sum(runs => runs.Count));
    }

    public static bool HasLatencies(IoTestResult run) => run.HasTimeline() && run.Timeline.Exists(point => point.Latencies is not null);

    /// <summary>Latencies of the I/Os that ended in each interval; of an open loop, of those that were scheduled in it.</summary>
    /// <returns>null if the result has no latencies of intervals. An interval without I/O has an empty histogram.</returns>
    public static IReadOnlyList<(double Seconds, IoHistogram Histogram)>? GetIntervals(IoTestResult run)
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
                .Select(chunk =>
                    (chunk[^1].Seconds, Array.FindLast(chunk, point => point.Latencies is not null)?.Latencies!.ToHistogram() ?? new())
                ),
        ];
    }

    private const string Shades = " .:-=+*#@";
    private const int TextLabelWidth = 16,
        MinCharacters = 10,
        MaxTextColumnWidth = 6;

    /// <summary>Lines of text for a terminal. The longest latencies are on top.</summary>
    public IReadOnlyList<string> FormatLines(int width = 100)
    {
        var room = Math.Max(MinCharacters, width - TextLabelWidth - 3);
        // The columns of a short run are wider, so that a gap is visible.
        var columns = Ends.Count >= room ? room : Ends.Count * Math.Min(MaxTextColumnWidth, room / Ends.Count);
        var lines = new List<string> { Name, $"{"latency (ms)", TextLabelWidth} |{FormatTimeAxis(Duration, columns)}|" };
        for (var band = Bands.Count - 1; band >= 0; band--)
        {
            var line = new StringBuilder(width);
            line.Append(CultureInfo.InvariantCulture, $"{Bands.GetName(band), TextLabelWidth} |");
            for (var column = 0; column < columns; column++)
                line.Append(
                    Shades[
                        GetShade(
                            column * Ends.Count / columns,
                            Math.Max(column * Ends.Count / columns + 1, (column + 1) * Ends.Count / columns),
                            band
                        )
                    ]
                );
            lines.Add(line.Append('|').ToString());
        }
        if (DescribeStalls() is { } stalls)
            lines.Add(stalls);
        return lines;
    }

    /// <summary>The darkest of the columns that share a character, so that a single slow I/O is visible.</summary>
    private int GetShade(int first, int end, int band)
    {
        var level = 0;
        for (var column = first; column < end; column++)
            level = Math.Max(level, GetLevel(column, band));
        return level;
    }

    private static string FormatTimeAxis(double seconds, int columns)
    {
        var last = Invariant($" {seconds:0.#} s");
        return "0 s ".PadRight(Math.Max(0, columns - last.Length), '.') + last;
    }
}
