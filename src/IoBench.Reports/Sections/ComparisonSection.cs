using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class ComparisonSection
{
    private const int MaxPatternsInChart = 40;

    public static ReportSection? Build(ReportContext context)
    {
        if (context.Sides.Baseline is not { } baseline)
            return null;
        var comparisons = context.Sides.Comparisons;
        var blocks = new List<SectionBlock>();
        foreach (var comparison in comparisons)
            blocks.Add(new TextBlock(DescribeComparison(comparison), CellStyle.Lead));
        blocks.Add(
            new TextBlock(
                "The verdict is based on IOPS and p99 latency. For tests with a target rate, response time replaces IOPS. IoBench estimates the spread of the runs from all patterns together. The risk of one or more false alarms is 1%. Without repeats, a change gets a verdict only if it is at least 30%. The comparison must also contain at least five tests, each of at least 10 seconds, and no test that waited for a CPU. With repeats, IoBench ignores changes below 5%."
            )
        );
        foreach (var sentence in comparisons.SelectMany(comparison => comparison.Sentences).Take(12))
            blocks.Add(new TextBlock(sentence));
        foreach (var warning in comparisons.SelectMany(comparison => comparison.Warnings).Distinct().Take(6))
            blocks.Add(new TextBlock("Warning: " + warning + "."));

        List<ChartSpec?> charts =
        [
            CreateChangeChart(comparisons, "IOPS", "IOPS", row => row.IopsChangePercent),
            CreateChangeChart(comparisons, "p99 latency", "P99Ms", row => row.P99ChangePercent),
        ];
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        for (var index = 0; index < comparisons.Count; index++)
        {
            blocks.Add(new TextBlock($"{comparisons[index].Label} compared with {comparisons[index].BaselineLabel}", CellStyle.Heading));
            blocks.Add(CreateTable(comparisons[index], index));
            foreach (var unmatched in comparisons[index].Unmatched.Take(20))
                blocks.Add(new TextBlock("Not compared: " + unmatched + ".", CellStyle.Small));
        }
        return new("Comparison", $"Comparison with {baseline.Name}", blocks);
    }

    public static string DescribeComparison(ComparisonResult comparison)
    {
        // The enum has the order of the sentence.
        var parts = comparison
            .Rows.GroupBy(row => row.Verdict)
            .OrderBy(group => group.Key)
            .Select(group => Invariant($"{group.Count()} {VerdictWords.Describe(group.Key)}"));
        return $"{comparison.Label} compared with {comparison.BaselineLabel}: {string.Join(", ", parts)}.";
    }

    public static CellValue CreateVerdictCell(ComparisonVerdict verdict) =>
        verdict switch
        {
            ComparisonVerdict.Better => CellValue.Create("▲ " + VerdictWords.Describe(verdict), CellStyle.Pass),
            ComparisonVerdict.Worse => CellValue.Create("▼ " + VerdictWords.Describe(verdict), CellStyle.Fail),
            ComparisonVerdict.NoDetectableChange => CellValue.Create("= " + VerdictWords.Describe(verdict), CellStyle.Neutral),
            _ => CellValue.Create(VerdictWords.Describe(verdict), CellStyle.Neutral),
        };

    /// <summary>Changes in percent, one group of bars per pattern; null if no pattern has the value on both sides.</summary>
    public static ChartSpec? CreateChangeChart(
        IReadOnlyList<ComparisonResult> comparisons,
        string figure,
        string property,
        Func<ComparisonRow, double?> change
    )
    {
        var names = comparisons
            .SelectMany(comparison => GetNamedRows(comparison).Select(item => item.Name))
            .Distinct()
            .Take(MaxPatternsInChart)
            .Reverse()
            .ToList();
        var series = comparisons
            .Select(
                (comparison, index) =>
                {
                    var rows = GetNamedRows(comparison).ToDictionary(item => item.Name, item => item.Row);
                    return new ChartSeries(
                        comparison.Label!,
                        [.. names.Select(name => rows.TryGetValue(name, out var row) ? change(row) : null)],
                        Palette.GetBarStyle(index)
                    )
                    {
                        PointColors =
                            comparisons.Count > 1
                                ? null
                                :
                                [
                                    .. names.Select(name =>
                                        GetColor(rows[name].Metrics.FirstOrDefault(metric => metric.Metric == property)?.Verdict)
                                    ),
                                ],
                    };
                }
            )
            .ToList();
        if (series.All(item => item.Values.All(value => value is null)))
            return null;
        return new(ChartKind.Bars, $"Change in {figure} compared with {comparisons[0].BaselineLabel} (%)", "Pattern", "Change (%)")
        {
            Categories = names,
            Series = series,
            ShowsChange = true,
            ShowsLegend = comparisons.Count > 1,
            ShowsValues = comparisons.Count == 1 && names.Count <= 15,
            Height = Math.Max(320, 90 + names.Count * (6 + 11 * comparisons.Count)),
        };
    }

    private static string GetColor(ComparisonVerdict? verdict) =>
        verdict switch
        {
            ComparisonVerdict.Better => Palette.GetLineStyle(0).Color,
            ComparisonVerdict.Worse => Palette.GetLineStyle(3).Color,
            _ => "9AA5B1",
        };

    private static IEnumerable<(string Name, ComparisonRow Row)> GetNamedRows(ComparisonResult comparison)
    {
        var used = new HashSet<string>(StringComparer.Ordinal);
        foreach (var row in comparison.Rows)
        {
            var name = RunDescription.ShortenMiddle(row.Workload ?? row.IOPattern ?? "run", 34);
            var load = Invariant($"{name} {row.ThreadCount}x{row.OutstandingIO}");
            var size = row.FileSizeMB is { } megabytes ? $"{load} {NumberFormat.Size(megabytes)}" : load;
            foreach (var candidate in new[] { name, load, size })
            {
                if (!used.Add(candidate))
                    continue;
                yield return (candidate, row);
                break;
            }
        }
    }

    private static TableBlock CreateTable(ComparisonResult comparison, int number) =>
        TableBlock.FromItems<ComparisonRow>(
            Invariant($"Comparison{number + 1}"),
            comparison.Rows,
            [
                (
                    new("Pattern", false, 46),
                    row => CellValue.Create(row.Workload is null ? row.IOPattern : $"{row.Workload}: {row.IOPattern}")
                ),
                (new("Threads x outstanding", false, 22), row => CellValue.Create(Invariant($"{row.ThreadCount} x {row.OutstandingIO}"))),
                .. CreateMetricColumns("IOPS", CellStyle.Integer, "IOPS"),
                .. CreateMetricColumns(ThroughputDisplay.Unit, CellStyle.Rate, "BandwidthMBps"),
                .. CreateMetricColumns("Average (ms)", CellStyle.Milliseconds, "AverageLatencyMs", "LittlesLawLatencyMs"),
                .. CreateMetricColumns("p99 (ms)", CellStyle.Milliseconds, "P99Ms"),
                (new("Verdict", false, 24, 22, IsCentered: true), row => CreateVerdictCell(row.Verdict)),
            ],
            keepsEmptyColumns: true
        ) with
        {
            WrapsHeader = true,
        };

    private static IEnumerable<(TableColumn, Func<ComparisonRow, CellValue>)> CreateMetricColumns(
        string figure,
        CellStyle style,
        params string[] names
    )
    {
        ComparedMetric? Find(ComparisonRow row) => row.Metrics.FirstOrDefault(item => names.Contains(item.Metric));
        double? Shown(double? value) => names[0] == "BandwidthMBps" ? ThroughputDisplay.ToUnit(value) : value;
        yield return (new($"{figure} before"), row => CellValue.Create(Shown(Find(row)?.Baseline.Mean), style));
        yield return (new($"{figure} now"), row => CellValue.Create(Shown(Find(row)?.Current.Mean), style));
        yield return (
            new($"{figure} change"),
            row =>
                CellValue.Create(
                    Find(row)?.ChangePercent / 100,
                    Find(row)?.Verdict switch
                    {
                        ComparisonVerdict.Better => CellStyle.ChangeBetter,
                        ComparisonVerdict.Worse => CellStyle.ChangeWorse,
                        _ => CellStyle.Change,
                    }
                )
        );
    }
}
