using IoBench.Analysis;

namespace IoBench.Reports;

internal static class SummarySection
{
    public static Section? Build(ReportContext context)
    {
        if (context.Options.NoSummary)
            return null;
        var sides = context.Sides.Sides;
        var verdicts = sides.Select(side => Verdict.Of(side.Runs, context.RuleSet)).ToList();
        var earlier = context.Sides.Baseline is { } baseline ? Verdict.Of(baseline.Runs, context.RuleSet) : null;
        LargeReport.EndPart(context.Results.Count);
        List<VerdictAnswer> given = [.. verdicts.SelectMany(verdict => verdict.Answers)];

        var blocks = new List<Block>
        {
            new TextBlock(
                string.Join(
                    " ",
                    new[] { SummaryText.Verdict(context, verdicts) }
                        .Concat(context.Answers.Verdicts(isGood: verdicts.TrueForAll(verdict => verdict.Outcome == VerdictOutcome.Kept)))
                        .Concat(StallSentences(context))
                ),
                CellStyle.Lead
            ),
        };
        blocks.AddRange(CapSection.Bought(context.Answers.Caps));
        LargeReport.EndPart(context.Results.Count);
        var rows = new List<CellValue[]>();
        foreach (var question in VerdictQuestion.All)
        {
            // The longest stall is of all tests, so it is the last row.
            if (question.Kind == VerdictKind.Stall)
                rows.AddRange(
                    sides
                        .SelectMany(side => SummaryRates.Of(side).Select(rate => (Side: side, Rate: rate)))
                        .GroupBy(item => item.Rate.Words)
                        .SelectMany(task => task)
                        .Select(item => RateRow(context, item.Side, item.Rate))
                );
            for (var side = 0; side < sides.Count; side++)
            {
                if (AnswerTo(question, verdicts[side]) is { } answer)
                    rows.Add(
                        Row(
                            context,
                            answer,
                            sides[side],
                            earlier is null || ReferenceEquals(sides[side], context.Sides.Baseline) ? null : AnswerTo(question, earlier)
                        )
                    );
            }
        }
        if (rows.Count > 0)
            blocks.Add(TableBlock.Of("Summary", Columns(context), rows, isFilterable: false));
        if (SummaryRates.Estimate(sides[^1], sides.Count > 1) is { } estimate)
            blocks.Add(new TextBlock(estimate));
        LargeReport.EndPart(context.Results.Count);
        if (SummaryCharts.Of(context) is { Count: > 0 } charts)
            blocks.Add(new ChartsBlock(charts) { Abreast = 3 });
        LargeReport.EndPart(context.Results.Count);
        Add(blocks, "What to do", SummaryText.Advice(context, given), CellStyle.Paragraph);
        blocks.AddRange(SummaryFindings.Blocks(SummaryFindings.Of(context, given), rows.Count > 0, context.Sides.Baseline is not null));
        LargeReport.EndPart(context.Results.Count);
        Add(blocks, "How far to trust it", SummaryText.Trust(context), CellStyle.Paragraph);
        Add(blocks, null, SummaryText.SmallPrint(context, given), CellStyle.Small);
        return new("Summary", context.Title, blocks) { OnePage = true };
    }

    /// <summary>A periodic stall is part of the verdict, however good the averages are.</summary>
    private static IEnumerable<string> StallSentences(ReportContext context) =>
        context
            .Stalls.Where(stall => stall.Pattern.PeriodSeconds is not null)
            .OrderByDescending(stall => stall.Pattern.AverageSeconds)
            .Take(1)
            .Select(stall => stall.Pattern.Say(context.NameOf(stall.Run)));

    private static List<TableColumn> Columns(ReportContext context)
    {
        List<TableColumn> columns = [new("Question", false, 44, 30), new("Measured", true, 24, 18), new("Limit", false, 60, 40)];
        if (context.Sides.Baseline is { } baseline)
            columns.AddRange([new($"Earlier ({RunText.Shorten(baseline.Name, 14)})", true, 24, 13), new("Change", true, 12, 10)]);
        columns.AddRange([
            new("Verdict", false, 14, 14, IsCentred: true),
            new("Rule set", false, 14, 12),
            new("Measured by", false, 76, 34),
        ]);
        return columns;
    }

    private static CellValue[] Row(ReportContext context, VerdictAnswer answer, RunSide side, VerdictAnswer? before)
    {
        List<CellValue> cells =
        [
            CellValue.Of(context.Sides.Sides.Count > 1 ? $"{answer.Question.Words}, {side.Name}" : answer.Question.Words, CellStyle.Strong),
            CellValue.Of(answer.FigureText, CellStyle.Figure),
            CellValue.Of(answer.Limit ?? "-"),
        ];
        if (context.Sides.Baseline is not null)
            cells.AddRange([
                CellValue.Of(before?.Text ?? "-", CellStyle.FigureBefore),
                Change(answer.Measured, before?.Measured, answer.Question.HigherIsBetter),
            ]);
        cells.AddRange([Rating(answer), CellValue.Of(answer.RuleSet ?? "-"), CellValue.Of(MeasuredBy(context, answer))]);
        return [.. cells];
    }

