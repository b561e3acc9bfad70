using System.Globalization;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Reports;

/// <summary>
/// One row per run, or for many runs one row per test, and bars of throughput, IOPS, and latency, grouped by block size. The nine columns
/// of the classic sheet have their original headers. SQLIO's results use the classic sheet itself.
/// </summary>
internal static class ResultsSection
{
    private const int MaxBars = 60,
        LabelledBars = 30;

    /// <summary>Charts below a longer table are hard to find, so they are on its right.</summary>
    private const int ShortTable = 40;

    /// <summary>With more rows and bars, one page is illegible.</summary>
    private const int RowsOnOnePage = 20;
    private const double ChartHeight = 300,
        PointsPerBar = 17,
        OtherRoom = 110;

    private sealed record Column(TableColumn Head, Func<RunGroup, CellValue> Cell, bool IsAlways = false);

    public static Section Build(ReportContext context)
    {
        if (context.Options.Classic || context.Results.All(run => run.Source == SqlioFormat.Source))
            return ClassicResults.Build(context);
        var groups = context.Groups;
        var columns = Columns(groups, context.Results.Select(RunText.Host).Distinct().Take(2).Count() > 1)
            .Where(column => column.IsAlways || groups.Rows.Any(row => column.Cell(row).Kind != CellKind.Empty))
            .ToList();
        var table = new TableBlock(
            "Results",
            columns.ConvertAll(column => column.Head),
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
            Chart(context, "Bandwidth", $"Bandwidth ({Throughput.Unit})", run => Throughput.In(run.BandwidthMBps)),
            Chart(context, "IOPs", "I/Os per second", run => run.IOPS),
            Chart(context, "Average Latency", "Average latency (ms)", run => ShownLatency.Of(run).AverageMs),
        ];
        var blocks = new List<Block> { table };
        if (groups.AreMerged)
            blocks.Add(
                new TextBlock(
                    string.Create(
                        CultureInfo.InvariantCulture,
                        $"{context.Results.Count:#,##0} runs of {groups.Rows.Count:#,##0} tests: each row has the median of its runs, thin lines reach from the lowest to the highest. Every single run is in Details."
                    )
                )
            );
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        var isShort = groups.Rows.Count <= ShortTable;
        return new("Results", context.Title, blocks)
        {
            FreezeHeader = true,
            OnePage = groups.Rows.Count <= RowsOnOnePage,
            Placement = isShort ? ChartPlacement.Inline : ChartPlacement.RightOfTable,
        };
    }

    private static CellStyle StyleOf(RunGroups groups, Func<IoTestResult, double?> rate) =>
        groups.Rows.All(row => row.Median(rate) is null or >= 100) ? CellStyle.Whole : CellStyle.Rate;

    private static string? PatternOf(IoTestResult run) =>
        RunText.Pattern(run)
        + (
            ShownLatency.Of(run).IsResponse
                ? run.HasMissedRate()
                    ? " (response, rate missed)"
                    : " (response)"
                : ""
        );

