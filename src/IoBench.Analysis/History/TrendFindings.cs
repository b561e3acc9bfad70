using IoBench.Engine;

namespace IoBench.Analysis;

internal static class TrendMessages
{
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
            Severity = trend.Direction switch
            {
                TrendDirection.Better or TrendDirection.Steady => FindingSeverity.Good,
                TrendDirection.Worse => FindingSeverity.Bad,
                _ => FindingSeverity.Unknown,
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
                : trend.Step is not { } step ? "Find out what is filling up, wearing out or growing"
                : step.HostChanges.Count > 0 ? $"Look at what changed at the same time: {TrendMessages.JoinChanges(step)}"
                : $"Find out what changed on {TrendMessages.FormatDay(step.Time)}",
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
