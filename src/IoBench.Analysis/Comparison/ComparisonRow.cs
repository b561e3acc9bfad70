using System.Globalization;
using System.Text.Json.Serialization;
using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Comparison of one pattern: flat for a table, with the metrics nested.</summary>
public sealed class ComparisonRow : IHasFindings
{
    public string? BaselineLabel { get; init; }

    public string? Label { get; init; }

    public string? Workload { get; init; }

    public string? IOPattern { get; init; }

    /// <summary>Total number of threads.</summary>
    public int? ThreadCount { get; init; }

    /// <summary>Outstanding I/Os per thread and target.</summary>
    public int? OutstandingIO { get; init; }

    /// <summary>File size of the baseline runs in MiB.</summary>
    public double? FileSizeMB { get; init; }

    public int BaselineRuns { get; init; }

    public int Runs { get; init; }

    public double? IopsChangePercent => FindMetric("IOPS")?.ChangePercent;

    public double? MBpsChangePercent => FindMetric("BandwidthMBps")?.ChangePercent;

    public double? LatencyChangePercent => (FindMetric("AverageLatencyMs") ?? FindMetric("LittlesLawLatencyMs"))?.ChangePercent;

    public double? P99ChangePercent => FindMetric("P99Ms")?.ChangePercent;

    /// <summary>By IOPS (closed loop) or response time (open loop), and by the 99th percentile. Worse takes precedence.</summary>
    public ComparisonVerdict Verdict { get; internal set; }

    public string? DecidingMetric { get; internal set; }

    /// <summary>The test: its workload, or its pattern, with the load if several rows have the same name.</summary>
    public string Test { get; internal set; } = "";

    /// <summary>Deciding metric in words, such as <c>IOPS</c> or <c>p99 latency</c>.</summary>
    public string? DecidedBy => DecidingMetric is { } name ? MetricCatalog.Get(name).Words : null;

    /// <summary>Mean of the deciding metric in the baseline results, in <see cref="Unit"/>.</summary>
    public double? Before => Deciding?.Baseline.Mean;

    /// <summary>Mean of the deciding metric in the current results, in <see cref="Unit"/>.</summary>
    public double? After => Deciding?.Current.Mean;

    /// <summary>Unit of <see cref="Before"/> and <see cref="After"/>.</summary>
    public string? Unit => DecidingMetric is { } name ? MetricCatalog.Get(name).Unit : null;

    /// <summary>Formats a value of the deciding metric with its unit, unless the metric is named by its unit. Rates of 100 or more have no
    /// decimals, as in the table of results.</summary>
    public string FormatValue(double? value) =>
        value is not { } known || DecidingMetric is not { } metric ? ""
        : Unit == DecidedBy ? NumberFormat.Short(known, wholeFrom: 100)
        : RuleEvaluator.FormatValue(metric, known, wholeFrom: 100);

    /// <summary>Smallest detectable change for the worse, such as <c>5%</c>; null if it is unknown.</summary>
    [JsonIgnore]
    public string? Detectable => MinVisiblePercent is null ? null : FormatPercent(MinVisiblePercent) + "%";

    /// <summary>Interval of the change, such as <c>-23 to -17%</c>; null without an interval.</summary>
    [JsonIgnore]
    public string? Interval =>
        Deciding is { ChangeLowPercent: { } low, ChangeHighPercent: { } high }
            ? $"{FormatSignedPercent(low)} to {FormatSignedPercent(high)}%"
            : null;

    /// <summary>Why the change has this verdict.</summary>
    public string Reason => DescribeReason(this);

    /// <summary>Change of the deciding metric in percent.</summary>
    public double? ChangePercent => Deciding?.ChangePercent;

    public double? ChangeLowPercent => Deciding?.ChangeLowPercent;

    public double? ChangeHighPercent => Deciding?.ChangeHighPercent;

    /// <summary>Smallest detectable change for the worse, in percent.</summary>
    public double? MinVisiblePercent => Deciding?.MinVisiblePercent;
    public required IReadOnlyList<ComparedMetric> Metrics { get; init; }

    public IReadOnlyList<IoTestResult> BaselineResults { get; init; } = [];

    public IReadOnlyList<IoTestResult> Results { get; init; } = [];

    /// <summary>Reasons why the results might not be comparable.</summary>
    public List<string> Warnings { get; init; } = [];

    [JsonIgnore]
    public IReadOnlyList<Finding> Findings => (Finding[])[ComparisonRow.CreateFinding(this)];

