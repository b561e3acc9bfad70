using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class RepeatsSection
{
    private const int MaxTests = 20,
        MaxDots = 20,
        MaxRowsOnOnePage = 60;

    private static (string Metric, string Words, CellStyle Style)[] Metrics =>
        [
            ("IOPS", "IOPS", CellStyle.Integer),
            ("BandwidthMBps", ThroughputDisplay.Unit, CellStyle.OneDecimal),
            ("AverageLatencyMs", "Average latency (ms)", CellStyle.Milliseconds),
            ("P99Ms", "p99 (ms)", CellStyle.Milliseconds),
        ];

    public static ReportSection? Build(ReportContext context)
    {
        // The runs of a history have no repeat number, because they are not repeats of one another.
        if (!context.Results.Any(r => r.Repeat > 1))
            return null;
        var repeated = RepeatSummary.Summarize(context.Results).Where(r => r.Runs > 1 || r.Rounds > 1).ToList();
        if (repeated.Count == 0)
            return null;
        var names = CreateNames(repeated);
        var blocks = new List<SectionBlock>
        {
            new TextBlock(
                "Each row shows one metric of one test. It contains the mean, the lowest, and the highest value of the runs, and the 95% confidence interval of the mean (Student's t)."
            ),
        };
        foreach (var (summary, name) in repeated.Zip(names).Where(r => r.First.Rounds is not null))
            blocks.Add(new TextBlock($"{name}: {FormatRounds(summary)}"));
        ChartSpec?[] charts = [CreateDotChart(repeated, names), CreateRoundsChart(repeated, names)];
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        var rows = repeated
            .Zip(names)
            .SelectMany(r =>
                Metrics.Where(m => r.First.Metrics.ContainsKey(m.Metric)).Select(m => (Summary: r.First, Name: r.Second, Metric: m))
            )
            .ToList();
        blocks.Add(
            new TableBlock(
                "Repeats",
                [
                    new("Test", false, 46),
                    new("Runs"),
                    new("Metric", false, 24, 20),
                    new("Mean"),
                    new("Lowest"),
                    new("Highest"),
                    new("95% from"),
                    new("95% to"),
                    new("Variation (%)"),
                ],
                rows.Count,
                (index, cells) =>
                {
                    var (summary, name, metric) = rows[index];
                    var figures = summary.Metrics[metric.Metric];
                    cells[0] = CellValue.Create(name);
                    cells[1] = CellValue.Create(figures.Count, CellStyle.Integer);
                    cells[2] = CellValue.Create(metric.Words);
                    double?[] columns = [figures.Mean, figures.Min, figures.Max, figures.ConfidenceLow, figures.ConfidenceHigh];
                    for (var column = 0; column < columns.Length; column++)
                        cells[3 + column] = CellValue.Create(
                            metric.Metric == "BandwidthMBps" ? ThroughputDisplay.ToUnit(columns[column]) : columns[column],
                            metric.Style
                        );
                    cells[8] = CellValue.Create(figures.Variation * 100, CellStyle.OneDecimal);
                }
            )
        );
        return new("Repeats", "Repeats: mean, spread, and confidence interval", blocks) { FitsOnePage = rows.Count <= MaxRowsOnOnePage };
    }

    public static ChartSpec? CreateMainChart(ReportContext context)
    {
        var rounds = GetRounds(context);
        return rounds.Count == 0 ? null : CreateRoundsChart(rounds, CreateNames(rounds));
    }

    public static IEnumerable<string> GetAdvice(ReportContext context) =>
        GetRounds(context)
            .Where(rounds => rounds.IsSteady == false)
            .SelectMany(rounds => rounds.Findings)
            .Select(finding =>
                $"{finding.Subject} did not reach a steady state (see Repeats): {char.ToLowerInvariant(finding.WhatToDo![0])}{finding.WhatToDo[1..]}."
            );

    public static IEnumerable<string> DescribeNeverSteady(ReportContext context) =>
        GetRounds(context)
            .Where(rounds => rounds.IsSteady == false)
            .Select(rounds => Invariant($"{rounds.Workload ?? rounds.IOPattern} did not reach a steady state in {rounds.Rounds} rounds."));

    internal static List<RepeatSummary> GetRounds(ReportContext context) =>
        context.Results.Any(run => run.GetStoredSpecification()?.SteadyStateRounds is not null)
            ? [.. RepeatSummary.Summarize(context.Results).Where(summary => summary.Rounds > 1)]
            : [];

    private static string FormatRounds(RepeatSummary summary) =>
        summary.State is not { } state
            ? Invariant($"{summary.Rounds} rounds are not enough to determine a steady state.")
            : Invariant(
                $"{(state.IsSteady ? "steady after" : "not steady in")} {summary.Rounds} rounds {SteadyState.DescribeCriterion(summary.Results)}. In the last five rounds, the range of IOPS is {state.RangePercent:0.#}% of the average (limit 20%), and the slope is {state.SlopePercent:0.#}% (limit 10%). The results are based on the last five rounds."
            );

    private static string[] CreateNames(List<RepeatSummary> repeated)
    {
        string Plain(RepeatSummary r) => string.Join(' ', new[] { r.Workload ?? r.IOPattern, r.Label }.OfType<string>());
        string Load(RepeatSummary r) => Invariant($"{Plain(r)} {r.ThreadCount}x{r.OutstandingIO}");
        var plain = repeated.ConvertAll(Plain);
        var load = repeated.ConvertAll(Load);
        return
        [
            .. repeated.Select(
                (r, i) =>
                    plain.Count(n => n == plain[i]) == 1 ? plain[i]
                    : load.Count(n => n == load[i]) == 1 ? load[i]
                    : Invariant($"{load[i]} ({i + 1})")
            ),
        ];
    }

    /// <summary>In percent of each test's mean, so that tests with different rates share an axis.</summary>
    private static ChartSpec? CreateDotChart(List<RepeatSummary> repeated, string[] names)
    {
        var shown = repeated.Zip(names).Where(item => item.First is { Rounds: null, IOPS: > 0 }).Take(MaxTests).ToList();
        if (shown.Count == 0)
            return null;
        var runs = shown.ConvertAll(item => item.First.Results.Select(run => run.IOPS / item.First.IOPS!.Value * 100).ToList());
        var series = new List<ChartSeries>
        {
            new(
                "mean with 95% confidence interval",
                shown.ConvertAll(item => GetPercentOfMedian(item.First, figures => figures.Mean)),
                new(Palette.TextColor, MarkerShape.Dash)
            )
            {
                Intervals = shown.ConvertAll(item =>
                    GetPercentOfMedian(item.First, figures => figures.ConfidenceLow) is { } low
                    && GetPercentOfMedian(item.First, figures => figures.ConfidenceHigh) is { } high
                        ? (low, high)
                        : ((double, double)?)null
                ),
            },
        };
        for (var number = 0; number < Math.Min(runs.Max(list => list.Count), MaxDots); number++)
            series.Add(
                new("a run", runs.ConvertAll(list => number < list.Count ? list[number] : null), new("56B4E9", MarkerShape.Circle))
                {
                    IsHiddenInLegend = number > 0,
                }
            );
        return new(ChartKind.Dots, "IOPS of each run, as a percentage of the mean", "Test", "IOPS (% of the mean)")
        {
            Categories = shown.ConvertAll(item => item.Second),
            Series = series,
            ShowsLegend = true,
            HasFreeAxis = true,
            Height = 320,
        };
    }

    private static double? GetPercentOfMedian(RepeatSummary summary, Func<SampleSummary, double?> figure) =>
        figure(summary.Metrics["IOPS"]) / summary.IOPS * 100;

    /// <summary>Rounds are in order of time, so a line shows whether they become steady.</summary>
    private static ChartSpec? CreateRoundsChart(List<RepeatSummary> repeated, string[] names)
    {
        var rounds = repeated.Zip(names).Where(item => item.First.Rounds > 1).Take(MaxTests).ToList();
        if (rounds.Count == 0)
            return null;
        var numbers = Enumerable.Range(0, rounds.Max(item => item.First.Results.Count)).ToList();
        return new(ChartKind.Lines, "IOPS by round", "Round", "I/Os per second")
        {
            Categories = numbers.ConvertAll(number => NumberFormat.Integer(number + 1)),
            Series =
            [
                .. rounds.Select(
                    (item, index) =>
                        new ChartSeries(
                            item.Second,
                            numbers.ConvertAll(number => number < item.First.Results.Count ? item.First.Results[number].IOPS : null),
                            Palette.GetLineStyle(index)
                        )
                ),
            ],
            ShowsLegend = true,
            Height = 320,
        };
    }
}