    private static IEnumerable<Column> Columns(RunGroups groups, bool severalHosts)
    {
        var merged = groups.AreMerged;
        var (bandwidth, iops) = (StyleOf(groups, run => Throughput.In(run.BandwidthMBps)), StyleOf(groups, run => run.IOPS));
        if (severalHosts)
            yield return Text("Host", RunText.Host, 24);
        yield return Text("Workload", run => run.Workload, 30);
        yield return Text("Role", run => run.WorkloadRole, 30);
        yield return Text("Label", run => run.Label, 24);
        yield return Text("IO Pattern", PatternOf, 40) with
        {
            IsAlways = true,
        };
        yield return Whole("Threadcount", run => run.ThreadCount);
        yield return Whole("Outstanding IO", run => run.OutstandingIO);
        yield return Text("Testfile Path", run => run.Path, 40) with
        {
            IsAlways = true,
        };
        yield return Text("Datafile size", RunText.ClassicFileSize, 20) with
        {
            IsAlways = true,
        };
        yield return new(
            new("Duration"),
            row =>
                row.Median(run => run.DurationSeconds) is var seconds
                    ? CellValue.Of(seconds, seconds % 1 == 0 ? CellStyle.Whole : CellStyle.OneDecimal)
                    : default,
            true
        );
        if (merged)
            yield return new(new("Runs"), row => CellValue.Of(row.Runs.Count, CellStyle.Whole), true);
        yield return new(new("Bandwidth(MB/s)"), row => CellValue.Of(row.Median(run => Throughput.In(run.BandwidthMBps)), bandwidth), true);
        yield return new(new("IOPs"), row => CellValue.Of(row.Median(run => run.IOPS), iops), true);
        if (merged)
        {
            yield return new(new("Lowest IOPs"), row => CellValue.Of(row.Range(run => run.IOPS)?.Low, CellStyle.Whole));
            yield return new(new("Highest IOPs"), row => CellValue.Of(row.Range(run => run.IOPS)?.High, CellStyle.Whole));
        }
        yield return new(
            new("Average latency(ms)"),
            row => RunText.LatencyCell(row.First, row.Median(run => ShownLatency.Of(run).AverageMs)),
            true
        );
        yield return new(new("p99 latency(ms)"), row => RunText.LatencyCell(row.First, row.Median(run => ShownLatency.Of(run).P99Ms)));
        yield return new(new("Longest(ms)"), row => RunText.LatencyCell(row.First, row.Highest(run => ShownLatency.Of(run).MaxMs)));
    }

    private static Column Text(string header, Func<IoTestResult, string?> value, double width) =>
        new(new(header, false, width), row => CellValue.Of(value(row.First) is { Length: > 0 } text ? text : null));

    private static Column Whole(string header, Func<IoTestResult, int?> value) =>
        new(new(header), row => CellValue.Of(value(row.First), CellStyle.Whole), true);

    /// <returns>Bars, the smallest blocks on top; null if no run has the value.</returns>
    private static ChartSpec? Chart(ReportContext context, string title, string valueTitle, Func<IoTestResult, double?> value)
    {
        var known = context
            .Groups.Rows.Select(row => (Row: row, Value: row.Median(value)))
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
        var tests = known.Select(item => TestOf(item.Row.First)).Distinct().ToList();
        known =
        [
            .. known
                .OrderBy(item => item.Row.First.BlockSizeKB ?? double.MaxValue)
                .ThenBy(item => tests.IndexOf(TestOf(item.Row.First)))
                .Reverse(),
        ];
        var colours = known.ConvertAll(item => context.Palette.ColourOf(RunText.Pattern(item.Row.First)));
        return new(ChartKind.Bars, title, "Block size and test", valueTitle)
        {
            Categories = known.ConvertAll(item => item.Row.Name),
            Groups =
                known.Select(item => item.Row.First.BlockSizeKB).Distinct().Count() > 1
                    ? known.ConvertAll(item => BlockSize(item.Row.First))
                    : null,
            Series =
            [
                new(valueTitle, known.ConvertAll(item => item.Value), new(colours[0]))
                {
                    PointColours = colours,
                    Intervals = context.Groups.AreMerged ? known.ConvertAll(item => item.Row.Range(value)) : null,
                },
            ],
            // Labels would overlap the lines of the ranges. The table above has the values.
            ShowValues = known.Count <= LabelledBars && !context.Groups.AreMerged,
            Height = Math.Max(ChartHeight, OtherRoom + known.Count * PointsPerBar),
        };
    }

    private static (string?, string, int?, int?) TestOf(IoTestResult run) =>
        (run.Workload, RunText.Pattern(run), run.ThreadCount, run.OutstandingIO);

    private static string BlockSize(IoTestResult run) => run.BlockSizeKB is { } kilobytes ? Figures.Size(kilobytes / 1024) : "several";
}
