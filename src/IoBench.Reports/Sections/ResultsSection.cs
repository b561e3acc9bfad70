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
            return ClassicResultsSection.Build(context);
        var groups = context.Groups;
        var severalHosts = context.Results.Select(RunDescription.GetHost).Distinct().Take(2).Count() > 1;
        var table = TableBlock.FromItems("Results", groups.Rows, [.. CreateColumns(groups, severalHosts)]) with { WrapsHeader = true };
        ChartSpec?[] charts =
        [
            CreateChart(context, "Bandwidth", $"Bandwidth ({ThroughputDisplay.Unit})", run => ThroughputDisplay.ToUnit(run.BandwidthMBps)),
            CreateChart(context, "IOPs", "I/Os per second", run => run.IOPS),
            CreateChart(context, "Average Latency", "Average latency (ms)", run => DisplayLatency.FromResult(run).AverageMs),
        ];
        var blocks = new List<SectionBlock> { table };
        if (groups.HasMergedRuns)
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"{context.Results.Count:#,##0} runs of {groups.Rows.Count:#,##0} tests. Each row shows the median of the runs of a test, and thin lines show their range. The sheet Details contains every run."
                    )
                )
            );
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        return new("Results", context.Title, blocks)
        {
            FreezesHeader = true,
            FitsOnePage = groups.Rows.Count <= MaxRowsOnOnePage,
            HasChartsOnRight = groups.Rows.Count > MaxRowsAboveCharts,
        };
    }

    private static CellStyle GetRateStyle(RunGroups groups, Func<IoTestResult, double?> rate) =>
        groups.Rows.All(row => row.GetMedian(rate) is null or >= 100) ? CellStyle.Integer : CellStyle.Rate;

    private static string DescribePattern(IoTestResult run)
    {
        var pattern = RunDescription.DescribePattern(run);
        if (!DisplayLatency.FromResult(run).IsResponse)
            return pattern;
        return pattern + (run.HasMissedRate() ? " (response time, rate not reached)" : " (response time)");
    }

    private static IEnumerable<(TableColumn, Func<RunGroup, CellValue>)> CreateColumns(RunGroups groups, bool severalHosts)
    {
        var merged = groups.HasMergedRuns;
        var bandwidth = GetRateStyle(groups, run => ThroughputDisplay.ToUnit(run.BandwidthMBps));
        var iops = GetRateStyle(groups, run => run.IOPS);
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
            .Groups.Rows.Select(row => (Row: row, Value: row.GetMedian(value)))
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
                    Intervals = context.Groups.HasMergedRuns ? known.ConvertAll(item => item.Row.GetRange(value)) : null,
                },
            ],
            // Labels would overlap the lines of the ranges. The table above has the values.
            ShowsValues = known.Count <= MaxLabeledBars && !context.Groups.HasMergedRuns,
            Height = Math.Max(ChartHeight, ChartMargin + known.Count * PointsPerBar),
        };
    }

    private static (string?, string, int?, int?) GetTestKey(IoTestResult run) =>
        (run.Workload, RunDescription.DescribePattern(run), run.ThreadCount, run.OutstandingIO);

    private static string FormatBlockSize(IoTestResult run) =>
        run.BlockSizeKB is { } kilobytes ? NumberFormat.Size(kilobytes / 1024) : "several";
}
