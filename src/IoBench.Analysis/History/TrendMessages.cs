using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class TrendMessages
{
    private const int MaxChanges = 6;

    public static string DescribeTrend(HistoryTrend trend)
    {
        var metric = MetricCatalog.Get(trend.Metric);
        var unit = metric.Unit.Length == 0 || metric.Unit == metric.Words ? "" : " " + metric.Unit;
        var where = $"{trend.Workload ?? trend.IOPattern} on {trend.ComputerName ?? trend.Path ?? "?"}";
        var days = FormatDays((trend.Last - trend.First).TotalDays);
        var way = trend.Direction == TrendDirection.Worse ? "worse" : "better";
        var weekends = trend.WeekendFactor is { } factor
            ? $" On weekends, the value differs by {NumberFormat.Change((factor - 1) * 100)} from weekdays. The trend excludes weekends."
            : "";
        var sentence = trend switch
        {
            { Direction: TrendDirection.TooFew } =>
                $"{where}: {FormatNumber(trend.Latest)}{unit}; {NumberFormat.Pluralize(trend.Points.Count, "run")} {(trend.Points.Count == 1 ? "is" : "are")} too few for a trend, which requires {HistoryTrend.MinRuns} runs at different times.",
            { Direction: TrendDirection.Steady } => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: steady at {FormatNumber(trend.Points.Average(p => p.Value))}{unit} over {trend.Points.Count} runs in {days}."
            ),
            { Step: { } step } => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: {way} since {FormatDay(step.Time)}. In one step, {metric.Words} changed from {FormatNumber(step.Before)} to {FormatNumber(step.After)}{unit} ({step.ChangePercent:+0.#;-0.#}%). The latest value is {FormatNumber(trend.Latest)}{unit}.{DescribeChangesAt(step)}"
            ),
            _ => string.Create(
                CultureInfo.InvariantCulture,
                $"{where}: {way}. In {days}, {metric.Words} changed gradually by {trend.ChangePercent:+0.#;-0.#}%. The latest value is {FormatNumber(trend.Latest)}{unit}."
            ),
        };
        return sentence + weekends;
    }

    public static string FormatDay(DateTimeOffset time) => time.ToString("yyyy-MM-dd", CultureInfo.InvariantCulture);

    public static string JoinChanges(TrendStep step) => NumberFormat.List(step.HostChanges, MaxChanges, "; ");

    private static string FormatDays(double days)
    {
        var number = NumberFormat.Plain(days);
        return number == "1" ? "1 day" : $"{number} days";
    }

    private static string DescribeChangesAt(TrendStep step) =>
        step.HostChanges.Count == 0 ? "" : $" Changed at the same time: {JoinChanges(step)}.";

    private static string FormatNumber(double value) => NumberFormat.Short(value, wholeFrom: 100);

    public static Finding CreateFinding(HistoryTrend trend)
    {
        var unit = MetricCatalog.Get(trend.Metric).Unit;
        return new()
        {
            Code = trend.Direction switch
            {
                TrendDirection.Better => FindingCodes.TrendBetter,
                TrendDirection.Worse => FindingCodes.TrendWorse,
                TrendDirection.Steady => FindingCodes.TrendSteady,
                _ => FindingCodes.TrendTooFew,
            },
            Subject = trend.Workload ?? trend.IOPattern ?? trend.Metric,
            What = trend.Summary,
            Severity = trend.Direction == TrendDirection.Worse ? FindingSeverity.Critical : FindingSeverity.Info,
            Outcome = trend.Direction switch
            {
                TrendDirection.Better or TrendDirection.Steady => VerdictOutcome.Pass,
                TrendDirection.Worse => VerdictOutcome.Fail,
                _ => VerdictOutcome.NotRated,
            },
            Evidence =
            [
                new("Runs", trend.Runs),
                new(trend.Metric + " median", trend.Median, unit),
                new(trend.Metric, trend.Latest, unit),
                new("Change", trend.ChangePercent, "%"),
                new("Change in 30 days", trend.PercentPerMonth, "%"),
            ],
            WhatToDo =
                trend.Direction != TrendDirection.Worse ? null
                : trend.Step is not { } step ? "Check the free space, the wear of the drives, and the growth of the data"
                : step.HostChanges.Count > 0 ? $"Check what changed at the same time: {TrendMessages.JoinChanges(step)}"
                : $"Check what changed on {TrendMessages.FormatDay(step.Time)}",
            Values = Finding.CreateValues(
                ("Metric", trend.Metric),
                ("ComputerName", trend.ComputerName),
                ("Path", trend.Path),
                ("IOPattern", trend.IOPattern),
                ("Step", trend.Step is { } night ? TrendMessages.FormatDay(night.Time) : null),
                ("ChangedAtTheSameTime", trend.Step is { HostChanges.Count: > 0 } changed ? TrendMessages.JoinChanges(changed) : null)
            ),
        };
    }
}
