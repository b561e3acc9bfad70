using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

/// <summary>The nine columns of the classic sheet have their original headers. SQLIO's results use the classic sheet itself.</summary>
internal static class ResultsSection
{
    private const int MaxBars = 60,
        MaxLabeledBars = 30;

    /// <summary>Charts below a longer table are hard to find, so they are on its right.</summary>
    private const int MaxRowsAboveCharts = 40;

    /// <summary>With more rows and bars, one page is illegible.</summary>
    private const int MaxRowsOnOnePage = 20;
    private const double ChartHeight = 300,
        PointsPerBar = 17,
        ChartMargin = 110;

    public static ReportSection Build(ReportContext context)
    {
        if (context.Options.Classic || context.Results.All(run => run.Source == SqlioFormat.Source))
            return BuildClassic(context);
        var rows = context.Rows;
        var severalHosts = context.Results.Select(RunDescription.GetHost).Distinct().Take(2).Count() > 1;
        var table = TableBlock.FromItems("Results", rows, [.. CreateColumns(rows, context.HasMergedRuns, severalHosts)]) with
        {
            WrapsHeader = true,
        };
        ChartSpec?[] charts =
        [
            CreateChart(context, "Bandwidth", $"Bandwidth ({ThroughputDisplay.Unit})", run => ThroughputDisplay.ToUnit(run.BandwidthMBps)),
            CreateChart(context, "IOPs", "I/Os per second", run => run.IOPS),
            CreateChart(context, "Average Latency", "Average latency (ms)", run => DisplayLatency.FromResult(run).AverageMs),
        ];
        var blocks = new List<SectionBlock> { table };
        if (context.HasMergedRuns)
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"{context.Results.Count:#,##0} runs of {rows.Count:#,##0} tests. Each row shows the median of the runs of a test. In the charts, thin lines show the range of the runs. The sheet Details contains every run."
                    )
                )
            );
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        return new("Results", context.Title, blocks)
        {
            FreezesHeader = true,
            FitsOnePage = rows.Count <= MaxRowsOnOnePage,
            HasChartsOnRight = rows.Count > MaxRowsAboveCharts,
        };
    }

    private static CellStyle GetRateStyle(IReadOnlyList<RunGroup> rows, Func<IoTestResult, double?> rate) =>
        rows.All(row => row.GetMedian(rate) is null or >= 100) ? CellStyle.Integer : CellStyle.Rate;

    private static string DescribePattern(IoTestResult run)
    {
        var pattern = RunDescription.DescribePattern(run);
        if (!DisplayLatency.FromResult(run).IsResponse)
            return pattern;
        return pattern + (run.HasMissedRate() ? " (response time, rate not reached)" : " (response time)");
    }

    private static IEnumerable<(TableColumn, Func<RunGroup, CellValue>)> CreateColumns(
        IReadOnlyList<RunGroup> rows,
        bool merged,
        bool severalHosts
    )
    {
        var bandwidth = GetRateStyle(rows, run => ThroughputDisplay.ToUnit(run.BandwidthMBps));
        var iops = GetRateStyle(rows, run => run.IOPS);
        if (severalHosts)
            yield return CreateTextColumn("Host", RunDescription.GetHost, 24);
        yield return CreateTextColumn("Workload", run => run.Workload, 30);
        yield return CreateTextColumn("Role", run => run.WorkloadRole, 30);
        yield return CreateTextColumn("Label", run => run.Label, 24);
        yield return CreateTextColumn("IO Pattern", DescribePattern, 40, isRequired: true);
        yield return CreateRequiredColumn("Threadcount", row => CellValue.Create(row.First.ThreadCount, CellStyle.Integer));
        yield return CreateRequiredColumn("Outstanding IO", row => CellValue.Create(row.First.OutstandingIO, CellStyle.Integer));
        yield return CreateTextColumn("Testfile Path", run => run.Path, 40, isRequired: true);
        yield return CreateTextColumn("Datafile size", RunDescription.DescribeClassicFileSize, 20, isRequired: true);
        yield return CreateRequiredColumn(
            "Duration",
            row =>
            {
                var seconds = row.GetMedian(run => run.DurationSeconds);
                return CellValue.Create(seconds, seconds % 1 == 0 ? CellStyle.Integer : CellStyle.OneDecimal);
            }
        );
        if (merged)
            yield return CreateRequiredColumn("Runs", row => CellValue.Create(row.Runs.Count, CellStyle.Integer));
        yield return CreateRequiredColumn(
            "Bandwidth(MB/s)",
            row => CellValue.Create(row.GetMedian(run => ThroughputDisplay.ToUnit(run.BandwidthMBps)), bandwidth)
        );
        yield return CreateRequiredColumn("IOPs", row => CellValue.Create(row.GetMedian(run => run.IOPS), iops));
        if (merged)
        {
            yield return (new("Lowest IOPs"), row => CellValue.Create(row.GetRange(run => run.IOPS)?.Low, CellStyle.Integer));
            yield return (new("Highest IOPs"), row => CellValue.Create(row.GetRange(run => run.IOPS)?.High, CellStyle.Integer));
        }
        yield return CreateRequiredColumn(
            "Average latency(ms)",
            row => CreateLatencyCell(row, row.GetMedian, latency => latency.AverageMs)
        );
        yield return (new("p99 latency(ms)"), row => CreateLatencyCell(row, row.GetMedian, latency => latency.P99Ms));
        yield return (new("Longest(ms)"), row => CreateLatencyCell(row, row.GetMax, latency => latency.MaxMs));
    }

    private static (TableColumn, Func<RunGroup, CellValue>) CreateRequiredColumn(string header, Func<RunGroup, CellValue> cell) =>
        (new(header) { IsRequired = true }, cell);

    private static (TableColumn, Func<RunGroup, CellValue>) CreateTextColumn(
        string header,
        Func<IoTestResult, string?> value,
        double width,
        bool isRequired = false
    ) =>
        (
            new(header, false, width) { IsRequired = isRequired },
            row => CellValue.Create(value(row.First) is { Length: > 0 } text ? text : null)
        );

    private static CellValue CreateLatencyCell(
        RunGroup row,
        Func<Func<IoTestResult, double?>, double?> combine,
        Func<DisplayLatency, double?> latency
    ) => RunDescription.CreateLatencyCell(row.First, combine(run => latency(DisplayLatency.FromResult(run))));

    /// <returns>Bars, the smallest blocks on top; null if no run has the value.</returns>
    private static ChartSpec? CreateChart(ReportContext context, string title, string valueTitle, Func<IoTestResult, double?> value)
    {
        var known = context
            .Rows.Select(row => (Row: row, Value: row.GetMedian(value)))
            .Where(item => item.Value is { } figure && double.IsFinite(figure))
            .ToList();
        if (known.Count == 0)
            return null;
        if (known.Count > MaxBars)
        {
            title = Invariant($"{title} (the {MaxBars} highest of {known.Count:#,##0})");
            known = [.. known.OrderByDescending(item => item.Value).Take(MaxBars)];
        }
        // Sides that are compared are adjacent. Bars run from bottom to top; the first must be on top.
        var tests = known.Select(item => GetTestKey(item.Row.First)).Distinct().ToList();
        known =
        [
            .. known
                .OrderBy(item => item.Row.First.BlockSizeKB ?? double.MaxValue)
                .ThenBy(item => tests.IndexOf(GetTestKey(item.Row.First)))
                .Reverse(),
        ];
        var colors = known.ConvertAll(item => context.Palette.GetColor(RunDescription.DescribePattern(item.Row.First)));
        return new(ChartKind.Bars, title, "Block size and test", valueTitle)
        {
            Categories = known.ConvertAll(item => item.Row.Name),
            Groups =
                known.Select(item => item.Row.First.BlockSizeKB).Distinct().Count() > 1
                    ? known.ConvertAll(item => FormatBlockSize(item.Row.First))
                    : null,
            Series =
            [
                new(valueTitle, known.ConvertAll(item => item.Value), new(colors[0]))
                {
                    PointColors = colors,
                    Intervals = context.HasMergedRuns ? known.ConvertAll(item => item.Row.GetRange(value)) : null,
                },
            ],
            // Labels would overlap the lines of the ranges. The table above has the values.
            ShowsValues = known.Count <= MaxLabeledBars && !context.HasMergedRuns,
            Height = Math.Max(ChartHeight, ChartMargin + known.Count * PointsPerBar),
        };
    }

    private static (string?, string, int?, int?) GetTestKey(IoTestResult run) =>
        (run.Workload, RunDescription.DescribePattern(run), run.ThreadCount, run.OutstandingIO);

    private static string FormatBlockSize(IoTestResult run) =>
        run.BlockSizeKB is { } kilobytes ? NumberFormat.Size(kilobytes / 1024) : "several";

    private const int MaxTargetBars = 40;
    private const double PointsPerTargetBar = 22;

    public static ReportSection? BuildTargets(ReportContext context)
    {
        var rows = context
            .Results.Where(run => run.HasSeveralTargets())
            .SelectMany(run => run.Targets.Select(target => (Run: run, RunName: context.GetName(run), Target: target)))
            .Where(row => row.Target.Total.IOPS is not null)
            .ToList();
        if (rows.Count < 2)
            return null;
        var blocks = new List<SectionBlock>();
        if (rows.Count <= MaxTargetBars)
            blocks.Add(
                new ChartsBlock([
                    .. new[]
                    {
                        CreateTargetChart(rows, "IOPS by target", "I/Os per second", total => total.IOPS),
                        CreateTargetChart(
                            rows,
                            "Bandwidth by target",
                            $"Bandwidth ({ThroughputDisplay.Unit})",
                            total => ThroughputDisplay.ToUnit(total.MBps)
                        ),
                    }.Where(chart => chart.Series[0].Values.Any(value => value is not null)),
                ])
            );
        blocks.Add(
            TableBlock.FromItems<(IoTestResult Run, string RunName, IoTargetResult Target)>(
                "Targets",
                rows,
                [
                    (new("Run", false, 46), row => CellValue.Create(row.RunName)),
                    (new("Target", false, 60), row => CellValue.Create(row.Target.Path)),
                    (new("Role", false, 20), row => CellValue.Create(row.Target.Role)),
                    (new("Pattern", false, 46), row => CellValue.Create(row.Target.IOPattern)),
                    (new("File (MiB)"), row => CellValue.Create(row.Target.FileSizeMB)),
                    (new("IOPS"), row => CellValue.Create(row.Target.Total.IOPS, CellStyle.Rate)),
                    (
                        new("Share of the run (%)"),
                        row => CellValue.Create(row.Run.IOPS > 0 ? row.Target.Total.IOPS / row.Run.IOPS * 100 : null, CellStyle.OneDecimal)
                    ),
                    (new(ThroughputDisplay.Unit), row => CellValue.Create(ThroughputDisplay.ToUnit(row.Target.Total.MBps), CellStyle.Rate)),
                    (new("Read IOPS"), row => CellValue.Create(row.Target.Read.IOPS, CellStyle.Rate)),
                    (new("Write IOPS"), row => CellValue.Create(row.Target.Write.IOPS, CellStyle.Rate)),
                    (new("Average latency (ms)"), row => RunDescription.CreateLatencyCell(row.Run, row.Target.Total.AverageLatencyMs)),
                    (new("Longest (ms)"), row => RunDescription.CreateLatencyCell(row.Run, row.Target.Total.MaxLatencyMs)),
                ]
            ) with
            {
                WrapsHeader = true,
            }
        );
        return new("Targets", "Targets: results by file", blocks);
    }

    private static string GetTargetName((IoTestResult Run, string RunName, IoTargetResult Target) row) =>
        row.Run.Targets.Count(other => other.Path == row.Target.Path) < 2
            ? row.Target.Path
            : string.Join(" ", new[] { row.Target.Path, row.Target.IOPattern ?? row.Target.Role }.OfType<string>());

    private static ChartSpec CreateTargetChart(
        List<(IoTestResult Run, string RunName, IoTargetResult Target)> rows,
        string title,
        string valueTitle,
        Func<IoTotals, double?> value
    )
    {
        // Bars run from bottom to top; the first target must be on top.
        var shown = rows.AsEnumerable().Reverse().ToList();
        var oneRun = rows.TrueForAll(row => ReferenceEquals(row.Run, rows[0].Run));
        return new(ChartKind.Bars, title, "Target", valueTitle)
        {
            Categories = shown.ConvertAll(row =>
                RunDescription.ShortenMiddle(oneRun ? GetTargetName(row) : $"{row.RunName} {GetTargetName(row)}", 44)
            ),
            Series = [new(valueTitle, shown.ConvertAll(row => value(row.Target.Total)), Palette.GetLineStyle(0))],
            ShowsValues = true,
            Height = Math.Max(200, 100 + rows.Count * PointsPerTargetBar),
        };
    }

    private const double DetailWidth = 24;

    /// <summary>Every flat property of every result, for lookup. Not printed.</summary>
    public static ReportSection BuildDetails(ReportContext context)
    {
        var table = TableBlock.FromItems("Details", context.Results, DetailColumns, keepsEmptyColumns: true) with { WrapsHeader = true };
        return new("Details", "Details: every value of every run", [table]) { FreezesHeader = true, IsPrinted = false };
    }

    public static IReadOnlyList<(TableColumn Column, Func<IoTestResult, CellValue> Cell)> DetailColumns =>
        [.. MetricCatalog.All.Select(CreateDetailColumn)];

    private static (TableColumn Column, Func<IoTestResult, CellValue> Cell) CreateDetailColumn(ResultMetric metric)
    {
        var style = GetDetailStyle(metric);
        if (metric.Figure is { } figure)
        {
            TableColumn column = new(metric.ShownNameWithUnit, MaxWidth: DetailWidth);
            if (metric.IsThroughput)
                return (column, result => CellValue.Create(ThroughputDisplay.ToUnit(figure(result)), style));
            if (metric.IsMeasuredLatency)
                return (column, result => RunDescription.CreateLatencyCell(result, figure(result)));
            return (column, result => CellValue.Create(figure(result), style));
        }
        if (metric.ValueType == typeof(DateTimeOffset))
            return (new(metric.NameWithUnit, MaxWidth: DetailWidth), result => CellValue.Create((DateTimeOffset?)metric.Value(result)));
        return (new(metric.NameWithUnit, false, DetailWidth), result => CellValue.Create(FormatDetail(metric.Value(result))));
    }

    private static string? FormatDetail(object? value)
    {
        if (value is not List<string> lines)
            return value?.ToString();
        return lines.Count == 0 ? null : string.Join("; ", lines);
    }

    private static CellStyle GetDetailStyle(ResultMetric metric) =>
        metric.Decimals switch
        {
            0 => CellStyle.Integer,
            1 => CellStyle.OneDecimal,
            2 => CellStyle.TwoDecimals,
            3 => CellStyle.ThreeDecimals,
            _ => CellStyle.Number,
        };

    private const int RunsAtClassicHeight = 15;

    /// <summary>More bars are illegible. The table has all runs.</summary>
    internal const int MaxRunsInChart = 400;
    private const double ClassicHeight = 300;
    private const double PointsPerClassicBar = 14;

    private static readonly (TableColumn, Func<IoTestResult, CellValue>)[] s_classicColumns =
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

    /// <summary>The sheet of SQLIOResult2Excel.ps1, which sorted one range three times, so that its charts showed the last order.</summary>
    private static ReportSection BuildClassic(ReportContext context)
    {
        ChartSpec?[] charts =
        [
            CreateClassicChart(
                context,
                ChartKind.Bars,
                "Bandwidth",
                "Bandwidth (MB/s)",
                run => ThroughputDisplay.ToUnit(run.BandwidthMBps),
                ascending: true
            ),
            CreateClassicChart(context, ChartKind.Lines, "IOPs", "I/Os per second", run => run.IOPS, ascending: true),
            CreateClassicChart(
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
                TableBlock.FromItems("Results", context.Results, s_classicColumns, keepsEmptyColumns: true),
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
    private static ChartSpec? CreateClassicChart(
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
            Height = GetClassicChartHeight(kind, names),
        };
    }

    private static double GetClassicChartHeight(ChartKind kind, string[] names) =>
        names.Length <= RunsAtClassicHeight ? ClassicHeight
        : kind == ChartKind.Bars ? ClassicHeight + (names.Length - RunsAtClassicHeight) * PointsPerClassicBar
        // Vertical labels take space from the plot.
        : ClassicHeight + names.Max(name => name.Length) * 4;
}
