using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class CapSection
{
    public static ReportSection? Build(IReadOnlyList<CapResult> caps)
    {
        if (caps.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(caps.Select((cap, index) => new TextBlock(cap.Summary, index == 0 ? CellStyle.Lead : CellStyle.Paragraph)));
        blocks.AddRange(CreateProvisionedBlocks(caps));
        blocks.Add(new TextBlock("Evidence", CellStyle.Heading));
        blocks.Add(
            TableBlock.FromItems("CapRates", [.. caps.SelectMany(cap => cap.Results.Select(run => (cap, run)))], s_rateColumns) with
            {
                WrapsHeader = true,
            }
        );
        blocks.AddRange(caps.SelectMany(cap => cap.Warnings).Distinct().Select(warning => new TextBlock(warning, CellStyle.Paragraph)));
        blocks.Add(
            new TextBlock(
                "IOPS or throughput has reached a limit if it stays constant while latency increases with the load. Equal IOPS at all block sizes indicate an IOPS limit. Equal throughput at all block sizes indicates a throughput limit. A provisioned limit is met if the measured value is at least 95% of the limit.",
                CellStyle.Small
            )
        );
        return new("Cap", "What limits the storage", blocks);
    }

    public static IEnumerable<SectionBlock> CreateProvisionedBlocks(IReadOnlyList<CapResult> caps)
    {
        var rows = caps.SelectMany(cap => cap.Checks.Select(check => (cap, check))).ToList();
        if (rows.Count > 0)
            yield return TableBlock.FromItems("Bought", rows, s_provisionedColumns, isFilterable: false);
    }

    public static IEnumerable<string> GetHeadlines(IReadOnlyList<CapResult> caps) => caps.Select(cap => cap.Summary);

    private static readonly (TableColumn, Func<(CapResult Cap, StorageLimitCheck Check), CellValue>)[] s_provisionedColumns =
    [
        (new("Path", false, 44, 30), row => CellValue.Create(row.Cap.Path)),
        (new("Metric", false, 20, 18), row => CellValue.Create(DescribeCheck(row.Check.Name), CellStyle.Strong)),
        (new("Provisioned", false, 24, 18), row => CellValue.Create(row.Check.BoughtText)),
        (new("Measured", false, 24, 18), row => CellValue.Create(row.Check.MeasuredText ?? "not measured")),
        (new("Share", true, 12, 10), row => CellValue.Create(row.Check.Percent is { } percent ? NumberFormat.Share(percent) : "-")),
        (
            new("Verdict", false, 14, 14, IsCentered: true),
            row =>
                row.Check.IsMet switch
                {
                    true => CellValue.Create("✔ pass", CellStyle.Pass),
                    false => CellValue.Create("✘ fail", CellStyle.Fail),
                    _ => CellValue.Create("not rated", CellStyle.Neutral),
                }
        ),
    ];

    private static readonly (TableColumn, Func<(CapResult Cap, IoTestResult Run), CellValue>)[] s_rateColumns =
    [
        (new("Path", false, 44, 16), row => CellValue.Create(row.Cap.Path)),
        (new("Block (KB)"), row => CellValue.Create(row.Run.BlockSizeKB)),
        (new("Outstanding"), row => CellValue.Create(row.Run.TotalOutstanding, CellStyle.Integer)),
        (new("IOPS"), row => CellValue.Create(row.Run.IOPS, CellStyle.Integer)),
        (new("Throughput"), row => CellValue.Create(ThroughputDisplay.ToUnit(row.Run.BandwidthMBps), CellStyle.Rate)),
        (new("Unit", false), _ => CellValue.Create(ThroughputDisplay.Unit)),
        (new("Average (ms)"), row => CellValue.Create(row.Run.AverageLatencyMs, CellStyle.Milliseconds)),
        (
            new("Variation of IOPS"),
            row => CellValue.Create(row.Run.IOPS > 0 ? row.Run.IopsStdDev / row.Run.IOPS : null, CellStyle.Milliseconds)
        ),
    ];

    private static string DescribeCheck(string name) =>
        name switch
        {
            "IOPS" => "Sustained IOPS",
            "Throughput" => "Sustained throughput",
            "BurstIOPS" => "Burst IOPS",
            "BurstThroughput" => "Burst throughput",
            _ => "Read latency (QD1)",
        };
}
