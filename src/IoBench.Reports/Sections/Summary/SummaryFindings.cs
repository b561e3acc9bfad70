using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports;

/// <summary>What the analyses found, the gravest first, each with what to do.</summary>
internal static class SummaryFindings
{
    /// <summary>The Summary is a page: what is beyond stands on the sheets of the analyses.</summary>
    private const int MaxRows = 10;

    private static readonly (TableColumn, Func<Finding, CellValue>)[] s_columns =
    [
        (new("Severity", false, 14, 12, IsCentred: true), finding => Word(finding.Severity)),
        (new("Finding", false, 100, 60), finding => CellValue.Of(finding.What)),
        (new("What to do", false, 80, 50), finding => CellValue.Of(finding.WhatToDo ?? "-")),
    ];

    /// <summary>The findings that are more than a row of the first table, the gravest first.</summary>
    public static IReadOnlyList<Finding> Of(ReportContext context, IReadOnlyList<VerdictAnswer> answers)
    {
        List<Finding> found = [.. answers.Where(answer => answer.Severity >= FindingSeverity.Watch).Select(answer => answer.ToFinding(context.NameOf(answer.Run)))];
        found.AddRange(context.Stalls.Select(stall => stall.ToFinding(context.NameOf(stall.Run))));
        found.AddRange(IntegrityAnswer.Find(context.Results).SelectMany(answer => answer.FindingsFor(context.NameOf(answer.Run))));
        found.AddRange(ResultFindings.Of([.. context.Sides.Comparisons, .. context.Answers.Roles, .. context.Answers.OwnLoads, .. RepeatsSection.RoundsOf(context), .. context.Answers.Caps, .. context.Answers.Trends]));
        return [.. found.Where(finding => finding.Severity != FindingSeverity.Good).DistinctBy(finding => (finding.Code, finding.Subject, finding.What)).OrderByDescending(finding => finding.Severity)];
    }

    /// <summary>The table, and how many are not in it.</summary>
    public static IEnumerable<Block> Blocks(IReadOnlyList<Finding> findings)
    {
        if (findings.Count == 0)
            yield break;
        yield return new TextBlock("Findings, the gravest first", CellStyle.Heading);
        yield return ColumnSet.Table("Findings", [.. findings.Take(MaxRows)], s_columns) with { IsFilterable = false };
        if (findings.Count > MaxRows)
            yield return new TextBlock(string.Create(CultureInfo.InvariantCulture, $"{findings.Count - MaxRows} more, none of them graver: see the sheets that follow."), CellStyle.Small);
    }

    private static CellValue Word(FindingSeverity severity) => severity switch
    {
        FindingSeverity.Bad => CellValue.Of("✘ Bad", CellStyle.Bad),
        FindingSeverity.Watch => CellValue.Of("! Watch", CellStyle.Watch),
        FindingSeverity.Unknown => CellValue.Of("not rated", CellStyle.Neutral),
        _ => CellValue.Of("note", CellStyle.Neutral),
    };
}
