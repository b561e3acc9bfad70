using IoBench.Engine;

namespace IoBench.Reports;

internal static class SweepSection
{
    private const int MaxLines = 12;
    private const int MaxSentences = 6;

    /// <summary>With more rows below the charts, one page is illegible.</summary>
    private const int MaxRowsOnOnePage = 20;

    /// <summary>In points. Two lines of charts fit on a printed page.</summary>
    private const double ChartHeight = 260;

    public static ReportSection? Build(ReportContext context)
    {
        var sweeps = context.Sweeps;
        if (sweeps.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        for (var number = 0; number < sweeps.Count; number++)
        {
            var sweep = sweeps[number];
            blocks.Add(new TextBlock($"Summary by {Sweep.DescribeParameter(sweep.Parameter)}", CellStyle.Heading));
            foreach (var line in sweep.Lines.Take(MaxSentences))
                blocks.Add(new TextBlock(DescribeLine(sweep, line)));
            if (sweep.Lines.Count > MaxLines)
                blocks.Add(
                    new TextBlock(
                        Invariant($"The charts show the first {MaxLines} of {sweep.Lines.Count} lines. The table contains all of them.")
                    )
                );
            blocks.Add(new ChartsBlock(CreateCharts(context, sweep)));
            blocks.Add(new TextBlock($"Results by {Sweep.DescribeParameter(sweep.Parameter)}", CellStyle.Heading));
            blocks.Add(CreateTable(sweep, number));
        }
        return new("Sweep", "Sweep: the saturation point", blocks)
        {
            FitsOnePage = sweeps.Count == 1 && sweeps[0].Lines.Sum(line => line.Points.Count) <= MaxRowsOnOnePage,
        };
    }

    public static ChartSpec? CreateMainChart(ReportContext context, Sweep sweep) =>
        sweep.Parameter == SweepParameter.BlockSize
            ? CreateChart(
                context,
                sweep,
                "Bandwidth",
                $"Bandwidth ({ThroughputDisplay.Unit})",
                point => ThroughputDisplay.ToUnit(point.MBps),
                marks: true
            )
            : CreateChart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: true);

    public static string DescribeLine(Sweep sweep, SweepLine line)
    {
        var first = line.Points[0];
        var last = line.Points[^1];
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        string Figure(SweepPoint point) =>
            byBlock && point.MBps is { } mbps ? ThroughputDisplay.Format(mbps) : NumberFormat.Rate(point.IOPS ?? 0) + " IOPS";
        string At(SweepPoint point) => Sweep.FormatValue(sweep.Parameter, point.X);
        // A drive at the end of a name has its own colon.
        var name = line.Name.TrimEnd(':');
        if (sweep.Parameter == SweepParameter.FileSize)
        {
            var fell = $"{name}: {Figure(first)} with a file of {At(first)}, {Figure(last)} with {At(last)}";
            return sweep.FindKnee(line) is { } level
                ? $"{fell}. From {At(level)} on, the value changes by less than 10%."
                : $"{fell}. The value still changes at the largest file size.";
        }
        string Load(SweepPoint point) =>
            sweep.Parameter switch
            {
                SweepParameter.Threads => NumberFormat.Pluralize((long)point.X, "thread"),
                SweepParameter.Outstanding => NumberFormat.Pluralize((long)point.X, "outstanding I/O") + " per thread",
                _ => At(point) + " blocks",
            };
        return sweep.FindKnee(line) is { } knee
            ? $"{name}: {Load(knee)} {(!byBlock && knee.X == 1 ? "reaches" : "reach")} {Figure(knee)}{DescribeLatency(knee)}; any further increase adds almost nothing ({At(last)}: {Figure(last)}{DescribeLatency(last)})."
            : $"{name}: throughput still increases at {Load(last)} ({Figure(last)}{DescribeLatency(last)}). Test higher values.";
    }

    private static string DescribeLatency(SweepPoint point) =>
        point.AverageMs is { } latency ? $" at {NumberFormat.Milliseconds(latency)}" : "";

    private static List<ChartSpec> CreateCharts(ReportContext context, Sweep sweep)
    {
        var byBlock = sweep.Parameter == SweepParameter.BlockSize;
        ChartSpec?[] charts =
        [
            CreateChart(context, sweep, "IOPS", "I/Os per second", point => point.IOPS, marks: !byBlock),
            CreateChart(
                context,
                sweep,
                "Bandwidth",
                $"Bandwidth ({ThroughputDisplay.Unit})",
                point => ThroughputDisplay.ToUnit(point.MBps),
                marks: byBlock
            ),
            CreateChart(context, sweep, "Average latency", "Average latency (ms)", point => point.AverageMs, marks: false),
            CreateChart(context, sweep, "p99 latency", "p99 (ms)", point => point.P99Ms, marks: false),
        ];
        return [.. charts.OfType<ChartSpec>()];
    }

