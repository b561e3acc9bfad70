using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>One page for the people who run the storage. They need not know IoBench.</summary>
internal static class LatencySourceSection
{
    private const string UtcFormat = "yyyy-MM-dd HH:mm:ss.ffffff";

    public static string GetTitle(LatencySourceResult result) =>
        result.Path is { } path ? $"Where the latency of {path} comes from" : "Where the latency comes from";

    public static IReadOnlyList<ReportSection> Build(LatencySourceResult result)
    {
        List<SectionBlock> blocks =
        [
            new TextBlock(result.Summary, CellStyle.Lead),
            new TextBlock(
                "SQL Server reads and writes its files unbuffered, and waits for each log write until it is on stable storage. This test did the same with one I/O at a time, so that no I/O waited for another I/O of the test."
            ),
            CreateTable(
                "Tested",
                "What was tested",
                "Value",
                [
                    ("Time (UTC)", $"{FormatUtc(result.StartUtc)[..19]} to {FormatUtc(result.EndUtc)[..19]}"),
                    ("Host", result.ComputerName),
                    ("File", result.Path),
                    .. result.Results.Select(run => (run.Operation == IoOperation.Write ? "Writes" : "Reads", (string?)DescribeTest(run))),
                    ("Storage, from the top", string.Join(" > ", result.Levels)),
                ]
            ),
            new TextBlock("Layers", CellStyle.Heading),
            new TextBlock(
                "Average time of an I/O in each layer. The times add up to the average latency. Device times are from operating system counters. The last layer includes everything below it: hypervisor, network, and array."
            ),
            TableBlock.FromItems("Layers", result.Layers, s_layerColumns, isFilterable: false),
            new TextBlock("Percentiles", CellStyle.Heading),
            TableBlock.FromItems("Percentiles", [.. result.Results], s_percentileColumns, isFilterable: false),
            new TextBlock("The slowest I/Os", CellStyle.Heading),
            new TextBlock(
                "Times are in UTC, from the clock of the host. Look for these times in the logs of the array, the switch, or the hypervisor."
            ),
            TableBlock.FromItems("SlowestIOs", result.SlowestIOs, s_slowestColumns, isFilterable: false),
        ];
        if (CreateHeatMap(result) is { } heat)
            blocks.AddRange([new TextBlock("Heat map", CellStyle.Heading), .. heat]);
        blocks.AddRange([
            new TextBlock("Other tests of the same file", CellStyle.Heading),
            TableBlock.FromItems("Steps", result.Steps, s_stepColumns, isFilterable: false),
            CreateTable("Host", "What the host reported", "Value", [.. result.Facts.Select(fact => (fact.Key, (string?)fact.Value))]),
            .. result.Omissions.Select(omission => new TextBlock(omission)),
            new TextBlock($"Measured with IoBench {IoTestResult.OwnVersion}. The report contains no serial numbers.", CellStyle.Small),
        ]);
        return [new ReportSection("Latency", GetTitle(result), blocks) { FitsOnePage = true }];
    }

    private static readonly (TableColumn, Func<LatencyLayer, CellValue>)[] s_layerColumns =
    [
        (new("I/O", false, 8), layer => CellValue.Create(layer.Operation.ToString())),
        (new("Layer", false, 60, 30), layer => CellValue.Create(layer.Layer, layer.IsNamed ? CellStyle.Strong : CellStyle.Wrapped)),
        (new("Average (ms)"), layer => CellValue.Create(layer.Milliseconds, CellStyle.ThreeDecimals)),
        (new("Share (%)"), layer => CellValue.Create(layer.Percent, CellStyle.OneDecimal)),
        (new("Note", false, 60), layer => CellValue.Create(layer.Note, CellStyle.Wrapped)),
    ];

