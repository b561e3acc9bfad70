using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class ComparisonSection
{
    private const int MaxPatternsInChart = 40;

    public static Section? Build(ReportContext context)
    {
        var (baseline, comparisons) = (context.Sides.Baseline, context.Sides.Comparisons);
        if (baseline is null)
            return null;
        var blocks = new List<Block>();
        foreach (var comparison in comparisons)
            blocks.Add(new TextBlock(Say(comparison), CellStyle.Lead));
        blocks.Add(
            new TextBlock(
                "Judged by IOPS, tests with a given rate by their response time, and by the 99th percentile beyond its own uncertainty. The spread of the runs is taken from all patterns together; 1 % risk of any false alarm. Without repeats a change below 15 % has no verdict, with repeats one below 5 % is noise."
            )
        );
        foreach (var sentence in comparisons.SelectMany(comparison => comparison.Sentences).Take(12))
            blocks.Add(new TextBlock(sentence));
        foreach (var warning in comparisons.SelectMany(comparison => comparison.Warnings).Distinct().Take(6))
            blocks.Add(new TextBlock("Note: " + warning + "."));

        List<ChartSpec?> charts =
        [
            ChangeChart(comparisons, "IOPS", "IOPS", row => row.IopsChangePercent),
            ChangeChart(comparisons, "p99 latency", "P99Ms", row => row.P99ChangePercent),
        ];
        if (charts.OfType<ChartSpec>().ToList() is { Count: > 0 } shown)
            blocks.Add(new ChartsBlock(shown));
        for (var index = 0; index < comparisons.Count; index++)
        {
            blocks.Add(new TextBlock($"{comparisons[index].Label} against {comparisons[index].BaselineLabel}", CellStyle.Heading));
            blocks.Add(Table(comparisons[index], index));
            foreach (var unmatched in comparisons[index].Unmatched.Take(20))
                blocks.Add(new TextBlock("Not compared: " + unmatched + ".", CellStyle.Small));
        }
        return new("Comparison", $"Comparison with {baseline.Name}", blocks);
    }

    public static string Say(ComparisonResult comparison)
    {
        int Count(ComparisonVerdict verdict) => comparison.Rows.Count(row => row.Verdict == verdict);
        List<string> parts = [];
        foreach (
            var (verdict, words) in new[]
            {
                (ComparisonVerdict.Better, "better"),
                (ComparisonVerdict.Worse, "worse"),
                (ComparisonVerdict.Noise, "within the noise"),
                (ComparisonVerdict.NoVerdict, "too close to call"),
            }
        )
        {
            if (Count(verdict) is > 0 and var count)
                parts.Add(string.Create(CultureInfo.InvariantCulture, $"{count} {words}"));
        }
        return $"{comparison.Label} against {comparison.BaselineLabel}: {string.Join(", ", parts)}.";
    }

    public static CellValue Cell(ComparisonVerdict verdict) =>
        verdict switch
        {
            ComparisonVerdict.Better => CellValue.Of("▲ better", CellStyle.Good),
            ComparisonVerdict.Worse => CellValue.Of("▼ worse", CellStyle.Bad),
            ComparisonVerdict.Noise => CellValue.Of("= noise", CellStyle.Neutral),
            _ => CellValue.Of("too close to call", CellStyle.Neutral),
        };

    /// <summary>Changes in percent, one group of bars per pattern; null if no pattern has the value on both sides.</summary>
    public static ChartSpec? ChangeChart(
        IReadOnlyList<ComparisonResult> comparisons,
        string figure,
        string property,
        Func<ComparisonRow, double?> change
    )
    {
        var names = comparisons
            .SelectMany(comparison => Named(comparison).Select(item => item.Name))
            .Distinct()
            .Take(MaxPatternsInChart)
            .Reverse()
            .ToList();
        var series = comparisons
            .Select(
                (comparison, index) =>
                {
                    var rows = Named(comparison).ToDictionary(item => item.Name, item => item.Row);
                    return new ChartSeries(
                        comparison.Label!,
                        [.. names.Select(name => rows.TryGetValue(name, out var row) ? change(row) : null)],
                        Palette.Bar(index)
                    )
                    {
                        PointColours =
                            comparisons.Count > 1
                                ? null
                                :
                                [
                                    .. names.Select(name =>
                                        Colour(rows[name].Metrics.FirstOrDefault(metric => metric.Metric == property)?.Verdict)
                                    ),
                                ],
                    };
                }
            )
            .ToList();
        if (series.All(item => item.Values.All(value => value is null)))
            return null;
        return new(ChartKind.Bars, $"Change of {figure} against {comparisons[0].BaselineLabel} (%)", "Pattern", "Change (%)")
        {
            Categories = names,
            Series = series,
            ShowsChange = true,
            ShowLegend = comparisons.Count > 1,
            ShowValues = comparisons.Count == 1 && names.Count <= 15,
            Height = Math.Max(320, 90 + names.Count * (6 + 11 * comparisons.Count)),
        };
    }

    private static string Colour(ComparisonVerdict? verdict) =>
        verdict switch
        {
            ComparisonVerdict.Better => Palette.Nth(0).Colour,
            ComparisonVerdict.Worse => Palette.Nth(3).Colour,
            _ => "9AA5B1",
        };

    private static IEnumerable<(string Name, ComparisonRow Row)> Named(ComparisonResult comparison)
    {
        var used = new HashSet<string>(StringComparer.Ordinal);
        foreach (var row in comparison.Rows)
        {
            var name = RunText.Shorten(row.Workload ?? row.IOPattern ?? "run", 34);
            var load = string.Create(CultureInfo.InvariantCulture, $"{name} {row.ThreadCount}x{row.OutstandingIO}");
            var size = row.FileSizeMB is { } megabytes ? $"{load} {Figures.Size(megabytes)}" : load;
            foreach (var candidate in new[] { name, load, size })
            {
                if (!used.Add(candidate))
                    continue;
                yield return (candidate, row);
                break;
            }
        }
    }

    private static TableBlock Table(ComparisonResult comparison, int number)
    {
        var columns = new List<TableColumn> { new("Pattern", false, 46), new("Threads x outstanding", false, 22) };
        foreach (var figure in new[] { "IOPS", Throughput.Unit, "Average (ms)", "p99 (ms)" })
        {
            columns.Add(new($"{figure} before"));
            columns.Add(new($"{figure} now"));
            columns.Add(new($"{figure} change"));
        }
        columns.Add(new("Verdict", false, 20, 17, IsCentred: true));
        return new(
            string.Create(CultureInfo.InvariantCulture, $"Comparison{number + 1}"),
            columns,
            comparison.Rows.Count,
            (index, cells) =>
            {
                var row = comparison.Rows[index];
                cells[0] = CellValue.Of(row.Workload is null ? row.IOPattern : $"{row.Workload}: {row.IOPattern}");
                cells[1] = CellValue.Of(string.Create(CultureInfo.InvariantCulture, $"{row.ThreadCount} x {row.OutstandingIO}"));
                Metric(cells, 2, row, CellStyle.Whole, "IOPS");
                Metric(cells, 5, row, CellStyle.Rate, "BandwidthMBps");
                Metric(cells, 8, row, CellStyle.Milliseconds, "AverageLatencyMs", "LittlesLawLatencyMs");
                Metric(cells, 11, row, CellStyle.Milliseconds, "P99Ms");
                cells[14] = Cell(row.Verdict);
            }
        )
        {
            WrapsHeader = true,
        };
    }

    private static void Metric(CellValue[] cells, int column, ComparisonRow row, CellStyle style, params string[] names)
    {
        var metric = row.Metrics.FirstOrDefault(item => names.Contains(item.Metric));
        double? Shown(double? figure) => names[0] == "BandwidthMBps" ? Throughput.In(figure) : figure;
        cells[column] = CellValue.Of(Shown(metric?.Baseline.Mean), style);
        cells[column + 1] = CellValue.Of(Shown(metric?.Current.Mean), style);
        cells[column + 2] = CellValue.Of(
            metric?.ChangePercent / 100,
            metric?.Verdict switch
            {
                ComparisonVerdict.Better => CellStyle.ChangeBetter,
                ComparisonVerdict.Worse => CellStyle.ChangeWorse,
                _ => CellStyle.Change,
            }
        );
    }
}
