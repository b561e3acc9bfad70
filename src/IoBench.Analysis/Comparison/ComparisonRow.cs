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

    /// <summary>The verdict in one line, such as <c>oltp: new against old: worse, IOPS -12.3 %, latency +5.1 %</c>.</summary>
    public override string ToString()
    {
        var figures = new[] { ("IOPS", IopsChangePercent), ("latency", LatencyChangePercent), ("P99", P99ChangePercent) }
            .Where(f => f.Item2 is not null)
            .Select(f => string.Create(System.Globalization.CultureInfo.InvariantCulture, $", {f.Item1} {f.Item2:+0.0;-0.0;0.0} %"));
        var verdict = Verdict == ComparisonVerdict.NoVerdict ? "no verdict" : Verdict.ToString().ToLowerInvariant();
        var sides = $"{Label ?? "the new results"} against {BaselineLabel ?? "the baseline"}";
        return $"{Workload ?? IOPattern}: {sides}: {verdict}{string.Concat(figures)}";
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

    internal static string DescribeVerdict(ComparisonRow row)
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

    internal static string DescribeChange(ComparedMetric metric) =>
        $"{MetricCatalog.Get(metric.Metric).Words} {FormatSignedPercent(metric.ChangePercent)} % ({FormatSignedPercent(metric.ChangeLowPercent)} to {FormatSignedPercent(metric.ChangeHighPercent)} %)";

    private static string DescribeSmallestDetectable(ComparedMetric metric) =>
        $"a {(MetricCatalog.Get(metric.Metric).IsBetter(1) == true ? "loss" : "rise")} of {FormatPercent(metric.MinVisiblePercent)} %";

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

public sealed class ComparisonResult : IHasFindings
{
    public string? BaselineLabel { get; init; }

    public string? Label { get; init; }

    /// <summary>Patterns that both the baseline and the current results contain.</summary>
    public required IReadOnlyList<ComparisonRow> Rows { get; init; }

    /// <summary>Tests that have no counterpart, one line per reason.</summary>
    public required IReadOnlyList<string> Unmatched { get; init; }

    /// <summary>Reasons why the results might not be comparable, without duplicates.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    public IReadOnlyList<Finding> Findings =>
        (Finding[])[.. Finding.CollectFrom(Rows), .. ToolDifferences.CreateFindings(Rows), .. ToolDifferences.CreateDiskSpdFindings(Rows)];

    /// <summary>Differences between the tools of the baseline and the current results; empty if both are from one tool.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> ToolNotes =>
        [
            .. ToolDifferences
                .CreateFindings(Rows)
                .Select(finding => finding.WhatToDo is { } todo ? $"{finding.What}. {todo}" : finding.What),
        ];

    /// <summary>Sentences about the patterns that changed, and about changes that could not be detected.</summary>
    [JsonIgnore]
    public IEnumerable<string> Sentences
    {
        get
        {
            foreach (var row in Rows.Where(row => row.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse))
                yield return ComparisonRow.CreateFinding(row).What + ".";
            foreach (
                var unseen in Rows.Where(row => row.Verdict == ComparisonVerdict.NoVerdict && row.MinVisiblePercent is not null)
                    .GroupBy(row => (row.DecidingMetric, Min: Math.Ceiling(row.MinVisiblePercent!.Value - 1e-6)))
            )
            {
                var names = unseen.Select(row => row.Workload ?? row.IOPattern ?? "a run").Distinct().ToList();
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"Too few repeats to see less than {unseen.Key.Min:#,##0} % in {MetricCatalog.Get(unseen.Key.DecidingMetric!).Words}: {NameListFormat.Format(names, 4)}."
                );
            }
        }
    }
}