    private static readonly (TableColumn, Func<IoTestResult, CellValue>)[] s_percentileColumns =
    [
        (new("I/O", false, 8), run => CellValue.Create(run.Operation?.ToString())),
        (new("I/Os"), run => CellValue.Create(run.IOCount, CellStyle.Integer)),
        (new("IOPS"), run => CellValue.Create(run.IOPS, CellStyle.Integer)),
        (new("Average (ms)"), run => CellValue.Create(run.AverageLatencyMs, CellStyle.Milliseconds)),
        (new("p50 (ms)"), run => CellValue.Create(run.P50Ms, CellStyle.Milliseconds)),
        (new("p90 (ms)"), run => CellValue.Create(run.P90Ms, CellStyle.Milliseconds)),
        (new("p95 (ms)"), run => CellValue.Create(run.P95Ms, CellStyle.Milliseconds)),
        (new("p99 (ms)"), run => CellValue.Create(run.P99Ms, CellStyle.Milliseconds)),
        (new("p99.9 (ms)"), run => CellValue.Create(run.P999Ms, CellStyle.Milliseconds)),
        (new("Maximum (ms)"), run => CellValue.Create(run.MaxLatencyMs, CellStyle.Milliseconds)),
    ];

    private static readonly (TableColumn, Func<SlowRequest, CellValue>)[] s_slowestColumns =
    [
        (new("Start (UTC)", false, 28, 27), io => CellValue.Create(FormatUtc(io.StartUtc))),
        (new("End (UTC)", false, 28, 27), io => CellValue.Create(FormatUtc(io.EndUtc))),
        (new("Latency (ms)"), io => CellValue.Create(io.LatencyMs, CellStyle.Milliseconds)),
        (new("I/O", false, 8), io => CellValue.Create(io.Kind.ToString())),
        (new("Offset in the file (bytes)"), io => CellValue.Create(io.Offset, CellStyle.Integer)),
        (new("Size (bytes)"), io => CellValue.Create(io.Size, CellStyle.Integer)),
    ];

    private static readonly (TableColumn, Func<LatencyStep, CellValue>)[] s_stepColumns =
    [
        (new("Test", false, 32), step => CellValue.Create(step.Description)),
        (new("Average (ms)"), step => CellValue.Create(step.AverageMs, CellStyle.ThreeDecimals)),
        (new("p50 (ms)"), step => CellValue.Create(step.P50Ms, CellStyle.ThreeDecimals)),
        (new("p99 (ms)"), step => CellValue.Create(step.P99Ms, CellStyle.ThreeDecimals)),
        (new("Maximum (ms)"), step => CellValue.Create(step.MaxMs, CellStyle.Milliseconds)),
        (new("IOPS"), step => CellValue.Create(step.Iops, CellStyle.Integer)),
    ];

    private static string FormatUtc(DateTimeOffset time) => time.UtcDateTime.ToString(UtcFormat, CultureInfo.InvariantCulture);

    private static string DescribeTest(IoTestResult run) =>
        Invariant(
            $"{(run.Operation == IoOperation.Write ? "sequential write-through writes" : "random unbuffered reads")} of {run.BlockSizeKB:0.#} KB, one at a time, for {run.DurationSeconds:0.#} s: {run.IOCount:#,##0} I/Os"
        );

    private static TableBlock CreateTable(string name, string heading, string value, IEnumerable<(string Name, string? Value)> rows) =>
        TableBlock.FromRows(
            name,
            [new(heading, false, 50, 30), new(value, false, 90, 50)],
            [
                .. rows.Where(row => row.Value is not null)
                    .Select(row => (CellValue[])[CellValue.Create(row.Name), CellValue.Create(row.Value, CellStyle.Wrapped)]),
            ],
            isFilterable: false
        );

    private static IEnumerable<SectionBlock>? CreateHeatMap(LatencySourceResult result) =>
        result.Results.Count == 0 ? null : HeatMapSection.Build(ReportContext.Create(result.Results, new ReportOptions()))?.Blocks;
}
