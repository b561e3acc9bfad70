using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class IntegritySection
{
    private static readonly (TableColumn, Func<IntegrityResult, CellValue>)[] s_checkColumns =
    [
        (new("Path", false, 40), answer => CellValue.Create(answer.Run.Path, CellStyle.Strong)),
        (new("Reads checked"), answer => CellValue.Create(answer.Integrity.ReadCount, CellStyle.Integer)),
        (new("MiB checked"), answer => CellValue.Create(answer.Integrity.ReadBytes / 1048576.0, CellStyle.Integer)),
        (
            new("Writes acknowledged"),
            answer => CellValue.Create(answer.Integrity.Crash?.WriteCount ?? answer.Integrity.WriteCount, CellStyle.Integer)
        ),
        (new("MiB read at the end"), answer => CellValue.Create(answer.Integrity.FinalPass?.ByteCount / 1048576.0, CellStyle.Integer)),
        (new("MiB not verified"), answer => CellValue.Create(answer.Integrity.UnverifiedBytes / 1048576.0, CellStyle.Rate)),
        (
            new("Errors"),
            answer =>
                answer.Integrity.Outcome == IoIntegrityOutcome.NotVerified
                    ? CellValue.Create(IntegrityMessages.NotVerified, CellStyle.Warning)
                    : CellValue.Create(answer.Integrity.ErrorCount, answer.Integrity.ErrorCount == 0 ? CellStyle.Pass : CellStyle.Fail)
        ),
    ];

    private static readonly (TableColumn, Func<IoIntegrityError, CellValue>)[] s_errorColumns =
    [
        (new("Error", false, 20), error => CellValue.Create(IntegrityMessages.GetKindName(error.Kind), CellStyle.Strong)),
        (new("Path", false, 40), error => CellValue.Create(error.Path)),
        (new("Offset", true, 16), error => CellValue.Create(error.Offset, CellStyle.Integer)),
        (new("Bytes"), error => CellValue.Create(error.Length, CellStyle.Integer)),
        (new("Time", false, 22), error => CellValue.Create(error.Time.ToString("yyyy-MM-dd HH:mm:ss.fff", CultureInfo.InvariantCulture))),
        (new("Found by", false, 12), error => CellValue.Create(DescribePhase(error.Phase))),
        (new("Expected", false, 40), error => CellValue.Create(error.Expected)),
        (new("Found", false, 60), error => CellValue.Create(error.Found)),
        (
            new("Second read", false, 14),
            error =>
                CellValue.Create(
                    error.IsLasting switch
                    {
                        true => "still wrong",
                        false => "correct",
                        _ => "-",
                    }
                )
        ),
    ];

    public static ReportSection? Build(ReportContext context)
    {
        var answers = IntegrityResult.Find(context.Results);
        if (answers.Count == 0)
            return null;
        var blocks = new List<SectionBlock>();
        blocks.AddRange(answers.Select((answer, index) => new TextBlock(answer.Summary, index == 0 ? CellStyle.Lead : CellStyle.Text)));
        blocks.Add(TableBlock.FromItems("Integrity", answers, s_checkColumns) with { WrapsHeader = true });
        foreach (
            var facts in answers
                .Select(answer => answer.Integrity.Crash?.Facts)
                .OfType<Dictionary<string, string>>()
                .Where(f => f.Count > 0)
        )
            blocks.Add(
                new TextBlock("Properties that the storage reports: " + string.Join("; ", facts.Select(f => $"{f.Key}: {f.Value}")) + ".")
            );
        var errors = answers.SelectMany(answer => answer.Integrity.Errors).ToList();
        if (errors.Count > 0)
        {
            blocks.Add(new TextBlock("Errors in detail", CellStyle.Heading));
            blocks.Add(TableBlock.FromItems("IntegrityErrors", errors, s_errorColumns));
            var all = answers.Sum(answer => answer.Integrity.ErrorCount);
            if (all > errors.Count)
                blocks.Add(
                    new TextBlock(
                        Invariant(
                            $"The table shows the first {errors.Count:#,##0} of {all:#,##0} errors. The error count includes all of them."
                        ),
                        CellStyle.Small
                    )
                );
        }
        return new("Integrity", "Data integrity", blocks);
    }

    private static string DescribePhase(IoIntegrityPhase phase) =>
        phase switch
        {
            IoIntegrityPhase.FirstPass => "first pass",
            IoIntegrityPhase.Test => "the test",
            IoIntegrityPhase.FinalPass => "final pass",
            _ => "after the crash",
        };
}
