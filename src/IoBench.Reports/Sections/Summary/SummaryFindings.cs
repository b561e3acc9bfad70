using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SummaryFindings
{
    /// <summary>The Summary is one page. The sheets of the analyses have the other findings.</summary>
    private const int MaxRows = 10;

    /// <summary>More findings of one kind share a row, so that they do not hide the others.</summary>
    private const int MaxAlike = 3,
        MaxNames = 12;

    /// <summary>Sheet columns of the table above, and how many more it has with a baseline.</summary>
    private const int SheetColumns = 6,
        BaselineColumns = 2;

    public static IReadOnlyList<Finding> Of(ReportContext context, IReadOnlyList<VerdictAnswer> answers)
    {
        List<Finding> found =
        [
            .. answers
                .Where(answer => answer.Severity >= FindingSeverity.Watch)
                .Select(answer => answer.ToFinding(context.NameOf(answer.Run))),
        ];
        found.AddRange(context.Stalls.Select(stall => stall.ToFinding(context.NameOf(stall.Run))));
        found.AddRange(context.Slowest.Select(slowest => slowest.ToFinding(context.NameOf(slowest.Run))));
        found.AddRange(IntegrityAnswer.Find(context.Results).SelectMany(answer => answer.FindingsFor(context.NameOf(answer.Run))));
        found.AddRange(ReportDocument.FindingsOf(context));
        return
        [
            .. found
                .Where(finding => finding.Severity != FindingSeverity.Good)
                .DistinctBy(finding => (finding.Code, finding.Subject, finding.What))
                .GroupBy(finding => (finding.Code, finding.Severity, finding.WhatToDo))
                .SelectMany(alike => alike.Count() > MaxAlike ? [Together([.. alike])] : alike.ToArray())
                .OrderByDescending(finding => finding.Severity),
        ];
    }

    private static Finding Together(IReadOnlyList<Finding> alike)
    {
        var subjects = alike.Skip(1).Select(finding => finding.Subject).Distinct().ToList();
        var others =
            string.Join(", ", subjects.Take(MaxNames))
            + (subjects.Count > MaxNames ? $" and {Figures.Counted(subjects.Count - MaxNames, "other")}" : "");
        return alike[0] with
        {
            What = string.Create(
                CultureInfo.InvariantCulture,
                $"{RunText.Sentence(alike[0].What)} The same of {alike.Count - 1} more: {others}."
            ),
        };
    }

    /// <param name="hasQuestions">A table of results is above, and this table covers its columns.</param>
    /// <param name="hasBaseline">That table has the columns of a baseline.</param>
    public static IEnumerable<Block> Blocks(IReadOnlyList<Finding> findings, bool hasQuestions, bool hasBaseline)
    {
        if (findings.Count == 0)
            yield break;
        var free = hasQuestions ? SheetColumns + (hasBaseline ? BaselineColumns : 0) - 1 : 2;
        (TableColumn, Func<Finding, CellValue>)[] columns =
        [
            (new("Severity", false, 14, 12, IsCentred: true), finding => Word(finding.Severity)),
            (
                new("Finding", false, 100, 60) { Span = free / 2 },
                finding => CellValue.Of(RunText.Sentence(finding.What), CellStyle.Wrapped)
            ),
            (
                new("What to do", false, 80, 50) { Span = free - free / 2 },
                finding => CellValue.Of(finding.WhatToDo is { } what ? RunText.Sentence(what) : "-", CellStyle.Wrapped)
            ),
        ];
        yield return new TextBlock("Findings, the most severe first", CellStyle.Heading);
        yield return ColumnSet.Table("Findings", [.. findings.Take(MaxRows)], columns) with
        {
            IsFilterable = false,
        };
        if (findings.Count > MaxRows)
            yield return new TextBlock(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{findings.Count - MaxRows} more, none of them more severe: see the sheets that follow."
                ),
                CellStyle.Small
            );
    }

    private static CellValue Word(FindingSeverity severity) =>
        severity switch
        {
            FindingSeverity.Bad => CellValue.Of("✘ Bad", CellStyle.Bad),
            FindingSeverity.Watch => CellValue.Of("! Watch", CellStyle.Watch),
            FindingSeverity.Unknown => CellValue.Of("not rated", CellStyle.Neutral),
            _ => CellValue.Of("note", CellStyle.Neutral),
        };
}
