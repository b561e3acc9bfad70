using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class ComparisonFindings
{
    public static Finding Of(ComparisonRow row)
    {
        var subject = row.Workload ?? row.IOPattern ?? "a run";
        return new()
        {
            Code = row.Verdict switch
            {
                ComparisonVerdict.Better => FindingCodes.ComparisonBetter,
                ComparisonVerdict.Worse => FindingCodes.ComparisonWorse,
                ComparisonVerdict.Noise => FindingCodes.ComparisonNoise,
                _ => FindingCodes.ComparisonNoVerdict,
            },
            Subject = subject,
            What = $"{subject}: {Words(row)}",
            Severity = row.Verdict switch
            {
                ComparisonVerdict.Better => FindingSeverity.Good,
                ComparisonVerdict.Worse => FindingSeverity.Bad,
                ComparisonVerdict.Noise => FindingSeverity.Info,
                _ => FindingSeverity.Unknown,
            },
            Evidence = [.. row.Metrics.SelectMany(Figures)],
            WhatToDo = row.Verdict == ComparisonVerdict.Worse ? "Find out what changed" : null,
            Values = Finding.ValuesOf(
                ("BaselineLabel", row.BaselineLabel),
                ("Label", row.Label),
                ("IOPattern", row.IOPattern),
                ("DecidingMetric", row.DecidingMetric)
            ),
        };
    }

    public static string Words(ComparisonRow row)
    {
        var baseline = row.BaselineLabel ?? "the baseline";
        if (row.Deciding is not { } deciding)
            return $"cannot be compared with {baseline}: a side has no figure above 0 to judge by";
        var change = Change(deciding);
        return row.Verdict switch
        {
            ComparisonVerdict.Better => $"better than {baseline}: {change}",
            ComparisonVerdict.Worse => $"worse than {baseline}: {change}",
            ComparisonVerdict.Noise => $"no different from {baseline}: {change}; {SmallestSeen(deciding)} would have been seen",
            _ => $"too close to {baseline} to tell: {change}; too few repeats to see less than {Percent(deciding.MinVisiblePercent)} %",
        };
    }

    public static string Change(ComparedMetric metric) =>
        $"{MetricCatalog.Get(metric.Metric).Words} {Signed(metric.ChangePercent)} % ({Signed(metric.ChangeLowPercent)} to {Signed(metric.ChangeHighPercent)} %)";

    private static string SmallestSeen(ComparedMetric metric) =>
        $"a {(MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? "loss" : "rise")} of {Percent(metric.MinVisiblePercent)} %";

    // Show a decimal only for small changes.
    private static string Signed(double? percent) =>
        percent?.ToString(Math.Abs(percent.Value) < 9.95 ? "+0.0;-0.0;0.0" : "+#,##0;-#,##0;0", CultureInfo.InvariantCulture) ?? "?";

    private static string Percent(double? percent) =>
        percent is { } value ? Math.Ceiling(value - 1e-6).ToString("#,##0", CultureInfo.InvariantCulture) : "?";

    private static IEnumerable<FindingFigure> Figures(ComparedMetric metric)
    {
        var unit = MetricCatalog.Get(metric.Metric).Unit;
        yield return new(metric.Metric + " baseline", metric.Baseline.Mean, unit);
        yield return new(metric.Metric, metric.Current.Mean, unit);
        yield return new(metric.Metric + " change", metric.ChangePercent, "%");
        if (metric.MinVisiblePercent is null)
            yield break;
        yield return new(metric.Metric + " change from", metric.ChangeLowPercent, "%");
        yield return new(metric.Metric + " change to", metric.ChangeHighPercent, "%");
        yield return new(metric.Metric + " smallest visible", metric.MinVisiblePercent, "%");
    }
}
