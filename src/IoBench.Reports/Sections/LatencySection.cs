using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

internal static class LatencySection
{
    private const int MaxRunsInChart = 40,
        RowsOnOnePage = 20;
    private const int MaxRunsSideBySide = 4;
    private const double BandWidth = 8,
        LatencyWidth = 10;

    private static readonly (string Name, Func<IoTestResult, double?> Value, SeriesStyle Look)[] s_percentiles =
    [
        // Light to dark with rising percentile, so that gray printing keeps the order.
        ("median", run => DisplayLatency.FromResult(run).P50Ms, new("72B0DB", MarkerShape.Circle)),
        ("p90", run => DisplayLatency.FromResult(run).P90Ms, new("3D8FC6", MarkerShape.Square)),
        ("p99", run => DisplayLatency.FromResult(run).P99Ms, new("0B4F82", MarkerShape.Triangle)),
        ("p99.9", run => DisplayLatency.FromResult(run).P999Ms, new("D55E00", MarkerShape.Circle)),
        ("longest", run => DisplayLatency.FromResult(run).MaxMs, new("4A1500", MarkerShape.Square)),
    ];

    // The average is not a percentile. It is in charts that compare runs, but not on an axis of percentiles.
    private static readonly (string Name, Func<IoTestResult, double?> Value, SeriesStyle Look) s_average = (
        "average",
        run => DisplayLatency.FromResult(run).AverageMs,
        new("7F7F7F", MarkerShape.Diamond)
    );

