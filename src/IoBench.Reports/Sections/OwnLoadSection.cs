using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class OwnLoadSection
{
    public static Section? Build(IReadOnlyList<ObservedLatency> loads)
    {
        if (loads.Count == 0)
            return null;
        var blocks = new List<Block>();
        blocks.AddRange(loads.Select((load, index) => new TextBlock(load.Summary, index == 0 ? CellStyle.Lead : CellStyle.Text)));
        blocks.Add(Table(loads));
        if (Chart(loads) is { } chart)
            blocks.Add(new ChartsBlock([chart]));
        blocks.AddRange(Files(loads));
        blocks.Add(
            new TextBlock(
                "SQL Server saw: the average of sys.dm_io_virtual_file_stats between two snapshots. This storage gives: the average response time of the same sizes and mix at the same rate, from each I/O's intended start on.",
                CellStyle.Small
            )
        );
        return new("OwnLoad", "Own load: what SQL Server saw and what this storage gives", blocks);
    }

    private static IEnumerable<Block> Files(IReadOnlyList<ObservedLatency> loads)
    {
        var rows = loads
            .SelectMany(load => load.Files.Select(file => new FileRow(load.Workload ?? load.IOPattern, file)))
            .DistinctBy(row => (row.Load, row.File.File))
            .ToList();
        if (rows.Count == 0)
            yield break;
        yield return new TextBlock("What SQL Server did to each file", CellStyle.Heading);
        yield return ColumnSet.Table("OwnLoadFiles", rows, s_files) with
        {
            WrapsHeader = true,
        };
        if (loads.Any(load => load.Files.Count == FileStatsWorkload.MaxFiles))
            yield return new TextBlock($"Of each load the {FileStatsWorkload.MaxFiles} busiest files.", CellStyle.Small);
    }

    private sealed record FileRow(string? Load, IoObservedFile File);

    private static readonly (TableColumn, Func<FileRow, CellValue>)[] s_files =
    [
        (new("Load", false, 24, 16), row => CellValue.Of(row.Load, CellStyle.Strong)),
        (new("File", false, 50), row => CellValue.Of(row.File.File)),
        (new("IOPS"), row => CellValue.Of(row.File.IOPS, row.File.IOPS < 10 ? CellStyle.TwoDecimals : CellStyle.Whole)),
        (new("KB per I/O"), row => CellValue.Of(row.File.BlockSizeKB, CellStyle.OneDecimal)),
        (new("SQL Server saw (ms)"), row => CellValue.Of(row.File.LatencyMs, CellStyle.Milliseconds)),
        (new("In flight on average"), row => CellValue.Of(row.File.IOPS * row.File.LatencyMs / 1000, CellStyle.TwoDecimals)),
        (new("IOPS in its busiest window"), row => CellValue.Of(row.File.BusiestIOPS, CellStyle.Whole)),
        (new("SQL Server saw there (ms)"), row => CellValue.Of(row.File.BusiestLatencyMs, CellStyle.Milliseconds)),
    ];

    public static ChartSpec? Chart(IReadOnlyList<ObservedLatency> loads) =>
        LatencyPairChart.Of(
            "Average latency at the server's own rate",
            "Load",
            "SQL Server saw",
            "this storage gives",
            loads.Select(load => (load.Workload ?? load.IOPattern ?? "load", (double?)load.ObservedMs, load.MeasuredMs))
        );

    private static readonly (TableColumn, Func<ObservedLatency, CellValue>)[] s_columns =
    [
        (new("Load", false, 24, 16), load => CellValue.Of(load.Workload, CellStyle.Strong)),
        (new("Pattern", false, 30), load => CellValue.Of(load.IOPattern)),
        (new("Path", false, 40), load => CellValue.Of(load.Path)),
        (new("IOPS asked for"), load => CellValue.Of(load.TargetIops, CellStyle.Whole)),
        (new("IOPS given"), load => CellValue.Of(load.IOPS, CellStyle.Whole)),
        (new("SQL Server saw (ms)"), load => CellValue.Of(load.ObservedMs, CellStyle.Milliseconds)),
        (new("This storage gives (ms)"), load => CellValue.Of(load.MeasuredMs, CellStyle.Milliseconds)),
        (new("Times"), load => CellValue.Of(load.Factor, CellStyle.OneDecimal)),
    ];

    private static TableBlock Table(IReadOnlyList<ObservedLatency> loads) =>
        ColumnSet.Table("OwnLoad", loads, s_columns) with
        {
            WrapsHeader = true,
        };
}
