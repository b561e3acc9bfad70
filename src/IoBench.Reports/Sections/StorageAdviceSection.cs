using IoBench.Analysis;

namespace IoBench.Reports;

internal static class StorageAdviceSection
{
    public const string Title = "Storage for the peak load of the server";

    private static readonly (TableColumn, Func<StorageLoad, CellValue>)[] s_loadColumns =
    [
        (new("Role", false, 10), load => CellValue.Create(load.Role, CellStyle.Strong)),
        (new("Highest IOPS"), load => CellValue.Create(load.IOPS, CellStyle.Rate)),
        (new("Highest MB/s"), load => CellValue.Create(load.ThroughputMBps, CellStyle.Rate)),
        (new("Window with the highest IOPS", false, 44), load => CellValue.Create(load.WindowText)),
        (new("Size of the files (GiB)"), load => CellValue.Create(load.SizeGiB, CellStyle.Rate)),
    ];

    private static readonly (TableColumn, Func<StorageChoice, CellValue>)[] s_columns =
    [
        (new("Plan", false, 24), choice => CellValue.Create(choice.Plan)),
        (new("Role", false, 10), choice => CellValue.Create(choice.Role, CellStyle.Strong)),
        (new("File", false, 40, 24), choice => CellValue.Create(choice.File)),
        (new("Storage", false, 34, 24), choice => CellValue.Create(choice.Storage)),
        (new("IOPS limit"), choice => CellValue.Create(choice.LimitIops, CellStyle.Integer)),
        (new("Throughput limit"), choice => CellValue.Create(choice.LimitThroughput, CellStyle.Rate)),
        (new("Unit", false, 8), choice => CellValue.Create(choice.Unit)),
        (new("Bottleneck", false, 14), choice => CellValue.Create(choice.Bottleneck)),
        (new("Load (% of the limit)"), choice => CellValue.Create(choice.LoadPercent, CellStyle.OneDecimal)),
        (new("Change", false, 50, 30), choice => CellValue.Create(choice.Change)),
        (new("Log write limit (MiB/s)"), choice => CellValue.Create(choice.LimitLogMiBps, CellStyle.Rate)),
        (new("Minimum size (GiB)"), choice => CellValue.Create(choice.MinSizeGiB, CellStyle.Integer)),
        (new("Price"), choice => CellValue.Create(choice.Price, CellStyle.TwoDecimals)),
        (new("Limits as of", false, 24), choice => CellValue.Create(choice.DateText)),
        (new("Source", false, 90, 40), choice => CellValue.Create(choice.Source)),
    ];

    private static readonly (TableColumn, Func<StorageChoice, CellValue>)[] s_rejectedColumns =
    [
        (new("Plan", false, 24), choice => CellValue.Create(choice.Plan)),
        (new("Role", false, 10), choice => CellValue.Create(choice.Role, CellStyle.Strong)),
        (new("File", false, 40, 24), choice => CellValue.Create(choice.File)),
        (new("Storage", false, 34, 24), choice => CellValue.Create(choice.Storage)),
        (new("Load (% of the limit)"), choice => CellValue.Create(choice.LoadPercent, CellStyle.OneDecimal)),
        (new("Why it does not fit", false, 110, 60), choice => CellValue.Create(choice.Reason, CellStyle.Wrapped)),
    ];

    public static ReportSection Build(StorageAdvice advice)
    {
        var choices = advice.Plans.Where(plan => plan.Fits).SelectMany(plan => plan.Choices).ToList();
        var rejected = advice.Plans.SelectMany(plan => plan.Rejected).ToList();
        List<SectionBlock> blocks =
        [
            new TextBlock(advice.Summary, CellStyle.Lead),
            new TextBlock(advice.LoadSummary),
            .. advice.Warnings.Select(warning => new TextBlock(warning.Text.ToString())),
            TableBlock.FromItems("StorageLoads", [.. advice.Loads, advice.Total], s_loadColumns) with
            {
                WrapsHeader = true,
            },
            new TextBlock(Invariant($"Storage that fits, with {advice.HeadroomPercent:0.#}% headroom"), CellStyle.Heading),
        ];
        if (choices.Count > 0)
            blocks.Add(TableBlock.FromItems("StorageChoices", choices, s_columns) with { WrapsHeader = true });
        blocks.AddRange(advice.Plans.Where(plan => !plan.Fits).Select(plan => new TextBlock(plan.Summary)));
        blocks.AddRange(
            advice.Recommended is { } plan
                ? plan.CommandHeadings.Zip(plan.Commands, (heading, command) => new TextBlock($"{heading} {command}"))
                : []
        );
        if (rejected.Count > 0)
        {
            blocks.Add(new TextBlock("What does not fit", CellStyle.Heading));
            blocks.Add(TableBlock.FromItems("StorageRejected", rejected, s_rejectedColumns) with { WrapsHeader = true });
        }
        blocks.Add(
            new TextBlock(
                "IoBench compares the load with sustained limits, not with burst limits. It sizes the virtual machine for the busiest period of all file roles together.",
                CellStyle.Small
            )
        );
        return new("Storage", Title, blocks);
    }
}
