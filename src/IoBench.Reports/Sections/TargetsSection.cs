using IoBench.Engine;

namespace IoBench.Reports;

internal static class TargetsSection
{
    private const int MaxBars = 40;
    private const double PointsPerBar = 22;

    private sealed record Row(IoTestResult Run, string RunName, IoTargetResult Target);

    public static Section? Build(ReportContext context)
    {
        var rows = context
            .Results.Where(run => run.HasSeveralTargets())
            .SelectMany(run => run.Targets.Select(target => new Row(run, context.NameOf(run), target)))
            .Where(row => row.Target.Total.IOPS is not null)
            .ToList();
        if (rows.Count < 2)
            return null;
        var blocks = new List<Block>();
        if (rows.Count <= MaxBars)
            blocks.Add(
                new ChartsBlock([
                    .. new[]
                    {
                        Chart(rows, "IOPS by target", "I/Os per second", total => total.IOPS),
                        Chart(rows, "Bandwidth by target", $"Bandwidth ({Throughput.Unit})", total => Throughput.In(total.MBps)),
                    }.Where(chart => chart.Series[0].Values.Any(value => value is not null)),
                ])
            );
        blocks.Add(
            ColumnSet.Table<Row>(
                "Targets",
                rows,
                [
                    (new("Run", false, 46), row => CellValue.Of(row.RunName)),
                    (new("Target", false, 60), row => CellValue.Of(row.Target.Path)),
                    (new("Role", false, 20), row => CellValue.Of(row.Target.Role)),
                    (new("Pattern", false, 46), row => CellValue.Of(row.Target.IOPattern)),
                    (new("File (MiB)"), row => CellValue.Of(row.Target.FileSizeMB)),
                    (new("IOPS"), row => CellValue.Of(row.Target.Total.IOPS, CellStyle.Rate)),
                    (
                        new("Share of the run (%)"),
                        row => CellValue.Of(row.Run.IOPS > 0 ? row.Target.Total.IOPS / row.Run.IOPS * 100 : null, CellStyle.OneDecimal)
                    ),
                    (new(Throughput.Unit), row => CellValue.Of(Throughput.In(row.Target.Total.MBps), CellStyle.Rate)),
                    (new("Read IOPS"), row => CellValue.Of(row.Target.Read.IOPS, CellStyle.Rate)),
                    (new("Write IOPS"), row => CellValue.Of(row.Target.Write.IOPS, CellStyle.Rate)),
                    (new("Average latency (ms)"), row => RunText.LatencyCell(row.Run, row.Target.Total.AverageLatencyMs)),
                    (new("Longest (ms)"), row => RunText.LatencyCell(row.Run, row.Target.Total.MaxLatencyMs)),
                ]
            ) with
            {
                WrapsHeader = true,
            }
        );
        return new("Targets", "Targets: what each file did", blocks);
    }

    private static string NameOf(Row row) =>
        row.Run.Targets.Count(other => other.Path == row.Target.Path) < 2
            ? row.Target.Path
            : string.Join(" ", new[] { row.Target.Path, row.Target.IOPattern ?? row.Target.Role }.OfType<string>());

    private static ChartSpec Chart(List<Row> rows, string title, string valueTitle, Func<IoTotals, double?> value)
    {
        // Bars run from bottom to top; the first target must be on top.
        var shown = rows.AsEnumerable().Reverse().ToList();
        var oneRun = rows.TrueForAll(row => ReferenceEquals(row.Run, rows[0].Run));
        return new(ChartKind.Bars, title, "Target", valueTitle)
        {
            Categories = shown.ConvertAll(row => RunText.Shorten(oneRun ? NameOf(row) : $"{row.RunName} {NameOf(row)}", 44)),
            Series = [new(valueTitle, shown.ConvertAll(row => value(row.Target.Total)), Palette.Nth(0))],
            ShowValues = true,
            Height = Math.Max(200, 100 + rows.Count * PointsPerBar),
        };
    }
}