    private static readonly (TableColumn, Func<RunGroup, CellValue>)[] s_columns =
    [
        (new("Run", false, 46), row => CellValue.Create(row.Name)),
        (new("Runs"), row => row.Runs.Count == 1 ? CellValue.Empty : CellValue.Create(row.Runs.Count, CellStyle.Integer)),
        (new("Threads"), row => CellValue.Create(row.First.ThreadCount, CellStyle.Integer)),
        (new("Outstanding"), row => CellValue.Create(row.First.OutstandingIO, CellStyle.Integer)),
        CreateMillisecondsColumn("Average", run => run.AverageLatencyMs),
        (
            new("Lowest (ms)", MinWidth: LatencyWidth),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMin(run => run.MinLatencyMs))
        ),
        CreateMillisecondsColumn("Median", run => run.P50Ms),
        CreateMillisecondsColumn("p90", run => run.P90Ms),
        CreateMillisecondsColumn("p95", run => run.P95Ms),
        CreateMillisecondsColumn("p99", run => run.P99Ms),
        CreateMillisecondsColumn("p99.9", run => run.P999Ms),
        (
            new("Longest (ms)", MinWidth: LatencyWidth),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMax(run => run.MaxLatencyMs))
        ),
        CreateMillisecondsColumn("Std dev", run => run.LatencyStdDevMs),
        CreateMillisecondsColumn("Response average", run => run.ResponseAverageMs),
        CreateMillisecondsColumn("Response median", run => run.ResponseP50Ms),
        CreateMillisecondsColumn("Response p90", run => run.ResponseP90Ms),
        CreateMillisecondsColumn("Response p95", run => run.ResponseP95Ms),
        CreateMillisecondsColumn("Response p99", run => run.ResponseP99Ms),
        CreateMillisecondsColumn("Response p99.9", run => run.ResponseP999Ms),
        (
            new("Longest response (ms)", MinWidth: LatencyWidth),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMax(run => run.ResponseMaxMs))
        ),
        (new("Rate reached (%)"), row => CellValue.Create(row.GetMin(run => run.RateReachedPercent), CellStyle.OneDecimal)),
        (
            new("Scheduled I/Os not done"),
            row =>
                CellValue.Create(
                    row.Runs.Any(run => run.DueNotDone is not null) ? row.Runs.Sum(run => run.DueNotDone ?? 0) : null,
                    CellStyle.Integer
                )
        ),
        (new("Little's law (ms)"), row => CellValue.Create(row.GetMedian(run => run.LittlesLawLatencyMs), CellStyle.Milliseconds)),
        (new("I/Os"), row => CellValue.Create(CountIOs(row), CellStyle.Integer)),
    ];

    private static double? CountIOs(RunGroup row)
    {
        var count = row.Runs.Sum(run => run.IOCount);
        return count > 0 ? count : null;
    }

    public static ReportSection? Build(ReportContext context)
    {
        var rows = context.Rows.Where(row => row.Runs.Any(HasLatency)).ToList();
        if (rows.Count == 0)
            return null;
        var charts = new List<ChartSpec>();
        if (CreatePercentileChart(context, rows) is { } percentiles)
            charts.Add(percentiles);
        var blocks = new List<SectionBlock>();
        if (rows.Exists(row => ResultFormats.IsInWholeMilliseconds(row.First)))
            blocks.Add(
                new TextBlock(
                    "SQLIO truncates latency to whole milliseconds twice, so its average can be up to 2 ms too low. Little's law (outstanding I/Os / IOPS) is more precise."
                )
            );
        if (rows.Exists(row => DisplayLatency.FromResult(row.First).IsResponse))
            blocks.Add(
                new TextBlock(
                    "For tests with a target rate, charts and distributions show response times, which are measured from the scheduled start of each I/O. The other columns show service times, which are measured from the actual start."
                )
            );
        if (context.HasMergedRuns)
            blocks.Add(new TextBlock("Each row is a test and shows the medians, the minimum, and the maximum of its runs."));
        var tables = new List<SectionBlock>
        {
            new TextBlock("Latency by run", CellStyle.Heading),
            TableBlock.FromItems("Latency", rows, s_columns) with
            {
                WrapsHeader = true,
            },
        };
        foreach (var sqlio in new[] { false, true })
            AddHistograms(
                context,
                rows.FindAll(row =>
                    DisplayLatency.FromResult(row.First).Histogram is { } histogram
                    && histogram.ReadBuckets().Count > 0
                    && histogram.Kind == "sqlio" == sqlio
                ),
                sqlio,
                charts,
                tables
            );
        if (charts.Count > 0)
            blocks.Add(new ChartsBlock(charts));
        return new("Latency", "Latency: how long I/Os took", [.. blocks, .. tables]) { FitsOnePage = rows.Count <= RowsOnOnePage };
    }

    private static bool HasLatency(IoTestResult run) =>
        run.AverageLatencyMs is not null
        || run.MaxLatencyMs is not null
        || run.Histogram is not null
        || run.LittlesLawLatencyMs is not null;

    private static (TableColumn, Func<RunGroup, CellValue>) CreateMillisecondsColumn(string name, Func<IoTestResult, double?> value) =>
        (new($"{name} (ms)", MinWidth: LatencyWidth), row => RunDescription.CreateLatencyCell(row.First, row.GetMedian(value)));

    private static ChartSpec? CreatePercentileChart(ReportContext context, List<RunGroup> rows)
    {
        var lines = s_percentiles.Where(line => rows.Exists(row => GetPositiveMedian(row, line.Value) is not null)).ToList();
        if (rows.Count <= MaxRunsSideBySide && lines.Count > 2)
            return CreateChartByPercentile(context, rows, lines);
        var shown = rows.GetRange(0, Math.Min(rows.Count, MaxRunsInChart));
        var series = lines
            .Append(s_average)
            .Select(line => new ChartSeries(line.Name, shown.ConvertAll(row => GetPositiveMedian(row, line.Value)), line.Look))
            .Where(item => item.Values.Any(value => value is not null))
            .ToList();
        if (series.Count == 0)
            return null;
        // The range from the median to the maximum of each run.
        if (series.Find(item => item.Name == "median") is { } median && series.Find(item => item.Name == "longest") is { } longest)
            series[series.IndexOf(median)] = median with
            {
                Intervals =
                [
                    .. median.Values.Zip(
                        longest.Values,
                        (low, high) => low is { } from && high is { } to && to >= from ? (from, to) : ((double, double)?)null
                    ),
                ],
            };
        // Runs are not a scale, so no line connects them.
        return new(
            ChartKind.Dots,
            shown.Count < rows.Count ? Invariant($"Latency of the first {shown.Count} of {rows.Count:#,##0} runs") : "Latency by run",
            "Run",
            "Latency (ms), logarithmic"
        )
        {
            Categories = shown.ConvertAll(row => row.Name),
            Series = series,
            IsLogarithmic = true,
            ShowsLegend = true,
            // Vertical labels take space from the plot.
            Height = 330 + (shown.Count > 20 ? shown.Max(row => row.Name.Length) * 4 : 0),
        };
    }

    /// <summary>A logarithmic axis has no zero, so SQLIO's 0 ms are gaps.</summary>
    private static double? GetPositiveMedian(RunGroup row, Func<IoTestResult, double?> value) =>
        row.GetMedian(value) is > 0 and { } figure ? figure : null;

    private static ChartSpec CreateChartByPercentile(
        ReportContext context,
        List<RunGroup> rows,
        List<(string Name, Func<IoTestResult, double?> Value, SeriesStyle Look)> lines
    ) =>
        new(ChartKind.Lines, "Latency by percentile", "Percentile", "Latency (ms), logarithmic")
        {
            Categories = lines.ConvertAll(line => line.Name),
            Series =
            [
                .. rows.Select(
                    (row, index) =>
                        new ChartSeries(
                            row.Name,
                            lines.ConvertAll(line => GetPositiveMedian(row, line.Value)),
                            GetSeriesStyle(context, rows, index)
                        )
                ),
            ],
            IsLogarithmic = true,
            ShowsLegend = true,
            ShowsValues = rows.Count == 1,
            Height = 330,
        };

    /// <summary>The color of the pattern, unless several runs have that pattern.</summary>
    private static SeriesStyle GetSeriesStyle(ReportContext context, List<RunGroup> rows, int index) =>
        rows.Select(row => RunDescription.DescribePattern(row.First)).Distinct().Count() < rows.Count
            ? Palette.GetLineStyle(index)
            : context.Palette.GetStyle(RunDescription.DescribePattern(rows[index].First));

    private static void AddHistograms(
        ReportContext context,
        List<RunGroup> rows,
        bool sqlio,
        List<ChartSpec> charts,
        List<SectionBlock> tables
    )
    {
        if (rows.Count == 0)
            return;
        var bands = sqlio
            ? LatencyBands.Sqlio
            : LatencyBands.CreateCovering(rows.Take(MaxRunsInChart).Select(row => DisplayLatency.FromResult(row.First).Histogram!));
        charts.Add(
            rows.Count <= MaxRunsSideBySide
                ? CreateSideBySideChart(context, rows, bands)
                : CreateStackedChart(rows, sqlio ? LatencyBands.CoarseSqlio : LatencyBands.Coarse)
        );

        tables.Add(
            new TextBlock(
                sqlio
                    ? "Percentage of I/Os by latency, in whole milliseconds as SQLIO reports them"
                    : "Percentage of I/Os by latency range in milliseconds",
                CellStyle.Heading
            )
        );
        var columns = new List<TableColumn> { new("Run", false, 46) };
        columns.AddRange(Enumerable.Range(0, bands.Count).Select(band => new TableColumn(bands.GetName(band), MinWidth: BandWidth)));
        tables.Add(
            new TableBlock(
                sqlio ? "SqlioHistogram" : "Histogram",
                columns,
                rows.Count,
                (index, cells) =>
                {
                    cells[0] = CellValue.Create(rows[index].Name);
                    var shares = GetShares(bands, rows[index]);
                    for (var band = 0; band < shares.Length; band++)
                        cells[band + 1] =
                            shares[band] == 0
                                ? CellValue.Empty
                                : CellValue.Create(shares[band], sqlio ? CellStyle.Integer : CellStyle.Share);
                },
                IsFilterable: false
            )
        );
    }

    /// <summary>Each run of a row is weighted by its I/Os.</summary>
    private static double[] GetShares(LatencyBands bands, RunGroup row)
    {
        if (row.Runs.Count == 1)
            return bands.GetShares(DisplayLatency.FromResult(row.First).Histogram!);
        var shares = new double[bands.Count];
        var all = 0.0;
        foreach (var run in row.Runs.Where(run => DisplayLatency.FromResult(run).Histogram?.ReadBuckets().Count > 0))
        {
            var weight = Math.Max(1, run.IOCount ?? 1);
            var own = bands.GetShares(DisplayLatency.FromResult(run).Histogram!);
            for (var band = 0; band < shares.Length; band++)
                shares[band] += own[band] * weight;
            all += weight;
        }
        return Array.ConvertAll(shares, share => share / all);
    }

    private static ChartSpec CreateSideBySideChart(ReportContext context, List<RunGroup> rows, LatencyBands bands) =>
        new(ChartKind.Columns, "Share of I/Os by latency", "Latency (ms)", "Share of I/Os (%)")
        {
            Categories = [.. Enumerable.Range(0, bands.Count).Select(bands.GetName)],
            Series =
            [
                .. rows.Select(
                    (row, index) =>
                        new ChartSeries(
                            row.Name,
                            [.. GetShares(bands, row).Select(share => (double?)share)],
                            GetSeriesStyle(context, rows, index)
                        )
                ),
            ],
            ShowsLegend = true,
            Height = 330,
        };

    private static ChartSpec CreateStackedChart(List<RunGroup> rows, LatencyBands bands)
    {
        // Bars run from bottom to top; the first run must be on top.
        var shown = rows.Take(MaxRunsInChart).Reverse().ToList();
        var shares = shown.ConvertAll(row => GetShares(bands, row));
        return new(ChartKind.StackedBars, "Share of I/Os by latency (ms)", "Run", "Share of I/Os")
        {
            Categories = shown.ConvertAll(row => row.Name),
            Series =
            [
                .. Enumerable
                    .Range(0, bands.Count)
                    .Where(band => shares.Exists(share => share[band] > 0))
                    .Select(band => new ChartSeries(
                        bands.GetName(band),
                        shares.ConvertAll(share => (double?)share[band]),
                        new(Palette.LatencyRamp[band])
                    )),
            ],
            ShowsLegend = true,
            Height = Math.Max(330, 110 + shown.Count * 15),
        };
    }
}
