using IoBench.Analysis;

namespace IoBench.Reports;

internal static class SummarySection
{
    public static ReportSection? Build(ReportContext context)
    {
        if (context.Options.NoSummary)
            return null;
        var sides = context.Sides.Sides;
        var verdicts = sides.Select(side => Verdict.Create(side.Runs, context.RuleSet)).ToList();
        var earlier = context.Sides.Baseline is { } baseline ? Verdict.Create(baseline.Runs, context.RuleSet) : null;
        ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        List<SummaryResult> given = [.. verdicts.SelectMany(verdict => verdict.Answers)];

        var blocks = new List<SectionBlock>
        {
            new TextBlock(
                string.Join(
                    " ",
                    new[] { SummaryMessages.DescribeVerdict(context, verdicts) }
                        .Concat(
                            context.Analyses.DescribeAll(isGood: verdicts.TrueForAll(verdict => verdict.Outcome == VerdictOutcome.Kept))
                        )
                        .Concat(DescribePeriodicStalls(context))
                ),
                CellStyle.Lead
            ),
        };
        blocks.AddRange(CapSection.CreateProvisionedBlocks(context.Analyses.Caps));
        ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        var rows = new List<CellValue[]>();
        foreach (var question in SummaryMetric.All)
        {
            // The longest stall is of all tests, so it is the last row.
            if (question.Kind == SummaryMetricKind.Stall)
                rows.AddRange(
                    sides
                        .SelectMany(side => SummaryRates.GetRates(side).Select(rate => (Side: side, Rate: rate)))
                        .GroupBy(item => item.Rate.Label)
                        .SelectMany(task => task)
                        .Select(item => CreateRateRow(context, item.Side, item.Rate))
                );
            for (var side = 0; side < sides.Count; side++)
            {
                if (FindResult(question, verdicts[side]) is { } answer)
                    rows.Add(
                        CreateRow(
                            context,
                            answer,
                            sides[side],
                            earlier is null || ReferenceEquals(sides[side], context.Sides.Baseline) ? null : FindResult(question, earlier)
                        )
                    );
            }
        }
        if (rows.Count > 0)
            blocks.Add(TableBlock.FromRows("Summary", CreateColumns(context), rows, isFilterable: false));
        if (SummaryRates.DescribeReadTimes(sides[^1], sides.Count > 1) is { } estimate)
            blocks.Add(new TextBlock(estimate));
        ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        if (SummarySection.CreateCharts(context) is { Count: > 0 } charts)
            blocks.Add(new ChartsBlock(charts) { ChartsPerLine = 3 });
        ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        AddLines(blocks, "What to do", SummaryMessages.GetAdvice(context, given), CellStyle.Paragraph);
        blocks.AddRange(
            SummarySection.CreateFindingBlocks(
                SummarySection.CollectFindings(context, given),
                rows.Count > 0,
                context.Sides.Baseline is not null
            )
        );
        ReportMemoryPolicy.ReleaseMemory(context.Results.Count);
        AddLines(blocks, "How far to trust it", SummaryMessages.DescribeReliability(context), CellStyle.Paragraph);
        AddLines(blocks, null, SummaryMessages.DescribeSources(context, given), CellStyle.Small);
        return new("Summary", context.Title, blocks) { FitsOnePage = true };
    }

    /// <summary>A periodic stall is part of the verdict, however good the averages are.</summary>
    private static IEnumerable<string> DescribePeriodicStalls(ReportContext context) =>
        context
            .Stalls.Where(stall => stall.Pattern.PeriodSeconds is not null)
            .OrderByDescending(stall => stall.Pattern.AverageSeconds)
            .Take(1)
            .Select(stall => stall.Pattern.Describe(context.GetName(stall.Run)));

    private static List<TableColumn> CreateColumns(ReportContext context)
    {
        List<TableColumn> columns = [new("Question", false, 44, 30), new("Measured", true, 24, 18), new("Limit", false, 60, 40)];
        if (context.Sides.Baseline is { } baseline)
            columns.AddRange([
                new($"Earlier ({RunDescription.ShortenMiddle(baseline.Name, 14)})", true, 24, 13),
                new("Change", true, 12, 10),
            ]);
        columns.AddRange([
            new("Verdict", false, 14, 14, IsCentered: true),
            new("Rule set", false, 14, 12),
            new("Measured by", false, 76, 34),
        ]);
        return columns;
    }

    private static CellValue[] CreateRow(ReportContext context, SummaryResult answer, ComparisonSide side, SummaryResult? before)
    {
        List<CellValue> cells =
        [
            CellValue.Create(
                context.Sides.Sides.Count > 1 ? $"{answer.Question.Words}, {side.Name}" : answer.Question.Words,
                CellStyle.Strong
            ),
            CellValue.Create(answer.FigureText, CellStyle.Figure),
            CellValue.Create(answer.Limit ?? "-"),
        ];
        if (context.Sides.Baseline is not null)
            cells.AddRange([
                CellValue.Create(before?.Text ?? "-", CellStyle.FigureBefore),
                CreateChangeCell(answer.Measured, before?.Measured, answer.Question.HigherIsBetter),
            ]);
        cells.AddRange([
            CreateRatingCell(answer),
            CellValue.Create(answer.RuleSet ?? "-"),
            CellValue.Create(DescribeTest(context, answer)),
        ]);
        return [.. cells];
    }

