using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Reports.Model;

namespace IoBench.Reports.Sections;

/// <summary>What a manager reads: a sentence of verdict, a few rows in plain words, a chart, what to do, how far to trust it, the small print.</summary>
internal static class SummarySection
{
    private const int MaxBars = 12;
    private const int LeastComparedPatterns = 3;
    private const double LowHeight = 190;

    /// <summary>The section; null when it is not wanted.</summary>
    public static Section? Build(ReportContext context)
    {
        if (context.Options.NoSummary)
            return null;
        var sides = context.Sides.Sides;
        var answers = sides.Select(side => Question.All.Select(question => question.AnswerFrom(side.Runs, context.RuleSet)).ToList()).ToList();
        var earlier = context.Sides.Baseline is { } baseline ? Question.All.Select(question => question.AnswerFrom(baseline.Runs, context.RuleSet)).ToList() : null;
        List<Answer> given = [.. answers.SelectMany(list => list).OfType<Answer>()];

        var blocks = new List<Block> { new TextBlock(string.Join(" ", new[] { SummaryText.Verdict(context, answers) }.Concat(context.Answers.Verdicts())), CellStyle.Lead) };
        var rows = new List<CellValue[]>();
        for (var question = 0; question < Question.All.Count; question++)
        {
            for (var side = 0; side < sides.Count; side++)
            {
                if (answers[side][question] is { } answer)
                    rows.Add(Row(context, answer, sides[side], ReferenceEquals(sides[side], context.Sides.Baseline) ? null : earlier?[question]));
            }
        }
        if (rows.Count > 0)
            blocks.Add(TableBlock.Of("Summary", Columns(context), rows, isFilterable: false));
        if (Chart(context) is { } chart)
            blocks.Add(new ChartsBlock([chart with { Height = chart.Kind == ChartKind.Bars && chart.Categories.Count <= 2 ? LowHeight : Math.Clamp(chart.Height, 270, 360) }]));
        Add(blocks, "What to do", SummaryText.Advice(context, given), CellStyle.Paragraph);
        Add(blocks, "How far to trust it", SummaryText.Trust(context), CellStyle.Paragraph);
        Add(blocks, null, SummaryText.SmallPrint(context), CellStyle.Small);
        return new("Summary", context.Title, blocks) { OnePage = true };
    }

    private static List<TableColumn> Columns(ReportContext context)
    {
        List<TableColumn> columns = [new("Question", false, 44, 30), new("Measured", true, 20, 18), new("Limit", false, 60, 40)];
        if (context.Sides.Baseline is { } baseline)
            columns.AddRange([new($"Earlier ({RunText.Shorten(baseline.Name, 14)})", true, 24, 13), new("Change", true, 12, 10)]);
        columns.AddRange([new("Verdict", false, 14, 14, IsCentred: true), new("Rule set", false, 14, 12), new("Measured by", false, 60, 34)]);
        return columns;
    }

    private static CellValue[] Row(ReportContext context, Answer answer, RunSide side, Answer? before)
    {
        List<CellValue> cells =
        [
            CellValue.Of(context.Sides.Sides.Count > 1 ? $"{answer.Question.Words}, {side.Name}" : answer.Question.Words, CellStyle.Strong),
            CellValue.Of(answer.Text, CellStyle.Figure),
            CellValue.Of(answer.Limit ?? "-"),
        ];
        if (context.Sides.Baseline is not null)
            cells.AddRange([CellValue.Of(before?.Text ?? "-", CellStyle.FigureBefore), Change(answer, before)]);
        cells.AddRange([Verdict(answer), CellValue.Of(answer.RuleSet ?? "-"), CellValue.Of(MeasuredBy(context, answer.Run))]);
        return [.. cells];
    }

    private static CellValue Change(Answer answer, Answer? before)
    {
        if (before is null || before.Measured == 0)
            return CellValue.Of("-", CellStyle.FigureBefore);
        var change = (answer.Measured - before.Measured) / before.Measured;
        // Single figures: the least change that the comparison itself calls one without repeats.
        var style = Math.Abs(change) * 100 < new ComparisonOptions().LeastSingleChangePercent ? CellStyle.Change
            : change > 0 == answer.Question.HigherIsBetter ? CellStyle.ChangeBetter : CellStyle.ChangeWorse;
        return CellValue.Of(change, style);
    }

    private static CellValue Verdict(Answer answer) => answer.Rating switch
    {
        Rating.Good => CellValue.Of("✔ Good", CellStyle.Good),
        Rating.Watch => CellValue.Of("! Watch", CellStyle.Watch),
        Rating.Bad => CellValue.Of("✘ Bad", CellStyle.Bad),
        Rating.NotRated => CellValue.Of("not rated", CellStyle.Neutral),
        _ => CellValue.Of("no limit", CellStyle.Neutral),
    };

    private static string MeasuredBy(ReportContext context, IoTestResult run)
    {
        var name = context.NameOf(run);
        return RunText.Load(run) is not { } load || name.Contains(FormattableString.Invariant($"{run.ThreadCount}x{run.OutstandingIO}"), StringComparison.Ordinal) ? name : $"{name}, {load}";
    }

    private static ChartSpec? Chart(ReportContext context)
    {
        // A bar or two of change tell less than the runs side by side.
        if (context.Sides.Comparisons.Any(comparison => comparison.Rows.Count >= LeastComparedPatterns))
            return ComparisonSection.ChangeChart(context.Sides.Comparisons, "IOPS", "IOPS", row => row.IopsChangePercent);
        if (context.Answers.Trends.Count > 0)
            return TrendSection.MainChart(context.Answers.Trends);
        if (RolesSection.MainChart(context.Answers.Roles) is { } roles)
            return roles;
        if (OwnLoadSection.Chart(context.Answers.OwnLoads) is { } ownLoads)
            return ownLoads;
        if (context.Sweeps.Count == 1)
            return SweepSection.MainChart(context, context.Sweeps[0]);
        var known = context.Results.Where(run => run.BandwidthMBps is not null).ToList();
        if (known.Count == 0)
            return null;
        var shown = known.Count <= MaxBars ? known : [.. known.OrderByDescending(run => run.BandwidthMBps).Take(MaxBars)];
        // Bars grow upwards; the first run shall stand on top.
        shown.Reverse();
        var colours = shown.ConvertAll(run => context.Palette.ColourOf(RunText.Pattern(run)));
        return new(ChartKind.Bars, known.Count <= MaxBars ? "How much it moves" : $"How much it moves: the {MaxBars} fastest runs", "Run", "Bandwidth (MB/s)")
        {
            Categories = shown.ConvertAll(context.NameOf),
            Series = [new("Bandwidth (MB/s)", [.. shown.Select(run => run.BandwidthMBps)], new(colours[0])) { PointColours = colours }],
            ShowValues = true,
        };
    }

    private static void Add(List<Block> blocks, string? heading, IReadOnlyList<string> lines, CellStyle style)
    {
        if (heading is not null)
            blocks.Add(new TextBlock(heading, CellStyle.Heading));
        blocks.AddRange(lines.Select(line => new TextBlock(line, style)));
    }
}
