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
        blocks.Add(new TextBlock("The evidence", CellStyle.Heading));
        blocks.Add(
            TableBlock.FromItems("CapRates", [.. caps.SelectMany(cap => cap.Results.Select(run => (cap, run)))], s_rateColumns) with
            {
                WrapsHeader = true,
            }
        );
        blocks.AddRange(caps.SelectMany(cap => cap.Warnings).Distinct().Select(warning => new TextBlock(warning, CellStyle.Paragraph)));
        blocks.Add(
            new TextBlock(
                "A rate that stands still while latency follows the load is limited by something: the same I/Os per second at all sizes means a limit on IOPS, the same bytes per second a limit on throughput. 95 % of what was bought counts as all of it.",
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
        (new("Figure", false, 20, 18), row => CellValue.Create(DescribeCheck(row.Check.Name), CellStyle.Strong)),
        (new("Bought", false, 24, 18), row => CellValue.Create(row.Check.BoughtText)),
        (new("There", false, 24, 18), row => CellValue.Create(row.Check.MeasuredText ?? "not measured")),
        (new("%", true, 12, 10), row => CellValue.Create(row.Check.Percent, CellStyle.OneDecimal)),
        (
            new("Verdict", false, 14, 14, IsCentered: true),
            row =>
                row.Check.Kept switch
                {
                    true => CellValue.Create("✔ There", CellStyle.Pass),
                    false => CellValue.Create("✘ Missing", CellStyle.Fail),
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
            "IOPS" => "IOPS that last",
            "Throughput" => "Throughput that lasts",
            "BurstIOPS" => "IOPS in a burst",
            "BurstThroughput" => "Throughput in a burst",
            _ => "Latency of one read",
        };
}