    /// <summary>The verdict in one line, such as <c>oltp: new against old: worse, IOPS -12.3%, latency +5.1%</c>.</summary>
    public override string ToString()
    {
        var figures = new[] { ("IOPS", IopsChangePercent), ("latency", LatencyChangePercent), ("P99", P99ChangePercent) }
            .Where(f => f.Item2 is not null)
            .Select(f => $", {f.Item1} {NumberFormat.Change(f.Item2!.Value)}");
        var sides = $"{Label ?? "the current results"} compared with {BaselineLabel ?? "the baseline"}";
        return $"{Workload ?? IOPattern}: {sides}: {VerdictWords.Describe(Verdict)}{string.Concat(figures)}";
    }

    internal ComparedMetric? Deciding => DecidingMetric is { } name ? FindMetric(name) : null;

    private ComparedMetric? FindMetric(string name) => Metrics.FirstOrDefault(m => m.Metric == name);

    internal static Finding CreateFinding(ComparisonRow row)
    {
        var subject = row.Workload ?? row.IOPattern ?? "a run";
        return new()
        {
            Code = row.Verdict switch
            {
                ComparisonVerdict.Better => FindingCodes.ComparisonBetter,
                ComparisonVerdict.Worse => FindingCodes.ComparisonWorse,
                ComparisonVerdict.NoDetectableChange => FindingCodes.ComparisonNoDetectableChange,
                _ => FindingCodes.ComparisonInconclusive,
            },
            Subject = subject,
            What = $"{subject}: {DescribeVerdict(row)}",
            Severity = row.Verdict == ComparisonVerdict.Worse ? FindingSeverity.Critical : FindingSeverity.Info,
            Outcome = row.Verdict switch
            {
                ComparisonVerdict.Better => VerdictOutcome.Pass,
                ComparisonVerdict.Worse => VerdictOutcome.Fail,
                ComparisonVerdict.NoDetectableChange => null,
                _ => VerdictOutcome.NotRated,
            },
            Evidence = [.. row.Metrics.SelectMany(CreateEvidence)],
            WhatToDo = row.Verdict == ComparisonVerdict.Worse ? "Check what changed" : null,
            Values = Finding.CreateValues(
                ("BaselineLabel", row.BaselineLabel),
                ("Label", row.Label),
                ("IOPattern", row.IOPattern),
                ("DecidingMetric", row.DecidingMetric)
            ),
        };
    }

    internal static string DescribeVerdict(ComparisonRow row)
    {
        var baseline = row.BaselineLabel ?? "the baseline";
        if (row.Deciding is not { } deciding)
            return $"inconclusive compared with {baseline}: the results have no value above 0 to compare";
        var change = DescribeChange(deciding);
        if (deciding.Doubt is { } doubt)
            return $"inconclusive compared with {baseline}: {change}; {doubt}";
        return row.Verdict switch
        {
            ComparisonVerdict.Better => $"better than {baseline}: {change}",
            ComparisonVerdict.Worse => $"worse than {baseline}: {change}",
            ComparisonVerdict.NoDetectableChange =>
                $"no detectable change from {baseline}: {change}. {DescribeSmallestDetectable(deciding)} or more would have been detected",
            _ =>
                $"inconclusive compared with {baseline}: {change}. {DescribeSmallestDetectable(deciding)} or more would have been detected. More repeats detect smaller changes",
        };
    }

    private static string DescribeReason(ComparisonRow row)
    {
        if (row.Deciding is not { } deciding)
            return "the results have no value above 0 to compare";
        if (deciding.Doubt is { } doubt)
            return doubt;
        return $"{DescribeSmallestDetectable(deciding)} or more would have been detected"
            + (row.Verdict == ComparisonVerdict.Inconclusive ? "; more repeats detect smaller changes" : "");
    }

    internal static string DescribeChange(ComparedMetric metric)
    {
        var words = MetricCatalog.Get(metric.Metric).Words;
        if (metric.ChangeLowPercent is null)
            return $"{words} {FormatSignedPercent(metric.ChangePercent)}%";
        // A change of 1,000% or more is a multiple of the baseline.
        return metric.ChangePercent is >= 1000
            ? $"{words} {FormatMultiple(metric.ChangePercent)} times the baseline ({FormatMultiple(metric.ChangeLowPercent)} to {FormatMultiple(metric.ChangeHighPercent)} times)"
            : $"{words} {FormatSignedPercent(metric.ChangePercent)}% ({FormatSignedPercent(metric.ChangeLowPercent)} to {FormatSignedPercent(metric.ChangeHighPercent)}%)";
    }

    private static string FormatMultiple(double? percent) => percent is { } value ? NumberFormat.Rate(1 + value / 100) : "?";

    private static string DescribeSmallestDetectable(ComparedMetric metric) =>
        $"A {(MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? "loss" : "rise")} of {FormatPercent(metric.MinVisiblePercent)}%";

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
