using System.Globalization;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>Curves over a parameter, where runs are equal but for it, with the point where they stop gaining.</summary>
internal static class SweepSection
{
    private const int MaxLines = 12;
    private const int MaxSentences = 6;

    /// <summary>The section; null when nothing was swept.</summary>
    public static Section? Build(ReportContext context, IReadOnlyList<Sweep> sweeps)
    {
        if (sweeps.Count == 0)
            return null;
        var blocks = new List<Block>();
        for (var number = 0; number < sweeps.Count; number++)
        {
            var sweep = sweeps[number];
            blocks.Add(new TextBlock($"Over the {Sweep.Words(sweep.Parameter)}", CellStyle.Heading));
            foreach (var line in sweep.Lines.Take(MaxSentences))
                blocks.Add(new TextBlock(Say(sweep, line)));
            if (sweep.Lines.Count > MaxLines)
                blocks.Add(new TextBlock(string.Create(CultureInfo.InvariantCulture, $"The charts show the first {MaxLines} of {sweep.Lines.Count} lines; the table has all.")));
            blocks.Add(new ChartsBlock(Charts(context, sweep)));
            blocks.Add(Table(sweep, number));
        }
        return new("Sweep", "Sweep: where the storage stops gaining", blocks);
    }

    /// <summary>The chart that tells most: MB/s over the block size, else IOPS, with its marks.</summary>
    public static ChartSpec MainChart(ReportContext context, Sweep sweep) => sweep.Parameter == SweepParameter.BlockSize
        ? Chart(context, sweep, "Bandwidth", "Bandwidth (MB/s)", point => point.MBps, marks: true)!
        : Chart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: true)!;

    /// <summary>What a line says, in a sentence.</summary>
    public static string Say(Sweep sweep, SweepLine line)
    {
        var (first, last) = (line.Points[0], line.Points[^1]);
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        string Figure(SweepPoint point) => byBlock && point.MBps is { } mbps ? RunText.Count(mbps) + " MB/s" : RunText.Count(point.IOPS ?? 0) + " IOPS";
        string At(SweepPoint point) => Sweep.Label(sweep.Parameter, point.X);
        if (sweep.Parameter == SweepParameter.FileSize)
        {
            var fell = $"{line.Name}: {Figure(first)} with a file of {At(first)}, {Figure(last)} with {At(last)}";
            return sweep.Knee(line) is { } level ? $"{fell}; from {At(level)} on caches change it by less than a tenth." : $"{fell}; it still changes at the largest size.";
        }
        var unit = sweep.Parameter switch { SweepParameter.Outstanding => " outstanding", SweepParameter.Threads => " threads", _ => " blocks" };
        return sweep.Knee(line) is { } knee
            ? $"{line.Name}: {At(knee)}{unit} reach {Figure(knee)}{Latency(knee)}; {At(last)} give {Figure(last)}{Latency(last)}."
            : $"{line.Name}: still gaining at {At(last)}{unit} ({Figure(last)}{Latency(last)}): sweep further.";
    }

    private static string Latency(SweepPoint point) => point.AverageMs is { } latency ? $" at {RunText.Milliseconds(latency)}" : "";

    private static List<ChartSpec> Charts(ReportContext context, Sweep sweep)
    {
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        ChartSpec?[] charts =
        [
            Chart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: !byBlock),
            Chart(context, sweep, "Bandwidth", "Bandwidth (MB/s)", point => point.MBps, marks: byBlock),
            Chart(context, sweep, "Average latency", "Average latency (ms)", point => point.AverageMs, marks: false),
            Chart(context, sweep, "99th percentile of latency", "p99 (ms)", point => point.P99Ms, marks: false),
        ];
        return [.. charts.OfType<ChartSpec>()];
    }

    private static ChartSpec? Chart(ReportContext context, Sweep sweep, string title, string valueTitle, Func<SweepPoint, double?> value, bool marks)
    {
        var values = sweep.Values;
        var lines = sweep.Lines.Take(MaxLines).ToList();
        var series = lines.ConvertAll(line => new ChartSeries(line.Name, Spread(values, line, value, null), context.Palette.LookOf(line.ColourKey)));
        if (series.All(item => item.Values.All(figure => figure is null)))
            return null;
        if (marks)
        {
            foreach (var line in lines)
            {
                if (sweep.Knee(line) is { } knee)
                    series.Add(new(Mark(sweep, knee), Spread(values, line, value, knee), context.Palette.LookOf(line.ColourKey) with { Marker = MarkerShape.Circle }) { MarksOnly = true });
            }
        }
        return new(ChartKind.Lines, $"{title} by {Sweep.Words(sweep.Parameter)}", Capital(Sweep.Words(sweep.Parameter)), valueTitle)
        {
            Categories = [.. values.Select(x => Sweep.Label(sweep.Parameter, x))],
            Series = series,
            ShowLegend = true,
            Height = 320,
        };
    }

    private static string Mark(Sweep sweep, SweepPoint knee)
        => (sweep.Parameter == SweepParameter.FileSize ? "levels off at " : "stops gaining at ") + Sweep.Label(sweep.Parameter, knee.X);

    private static List<double?> Spread(IReadOnlyList<double> values, SweepLine line, Func<SweepPoint, double?> value, SweepPoint? only)
        => [.. values.Select(x => line.Points.FirstOrDefault(point => point.X == x && (only is null || ReferenceEquals(point, only))) is { } point ? value(point) : null)];

    private static TableBlock Table(Sweep sweep, int number)
    {
        var parameter = Capital(Sweep.Words(sweep.Parameter));
        var rows = sweep.Lines.SelectMany(line => line.Points.Select(point => (line, point))).ToList();
        var knees = sweep.Lines.Select(sweep.Knee).OfType<SweepPoint>().ToHashSet(ReferenceEqualityComparer.Instance);
        return new(string.Create(CultureInfo.InvariantCulture, $"Sweep{number + 1}"),
            [
                new("Pattern", false, 46), new(parameter, false, 24), new("IOPS"), new("MB/s"), new("Average latency (ms)"), new("p99 (ms)"), new("Note", false, 30, 22),
            ],
            rows.Count, (index, cells) =>
            {
                var (line, point) = rows[index];
                cells[0] = CellValue.Of(line.Name);
                cells[1] = CellValue.Of(Sweep.Label(sweep.Parameter, point.X));
                cells[2] = CellValue.Of(point.IOPS, CellStyle.OneDecimal);
                cells[3] = CellValue.Of(point.MBps, CellStyle.TwoDecimals);
                cells[4] = CellValue.Of(point.AverageMs, CellStyle.ThreeDecimals);
                cells[5] = CellValue.Of(point.P99Ms, CellStyle.ThreeDecimals);
                cells[6] = knees.Contains(point) ? CellValue.Of(Mark(sweep, point), CellStyle.Strong) : CellValue.Empty;
            });
    }

    private static string Capital(string words) => char.ToUpperInvariant(words[0]) + words[1..];
}
