using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SummarySection
{
    /// <summary>From this size on, the chart shows throughput instead of IOPS.</summary>
    private const double LargeBlockKB = 60;
    private const int MaxBars = 8,
        MinComparedPatterns = 3;
    private const double ChartHeight = 270;

    public static IReadOnlyList<ChartSpec> CreateCharts(ReportContext context)
    {
        // One or two changes say less than the runs side by side.
        if (context.Sides.Comparisons.Any(comparison => comparison.Rows.Count >= MinComparedPatterns))
            return
                ComparisonSection.CreateChangeChart(context.Sides.Comparisons, "IOPS", "IOPS", row => row.IopsChangePercent) is { } change
                ? [LimitHeight(change)]
                : [];
        if (context.Analyses.Trends.Count > 0)
            return [LimitHeight(TrendSection.CreateMainChart(context.Analyses.Trends))];
        if (RolesSection.CreateMainChart(context.Analyses.Roles) is { } roles)
            return [LimitHeight(roles)];
        if (CapturedWorkloadSection.CreateChart(context.Analyses.ObservedLatencies) is { } ownLoads)
            return [LimitHeight(ownLoads)];
        if (RepeatsSection.CreateMainChart(context) is { } rounds)
            return [LimitHeight(rounds)];
        if (context.Sweeps.Count == 1)
            return [LimitHeight(SweepSection.CreateMainChart(context, context.Sweeps[0]))];
        var rows = context.Groups.Rows.Where(row => row.Runs.All(run => run.Status == IoResultStatus.Complete)).ToList();
        ChartSpec?[] charts =
        [
            CreateLatencyLimitChart(context),
            CreateRateChart(
                context,
                rows.FindAll(row => row.First.BlockSizeKB >= LargeBlockKB),
                "Large blocks",
                Throughput.Unit,
                run => Throughput.ToUnit(run.BandwidthMBps)
            ),
            CreateRateChart(
                context,
                rows.FindAll(row => row.First.BlockSizeKB < LargeBlockKB),
                "Small blocks",
                "I/Os per second",
                run => run.IOPS
            ),
        ];
        return [.. charts.OfType<ChartSpec>()];
    }

    private static ChartSpec LimitHeight(ChartSpec chart) =>
        chart with
        {
            Height = chart.Kind == ChartKind.Bars && chart.Categories.Count <= 2 ? 190 : Math.Clamp(chart.Height, ChartHeight, 360),
        };

    /// <summary>Latency of log writes and page reads with the limit of the rule set; null if none was rated.</summary>
    private static ChartSpec? CreateLatencyLimitChart(ReportContext context)
    {
        var bars = new List<(string Name, double Value, double Limit)>();
        foreach (var (words, kind) in new[] { ("commit", IoRuleKind.LogCommit), ("page read", IoRuleKind.PageRead) })
        {
            var runs = context
                .Results.Where(run =>
                    run.Status == IoResultStatus.Complete && RuleEvaluator.IsOfKind(run, kind) && RuleEvaluator.IsLowLoad(run)
                )
                .ToList();
            foreach (
                var (metric, name) in new[]
                {
                    ("AverageLatencyMs", "average"),
                    ("ResponseAverageMs", "average"),
                    ("P99Ms", "p99"),
                    ("ResponseP99Ms", "p99"),
                }
            )
            {
                var limits =
                    runs.Count == 0
                        ? []
                        : RuleEvaluator.Evaluate(runs, context.RuleSet).Where(verdict => verdict.Metric == metric).ToList();
                var values = runs.Select(MetricCatalog.Get(metric).Figure!).OfType<double>().ToList();
                if (limits.Count > 0 && values.Count > 0)
                    bars.Add(($"{words}, {name}", values.Average(), limits.Min(verdict => verdict.Limit)));
            }
        }
        return bars.Count == 0
            ? null
            : new(ChartKind.Columns, "What SQL Server waits for", $"Dashes: limits of rule set {context.RuleSet.Name}", "ms")
            {
                Categories = bars.ConvertAll(bar => bar.Name),
                Series =
                [
                    new("measured", bars.ConvertAll(bar => (double?)bar.Value), Palette.GetBarStyle(0)),
                    new("limit", bars.ConvertAll(bar => (double?)bar.Limit), new(Palette.FailText, MarkerShape.Dash)) { IsLimit = true },
                ],
                ShowsLegend = true,
                ShowsValues = true,
                Height = ChartHeight,
            };
    }

    private static ChartSpec? CreateRateChart(
        ReportContext context,
        List<RunGroup> rows,
        string title,
        string unit,
        Func<IoTestResult, double?> value
    )
    {
        var known = rows.Select(row => (Row: row, Value: row.GetMedian(value))).Where(item => item.Value is > 0).ToList();
        if (known.Count == 0)
            return null;
        if (known.Count > MaxBars)
        {
            title = string.Create(CultureInfo.InvariantCulture, $"{title}: the {MaxBars} fastest of {known.Count:#,##0}");
            known = [.. known.OrderByDescending(item => item.Value).Take(MaxBars)];
        }
        // Bars run from bottom to top; the first must be on top.
        known.Reverse();
        var colours = known.ConvertAll(item => context.Palette.GetColor(RunDescription.DescribePattern(item.Row.First)));
        return new(ChartKind.Bars, title, "Test", unit)
        {
            Categories = known.ConvertAll(item => RunDescription.ShortenMiddle(item.Row.Name, 30)),
            Series = [new(unit, known.ConvertAll(item => item.Value), new(colours[0])) { PointColors = colours }],
            ShowsValues = true,
            Height = ChartHeight,
        };
    }
}
