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

    private static readonly (TableColumn, Func<IoTestResult, CellValue>)[] s_columns =
    [
        (new("Threadcount"), run => CellValue.Create(run.ThreadCount, CellStyle.Integer)),
        (new("Outstanding IO"), run => CellValue.Create(run.OutstandingIO, CellStyle.Integer)),
        (new("Testfile Path", false), run => CellValue.Create(run.Path)),
        (new("Datafile size", false), run => CellValue.Create(RunDescription.DescribeClassicFileSize(run))),
        (
            new("Duration"),
            run => CellValue.Create(run.DurationSeconds, run.DurationSeconds % 1 == 0 ? CellStyle.Integer : CellStyle.OneDecimal)
        ),
        (new("IO Pattern", false, 50), run => CellValue.Create(RunDescription.DescribeClassicPattern(run))),
        (new("Bandwidth(MB/s)"), run => CellValue.Create(ThroughputDisplay.ToUnit(run.BandwidthMBps), CellStyle.TwoDecimals)),
        (new("IOPs"), run => CellValue.Create(run.IOPS, CellStyle.TwoDecimals)),
        (new("Average latency(ms)"), run => RunDescription.CreateLatencyCell(run, DisplayLatency.FromResult(run).AverageMs)),
    ];

    public static ReportSection Build(ReportContext context)
    {
        ChartSpec?[] charts =
        [
            CreateChart(
                context,
                ChartKind.Bars,
                "Bandwidth",
                "Bandwidth (MB/s)",
                run => ThroughputDisplay.ToUnit(run.BandwidthMBps),
                ascending: true
            ),
            CreateChart(context, ChartKind.Lines, "IOPs", "I/Os per second", run => run.IOPS, ascending: true),
            CreateChart(
                context,
                ChartKind.Lines,
                "Average Latency",
                "Average latency (ms)",
                run => DisplayLatency.FromResult(run).AverageMs,
                ascending: false
            ),
        ];
        return new(
            "Results",
            context.Title,
            [
                TableBlock.FromItems("Results", context.Results, s_columns, keepsEmptyColumns: true),
                new ChartsBlock([.. charts.OfType<ChartSpec>()]),
            ]
        )
        {
            HasChartsOnRight = true,
            FreezesHeader = true,
            FitsOnePage = context.Results.Count <= 40,
        };
    }

    /// <summary>A chart in its own order; null if no run has the value.</summary>
    private static ChartSpec? CreateChart(
        ReportContext context,
        ChartKind kind,
        string title,
        string valueTitle,
        Func<IoTestResult, double?> value,
        bool ascending
    )
    {
        var known = context.Results.Where(run => value(run) is { } figure && double.IsFinite(figure));
        var sorted = ascending ? known.OrderBy(value).ToList() : known.OrderByDescending(value).ToList();
        if (sorted.Count == 0)
            return null;
        var total = sorted.Count;
        if (total > MaxRunsInChart)
        {
            sorted = ascending ? sorted[^MaxRunsInChart..] : sorted[..MaxRunsInChart];
            title = Invariant($"{title} (the {MaxRunsInChart} highest of {total:#,##0} runs)");
        }
        var colors = sorted.Select(run => context.Palette.GetColor(RunDescription.DescribePattern(run))).ToList();
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
