using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class TrendSection
{
    private const int MaxCharts = 6,
        MaxSentences = 3,
        MaxRowsOnOnePage = 24;
    private const int MaxLines = 5;

    /// <summary>In points. Two lines of charts, the sentences, and the table fit on a printed page.</summary>
    private const double ChartHeight = 190;

    public static ReportSection? Build(IReadOnlyList<HistoryTrend> trends)
    {
        if (trends.Count == 0)
            return null;
        var blocks = new List<SectionBlock> { new TextBlock(DescribeTrends(trends), CellStyle.Lead) };
        foreach (
            var trend in trends
                .Where(t => t.Direction is TrendDirection.Better or TrendDirection.Worse)
                .OrderByDescending(t => t.Direction == TrendDirection.Worse)
                .Take(MaxSentences)
        )
            blocks.Add(new TextBlock(trend.Summary));
        // The metrics of a workload are adjacent, and workloads that became worse are first.
        var charts = trends
            .GroupBy(t => (t.Workload, t.IOPattern))
            .OrderByDescending(workload => workload.Any(t => t.Direction == TrendDirection.Worse))
            .SelectMany(workload => workload.GroupBy(t => t.Metric).Select(metric => CreateChart([.. metric])))
            .ToList();
        blocks.Add(new ChartsBlock([.. charts.Take(MaxCharts)]) { ChartsPerLine = charts.Count > 4 ? 3 : 2 });
        blocks.Add(CreateTable(trends));
        blocks.Add(
            new TextBlock(
                "IoBench reports a trend as better or worse if a step or a slope fits the values far more closely than a constant value does. The change of the metric must also be at least 5%. The risk of a false alarm is at most 2%, even if successive values are correlated. If a test has several repeats in one run, IoBench uses only the median of these repeats. IoBench does not extrapolate.",
                CellStyle.Small
            )
        );
        return new("Trend", "Trend: change over time", blocks) { FitsOnePage = trends.Count <= MaxRowsOnOnePage };
    }

    public static ChartSpec CreateMainChart(IReadOnlyList<HistoryTrend> trends)
    {
        var worst = trends.Where(t => t.Direction == TrendDirection.Worse).MaxBy(t => Math.Abs(t.ChangePercent ?? 0)) ?? trends[0];
        return CreateChart([.. trends.Where(t => (t.Workload, t.IOPattern, t.Metric) == (worst.Workload, worst.IOPattern, worst.Metric))]);
    }

    /// <summary>Returns the largest change for the worse, or else for the better; null if no metric changed.</summary>
    public static HistoryTrend? FindMainChange(IReadOnlyList<HistoryTrend> trends) =>
        trends
            .Where(trend => trend.Direction is TrendDirection.Worse or TrendDirection.Better)
            .OrderByDescending(trend => trend.Direction == TrendDirection.Worse)
            .ThenByDescending(trend => Math.Abs(trend.ChangePercent ?? 0))
            .FirstOrDefault();

    public static string DescribeTrends(IReadOnlyList<HistoryTrend> trends)
    {
        int Count(TrendDirection direction) => trends.Count(t => t.Direction == direction);
        // Both the first and the last day count.
        var days = NumberFormat.Pluralize((trends.Max(t => t.Last.Date) - trends.Min(t => t.First.Date)).Days + 1, "day");
        var parts = new[]
        {
            (TrendDirection.Worse, "worse"),
            (TrendDirection.Better, "better"),
            (TrendDirection.Steady, "steady"),
            (TrendDirection.TooFew, "inconclusive (too few runs)"),
        }
            .Where(p => Count(p.Item1) > 0)
            .Select(p => Invariant($"{Count(p.Item1)} {p.Item2}"))
            .ToList();
        if (parts.Count == 1)
        {
            var subject = trends.Count == 1 ? $"The only trend over {days} is" : Invariant($"All {trends.Count} trends over {days} are");
            return $"{subject} {parts[0].Split(' ', 2)[1]}.";
        }
        return Invariant($"{trends.Count} trends over {days}: {string.Join(", ", parts)}.");
    }

    private static List<DateTime> GetDays(IEnumerable<HistoryTrend> trends) =>
        [.. trends.SelectMany(t => t.Points.Select(p => p.Time.Date)).Distinct().Order()];

    private static ChartSpec CreateChart(List<HistoryTrend> trends)
    {
        var days = GetDays(trends);
        var first = trends[0];
        var metric = MetricCatalog.Get(first.Metric);
        var series = new List<ChartSeries>();
        foreach (var (trend, index) in trends.Take(MaxLines).Select((t, i) => (t, i)))
        {
            var byDay = trend.Points.GroupBy(p => p.Time.Date).ToDictionary(g => g.Key, g => g.Average(p => p.Value));
            var name = DescribeLocation(trends, trend);
            series.Add(
                new(
                    name,
                    [.. days.Select(day => byDay.TryGetValue(day, out var value) ? value : (double?)null)],
                    Palette.GetLineStyle(index)
                )
            );
            if (trend.Direction is TrendDirection.Better or TrendDirection.Worse)
                series.Add(
                    new(
                        $"{name}, trend",
                        [
                            .. days.Select(day =>
                                day < trend.First.Date || day > trend.Last.Date
                                    ? null
                                    : trend.GetLineAt(new(day + trend.First.TimeOfDay, trend.First.Offset))
                            ),
                        ],
                        Palette.GetLineStyle(index) with
                        {
                            Marker = MarkerShape.None,
                            Dash = LineDash.Dash,
                        }
                    )
                );
        }
        // A small chart has no space for the year, so it is shown only if the days span several years.
        var isOneYear = days[0].Year == days[^1].Year;
        return new(
            ChartKind.Lines,
            $"{first.Workload ?? first.IOPattern}: {metric.Words}",
            isOneYear ? $"Day of {FormatDay(days[0], "yyyy")}" : "Day",
            metric.Unit
        )
        {
            Categories = [.. days.Select(day => FormatDay(day, isOneYear ? "MM-dd" : "yyyy-MM-dd"))],
            Series = series,
            ShowsLegend = true,
            Height = ChartHeight,
        };
    }

    private static string FormatDay(DateTime day, string format) => day.ToString(format, CultureInfo.InvariantCulture);

    // Name the computer and the path only if they distinguish the lines.
    private static string DescribeLocation(List<HistoryTrend> all, HistoryTrend trend)
    {
        var parts = new List<string?>();
        if (all.Select(t => t.ComputerName).Distinct().Count() > 1 || trend.Path is null)
            parts.Add(trend.ComputerName);
        if (all.Where(t => t.ComputerName == trend.ComputerName).Select(t => t.Path).Distinct().Count() > 1 || parts.Count == 0)
            parts.Add(trend.Path);
        var name = string.Join(' ', parts.OfType<string>());
        return name.Length == 0 ? "runs" : RunDescription.ShortenMiddle(name, 30);
    }

    private static CellStyle GetStyle(HistoryTrend trend) =>
        MetricCatalog.Get(trend.Metric).IsLatency ? CellStyle.Milliseconds : CellStyle.Rate;

    private static TableBlock CreateTable(IReadOnlyList<HistoryTrend> trends) =>
        TableBlock.FromItems(
            "Trend",
            trends,
            [
                (new("Workload", false, 30), trend => CellValue.Create(trend.Workload ?? trend.IOPattern)),
                (new("Computer", false, 20), trend => CellValue.Create(trend.ComputerName)),
                (new("Path", false, 40), trend => CellValue.Create(trend.Path)),
                (new("Metric", false, 26), trend => CellValue.Create(MetricCatalog.Get(trend.Metric).Words)),
                (new("Runs"), trend => CellValue.Create(trend.Runs, CellStyle.Integer)),
                (new("First", false, 20, 17), trend => CellValue.Create(trend.First)),
                (new("Last", false, 20, 17), trend => CellValue.Create(trend.Last)),
                (new("Median"), trend => CellValue.Create(trend.Median, GetStyle(trend))),
                (new("Latest"), trend => CellValue.Create(trend.Latest, GetStyle(trend))),
                (new("Change in 30 days"), trend => CellValue.Create(trend.PercentPerMonth / 100, CellStyle.Change)),
                (new("95% from"), trend => CellValue.Create(trend.PercentPerMonthLow / 100, CellStyle.Change)),
                (new("95% to"), trend => CellValue.Create(trend.PercentPerMonthHigh / 100, CellStyle.Change)),
                (
                    new("Total change"),
                    trend =>
                        CellValue.Create(
                            trend.ChangePercent / 100,
                            trend.Direction switch
                            {
                                TrendDirection.Better => CellStyle.ChangeBetter,
                                TrendDirection.Worse => CellStyle.ChangeWorse,
                                _ => CellStyle.Change,
                            }
                        )
                ),
                (
                    new("Since", false, 14, 12, IsCentered: true),
                    trend => CellValue.Create(trend.Step?.Time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture))
                ),
                (
                    new("Trend", false, 16, 14, IsCentered: true),
                    trend =>
                        trend.Direction switch
                        {
                            TrendDirection.Better => CellValue.Create("▲ better", CellStyle.Pass),
                            TrendDirection.Worse => CellValue.Create("▼ worse", CellStyle.Fail),
                            TrendDirection.Steady => CellValue.Create("= steady", CellStyle.Neutral),
                            _ => CellValue.Create("too few runs", CellStyle.Neutral),
                        }
                ),
            ]
        ) with
        {
            WrapsHeader = true,
        };
}
