using IoBench.Analysis;
using IoBench.Engine;

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
        ReportDocument.ReleaseMemory(context.Results.Count);
        List<SummaryResult> given = [.. verdicts.SelectMany(verdict => verdict.Answers)];

        var blocks = new List<SectionBlock>
        {
            new TextBlock(
                string.Join(
                    " ",
                    new[] { SummaryMessages.DescribeVerdict(context, verdicts) }
                        .Concat(context.DescribeAnalyses(isGood: verdicts.TrueForAll(verdict => verdict.Outcome == VerdictOutcome.Pass)))
                        .Concat(DescribePeriodicStalls(context))
                ),
                CellStyle.Lead
            ),
        };
        blocks.AddRange(CapSection.CreateProvisionedBlocks(context.Caps));
        ReportDocument.ReleaseMemory(context.Results.Count);
        var rows = new List<CellValue[]>();
        foreach (var question in SummaryMetric.All)
        {
            // The longest I/O is of all tests, so it is the last row.
            if (question.Kind == SummaryMetricKind.LongestIO)
                rows.AddRange(
                    sides
                        .SelectMany(side => SummaryMessages.GetRates(side).Select(rate => (Side: side, Rate: rate)))
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
        if (SummaryMessages.DescribeReadTimes(sides[^1], sides.Count > 1) is { } estimate)
            blocks.Add(new TextBlock(estimate));
        ReportDocument.ReleaseMemory(context.Results.Count);
        if (SummarySection.CreateCharts(context) is { Count: > 0 } charts)
            blocks.Add(new ChartsBlock(charts) { ChartsPerLine = 3 });
        ReportDocument.ReleaseMemory(context.Results.Count);
        AddLines(blocks, "What to do", SummaryMessages.GetAdvice(context, given), CellStyle.Paragraph);
        blocks.AddRange(
            SummarySection.CreateFindingBlocks(
                SummarySection.CollectFindings(context, given),
                rows.Count > 0,
                context.Sides.Baseline is not null
            )
        );
        ReportDocument.ReleaseMemory(context.Results.Count);
        AddLines(blocks, "Reliability", SummaryMessages.DescribeReliability(context), CellStyle.Paragraph);
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
        List<TableColumn> columns = [new("Metric", false, 44, 30), new("Measured", true, 24, 18), new("Limit", false, 60, 40)];
        if (context.Sides.Baseline is { } baseline)
            columns.AddRange([
                new($"Baseline ({RunDescription.ShortenMiddle(baseline.Name, 14)})", true, 24, 13),
                new("Change", true, 12, 10),
            ]);
        columns.AddRange([
            new("Verdict", false, 20, 20, IsCentered: true),
            new("Rule set", false, 14, 12),
            new("Measured by", false, 76, 34),
        ]);
        return columns;
    }

    private static CellValue[] CreateRow(ReportContext context, SummaryResult answer, RunGroup side, SummaryResult? before)
    {
        List<CellValue> cells =
        [
            CellValue.Create(context.Sides.Sides.Count > 1 ? $"{answer.Words}, {side.Name}" : answer.Words, CellStyle.Strong),
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

    private static CellValue[] CreateRateRow(ReportContext context, RunGroup side, SummaryMessages.MeasuredRate rate)
    {
        var before =
            context.Sides.Baseline is { } baseline && !ReferenceEquals(side, baseline)
                ? SummaryMessages.GetRates(baseline).FirstOrDefault(earlier => earlier.Label == rate.Label)
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

    public static (string Verdict, IReadOnlyList<SummaryValue> Values) GetValues(ReportContext context)
    {
        var sides = context.Sides.Sides;
        var verdicts = sides.Select(side => Verdict.Create(side.Runs, context.RuleSet)).ToList();
        var rates = SummaryMessages
            .GetRates(sides[^1])
            .Select(rate => new SummaryValue(rate.Label, rate.Text, null, FindingSeverity.Info, "no limit"));
        return (
            SummaryMessages.DescribeVerdict(context, verdicts),
            [
                .. verdicts[^1]
                    .Answers.OrderByDescending(answer => answer.IsRated)
                    .Select(answer => new SummaryValue(
                        answer.Words,
                        answer.FigureText,
                        answer.Outcome,
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

    private static CellValue CreateRatingCell(SummaryResult answer) => CreateOutcomeCell(answer.Outcome, answer.Severity, answer.Word);

    private static CellValue CreateOutcomeCell(VerdictOutcome? outcome, FindingSeverity severity, string word) =>
        (outcome, severity) switch
        {
            (VerdictOutcome.Fail, _) or (null, FindingSeverity.Critical) => CellValue.Create("✘ " + word, CellStyle.Fail),
            (_, FindingSeverity.Warning) => CellValue.Create("! " + word, CellStyle.Warning),
            (VerdictOutcome.Pass, _) => CellValue.Create("✔ " + word, CellStyle.Pass),
            _ => CellValue.Create(word, CellStyle.Neutral),
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
            || name.Contains(Invariant($"{run.ThreadCount}x{run.OutstandingIO}"), StringComparison.Ordinal)
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

    /// <summary>From this size on, the chart shows throughput instead of IOPS.</summary>
    private const double LargeBlockKB = 60;
    private const int MaxBars = 8,
        MinComparedPatterns = 3;
    private const double ChartHeight = 270;

    public static IReadOnlyList<ChartSpec> CreateCharts(ReportContext context)
    {
        // One or two changes say less than the runs side by side.
        if (context.Sides.Comparisons.Any(comparison => comparison.Rows.Count >= MinComparedPatterns))
            return
                ComparisonSection.CreateChangeChart(context.Sides.Comparisons, "IOPS", "IOPS", row => row.IopsChangePercent) is { } change
                ? [LimitHeight(change)]
                : [];
        if (context.Trends.Count > 0)
            return [LimitHeight(TrendSection.CreateMainChart(context.Trends))];
        if (RolesSection.CreateMainChart(context.Roles) is { } roles)
            return [LimitHeight(roles)];
        if (CapturedWorkloadSection.CreateChart(context.ObservedLatencies) is { } capturedWorkloads)
            return [LimitHeight(capturedWorkloads)];
        if (RepeatsSection.CreateMainChart(context) is { } rounds)
            return [LimitHeight(rounds)];
        if (context.Sweeps.Count == 1 && SweepSection.CreateMainChart(context, context.Sweeps[0]) is { } sweep)
            return [LimitHeight(sweep)];
        var rows = context.Rows.Where(row => row.Runs.All(run => run.Status == IoResultStatus.Complete)).ToList();
        ChartSpec?[] charts =
        [
            CreateLatencyLimitChart(context),
            CreateRateChart(
                context,
                rows.FindAll(row => row.First.BlockSizeKB >= LargeBlockKB),
                "Large blocks",
                ThroughputDisplay.Unit,
                run => ThroughputDisplay.ToUnit(run.BandwidthMBps)
            ),
            CreateRateChart(context, rows.FindAll(row => row.First.BlockSizeKB < LargeBlockKB), "Small blocks", "IOPS", run => run.IOPS),
        ];
        return [.. charts.OfType<ChartSpec>()];
    }

    private static ChartSpec LimitHeight(ChartSpec chart) =>
        chart with
        {
            Height = chart.Kind == ChartKind.Bars && chart.Categories.Count <= 2 ? 190 : Math.Clamp(chart.Height, ChartHeight, 360),
        };

    /// <summary>Latency of log writes and page reads with the limit of the rule set; null if none was rated.</summary>
    private static ChartSpec? CreateLatencyLimitChart(ReportContext context)
    {
        var bars = new List<(string Name, double Value, double Limit)>();
        foreach (var (words, kind) in new[] { ("log write", IoRuleKind.LogCommit), ("page read", IoRuleKind.PageRead) })
        {
            var runs = context
                .Results.Where(run =>
                    run.Status == IoResultStatus.Complete && RuleEvaluator.IsOfKind(run, kind) && RuleEvaluator.IsLowLoad(run)
                )
                .ToList();
            foreach (
                var (metric, name) in new[]
                {
                    ("AverageLatencyMs", "average"),
                    ("ResponseAverageMs", "average"),
                    ("P99Ms", "p99"),
                    ("ResponseP99Ms", "p99"),
                }
            )
            {
                var limits =
                    runs.Count == 0
                        ? []
                        : RuleEvaluator.Evaluate(runs, context.RuleSet).Where(verdict => verdict.Metric == metric).ToList();
                var values = runs.Select(MetricCatalog.Get(metric).Figure!).OfType<double>().ToList();
                if (limits.Count > 0 && values.Count > 0)
                    bars.Add(($"{words}, {name}", values.Average(), limits.Min(verdict => verdict.Limit)));
            }
        }
        return bars.Count == 0
            ? null
            : new(ChartKind.Columns, "Latency at low load", $"Dashes show the limits of rule set {context.RuleSet.Name}", "ms")
            {
                Categories = bars.ConvertAll(bar => bar.Name),
                Series =
                [
                    new("measured", bars.ConvertAll(bar => (double?)bar.Value), Palette.GetBarStyle(0)),
                    new("limit", bars.ConvertAll(bar => (double?)bar.Limit), new(Palette.FailText, MarkerShape.Dash)) { IsLimit = true },
                ],
                ShowsLegend = true,
                ShowsValues = true,
                Height = ChartHeight,
            };
    }

    private static ChartSpec? CreateRateChart(
        ReportContext context,
        List<RunGroup> rows,
        string title,
        string unit,
        Func<IoTestResult, double?> value
    )
    {
        var known = rows.Select(row => (Row: row, Value: row.GetMedian(value))).Where(item => item.Value is > 0).ToList();
        if (known.Count == 0)
            return null;
        if (known.Count > MaxBars)
        {
            title = Invariant($"{title}: the {MaxBars} fastest of {known.Count:#,##0}");
            known = [.. known.OrderByDescending(item => item.Value).Take(MaxBars)];
        }
        // Bars run from bottom to top; the first must be on top.
        known.Reverse();
        var colors = known.ConvertAll(item => context.Palette.GetColor(RunDescription.DescribePattern(item.Row.First)));
        return new(ChartKind.Bars, title, "Test", unit)
        {
            Categories = known.ConvertAll(item => RunDescription.ShortenMiddle(item.Row.Name, 30)),
            Series = [new(unit, known.ConvertAll(item => item.Value), new(colors[0])) { PointColors = colors }],
            ShowsValues = true,
            Height = ChartHeight,
        };
    }

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
                .Where(answer => answer.Severity >= FindingSeverity.Warning)
                .Select(answer => answer.CreateFinding(context.GetName(answer.Run))),
        ];
        found.AddRange(context.Stalls.Select(stall => stall.CreateFinding(context.GetName(stall.Run))));
        found.AddRange(context.SlowestIOs.Select(slowest => slowest.CreateFinding(context.GetName(slowest.Run))));
        found.AddRange(IntegrityResult.Find(context.Results).SelectMany(answer => answer.CreateFindings(context.GetName(answer.Run))));
        found.AddRange(ReportDocument.CollectFindings(context));
        return
        [
            .. found
                .Where(finding => finding is not { Outcome: VerdictOutcome.Pass, Severity: FindingSeverity.Info })
                .DistinctBy(finding => (finding.Code, finding.Subject, finding.What))
                .GroupBy(finding => (finding.Code, finding.Severity, finding.Outcome, finding.WhatToDo))
                .SelectMany(alike => alike.Count() > MaxAlike ? [CombineFindings([.. alike])] : alike.ToArray())
                .OrderByDescending(finding => finding.Severity)
                .ThenByDescending(finding => finding.Outcome == VerdictOutcome.NotRated),
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
            What = Invariant($"{RunDescription.ToSentence(alike[0].What)} The same applies to {alike.Count - 1} more: {others}."),
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
            (new("Severity", false, 14, 12, IsCentered: true), finding => FormatSeverity(finding.Severity, finding.Outcome)),
            (
                new("Finding", false, 100, 60) { Span = free / 2 },
                finding => CellValue.Create(RunDescription.ToSentence(finding.What), CellStyle.Wrapped)
            ),
            (
                new("What to do", false, 80, 50) { Span = free - free / 2 },
                finding => CellValue.Create(finding.WhatToDo is { } what ? RunDescription.ToSentence(what) : "-", CellStyle.Wrapped)
            ),
        ];
        yield return new TextBlock("Findings, by severity", CellStyle.Heading);
        yield return TableBlock.FromItems("Findings", [.. findings.Take(MaxFindings)], columns) with
        {
            IsFilterable = false,
        };
        if (findings.Count > MaxFindings)
            yield return new TextBlock(
                Invariant($"{findings.Count - MaxFindings} more findings of the same or a lower severity are in the following sheets."),
                CellStyle.Small
            );
    }

    private static CellValue FormatSeverity(FindingSeverity severity, VerdictOutcome? outcome) =>
        severity switch
        {
            FindingSeverity.Critical => CellValue.Create("✘ Critical", CellStyle.Fail),
            FindingSeverity.Warning => CellValue.Create("! Warning", CellStyle.Warning),
            _ => CellValue.Create(outcome == VerdictOutcome.NotRated ? "not rated" : "Info", CellStyle.Neutral),
        };
}

/// <param name="Outcome">Null if there is no limit.</param>
internal sealed record SummaryValue(string Label, string Text, VerdictOutcome? Outcome, FindingSeverity Severity, string Rating);
