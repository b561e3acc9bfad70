using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class IntegritySection
{
    private static readonly (TableColumn, Func<IntegrityAnswer, CellValue>)[] s_checked =
    [
        (new("Path", false, 40), answer => CellValue.Of(answer.Run.Path, CellStyle.Strong)),
        (new("Reads checked"), answer => CellValue.Of(answer.Integrity.ReadCount, CellStyle.Whole)),
        (new("MiB checked"), answer => CellValue.Of(answer.Integrity.ReadBytes / 1048576.0, CellStyle.Whole)),
        (
            new("Writes acknowledged"),
            answer => CellValue.Of(answer.Integrity.Crash?.WriteCount ?? answer.Integrity.WriteCount, CellStyle.Whole)
        ),
        (new("MiB read at the end"), answer => CellValue.Of(answer.Integrity.FinalPass?.ByteCount / 1048576.0, CellStyle.Whole)),
        (
            new("Errors"),
            answer => CellValue.Of(answer.Integrity.ErrorCount, answer.Integrity.ErrorCount == 0 ? CellStyle.Good : CellStyle.Bad)
        ),
    ];

    private static readonly (TableColumn, Func<IoIntegrityError, CellValue>)[] s_errors =
    [
        (new("Error", false, 20), error => CellValue.Of(IntegrityText.Name(error.Kind), CellStyle.Strong)),
        (new("Path", false, 40), error => CellValue.Of(error.Path)),
        (new("Offset", true, 16), error => CellValue.Of(error.Offset, CellStyle.Whole)),
        (new("Bytes"), error => CellValue.Of(error.Length, CellStyle.Whole)),
        (new("Time", false, 22), error => CellValue.Of(error.Time.ToString("yyyy-MM-dd HH:mm:ss.fff", CultureInfo.InvariantCulture))),
        (new("Found by", false, 12), error => CellValue.Of(PhaseOf(error.Phase))),
        (new("Expected", false, 40), error => CellValue.Of(error.Expected)),
        (new("Found", false, 60), error => CellValue.Of(error.Found)),
        (
            new("Second read", false, 14),
            error =>
                CellValue.Of(
                    error.IsLasting switch
                    {
                        true => "still wrong",
                        false => "right",
                        _ => "-",
                    }
                )
        ),
    ];

    public static Section? Build(ReportContext context)
    {
        var answers = IntegrityAnswer.Find(context.Results);
        if (answers.Count == 0)
            return null;
        var blocks = new List<Block>();
        blocks.AddRange(answers.Select((answer, index) => new TextBlock(answer.Summary, index == 0 ? CellStyle.Lead : CellStyle.Text)));
        blocks.Add(ColumnSet.Table("Integrity", answers, s_checked) with { WrapsHeader = true });
        foreach (
            var facts in answers
                .Select(answer => answer.Integrity.Crash?.Facts)
                .OfType<Dictionary<string, string>>()
                .Where(f => f.Count > 0)
        )
            blocks.Add(
                new TextBlock("What the storage said of itself: " + string.Join("; ", facts.Select(f => $"{f.Key}: {f.Value}")) + ".")
            );
        var errors = answers.SelectMany(answer => answer.Integrity.Errors).ToList();
        if (errors.Count > 0)
        {
            blocks.Add(new TextBlock("Errors in detail", CellStyle.Heading));
            blocks.Add(ColumnSet.Table("IntegrityErrors", errors, s_errors));
            var all = answers.Sum(answer => answer.Integrity.ErrorCount);
            if (all > errors.Count)
                blocks.Add(
                    new TextBlock(
                        string.Create(CultureInfo.InvariantCulture, $"The first {errors.Count:#,##0} of {all:#,##0}; all are counted."),
                        CellStyle.Small
                    )
                );
        }
        return new("Integrity", "Integrity: whether the storage kept its word", blocks);
    }

    private static string PhaseOf(IoIntegrityPhase phase) =>
        phase switch
        {
            IoIntegrityPhase.FirstPass => "first pass",
            IoIntegrityPhase.Test => "the test",
            IoIntegrityPhase.FinalPass => "final pass",
            _ => "after the crash",
        };
}
