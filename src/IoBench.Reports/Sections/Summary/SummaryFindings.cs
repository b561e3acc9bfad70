using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SummarySection
{
    /// <summary>The Summary is one page. The sheets of the analyses have the other findings.</summary>
    private const int MaxFindings = 10;

    /// <summary>More findings of one kind share a row, so that they do not hide the others.</summary>
    private const int MaxAlike = 3,
        MaxSubjects = 12;

    /// <summary>Sheet columns of the table above, and how many more it has with a baseline.</summary>
    private const int SheetColumns = 6,
        BaselineColumns = 2;

    public static IReadOnlyList<Finding> CollectFindings(ReportContext context, IReadOnlyList<SummaryResult> answers)
    {
        List<Finding> found =
        [
            .. answers
                .Where(answer => answer.Severity >= FindingSeverity.Watch)
                .Select(answer => answer.CreateFinding(context.GetName(answer.Run))),
        ];
        found.AddRange(context.Stalls.Select(stall => stall.CreateFinding(context.GetName(stall.Run))));
        found.AddRange(context.SlowestIOs.Select(slowest => slowest.CreateFinding(context.GetName(slowest.Run))));
        found.AddRange(IntegrityResult.Find(context.Results).SelectMany(answer => answer.CreateFindings(context.GetName(answer.Run))));
        found.AddRange(ReportDocument.CollectFindings(context));
        return
        [
            .. found
                .Where(finding => finding.Severity != FindingSeverity.Good)
                .DistinctBy(finding => (finding.Code, finding.Subject, finding.What))
                .GroupBy(finding => (finding.Code, finding.Severity, finding.WhatToDo))
                .SelectMany(alike => alike.Count() > MaxAlike ? [CombineFindings([.. alike])] : alike.ToArray())
                .OrderByDescending(finding => finding.Severity),
        ];
    }

    private static Finding CombineFindings(IReadOnlyList<Finding> alike)
    {
        var subjects = alike.Skip(1).Select(finding => finding.Subject).Distinct().ToList();
        var others =
            string.Join(", ", subjects.Take(MaxSubjects))
            + (subjects.Count > MaxSubjects ? $" and {NumberFormat.Pluralize(subjects.Count - MaxSubjects, "other")}" : "");
        return alike[0] with
        {
            What = string.Create(
                CultureInfo.InvariantCulture,
                $"{RunDescription.ToSentence(alike[0].What)} The same of {alike.Count - 1} more: {others}."
            ),
        };
    }

    /// <param name="hasQuestions">A table of results is above, and this table covers its columns.</param>
    /// <param name="hasBaseline">That table has the columns of a baseline.</param>
    public static IEnumerable<SectionBlock> CreateFindingBlocks(IReadOnlyList<Finding> findings, bool hasQuestions, bool hasBaseline)
    {
        if (findings.Count == 0)
            yield break;
        var free = hasQuestions ? SheetColumns + (hasBaseline ? BaselineColumns : 0) - 1 : 2;
        (TableColumn, Func<Finding, CellValue>)[] columns =
        [
            (new("Severity", false, 14, 12, IsCentered: true), finding => FormatSeverity(finding.Severity)),
            (
                new("Finding", false, 100, 60) { Span = free / 2 },
                finding => CellValue.Create(RunDescription.ToSentence(finding.What), CellStyle.Wrapped)
            ),
            (
                new("What to do", false, 80, 50) { Span = free - free / 2 },
                finding => CellValue.Create(finding.WhatToDo is { } what ? RunDescription.ToSentence(what) : "-", CellStyle.Wrapped)
            ),
        ];
        yield return new TextBlock("Findings, the most severe first", CellStyle.Heading);
        yield return TableBlock.FromItems("Findings", [.. findings.Take(MaxFindings)], columns) with
        {
            IsFilterable = false,
        };
        if (findings.Count > MaxFindings)
            yield return new TextBlock(
                string.Create(
                    CultureInfo.InvariantCulture,
                    $"{findings.Count - MaxFindings} more, none of them more severe: see the sheets that follow."
                ),
                CellStyle.Small
            );
    }

    private static CellValue FormatSeverity(FindingSeverity severity) =>
        severity switch
        {
            FindingSeverity.Bad => CellValue.Create("✘ Bad", CellStyle.Bad),
            FindingSeverity.Watch => CellValue.Create("! Watch", CellStyle.Watch),
            FindingSeverity.Unknown => CellValue.Create("not rated", CellStyle.Neutral),
            _ => CellValue.Create("note", CellStyle.Neutral),
        };
}
