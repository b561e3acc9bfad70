using IoBench.Engine;

namespace IoBench.Reports;

internal static class TargetsSection
{
    private const int MaxBars = 40;
    private const double PointsPerBar = 22;

    public static ReportSection? Build(ReportContext context)
    {
        var rows = context
            .Results.Where(run => run.HasSeveralTargets())
            .SelectMany(run => run.Targets.Select(target => (Run: run, RunName: context.GetName(run), Target: target)))
            .Where(row => row.Target.Total.IOPS is not null)
            .ToList();
        if (rows.Count < 2)
            return null;
        var blocks = new List<SectionBlock>();
        if (rows.Count <= MaxBars)
            blocks.Add(
                new ChartsBlock([
                    .. new[]
                    {
                        CreateChart(rows, "IOPS by target", "I/Os per second", total => total.IOPS),
                        CreateChart(
                            rows,
                            "Bandwidth by target",
                            $"Bandwidth ({ThroughputDisplay.Unit})",
                            total => ThroughputDisplay.ToUnit(total.MBps)
                        ),
                    }.Where(chart => chart.Series[0].Values.Any(value => value is not null)),
                ])
            );
        blocks.Add(
            TableBlock.FromItems<(IoTestResult Run, string RunName, IoTargetResult Target)>(
                "Targets",
                rows,
                [
                    (new("Run", false, 46), row => CellValue.Create(row.RunName)),
                    (new("Target", false, 60), row => CellValue.Create(row.Target.Path)),
                    (new("Role", false, 20), row => CellValue.Create(row.Target.Role)),
                    (new("Pattern", false, 46), row => CellValue.Create(row.Target.IOPattern)),
                    (new("File (MiB)"), row => CellValue.Create(row.Target.FileSizeMB)),
                    (new("IOPS"), row => CellValue.Create(row.Target.Total.IOPS, CellStyle.Rate)),
                    (
                        new("Share of the run (%)"),
                        row => CellValue.Create(row.Run.IOPS > 0 ? row.Target.Total.IOPS / row.Run.IOPS * 100 : null, CellStyle.OneDecimal)
                    ),
                    (new(ThroughputDisplay.Unit), row => CellValue.Create(ThroughputDisplay.ToUnit(row.Target.Total.MBps), CellStyle.Rate)),
                    (new("Read IOPS"), row => CellValue.Create(row.Target.Read.IOPS, CellStyle.Rate)),
                    (new("Write IOPS"), row => CellValue.Create(row.Target.Write.IOPS, CellStyle.Rate)),
                    (new("Average latency (ms)"), row => RunDescription.CreateLatencyCell(row.Run, row.Target.Total.AverageLatencyMs)),
                    (new("Longest (ms)"), row => RunDescription.CreateLatencyCell(row.Run, row.Target.Total.MaxLatencyMs)),
                ]
            ) with
            {
                WrapsHeader = true,
            }
        );
        return new("Targets", "Targets: results by file", blocks);
    }

    private static string GetName((IoTestResult Run, string RunName, IoTargetResult Target) row) =>
        row.Run.Targets.Count(other => other.Path == row.Target.Path) < 2
            ? row.Target.Path
            : string.Join(" ", new[] { row.Target.Path, row.Target.IOPattern ?? row.Target.Role }.OfType<string>());

    private static ChartSpec CreateChart(
        List<(IoTestResult Run, string RunName, IoTargetResult Target)> rows,
        string title,
        string valueTitle,
        Func<IoTotals, double?> value
    )
    {
        // Bars run from bottom to top; the first target must be on top.
        var shown = rows.AsEnumerable().Reverse().ToList();
        var oneRun = rows.TrueForAll(row => ReferenceEquals(row.Run, rows[0].Run));
        return new(ChartKind.Bars, title, "Target", valueTitle)
        {
            Categories = shown.ConvertAll(row => RunDescription.ShortenMiddle(oneRun ? GetName(row) : $"{row.RunName} {GetName(row)}", 44)),
            Series = [new(valueTitle, shown.ConvertAll(row => value(row.Target.Total)), Palette.GetLineStyle(0))],
            ShowsValues = true,
            Height = Math.Max(200, 100 + rows.Count * PointsPerBar),
        };
    }
}
