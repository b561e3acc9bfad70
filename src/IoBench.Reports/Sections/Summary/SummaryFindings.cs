using System.Globalization;

namespace IoBench.Reports.Sections.Summary;

/// <summary>What the analyses found, the most severe first, each with what to do.</summary>
internal static class SummaryFindings
{
    /// <summary>The Summary is a page: what is beyond stands on the sheets of the analyses.</summary>
    private const int MaxRows = 10;

    /// <summary>More findings of one kind are one row: a list of equal sentences hides the others.</summary>
    private const int MaxAlike = 3,
        MaxNames = 12;

    /// <summary>Columns of the sheet: as wide as the table of questions above, which has so many with a baseline and without.</summary>
    private const int SheetColumns = 6,
        BaselineColumns = 2;

    /// <summary>The findings that are more than a row of the first table, the most severe first.</summary>
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

    /// <summary>Findings of one kind as one: the first in full, of the others what they are about.</summary>
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

    /// <summary>The table, and how many are not in it.</summary>
    /// <param name="hasQuestions">A table of questions is above, whose columns it covers.</param>
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
