using System.Globalization;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SweepSection
{
    private const int MaxLines = 12;
    private const int MaxSentences = 6;

    /// <summary>With more rows below the charts, one page is illegible.</summary>
    private const int RowsOnOnePage = 20;

    /// <summary>In points. Two lines of charts fit on a printed page.</summary>
    private const double ChartHeight = 260;

    public static Section? Build(ReportContext context)
    {
        var sweeps = context.Sweeps;
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
                blocks.Add(
                    new TextBlock(
                        string.Create(
                            CultureInfo.InvariantCulture,
                            $"The charts show the first {MaxLines} of {sweep.Lines.Count} lines; the table has all."
                        )
                    )
                );
            blocks.Add(new ChartsBlock(Charts(context, sweep)));
            blocks.Add(new TextBlock($"Figures over the {Sweep.Words(sweep.Parameter)}", CellStyle.Heading));
            blocks.Add(Table(sweep, number));
        }
        return new("Sweep", "Sweep: where the storage stops gaining", blocks)
        {
            OnePage = sweeps.Count == 1 && sweeps[0].Lines.Sum(line => line.Points.Count) <= RowsOnOnePage,
        };
    }

    public static ChartSpec MainChart(ReportContext context, Sweep sweep) =>
        sweep.Parameter == SweepParameter.BlockSize
            ? Chart(context, sweep, "Bandwidth", $"Bandwidth ({Throughput.Unit})", point => Throughput.In(point.MBps), marks: true)!
            : Chart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: true)!;

    public static string Say(Sweep sweep, SweepLine line)
    {
        var (first, last) = (line.Points[0], line.Points[^1]);
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        string Figure(SweepPoint point) =>
            byBlock && point.MBps is { } mbps ? Throughput.Text(mbps) : Figures.Rate(point.IOPS ?? 0) + " IOPS";
        string At(SweepPoint point) => Sweep.Label(sweep.Parameter, point.X);
        // A drive at the end of a name has its own colon.
        var name = line.Name.TrimEnd(':');
        if (sweep.Parameter == SweepParameter.FileSize)
        {
            var fell = $"{name}: {Figure(first)} with a file of {At(first)}, {Figure(last)} with {At(last)}";
            return sweep.Knee(line) is { } level
                ? $"{fell}; from {At(level)} on caches change it by less than a tenth."
                : $"{fell}; it still changes at the largest size.";
        }
        string Load(SweepPoint point) =>
            sweep.Parameter switch
            {
                SweepParameter.Threads => Figures.Counted((long)point.X, "thread"),
                SweepParameter.Outstanding => At(point) + " outstanding",
                _ => At(point) + " blocks",
            };
        return sweep.Knee(line) is { } knee
            ? $"{name}: {Load(knee)} {(!byBlock && knee.X == 1 ? "reaches" : "reach")} {Figure(knee)}{Latency(knee)}; more gains next to nothing ({At(last)} give {Figure(last)}{Latency(last)})."
            : $"{name}: still gaining at {Load(last)} ({Figure(last)}{Latency(last)}): sweep further.";
    }

    private static string Latency(SweepPoint point) => point.AverageMs is { } latency ? $" at {Figures.Milliseconds(latency)}" : "";

    private static List<ChartSpec> Charts(ReportContext context, Sweep sweep)
    {
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        ChartSpec?[] charts =
        [
            Chart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: !byBlock),
            Chart(context, sweep, "Bandwidth", $"Bandwidth ({Throughput.Unit})", point => Throughput.In(point.MBps), marks: byBlock),
            Chart(context, sweep, "Average latency", "Average latency (ms)", point => point.AverageMs, marks: false),
            Chart(context, sweep, "99th percentile of latency", "p99 (ms)", point => point.P99Ms, marks: false),
        ];
        return [.. charts.OfType<ChartSpec>()];
    }

    private static ChartSpec? Chart(
        ReportContext context,
        Sweep sweep,
        string title,
        string valueTitle,
        Func<SweepPoint, double?> value,
        bool marks
    )
    {
        var values = sweep.Values;
        var lines = sweep.Lines.Take(MaxLines).ToList();
        // If a pattern has several lines, each line has its own color.
        var byPattern = lines.TrueForAll(line => line.ColourKey is not null);
        var looks = lines.Select((line, index) => byPattern ? context.Palette.LookOf(line.ColourKey!) : Palette.Nth(index)).ToList();
        var series = lines.Select((line, index) => new ChartSeries(line.Name, Spread(values, line, value, null), looks[index])).ToList();
        if (series.All(item => item.Values.All(figure => figure is null)))
            return null;
        if (marks)
        {
            for (var index = 0; index < lines.Count; index++)
            {
                var line = lines[index];
                if (sweep.Knee(line) is { } knee)
                    // The markers of several lines are close together, so their labels are short.
                    series.Add(
                        new(
                            lines.Count == 1 ? Mark(sweep, knee) : Sweep.Label(sweep.Parameter, knee.X),
                            Spread(values, line, value, knee),
                            looks[index] with
                            {
                                Marker = MarkerShape.Circle,
                            }
                        )
                        {
                            MarksOnly = true,
                        }
                    );
            }
        }
        return new(ChartKind.Lines, $"{title} by {Sweep.Words(sweep.Parameter)}", Capital(Sweep.Words(sweep.Parameter)), valueTitle)
        {
            Categories = [.. values.Select(x => Sweep.Label(sweep.Parameter, x))],
            Series = series,
            ShowLegend = true,
            Height = ChartHeight,
        };
    }

    private static string Mark(Sweep sweep, SweepPoint knee) =>
        (sweep.Parameter == SweepParameter.FileSize ? "levels off at " : "stops gaining at ") + Sweep.Label(sweep.Parameter, knee.X);

    private static List<double?> Spread(IReadOnlyList<double> values, SweepLine line, Func<SweepPoint, double?> value, SweepPoint? only) =>
        [
            .. values.Select(x =>
                line.Points.FirstOrDefault(point => point.X == x && (only is null || ReferenceEquals(point, only))) is { } point
                    ? value(point)
                    : null
            ),
        ];

    private sealed record Row(SweepLine Line, SweepPoint Point);

    private static TableBlock Table(Sweep sweep, int number)
    {
        var knees = sweep.Lines.Select(sweep.Knee).OfType<SweepPoint>().ToHashSet(ReferenceEqualityComparer.Instance);
        (TableColumn, Func<Row, CellValue>)[] columns =
        [
            (new("Pattern", false, 46), row => CellValue.Of(row.Line.Name)),
            (new(Capital(Sweep.Words(sweep.Parameter)), false, 24), row => CellValue.Of(Sweep.Label(sweep.Parameter, row.Point.X))),
            (new("IOPS"), row => CellValue.Of(row.Point.IOPS, CellStyle.Rate)),
            (new(Throughput.Unit), row => CellValue.Of(Throughput.In(row.Point.MBps), CellStyle.Rate)),
            (
                new("Average latency (ms)"),
                row =>
                    CellValue.Of(
                        row.Point.AverageMs,
                        row.Line.IsWholeMilliseconds && row.Point.AverageMs % 1 == 0 ? CellStyle.Whole : CellStyle.Milliseconds
                    )
            ),
            (new("p99 (ms)"), row => CellValue.Of(row.Point.P99Ms, CellStyle.Milliseconds)),
            (
                new("Note", false, 30, 22),
                row => knees.Contains(row.Point) ? CellValue.Of(Mark(sweep, row.Point), CellStyle.Strong) : CellValue.Empty
            ),
        ];
        return ColumnSet.Table(
            string.Create(CultureInfo.InvariantCulture, $"Sweep{number + 1}"),
            [.. sweep.Lines.SelectMany(line => line.Points.Select(point => new Row(line, point)))],
            columns
        );
    }

    private static string Capital(string words) => char.ToUpperInvariant(words[0]) + words[1..];
}
