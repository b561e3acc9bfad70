using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>Equal runs: their median, spread and 95 % confidence interval, and whether rounds became steady.</summary>
internal static class RepeatsSection
{
    private const int MaxLines = 10;

    private static readonly (string Metric, string Words, CellStyle Style)[] s_metrics =
        [("IOPS", "IOPS", CellStyle.Whole), ("BandwidthMBps", "MB/s", CellStyle.OneDecimal), ("AverageLatencyMs", "Average latency (ms)", CellStyle.ThreeDecimals), ("P99Ms", "p99 (ms)", CellStyle.ThreeDecimals)];

    /// <summary>The section; null when nothing was repeated.</summary>
    public static Section? Build(ReportContext context)
    {
        var repeated = RepeatSummary.Of(context.Results).Where(r => r.Runs > 1 || r.Rounds > 1).ToList();
        // Nights of a history are no repeats of one another: they carry no number.
        if (repeated.Count == 0 || !context.Results.Any(r => r.Repeat > 1))
            return null;
        var names = Names(repeated);
        var blocks = new List<Block> { new TextBlock("The median of equal runs, the least and the greatest, and where their mean lies with 95 % confidence (Student's t).") };
        foreach (var (summary, name) in repeated.Zip(names).Where(r => r.First.Rounds is not null))
            blocks.Add(new TextBlock($"{name}: {Rounds(summary)}"));
        if (Chart(context, repeated, names) is { } chart)
            blocks.Add(new ChartsBlock([chart]));
        var rows = repeated.Zip(names).SelectMany(r => s_metrics.Where(m => r.First.Metrics.ContainsKey(m.Metric)).Select(m => (Summary: r.First, Name: r.Second, Metric: m))).ToList();
        blocks.Add(new TableBlock("Repeats",
            [
                new("Test", false, 46), new("Runs"), new("Metric", false, 24, 20), new("Median"), new("Least"), new("Greatest"), new("95 % from"), new("95 % to"), new("Variation (%)"),
            ], rows.Count, (index, cells) =>
            {
                var (summary, name, metric) = rows[index];
                var figures = summary.Metrics[metric.Metric];
                cells[0] = CellValue.Of(name);
                cells[1] = CellValue.Of(figures.Count, CellStyle.Whole);
                cells[2] = CellValue.Of(metric.Words);
                cells[3] = CellValue.Of(figures.Median, metric.Style);
                cells[4] = CellValue.Of(figures.Minimum, metric.Style);
                cells[5] = CellValue.Of(figures.Maximum, metric.Style);
                cells[6] = CellValue.Of(figures.ConfidenceLow, metric.Style);
                cells[7] = CellValue.Of(figures.ConfidenceHigh, metric.Style);
                cells[8] = CellValue.Of(figures.Variation * 100, CellStyle.OneDecimal);
            }));
        return new("Repeats", "Repeats: median, spread and confidence", blocks);
    }

    private static string Rounds(RepeatSummary summary) => summary.State is not { } state
        ? string.Create(CultureInfo.InvariantCulture, $"{summary.Rounds} rounds, too few to tell whether it is steady.")
        : string.Create(CultureInfo.InvariantCulture, $"{(state.IsSteady ? "steady after" : "never steady in")} {summary.Rounds} rounds (over the last five the range of IOPS is {state.RangePercent:0.#} %, limit 20 %, and the slope {state.SlopePercent:0.#} %, limit 10 %); the last five are the measurement.");

    private static string[] Names(List<RepeatSummary> repeated)
    {
        string Plain(RepeatSummary r) => string.Join(' ', new[] { r.Workload ?? r.IOPattern, r.Label }.OfType<string>());
        string Load(RepeatSummary r) => string.Create(CultureInfo.InvariantCulture, $"{Plain(r)} {r.ThreadCount}x{r.OutstandingIO}");
        var plain = repeated.ConvertAll(Plain);
        var load = repeated.ConvertAll(Load);
        return [.. repeated.Select((r, i) => plain.Count(n => n == plain[i]) == 1 ? plain[i] : load.Count(n => n == load[i]) == 1 ? load[i] : string.Create(CultureInfo.InvariantCulture, $"{load[i]} ({i + 1})"))];
    }

    // In percent of each test's own median: tests of unlike rates share an axis.
    private static ChartSpec? Chart(ReportContext context, List<RepeatSummary> repeated, string[] names)
    {
        var series = new List<ChartSeries>();
        var numbers = context.Results.Where(r => r.Repeat is not null && r.IOPS is not null).Select(r => r.Repeat!.Value).Distinct().Order().ToList();
        foreach (var (summary, index) in repeated.Take(MaxLines).Select((s, i) => (s, i)))
        {
            var runs = summary.Results.Where(r => r.Repeat is not null && r.IOPS is not null).GroupBy(r => r.Repeat!.Value).ToDictionary(g => g.Key, g => g.First().IOPS!.Value);
            if (runs.Count > 1 && summary.IOPS is > 0 and var median)
                series.Add(new(names[index], [.. numbers.Select(n => runs.TryGetValue(n, out var iops) ? iops / median * 100 : (double?)null)], Palette.Nth(index)));
        }
        return series.Count == 0 ? null : new(ChartKind.Lines, "IOPS from run to run, in % of the median", "Run", "IOPS (% of the median)")
        {
            Categories = [.. numbers.Select(n => n.ToString(CultureInfo.InvariantCulture))], Series = series, ShowLegend = true, Height = 320,
        };
    }
}
