using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>The sheet of SQLIOResult2Excel.ps1, which sorted one range three times, so that its charts showed the last order.</summary>
internal static class ClassicResultsSection
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

    public static ReportSection Build(ReportContext context)
    {
        var results = context.Results;
        var palette = context.Palette;
        var table = new TableBlock("Results", s_columns, results.Count, (index, cells) => FillRow(results[index], cells));
        ChartSpec?[] charts =
        [
            CreateChart(
                kind: ChartKind.Bars,
                title: "Bandwidth",
                valueTitle: "Bandwidth (MB/s)",
                selection: "highest",
                results: results,
                palette: palette,
                value: run => ThroughputDisplay.ToUnit(run.BandwidthMBps),
                ascending: true
            ),
            CreateChart(
                kind: ChartKind.Lines,
                title: "IOPs",
                valueTitle: "I/Os per second",
                selection: "highest",
                results: results,
                palette: palette,
                value: run => run.IOPS,
                ascending: true
            ),
            CreateChart(
                kind: ChartKind.Lines,
                title: "Average Latency",
                valueTitle: "Average latency (ms)",
                selection: "highest",
                results: results,
                palette: palette,
                value: run => DisplayLatency.FromResult(run).AverageMs,
                ascending: false
            ),
        ];
        return new("Results", context.Title, [table, new ChartsBlock([.. charts.OfType<ChartSpec>()])])
        {
            Placement = ChartPlacement.RightOfTable,
            FreezesHeader = true,
            FitsOnePage = results.Count <= 40,
        };
    }

    private static void FillRow(IoTestResult run, CellValue[] cells)
    {
        cells[0] = CellValue.Create(run.ThreadCount, CellStyle.Integer);
        cells[1] = CellValue.Create(run.OutstandingIO, CellStyle.Integer);
        cells[2] = CellValue.Create(run.Path);
        cells[3] = CellValue.Create(RunDescription.DescribeClassicFileSize(run));
        cells[4] = CellValue.Create(run.DurationSeconds, run.DurationSeconds % 1 == 0 ? CellStyle.Integer : CellStyle.OneDecimal);
        cells[5] = CellValue.Create(RunDescription.DescribeClassicPattern(run));
        cells[6] = CellValue.Create(ThroughputDisplay.ToUnit(run.BandwidthMBps), CellStyle.TwoDecimals);
        cells[7] = CellValue.Create(run.IOPS, CellStyle.TwoDecimals);
        cells[8] = RunDescription.CreateLatencyCell(run, DisplayLatency.FromResult(run).AverageMs);
    }

    /// <summary>A chart in its own order; null if no run has the value.</summary>
    private static ChartSpec? CreateChart(
        ChartKind kind,
        string title,
        string valueTitle,
        string selection,
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
            title = string.Create(CultureInfo.InvariantCulture, $"{title} (the {MaxRunsInChart} {selection} of {total:#,##0} runs)");
        }
        var colors = sorted.Select(run => palette.GetColor(RunDescription.DescribePattern(run))).ToList();
        var look = new SeriesStyle(
            kind == ChartKind.Lines ? Palette.MutedTextColor : colors[0],
            kind == ChartKind.Lines ? MarkerShape.Circle : MarkerShape.None
        );
        var names = RunDescription.CreateClassicNames(sorted, sorted.Count > RunsAtClassicHeight ? 36 : 44);
        return new(kind, title, "IO Pattern", valueTitle)
        {
            Categories = names,
            Series = [new(valueTitle, [.. sorted.Select(value)], look) { PointColors = colors }],
            ShowsValues = sorted.Count <= RunsAtClassicHeight,
            Height = GetChartHeight(kind, names),
        };
    }

    private static double GetChartHeight(ChartKind kind, string[] names) =>
        names.Length <= RunsAtClassicHeight ? ClassicHeight
        : kind == ChartKind.Bars ? ClassicHeight + (names.Length - RunsAtClassicHeight) * PointsPerBar
        // Vertical labels take space from the plot.
        : ClassicHeight + names.Max(name => name.Length) * 4;
}