    private static CellValue[] RateRow(ReportContext context, RunSide side, SummaryRates.Measured rate)
    {
        var before =
            context.Sides.Baseline is { } baseline && !ReferenceEquals(side, baseline)
                ? SummaryRates.Of(baseline).FirstOrDefault(earlier => earlier.Words == rate.Words)
                : null;
        List<CellValue> cells =
        [
            CellValue.Of(context.Sides.Sides.Count > 1 ? $"{rate.Words}, {side.Name}" : rate.Words, CellStyle.Strong),
            CellValue.Of(rate.Text, CellStyle.Figure),
            CellValue.Of("-"),
        ];
        if (context.Sides.Baseline is not null)
            cells.AddRange([
                CellValue.Of(before?.Text ?? "-", CellStyle.FigureBefore),
                Change(rate.Value, before?.Value, higherIsBetter: true),
            ]);
        return
        [
            .. cells,
            CellValue.Of("no limit", CellStyle.Neutral),
            CellValue.Of("-"),
            CellValue.Of(
                (RunText.Load(rate.Test.First) is { } load ? $"{rate.Test.Name}, {load}" : rate.Test.Name)
                    + (rate.Basis is { } basis ? ": " + basis : "")
            ),
        ];
    }

    public static SummaryFigures Figures(ReportContext context)
    {
        var sides = context.Sides.Sides;
        var verdicts = sides.Select(side => Verdict.Of(side.Runs, context.RuleSet)).ToList();
        var rates = SummaryRates.Of(sides[^1]).Select(rate => new SummaryFigure(rate.Words, rate.Text, FindingSeverity.Info, "no limit"));
        return new(
            SummaryText.Verdict(context, verdicts),
            [
                .. verdicts[^1]
                    .Answers.OrderByDescending(answer => answer.IsRated)
                    .Select(answer => new SummaryFigure(
                        answer.Question.Words,
                        answer.FigureText,
                        answer.Severity,
                        Rating(answer).TextValue!
                    ))
                    .Concat(rates),
            ]
        );
    }

    private static CellValue Change(double measured, double? before, bool higherIsBetter)
    {
        if (before is null or 0)
            return CellValue.Of("-", CellStyle.FigureBefore);
        var change = (measured - before.Value) / before.Value;
        // The smallest change that a comparison of single runs reports.
        var style =
            Math.Abs(change) * 100 < new ComparisonOptions().MinSingleChangePercent ? CellStyle.Change
            : change > 0 == higherIsBetter ? CellStyle.ChangeBetter
            : CellStyle.ChangeWorse;
        return CellValue.Of(change, style);
    }

    private static CellValue Rating(VerdictAnswer answer) =>
        answer.Severity switch
        {
            FindingSeverity.Good => CellValue.Of("✔ Good", CellStyle.Good),
            FindingSeverity.Watch => CellValue.Of("! Watch", CellStyle.Watch),
            FindingSeverity.Bad => CellValue.Of("✘ Bad", CellStyle.Bad),
            FindingSeverity.Unknown => CellValue.Of("not rated", CellStyle.Neutral),
            _ => CellValue.Of("no limit", CellStyle.Neutral),
        };

    private static VerdictAnswer? AnswerTo(VerdictQuestion question, Verdict verdict) =>
        verdict.Answers.FirstOrDefault(answer => answer.Question == question);

    private static string MeasuredBy(ReportContext context, VerdictAnswer answer)
    {
        var run = answer.Run;
        // The name of one repeat would suggest that the value is of that repeat alone.
        var name = answer.Runs.Count > 1 ? run.Workload ?? RunText.Pattern(run) : context.NameOf(run);
        var load =
            RunText.Load(run) is not { } text
            || name.Contains(FormattableString.Invariant($"{run.ThreadCount}x{run.OutstandingIO}"), StringComparison.Ordinal)
                ? name
                : $"{name}, {text}";
        return answer.Basis is null ? load : $"{load}: {answer.Basis}";
    }

    private static void Add(List<Block> blocks, string? heading, IReadOnlyList<string> lines, CellStyle style)
    {
        if (heading is not null)
            blocks.Add(new TextBlock(heading, CellStyle.Heading));
        blocks.AddRange(lines.Select(line => new TextBlock(line, style)));
    }
}