    private static CellValue[] CreateRateRow(ReportContext context, ComparisonSide side, SummaryRates.MeasuredRate rate)
    {
        var before =
            context.Sides.Baseline is { } baseline && !ReferenceEquals(side, baseline)
                ? SummaryRates.GetRates(baseline).FirstOrDefault(earlier => earlier.Label == rate.Label)
                : null;
        List<CellValue> cells =
        [
            CellValue.Create(context.Sides.Sides.Count > 1 ? $"{rate.Label}, {side.Name}" : rate.Label, CellStyle.Strong),
            CellValue.Create(rate.Text, CellStyle.Figure),
            CellValue.Create("-"),
        ];
        if (context.Sides.Baseline is not null)
            cells.AddRange([
                CellValue.Create(before?.Text ?? "-", CellStyle.FigureBefore),
                CreateChangeCell(rate.Value, before?.Value, higherIsBetter: true),
            ]);
        return
        [
            .. cells,
            CellValue.Create("no limit", CellStyle.Neutral),
            CellValue.Create("-"),
            CellValue.Create(
                (RunDescription.DescribeLoad(rate.Test.First) is { } load ? $"{rate.Test.Name}, {load}" : rate.Test.Name)
                    + (rate.Basis is { } basis ? ": " + basis : "")
            ),
        ];
    }

    public static SummaryValues GetValues(ReportContext context)
    {
        var sides = context.Sides.Sides;
        var verdicts = sides.Select(side => Verdict.Create(side.Runs, context.RuleSet)).ToList();
        var rates = SummaryRates
            .GetRates(sides[^1])
            .Select(rate => new SummaryValue(rate.Label, rate.Text, FindingSeverity.Info, "no limit"));
        return new(
            SummaryMessages.DescribeVerdict(context, verdicts),
            [
                .. verdicts[^1]
                    .Answers.OrderByDescending(answer => answer.IsRated)
                    .Select(answer => new SummaryValue(
                        answer.Question.Words,
                        answer.FigureText,
                        answer.Severity,
                        CreateRatingCell(answer).TextValue!
                    ))
                    .Concat(rates),
            ]
        );
    }

    private static CellValue CreateChangeCell(double measured, double? before, bool higherIsBetter)
    {
        if (before is null or 0)
            return CellValue.Create("-", CellStyle.FigureBefore);
        var change = (measured - before.Value) / before.Value;
        // The smallest change that a comparison of single runs reports.
        var style =
            Math.Abs(change) * 100 < new ComparisonOptions().MinSingleChangePercent ? CellStyle.Change
            : change > 0 == higherIsBetter ? CellStyle.ChangeBetter
            : CellStyle.ChangeWorse;
        return CellValue.Create(change, style);
    }

    private static CellValue CreateRatingCell(SummaryResult answer) =>
        answer.Severity switch
        {
            FindingSeverity.Good => CellValue.Create("✔ Good", CellStyle.Good),
            FindingSeverity.Watch => CellValue.Create("! Watch", CellStyle.Watch),
            FindingSeverity.Bad => CellValue.Create("✘ Bad", CellStyle.Bad),
            FindingSeverity.Unknown => CellValue.Create("not rated", CellStyle.Neutral),
            _ => CellValue.Create("no limit", CellStyle.Neutral),
        };

    private static SummaryResult? FindResult(SummaryMetric question, Verdict verdict) =>
        verdict.Answers.FirstOrDefault(answer => answer.Question == question);

    private static string DescribeTest(ReportContext context, SummaryResult answer)
    {
        var run = answer.Run;
        // The name of one repeat would suggest that the value is of that repeat alone.
        var name = answer.Runs.Count > 1 ? run.Workload ?? RunDescription.DescribePattern(run) : context.GetName(run);
        var load =
            RunDescription.DescribeLoad(run) is not { } text
            || name.Contains(FormattableString.Invariant($"{run.ThreadCount}x{run.OutstandingIO}"), StringComparison.Ordinal)
                ? name
                : $"{name}, {text}";
        return answer.Basis is null ? load : $"{load}: {answer.Basis}";
    }

    private static void AddLines(List<SectionBlock> blocks, string? heading, IReadOnlyList<string> lines, CellStyle style)
    {
        if (heading is not null)
            blocks.Add(new TextBlock(heading, CellStyle.Heading));
        blocks.AddRange(lines.Select(line => new TextBlock(line, style)));
    }
}
