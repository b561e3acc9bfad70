using IoBench.Analysis;

namespace IoBench.Reports;

internal static class StorageAdviceSection
{
    public const string Title = "Storage for the peak load of the server";

    private static readonly (TableColumn, Func<StorageLoad, CellValue>)[] s_loadColumns =
    [
        (new("Role", false, 10), load => CellValue.Create(load.Role, CellStyle.Strong)),
        (new("Highest IOPS"), load => CellValue.Create(load.IOPS, CellStyle.Rate)),
        (new("Window with the highest IOPS", false, 44), load => CellValue.Create(load.WindowText)),
        (new("Highest MB/s"), load => CellValue.Create(load.ThroughputMBps, CellStyle.Rate)),
        (new("Size of the files (GiB)"), load => CellValue.Create(load.SizeGiB, CellStyle.Rate)),
    ];

    private static readonly (TableColumn, Func<StorageChoice, CellValue>)[] s_columns =
    [
        (new("Plan", false, 48, 20), choice => CellValue.Create(choice.Plan)),
        (new("Role", false, 10), choice => CellValue.Create(choice.Role, CellStyle.Strong)),
        (new("File", false, 60, 44), choice => CellValue.Create(choice.File)),
        (new("Storage", false, 34, 14), choice => CellValue.Create(choice.Storage)),
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
        (new("Source", false, 90, 60), choice => CellValue.Create(choice.Source)),
    ];

    private static readonly (TableColumn, Func<StorageChoice, CellValue>)[] s_rejectedColumns =
    [
        (new("Plan", false, 48, 20), choice => CellValue.Create(choice.Plan)),
        (new("Role", false, 10), choice => CellValue.Create(choice.Role, CellStyle.Strong)),
        (new("File", false, 40, 24), choice => CellValue.Create(choice.File)),
        (new("Storage", false, 34, 24), choice => CellValue.Create(choice.Storage)),
        (new("Load (% of the limit)"), choice => CellValue.Create(choice.LoadPercent, CellStyle.OneDecimal)),
        (new("Why it does not fit", false, 130, 60), choice => CellValue.Create(choice.Reason)),
    ];

    public static IReadOnlyList<ReportSection> BuildAll(StorageAdvice advice) =>
        BuildRejected(advice) is { } rejected ? [Build(advice), rejected] : [Build(advice)];

    private static ReportSection Build(StorageAdvice advice)
    {
        var choices = advice.Plans.Where(plan => plan.Fits).SelectMany(plan => plan.Choices).ToList();
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
        blocks.Add(
            new TextBlock(
                "IoBench compares the load with sustained limits, not with burst limits. It sizes the virtual machine for the busiest period of all file roles together.",
                CellStyle.Small
            )
        );
        return new("Storage", Title, blocks);
    }

    /// <summary>The storage that does not fit, with the reasons. Null if there is none.</summary>
    private static ReportSection? BuildRejected(StorageAdvice advice)
    {
        var rejected = advice.Plans.SelectMany(plan => plan.Rejected).ToList();
        return rejected.Count > 0
            ? new("NotSufficient", "Storage that does not fit", [TableBlock.FromItems("StorageRejected", rejected, s_rejectedColumns)])
            : null;
    }
}