    private static ChartSpec? CreateChart(
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
        var byPattern = lines.TrueForAll(line => line.ColorKey is not null);
        var looks = lines
            .Select((line, index) => byPattern ? context.Palette.GetStyle(line.ColorKey!) : Palette.GetLineStyle(index))
            .ToList();
        var series = lines.Select((line, index) => new ChartSeries(line.Name, GetValues(values, line, value, null), looks[index])).ToList();
        if (series.All(item => item.Values.All(figure => figure is null)))
            return null;
        if (marks)
        {
            for (var index = 0; index < lines.Count; index++)
            {
                var line = lines[index];
                if (sweep.FindKnee(line) is { } knee)
                    // The markers of several lines are close together, so their labels are short.
                    series.Add(
                        new(
                            lines.Count == 1 ? DescribeKnee(sweep, knee) : Sweep.FormatValue(sweep.Parameter, knee.X),
                            GetValues(values, line, value, knee),
                            looks[index] with
                            {
                                Marker = MarkerShape.Circle,
                            }
                        )
                        {
                            HasMarkersOnly = true,
                        }
                    );
            }
        }
        return new(
            ChartKind.Lines,
            $"{title} by {Sweep.DescribeParameter(sweep.Parameter)}",
            CapitalizeFirstLetter(Sweep.DescribeParameter(sweep.Parameter)),
            valueTitle
        )
        {
            Categories = [.. values.Select(x => Sweep.FormatValue(sweep.Parameter, x))],
            Series = series,
            ShowsLegend = true,
            Height = ChartHeight,
        };
    }

    private static string DescribeKnee(Sweep sweep, SweepPoint knee) =>
        (sweep.Parameter == SweepParameter.FileSize ? "constant from " : "saturation point ") + Sweep.FormatValue(sweep.Parameter, knee.X);

    private static List<double?> GetValues(
        IReadOnlyList<double> values,
        SweepLine line,
        Func<SweepPoint, double?> value,
        SweepPoint? only
    ) =>
        [
            .. values.Select(x =>
                line.Points.FirstOrDefault(point => point.X == x && (only is null || ReferenceEquals(point, only))) is { } point
                    ? value(point)
                    : null
            ),
        ];

    private static TableBlock CreateTable(Sweep sweep, int number)
    {
        var knees = sweep.Lines.Select(sweep.FindKnee).OfType<SweepPoint>().ToHashSet(ReferenceEqualityComparer.Instance);
        (TableColumn, Func<(SweepLine Line, SweepPoint Point), CellValue>)[] columns =
        [
            (new("Pattern", false, 46), row => CellValue.Create(row.Line.Name)),
            (
                new(CapitalizeFirstLetter(Sweep.DescribeParameter(sweep.Parameter)), false, 24),
                row => CellValue.Create(Sweep.FormatValue(sweep.Parameter, row.Point.X))
            ),
            (new("IOPS"), row => CellValue.Create(row.Point.IOPS, CellStyle.Rate)),
            (new(ThroughputDisplay.Unit), row => CellValue.Create(ThroughputDisplay.ToUnit(row.Point.MBps), CellStyle.Rate)),
            (
                new("Average latency (ms)"),
                row =>
                    CellValue.Create(
                        row.Point.AverageMs,
                        row.Line.IsWholeMilliseconds && row.Point.AverageMs % 1 == 0 ? CellStyle.Integer : CellStyle.Milliseconds
                    )
            ),
            (new("p99 (ms)"), row => CellValue.Create(row.Point.P99Ms, CellStyle.Milliseconds)),
            (
                new("Note", false, 30, 22),
                row => knees.Contains(row.Point) ? CellValue.Create(DescribeKnee(sweep, row.Point), CellStyle.Strong) : CellValue.Empty
            ),
        ];
        return TableBlock.FromItems(
            Invariant($"Sweep{number + 1}"),
            [.. sweep.Lines.SelectMany(line => line.Points.Select(point => (Line: line, Point: point)))],
            columns
        );
    }

    private static string CapitalizeFirstLetter(string words) => char.ToUpperInvariant(words[0]) + words[1..];
}
