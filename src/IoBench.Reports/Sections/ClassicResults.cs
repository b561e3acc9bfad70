using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>
/// The sheet of SQLIOResult2Excel.ps1: title, nine columns, one row per run, and three charts, each in its own order. (The script sorted
/// one range three times, so that all its charts showed the last order.) Used for SQLIO's results, and for others on request.
/// </summary>
internal static class ClassicResults
{
    private const int RunsAtClassicHeight = 15;

    /// <summary>More bars are illegible. The table has all runs.</summary>
    internal const int MaxRunsInChart = 400;
    private const double ClassicHeight = 300;
    private const double PointsPerBar = 14;

    private static readonly TableColumn[] s_columns =
    [
        new("Threadcount"),
        new("Outstanding IO"),
        new("Testfile Path", false),
        new("Datafile size", false),
        new("Duration"),
        new("IO Pattern", false, 50),
        new("Bandwidth(MB/s)"),
        new("IOPs"),
        new("Average latency(ms)"),
    ];

    public static Section Build(ReportContext context)
    {
        var (results, palette) = (context.Results, context.Palette);
        var table = new TableBlock("Results", s_columns, results.Count, (index, cells) => Fill(results[index], cells));
        ChartSpec?[] charts =
        [
            Chart(
                ChartKind.Bars,
                "Bandwidth",
                "Bandwidth (MB/s)",
                "highest",
                results,
                palette,
                run => Throughput.In(run.BandwidthMBps),
                ascending: true
            ),
            Chart(ChartKind.Lines, "IOPs", "I/Os per second", "highest", results, palette, run => run.IOPS, ascending: true),
            Chart(
                ChartKind.Lines,
                "Average Latency",
                "Average latency (ms)",
                "highest",
                results,
                palette,
                run => ShownLatency.Of(run).AverageMs,
                ascending: false
            ),
        ];
        return new("Results", context.Title, [table, new ChartsBlock([.. charts.OfType<ChartSpec>()])])
        {
            Placement = ChartPlacement.RightOfTable,
            FreezeHeader = true,
            OnePage = results.Count <= 40,
        };
    }

    private static void Fill(IoTestResult run, CellValue[] cells)
    {
        cells[0] = CellValue.Of(run.ThreadCount, CellStyle.Whole);
        cells[1] = CellValue.Of(run.OutstandingIO, CellStyle.Whole);
        cells[2] = CellValue.Of(run.Path);
        cells[3] = CellValue.Of(RunText.ClassicFileSize(run));
        cells[4] = CellValue.Of(run.DurationSeconds, run.DurationSeconds % 1 == 0 ? CellStyle.Whole : CellStyle.OneDecimal);
        cells[5] = CellValue.Of(RunText.ClassicPattern(run));
        cells[6] = CellValue.Of(Throughput.In(run.BandwidthMBps), CellStyle.TwoDecimals);
        cells[7] = CellValue.Of(run.IOPS, CellStyle.TwoDecimals);
        cells[8] = RunText.LatencyCell(run, ShownLatency.Of(run).AverageMs);
    }

    /// <summary>A chart in its own order; null if no run has the value.</summary>
    private static ChartSpec? Chart(
        ChartKind kind,
        string title,
        string valueTitle,
        string kept,
        IReadOnlyList<IoTestResult> results,
        Palette palette,
        Func<IoTestResult, double?> value,
        bool ascending
    )
    {
        var known = results.Where(run => value(run) is { } figure && double.IsFinite(figure));
        var sorted = ascending ? known.OrderBy(value).ToList() : known.OrderByDescending(value).ToList();
        if (sorted.Count == 0)
            return null;
        var total = sorted.Count;
        if (total > MaxRunsInChart)
        {
            sorted = ascending ? sorted[^MaxRunsInChart..] : sorted[..MaxRunsInChart];
            title = string.Create(CultureInfo.InvariantCulture, $"{title} (the {MaxRunsInChart} {kept} of {total:#,##0} runs)");
        }
        var colours = sorted.Select(run => palette.ColourOf(RunText.Pattern(run))).ToList();
        var look = new SeriesLook(
            kind == ChartKind.Lines ? Palette.Muted : colours[0],
            kind == ChartKind.Lines ? MarkerShape.Circle : MarkerShape.None
        );
        var names = RunNames.Classic(sorted, sorted.Count > RunsAtClassicHeight ? 36 : 44);
        return new(kind, title, "IO Pattern", valueTitle)
        {
            Categories = names,
            Series = [new(valueTitle, [.. sorted.Select(value)], look) { PointColours = colours }],
            ShowValues = sorted.Count <= RunsAtClassicHeight,
            Height = HeightOf(kind, names),
        };
    }

    private static double HeightOf(ChartKind kind, string[] names) =>
        names.Length <= RunsAtClassicHeight ? ClassicHeight
        : kind == ChartKind.Bars ? ClassicHeight + (names.Length - RunsAtClassicHeight) * PointsPerBar
        // Vertical labels take space from the plot.
        : ClassicHeight + names.Max(name => name.Length) * 4;
}
