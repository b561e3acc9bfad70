using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>Sections about the load and the latency that SQL Server observed.</summary>
internal static class CapturedWorkloadSection
{
    public static ReportSection? Build(IReadOnlyList<ObservedLatencyComparison> loads)
    {
        if (loads.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(loads.Select((load, index) => new TextBlock(load.Summary, index == 0 ? CellStyle.Lead : CellStyle.Text)));
        blocks.Add(CreateTable(loads));
        if (CreateChart(loads) is { } chart)
            blocks.Add(new ChartsBlock([chart]));
        blocks.AddRange(CreateFileBlocks(loads));
        blocks.Add(
            new TextBlock(
                "The latency in SQL Server is the average from sys.dm_io_virtual_file_stats or from the Extended Events trace. The latency on this storage is the average response time of a test with the same block sizes, mix, and rate as the captured workload. Response time is measured from the scheduled start of each I/O.",
                CellStyle.Small
            )
        );
        return new("CapturedWorkload", "Captured workload: latency in SQL Server and on this storage", blocks);
    }

    private static IEnumerable<SectionBlock> CreateFileBlocks(IReadOnlyList<ObservedLatencyComparison> loads)
    {
        var rows = loads
            .SelectMany(load => load.Files.Select(file => (Load: load.Workload ?? load.IOPattern, File: file)))
            .DistinctBy(row => (row.Load, row.File.File))
            .ToList();
        if (rows.Count == 0)
            yield break;
        yield return new TextBlock("SQL Server I/O by file", CellStyle.Heading);
        yield return TableBlock.FromItems("CapturedWorkloadFiles", rows, s_fileColumns) with
        {
            WrapsHeader = true,
        };
        if (loads.Any(load => load.Files.Count == CapturedWorkload.MaxFiles))
            yield return new TextBlock(
                $"The table shows the {CapturedWorkload.MaxFiles} busiest files of each captured workload.",
                CellStyle.Small
            );
    }

    private static readonly (TableColumn, Func<(string? Load, IoObservedFile File), CellValue>)[] s_fileColumns =
    [
        (new("Load", false, 24, 16), row => CellValue.Create(row.Load, CellStyle.Strong)),
        (new("File", false, 50), row => CellValue.Create(row.File.File)),
        (new("IOPS"), row => CellValue.Create(row.File.IOPS, row.File.IOPS < 10 ? CellStyle.TwoDecimals : CellStyle.Integer)),
        (new("KB per I/O"), row => CellValue.Create(row.File.BlockSizeKB, CellStyle.OneDecimal)),
        (new("Latency in SQL Server (ms)"), row => CellValue.Create(row.File.LatencyMs, CellStyle.Milliseconds)),
        (new("Average outstanding I/Os"), row => CellValue.Create(row.File.IOPS * row.File.LatencyMs / 1000, CellStyle.TwoDecimals)),
        (new("IOPS in the busiest window"), row => CellValue.Create(row.File.BusiestIOPS, CellStyle.Integer)),
        (new("Latency in the busiest window (ms)"), row => CellValue.Create(row.File.BusiestLatencyMs, CellStyle.Milliseconds)),
    ];

    public static ChartSpec? CreateChart(IReadOnlyList<ObservedLatencyComparison> loads) =>
        ChartSpec.CreateLatencyPairs(
            "Average latency at the rate of the server",
            "Load",
            "SQL Server",
            "this storage",
            loads.Select(load => (load.Workload ?? load.IOPattern ?? "load", (double?)load.ObservedMs, load.MeasuredMs))
        );

    private static readonly (TableColumn, Func<ObservedLatencyComparison, CellValue>)[] s_columns =
    [
        (new("Load", false, 24, 16), load => CellValue.Create(load.Workload, CellStyle.Strong)),
        (new("Pattern", false, 30), load => CellValue.Create(load.IOPattern)),
        (new("Path", false, 40), load => CellValue.Create(load.Path)),
        (new("Target IOPS"), load => CellValue.Create(load.TargetIops, CellStyle.Integer)),
        (new("Achieved IOPS"), load => CellValue.Create(load.IOPS, CellStyle.Integer)),
        (new("Latency in SQL Server (ms)"), load => CellValue.Create(load.ObservedMs, CellStyle.Milliseconds)),
        (new("Latency on this storage (ms)"), load => CellValue.Create(load.MeasuredMs, CellStyle.Milliseconds)),
        (new("Factor"), load => CellValue.Create(load.Factor, CellStyle.OneDecimal)),
    ];

    private static TableBlock CreateTable(IReadOnlyList<ObservedLatencyComparison> loads) =>
        TableBlock.FromItems("CapturedWorkload", loads, s_columns) with
        {
            WrapsHeader = true,
        };

    public const string RatingTitle = "Latency of database files, as SQL Server observed it";

    private static readonly (TableColumn, Func<FileVerdict, CellValue>)[] s_ratingColumns =
    [
        (new("Role", false, 10), file => CellValue.Create(file.Role, CellStyle.Strong)),
        (new("File", false, 60, 30), file => CellValue.Create(file.File)),
        (new("Verdict", false, 18), CreateRatingCell),
        (new("Reads"), file => CellValue.Create(file.Reads, CellStyle.Integer)),
        (new("Reads/s"), file => CellValue.Create(file.ReadIOPS, CellStyle.Rate)),
        (new("KB per read"), file => CellValue.Create(file.ReadBlockSizeKB, CellStyle.OneDecimal)),
        (new("Average read latency (ms)"), file => CellValue.Create(file.ReadLatencyMs, CellStyle.Milliseconds)),
        (new("Highest window (ms)"), file => CellValue.Create(file.HighestReadLatencyMs, CellStyle.Milliseconds)),
        (new("Writes"), file => CellValue.Create(file.Writes, CellStyle.Integer)),
        (new("Writes/s"), file => CellValue.Create(file.WriteIOPS, CellStyle.Rate)),
        (new("KB per write"), file => CellValue.Create(file.WriteBlockSizeKB, CellStyle.OneDecimal)),
        (new("Average write latency (ms)"), file => CellValue.Create(file.WriteLatencyMs, CellStyle.Milliseconds)),
        (new("Highest window (ms) "), file => CellValue.Create(file.HighestWriteLatencyMs, CellStyle.Milliseconds)),
        (new("Rule set", false, 16), file => CellValue.Create(file.RuleSet)),
        (new("Reason", false, 90, 40), file => CellValue.Create(file.Reason, CellStyle.Wrapped)),
    ];

    public static ReportSection BuildRatings(IReadOnlyList<FileStatsRating> ratings)
    {
        List<SectionBlock> blocks =
        [
            .. ratings.Select((rating, i) => new TextBlock(rating.Sentence, i == 0 ? CellStyle.Lead : CellStyle.Text)),
        ];
        blocks.AddRange(ratings[0].Warnings.Select(warning => new TextBlock(warning.Text.ToString())));
        blocks.Add(
            TableBlock.FromItems("Files", [.. ratings.SelectMany(rating => rating.Files)], s_ratingColumns) with
            {
                WrapsHeader = true,
            }
        );
        blocks.Add(
            new TextBlock(
                ratings[0].IsSinceStart
                    ? "Averages from sys.dm_io_virtual_file_stats since SQL Server started."
                    : $"Averages from sys.dm_io_virtual_file_stats over {NumberFormat.Duration(ratings[0].Seconds!.Value)} in {NumberFormat.Pluralize(ratings[0].Windows, "window")} between snapshots. \"Highest window\" shows the highest average latency of any window that has at least 100 I/Os.",
                CellStyle.Small
            )
        );
        blocks.AddRange(ratings.Select(rating => new TextBlock($"Rule set {rating.RuleSet}: {rating.Source}", CellStyle.Small)));
        return new("Files", RatingTitle, blocks);
    }

    private static CellValue CreateRatingCell(FileVerdict file) =>
        CellValue.Create(
            file.Word,
            file.Outcome switch
            {
                VerdictOutcome.Fail when file.Severity == FindingSeverity.Critical => CellStyle.Fail,
                VerdictOutcome.NotRated => CellStyle.Neutral,
                _ when file.Severity >= FindingSeverity.Warning => CellStyle.Warning,
                _ => CellStyle.Pass,
            }
        );

    public const string AdviceTitle = "Storage for the peak load of the server";

    private static readonly (TableColumn, Func<StorageLoad, CellValue>)[] s_loadColumns =
    [
        (new("Role", false, 10), load => CellValue.Create(load.Role, CellStyle.Strong)),
        (new("Highest IOPS"), load => CellValue.Create(load.IOPS, CellStyle.Rate)),
        (new("Window with the highest IOPS", false, 44), load => CellValue.Create(load.WindowText)),
        (new("Highest MB/s"), load => CellValue.Create(load.ThroughputMBps, CellStyle.Rate)),
        (new("Size of the files (GiB)"), load => CellValue.Create(load.SizeGiB, CellStyle.Rate)),
    ];

    private static readonly (TableColumn, Func<StorageChoice, CellValue>)[] s_choiceColumns =
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

    public static IReadOnlyList<ReportSection> BuildAdvice(StorageAdvice advice) =>
        BuildRejected(advice) is { } rejected ? [BuildChoices(advice), rejected] : [BuildChoices(advice)];

    private static ReportSection BuildChoices(StorageAdvice advice)
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
            blocks.Add(TableBlock.FromItems("StorageChoices", choices, s_choiceColumns) with { WrapsHeader = true });
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
        return new("Storage", AdviceTitle, blocks);
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
