using IoBench.Engine;

namespace IoBench.Reports;

internal static class TimelineSection
{
    private const int LineDashCount = (int)LineDash.DashDot + 1;
    private const int MaxRunsInChart = 10;
    private const int MaxPointsInCurve = 720;

    /// <summary>The JSON results have every interval.</summary>
    private const int MaxRows = 100_000;

    private const double MaxLinearRatio = 20;

    public static ReportSection? Build(ReportContext context)
    {
        var runs = context.Results.Where(run => run.HasTimeline() && run.Timeline.Count > 1).ToList();
        if (runs.Count == 0)
            return null;
        var names = runs.ConvertAll(context.GetName);
        var rows = context
            .Rows.Select(row => row with { Runs = [.. row.Runs.Where(run => run.HasTimeline() && run.Timeline.Count > 1)] })
            .Where(row => row.Runs.Count > 0)
            .ToList();
        var shown = context.HasMergedRuns
            ? [.. rows.Select(row => row.Runs.MaxBy(run => run.StartTime) ?? row.First).Take(MaxRunsInChart)]
            : SelectRuns(context, runs);
        var charts = new[]
        {
            CreateChart(context, shown, "IOPS over time", "I/Os per second", point => point.IOPS),
            CreateChart(
                context,
                shown,
                shown.TrueForAll(HasResponseTimes) ? "Average response time over time"
                    : shown.Exists(HasResponseTimes) ? "Average latency over time (open loops: response time)"
                    : "Average latency over time",
                shown.TrueForAll(HasResponseTimes) ? "Average response (ms)" : "Average latency (ms)",
                point => point.GetDisplayAverageMs()
            ),
        };

        var blocks = new List<SectionBlock>();
        if (context.HasMergedRuns)
            blocks.Add(
                new TextBlock($"The charts show the last run of {(rows.Count > shown.Count ? "each of the first tests" : "each test")}.")
            );
        else if (shown.Count < runs.Count)
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"The charts show {shown.Count} of {runs.Count:#,##0} runs: the first tests{(context.Sides.Sides.Count > 1 ? " of each label" : "")}."
                    )
                )
            );
        blocks.Add(new ChartsBlock([.. charts.OfType<ChartSpec>()]));
        blocks.Add(new TextBlock("Steadiness", CellStyle.Heading));
        blocks.Add(CreateSteadinessTable(rows, context.HasMergedRuns));
        var printed = blocks.Count;
        blocks.Add(new TextBlock("Intervals", CellStyle.Heading));
        blocks.Add(CreateIntervalTable(runs, names, blocks));
        // With many runs, the heat maps show the same period in more detail, so this section is not printed.
        return new("Timeline", "Timeline: IOPS and latency over time", blocks)
        {
            PrintedBlockCount = printed,
            IsPrinted = !context.HasMergedRuns || context.HeatMaps.Count == 0,
        };
    }

    /// <summary>The first runs. With several labels, the first tests with all their labels, so that related curves are complete.</summary>
    private static List<IoTestResult> SelectRuns(ReportContext context, List<IoTestResult> runs)
    {
        if (runs.Count <= MaxRunsInChart || context.Sides.Sides.Count < 2)
            return runs.GetRange(0, Math.Min(runs.Count, MaxRunsInChart));
        var shown = new List<IoTestResult>();
        foreach (
            var test in runs.GroupBy(run =>
                (run.Workload, RunDescription.DescribePattern(run), run.ThreadCount, run.OutstandingIO, run.FileSizeMB)
            )
        )
        {
            var wanted = test.GroupBy(run => run.Label).Select(side => side.First()).Take(MaxRunsInChart).ToList();
            if (shown.Count + wanted.Count > MaxRunsInChart)
                break;
            shown.AddRange(wanted);
        }
        return shown;
    }

    private static TableBlock CreateSteadinessTable(List<RunGroup> rows, bool merged)
    {
        List<(TableColumn, Func<RunGroup, CellValue>)> columns =
        [
            (new("Run", false, 46), row => CellValue.Create(row.Name)),
            merged
                ? (new("Runs"), row => CellValue.Create(row.Runs.Count, CellStyle.Integer))
                : (new("Intervals"), row => CellValue.Create(row.First.Timeline.Count, CellStyle.Integer)),
            (new("Lowest IOPS"), row => CellValue.Create(row.GetMin(run => run.Timeline.Min(point => point.IOPS)), CellStyle.Integer)),
            (new(merged ? "Median IOPS" : "Average IOPS"), row => CellValue.Create(row.GetMedian(run => run.IOPS), CellStyle.Integer)),
            (new("Highest IOPS"), row => CellValue.Create(row.GetMax(run => run.Timeline.Max(point => point.IOPS)), CellStyle.Integer)),
            (new("Variation (%)"), row => CellValue.Create(row.GetMedian(GetVariation), CellStyle.OneDecimal)),
        ];
        if (merged)
            columns.Add((new("Highest variation (%)"), row => CellValue.Create(row.GetMax(GetVariation), CellStyle.OneDecimal)));
        columns.Add(
            (
                new("Longest (ms)"),
                row =>
                    CellValue.Create(
                        row.GetMax(run => HasResponseTimes(run) ? run.ResponseMaxMs : run.MaxLatencyMs),
                        CellStyle.Milliseconds
                    )
            )
        );
        return TableBlock.FromItems("Steadiness", rows, columns);
    }

    private static bool HasResponseTimes(IoTestResult run) => run.Timeline.Exists(point => point.Latencies is { IsResponse: true });

    private static double? GetVariation(IoTestResult run) => run.IOPS > 0 ? run.IopsStdDev / run.IOPS * 100 : null;

    private static (TableColumn, Func<(string Name, IoTimelinePoint Point), CellValue>)[] IntervalColumns =>
        [
            (new("Run", false, 46), item => CellValue.Create(item.Name)),
            (new("Second (s)"), item => CellValue.Create(item.Point.Seconds)),
            (new("IOPS"), item => CellValue.Create(item.Point.IOPS, CellStyle.Rate)),
            (new(ThroughputDisplay.Unit), item => CellValue.Create(ThroughputDisplay.ToUnit(item.Point.MBps), CellStyle.Rate)),
            (new("Read IOPS"), item => CellValue.Create(item.Point.ReadIOPS, CellStyle.Rate)),
            (new("Write IOPS"), item => CellValue.Create(item.Point.WriteIOPS, CellStyle.Rate)),
            (new("Average latency (ms)"), item => CellValue.Create(item.Point.GetDisplayAverageMs(), CellStyle.Milliseconds)),
            (new("Longest (ms)"), item => CellValue.Create(item.Point.GetDisplayMaxMs(), CellStyle.Milliseconds)),
            (
                new("Counted from", false, 15),
                item =>
                    CellValue.Create(
                        item.Point.Latencies is null ? null
                        : item.Point.Latencies.IsResponse ? "scheduled start"
                        : "actual start"
                    )
            ),
        ];

    private static TableBlock CreateIntervalTable(List<IoTestResult> runs, List<string> names, List<SectionBlock> blocks)
    {
        var rows = runs.SelectMany((run, index) => run.Timeline.Select(point => (Name: names[index], Point: point))).Take(MaxRows).ToList();
        if (rows.Count == MaxRows)
            blocks.Add(
                new TextBlock(Invariant($"The table shows the first {MaxRows:#,##0} intervals. The JSON results contain all of them."))
            );
        return TableBlock.FromItems("Timeline", rows, IntervalColumns);
    }

    private static ChartSpec? CreateChart(
        ReportContext context,
        List<IoTestResult> runs,
        string title,
        string valueTitle,
        Func<IoTimelinePoint, double?> value
    )
    {
        var firsts = new Dictionary<string, int>(StringComparer.Ordinal);
        // A sweep has many runs of one pattern, so each run has its own color.
        var byPattern = runs.GroupBy(RunDescription.DescribePattern).All(group => group.Count() <= 2);
        var series = new List<ChartSeries>();
        for (var index = 0; index < runs.Count; index++)
        {
            var pattern = RunDescription.DescribePattern(runs[index]);
            // These lines have no markers. Dashes distinguish them in gray printing, and also two runs of one pattern.
            var dash = (byPattern && !firsts.TryAdd(pattern, index) ? firsts[pattern] + 1 : index) % LineDashCount;
            var style = byPattern ? context.Palette.GetStyle(pattern) : Palette.GetLineStyle(index);
            style = style with { Marker = MarkerShape.None, Dash = dash == 0 ? style.Dash : (LineDash)dash };
            var points = ThinPoints(runs[index].Timeline);
            series.Add(
                new(context.GetName(runs[index]), [.. points.Select(value)], style)
                {
                    X = [.. points.Select(point => (double?)point.Seconds)],
                }
            );
        }
        series.RemoveAll(item => item.Values.All(figure => figure is null));
        if (series.Count == 0)
            return null;
        return new ChartSpec(ChartKind.Curves, title, "Seconds from the start of the measurement", valueTitle)
        {
            Series = series,
            ShowsLegend = true,
            Height = 330,
        }.WithLogarithmicAxisBeyond(MaxLinearRatio);
    }

    /// <summary>Every n-th interval, because a chart cannot show more points.</summary>
    private static List<IoTimelinePoint> ThinPoints(List<IoTimelinePoint> points)
    {
        var step = (int)Math.Ceiling(points.Count / (double)MaxPointsInCurve);
        return step <= 1 ? points : [.. points.Where((_, index) => index % step == 0)];
    }

    /// <summary>Rows of a table. The JSON results have all of them.</summary>
    private const int MaxStallRows = 1000;

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoStall Stall), CellValue>)[] s_stallColumns =
    [
        (new("Run", false, 40, 16), row => CellValue.Create(row.Run, CellStyle.Strong)),
        (new("From (s)"), row => CellValue.Create(row.Stall.Seconds, CellStyle.ThreeDecimals)),
        (new("Length (s)"), row => CellValue.Create(row.Stall.LengthSeconds, CellStyle.ThreeDecimals)),
        (
            new("Target", false, 60),
            row => row.Stall.Target is { } target ? CellValue.Create(GetPath(row.Result, target)) : CellValue.Create("all")
        ),
    ];

    private static readonly (TableColumn, Func<(string Run, IoTestResult Result, IoSlowIO IO), CellValue>)[] s_slowestColumns =
    [
        (new("Run", false, 40, 16), row => CellValue.Create(row.Run, CellStyle.Strong)),
        (new("Start (s)"), row => CellValue.Create(row.IO.Seconds, CellStyle.ThreeDecimals)),
        (new("Latency (ms)"), row => CellValue.Create(row.IO.LatencyMs, CellStyle.Milliseconds)),
        (new("Queued before start (ms)"), row => CellValue.Create(row.IO.QueuedMs, CellStyle.Milliseconds)),
        (new("I/O", false, 16), row => CellValue.Create(row.IO.Kind + (row.IO.IsLost == true ? ", not completed" : ""))),
        (new("Offset"), row => CellValue.Create(row.IO.Offset, CellStyle.Integer)),
        (new("Size (bytes)"), row => CellValue.Create(row.IO.Size, CellStyle.Integer)),
        (new("Other outstanding I/Os"), row => CellValue.Create(row.IO.InFlight, CellStyle.Integer)),
        (new("Thread"), row => CellValue.Create(row.IO.Thread, CellStyle.Integer)),
        (new("Target", false, 60), row => CellValue.Create(GetPath(row.Result, row.IO.Target))),
    ];

    public static ReportSection? BuildStalls(ReportContext context)
    {
        var slowest = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.SlowestIOs.Select(io => (context.GetName(run), run, io)))
            .OrderByDescending(row => row.io.LatencyMs)
            .ToList();
        var stalls = context
            .Results.Where(run => run.HasSlowIOs())
            .SelectMany(run => run.Stalls.Select(stall => (context.GetName(run), run, stall)))
            .OrderByDescending(row => row.stall.LengthSeconds)
            .ToList();
        if (slowest.Count + stalls.Count + context.Stalls.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(context.Stalls.Select(stall => new TextBlock(stall.Pattern.Describe(context.GetName(stall.Run)), CellStyle.Lead)));
        if (context.Stalls.Count == 0)
            blocks.Add(new TextBlock("No run had a stall."));
        if (stalls.Count > 0)
        {
            blocks.Add(new TextBlock("Periods in which no I/O completed", CellStyle.Heading));
            blocks.Add(new TextBlock("In these periods, I/Os were outstanding, and none of them completed. The longest period is first."));
            blocks.Add(TableBlock.FromItems("Stalls", [.. stalls.Take(MaxStallRows)], s_stallColumns));
        }
        if (slowest.Count > 0)
        {
            blocks.Add(new TextBlock("Slowest I/Os", CellStyle.Heading));
            blocks.Add(
                new TextBlock(
                    Invariant(
                        $"The table shows up to {IoSlowIO.MaxCount} of the slowest I/Os of each run, in order of latency. Times are relative to the start of the measurement. Latency is measured from the start of the I/O."
                    )
                )
            );
            blocks.Add(TableBlock.FromItems("SlowestIOs", [.. slowest.Take(MaxStallRows)], s_slowestColumns));
        }
        return new("Stalls", "Stalls: periods without completed I/Os, and the slowest I/Os", blocks) { IsPrinted = false };
    }

    private static string GetPath(IoTestResult run, int target) => target < run.Targets.Count ? run.Targets[target].Path : run.Path ?? "";
}
