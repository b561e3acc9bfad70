using System.Globalization;
using IoBench.Engine;

namespace IoBench.Analysis;

internal static class ComparisonRow
{
    public static Finding CreateFinding(ComparisonRow row)
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
            What = $"{subject}: {DescribeVerdict(row)}",
            Severity = row.Verdict switch
            {
                ComparisonVerdict.Better => FindingSeverity.Good,
                ComparisonVerdict.Worse => FindingSeverity.Bad,
                ComparisonVerdict.Noise => FindingSeverity.Info,
                _ => FindingSeverity.Unknown,
            },
            Evidence = [.. row.Metrics.SelectMany(CreateEvidence)],
            WhatToDo = row.Verdict == ComparisonVerdict.Worse ? "Find out what changed" : null,
            Values = Finding.CreateValues(
                ("BaselineLabel", row.BaselineLabel),
                ("Label", row.Label),
                ("IOPattern", row.IOPattern),
                ("DecidingMetric", row.DecidingMetric)
            ),
        };
    }

    public static string DescribeVerdict(ComparisonRow row)
    {
        var baseline = row.BaselineLabel ?? "the baseline";
        if (row.Deciding is not { } deciding)
            return $"cannot be compared with {baseline}: a side has no figure above 0 to judge by";
        var change = DescribeChange(deciding);
        return row.Verdict switch
        {
            ComparisonVerdict.Better => $"better than {baseline}: {change}",
            ComparisonVerdict.Worse => $"worse than {baseline}: {change}",
            ComparisonVerdict.Noise =>
                $"no different from {baseline}: {change}; {DescribeSmallestDetectable(deciding)} would have been seen",
            _ =>
                $"too close to {baseline} to tell: {change}; too few repeats to see less than {FormatPercent(deciding.MinVisiblePercent)} %",
        };
    }

    public static string DescribeChange(ComparedMetric metric) =>
        $"{MetricCatalog.Get(metric.Metric).Words} {FormatSignedPercent(metric.ChangePercent)} % ({FormatSignedPercent(metric.ChangeLowPercent)} to {FormatSignedPercent(metric.ChangeHighPercent)} %)";

    private static string DescribeSmallestDetectable(ComparedMetric metric) =>
        $"a {(MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? "loss" : "rise")} of {FormatPercent(metric.MinVisiblePercent)} %";

    // Show a decimal only for small changes.
    private static string FormatSignedPercent(double? percent) =>
        percent?.ToString(Math.Abs(percent.Value) < 9.95 ? "+0.0;-0.0;0.0" : "+#,##0;-#,##0;0", CultureInfo.InvariantCulture) ?? "?";

    private static string FormatPercent(double? percent) =>
        percent is { } value ? Math.Ceiling(value - 1e-6).ToString("#,##0", CultureInfo.InvariantCulture) : "?";

    private static IEnumerable<FindingEvidence> CreateEvidence(ComparedMetric metric)
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
