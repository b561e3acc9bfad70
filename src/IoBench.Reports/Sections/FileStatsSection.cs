using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class FileStatsSection
{
    public const string Title = "Latency of database files, as SQL Server observed it";

    private static readonly (TableColumn, Func<FileVerdict, CellValue>)[] s_columns =
    [
        (new("Role", false, 10), file => CellValue.Create(file.Role, CellStyle.Strong)),
        (new("File", false, 60, 30), file => CellValue.Create(file.File)),
        (new("Verdict", false, 18), CreateVerdictCell),
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

    public static ReportSection Build(IReadOnlyList<FileStatsRating> ratings)
    {
        List<SectionBlock> blocks =
        [
            .. ratings.Select((rating, i) => new TextBlock(rating.Sentence, i == 0 ? CellStyle.Lead : CellStyle.Text)),
        ];
        blocks.AddRange(ratings[0].Warnings.Select(warning => new TextBlock(warning.Text.ToString())));
        blocks.Add(TableBlock.FromItems("Files", [.. ratings.SelectMany(rating => rating.Files)], s_columns) with { WrapsHeader = true });
        blocks.Add(
            new TextBlock(
                ratings[0].IsSinceStart
                    ? "Averages of sys.dm_io_virtual_file_stats since SQL Server started."
                    : $"Averages of sys.dm_io_virtual_file_stats over {NumberFormat.Duration(ratings[0].Seconds!.Value)} in {NumberFormat.Pluralize(ratings[0].Windows, "window")} between snapshots. The highest window is the one with the highest latency among the windows with at least 100 I/Os.",
                CellStyle.Small
            )
        );
        blocks.AddRange(ratings.Select(rating => new TextBlock($"Rule set {rating.RuleSet}: {rating.Source}", CellStyle.Small)));
        return new("Files", Title, blocks);
    }

    private static CellValue CreateVerdictCell(FileVerdict file) =>
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
}
