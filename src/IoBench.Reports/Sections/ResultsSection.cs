using System.Globalization;
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

    private sealed record ResultColumn(TableColumn Header, Func<RunGroup, CellValue> Cell, bool IsRequired = false);

    public static ReportSection Build(ReportContext context)
    {
        if (context.Options.Classic || context.Results.All(run => run.Source == SqlioFormat.Source))
            return ClassicResultsSection.Build(context);
        var groups = context.Groups;
        var columns = CreateColumns(groups, context.Results.Select(RunDescription.GetHost).Distinct().Take(2).Count() > 1)
            .Where(column => column.IsRequired || groups.Rows.Any(row => column.Cell(row).Kind != CellKind.Empty))
            .ToList();
        var table = new TableBlock(
            "Results",
            columns.ConvertAll(column => column.Header),
            groups.Rows.Count,
            (index, cells) =>
            {
                for (var column = 0; column < columns.Count; column++)
                    cells[column] = columns[column].Cell(groups.Rows[index]);
            }
        )
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
        if (groups.HasMergedRuns)
            blocks.Add(
                new TextBlock(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{context.Results.Count:#,##0} runs of {groups.Rows.Count:#,##0} tests. Each row shows the median of the runs of a test, and thin lines show their range. Details contains every run."
                    )
                )
            );
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        var isShort = groups.Rows.Count <= MaxRowsAboveCharts;
        return new("Results", context.Title, blocks)
        {
            FreezesHeader = true,
            FitsOnePage = groups.Rows.Count <= MaxRowsOnOnePage,
            Placement = isShort ? ChartPlacement.Inline : ChartPlacement.RightOfTable,
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

    private static IEnumerable<ResultColumn> CreateColumns(RunGroups groups, bool severalHosts)
    {
        var merged = groups.HasMergedRuns;
        var bandwidth = GetRateStyle(groups, run => ThroughputDisplay.ToUnit(run.BandwidthMBps));
        var iops = GetRateStyle(groups, run => run.IOPS);
        if (severalHosts)
            yield return CreateTextColumn("Host", RunDescription.GetHost, 24);
        yield return CreateTextColumn("Workload", run => run.Workload, 30);
        yield return CreateTextColumn("Role", run => run.WorkloadRole, 30);
        yield return CreateTextColumn("Label", run => run.Label, 24);
        yield return CreateTextColumn("IO Pattern", DescribePattern, 40) with
        {
            IsRequired = true,
        };
        yield return CreateIntegerColumn("Threadcount", run => run.ThreadCount);
        yield return CreateIntegerColumn("Outstanding IO", run => run.OutstandingIO);
        yield return CreateTextColumn("Testfile Path", run => run.Path, 40) with
        {
            IsRequired = true,
        };
        yield return CreateTextColumn("Datafile size", RunDescription.DescribeClassicFileSize, 20) with
        {
            IsRequired = true,
        };
        yield return new(
            new("Duration"),
            row =>
            {
                var seconds = row.GetMedian(run => run.DurationSeconds);
                return CellValue.Create(seconds, seconds % 1 == 0 ? CellStyle.Integer : CellStyle.OneDecimal);
            },
            true
        );
        if (merged)
            yield return new(new("Runs"), row => CellValue.Create(row.Runs.Count, CellStyle.Integer), true);
        yield return new(
            new("Bandwidth(MB/s)"),
            row => CellValue.Create(row.GetMedian(run => ThroughputDisplay.ToUnit(run.BandwidthMBps)), bandwidth),
            true
        );
        yield return new(new("IOPs"), row => CellValue.Create(row.GetMedian(run => run.IOPS), iops), true);
        if (merged)
        {
            yield return new(new("Lowest IOPs"), row => CellValue.Create(row.GetRange(run => run.IOPS)?.Low, CellStyle.Integer));
            yield return new(new("Highest IOPs"), row => CellValue.Create(row.GetRange(run => run.IOPS)?.High, CellStyle.Integer));
        }
        yield return new(
            new("Average latency(ms)"),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMedian(run => DisplayLatency.FromResult(run).AverageMs)),
            true
        );
        yield return new(
            new("p99 latency(ms)"),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMedian(run => DisplayLatency.FromResult(run).P99Ms))
        );
        yield return new(
            new("Longest(ms)"),
            row => RunDescription.CreateLatencyCell(row.First, row.GetMax(run => DisplayLatency.FromResult(run).MaxMs))
        );
    }

    private static ResultColumn CreateTextColumn(string header, Func<IoTestResult, string?> value, double width) =>
        new(new(header, false, width), row => CellValue.Create(value(row.First) is { Length: > 0 } text ? text : null));

    private static ResultColumn CreateIntegerColumn(string header, Func<IoTestResult, int?> value) =>
        new(new(header), row => CellValue.Create(value(row.First), CellStyle.Integer), true);

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
            title = string.Create(CultureInfo.InvariantCulture, $"{title} (the {MaxBars} highest of {known.Count:#,##0})");
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
