using System.Globalization;
using System.Text.Json.Serialization;

namespace IoBench.Analysis.Comparison;

/// <summary>One pattern, compared: flat for a table, with the metrics nested.</summary>
public sealed class ComparisonRow : IHasFindings
{
    /// <summary>The baseline's label.</summary>
    public string? BaselineLabel { get; init; }

    /// <summary>The other side's label.</summary>
    public string? Label { get; init; }

    /// <summary>Workload, when the runs have one.</summary>
    public string? Workload { get; init; }

    /// <summary>Pattern in words.</summary>
    public string? IOPattern { get; init; }

    /// <summary>All threads.</summary>
    public int? ThreadCount { get; init; }

    /// <summary>Outstanding I/Os per thread and target.</summary>
    public int? OutstandingIO { get; init; }

    /// <summary>File size in MiB on the baseline's side.</summary>
    public double? FileSizeMB { get; init; }

    /// <summary>Runs on the baseline's side.</summary>
    public int BaselineRuns { get; init; }

    /// <summary>Runs on the other side.</summary>
    public int Runs { get; init; }

    /// <summary>Change of IOPS in percent.</summary>
    public double? IopsChangePercent => Find("IOPS")?.ChangePercent;

    /// <summary>Change of MiB/s in percent.</summary>
    public double? MBpsChangePercent => Find("BandwidthMBps")?.ChangePercent;

    /// <summary>Change of the average latency in percent.</summary>
    public double? LatencyChangePercent => (Find("AverageLatencyMs") ?? Find("LittlesLawLatencyMs"))?.ChangePercent;

    /// <summary>Change of the 99th percentile in percent.</summary>
    public double? P99ChangePercent => Find("P99Ms")?.ChangePercent;

    /// <summary>By IOPS of a closed loop, by response time of an open one, and by the 99th percentile beyond its own uncertainty; worse before better.</summary>
    public ComparisonVerdict Verdict { get; internal set; }

    /// <summary>The metric that decided.</summary>
    public string? DecidingMetric { get; internal set; }

    /// <summary>Its change in percent.</summary>
    public double? ChangePercent => Deciding?.ChangePercent;

    /// <summary>Lower end of the interval of that change, in percent.</summary>
    public double? ChangeLowPercent => Deciding?.ChangeLowPercent;

    /// <summary>Its upper end, in percent.</summary>
    public double? ChangeHighPercent => Deciding?.ChangeHighPercent;

    /// <summary>The smallest change to the worse, in percent, that these runs could have shown.</summary>
    public double? MinVisiblePercent => Deciding?.MinVisiblePercent;
    public required IReadOnlyList<ComparedMetric> Metrics { get; init; }

    /// <summary>The baseline's results that were compared.</summary>
    public IReadOnlyList<IoTestResult> BaselineResults { get; init; } = [];

    /// <summary>The other side's results that were compared.</summary>
    public IReadOnlyList<IoTestResult> Results { get; init; } = [];

    /// <summary>Why this comparison may be unfair; in words.</summary>
    public List<string> Warnings { get; init; } = [];

    /// <summary>The verdict as a finding; in JSON it is among the comparison's own.</summary>
    [JsonIgnore]
    public IReadOnlyList<Finding> Findings => (Finding[])[ComparisonFindings.Of(this)];

    /// <summary>The verdict in a line: <c>oltp: new against old: worse, IOPS -12.3 %, latency +5.1 %</c>.</summary>
    public override string ToString()
    {
        var figures = new[] { ("IOPS", IopsChangePercent), ("latency", LatencyChangePercent), ("P99", P99ChangePercent) }
            .Where(f => f.Item2 is not null)
            .Select(f => string.Create(System.Globalization.CultureInfo.InvariantCulture, $", {f.Item1} {f.Item2:+0.0;-0.0;0.0} %"));
        var verdict = Verdict == ComparisonVerdict.NoVerdict ? "no verdict" : Verdict.ToString().ToLowerInvariant();
        return $"{Workload ?? IOPattern}: {Label ?? "the new results"} against {BaselineLabel ?? "the baseline"}: {verdict}{string.Concat(figures)}";
    }

    internal ComparedMetric? Deciding => DecidingMetric is { } name ? Find(name) : null;

    private ComparedMetric? Find(string name) => Metrics.FirstOrDefault(m => m.Metric == name);
}

/// <summary>A comparison of one side with the baseline.</summary>
public sealed class ComparisonResult : IHasFindings
{
    /// <summary>The baseline's label.</summary>
    public string? BaselineLabel { get; init; }

    /// <summary>The other side's label.</summary>
    public string? Label { get; init; }

    /// <summary>The patterns both sides ran.</summary>
    public required IReadOnlyList<ComparisonRow> Rows { get; init; }

    /// <summary>Tests without a partner in words, a line for each reason.</summary>
    public required IReadOnlyList<string> Unmatched { get; init; }

    /// <summary>What makes the whole comparison unfair; each once.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }

    /// <summary>The findings of all patterns, then what makes the sides hard to compare.</summary>
    public IReadOnlyList<Finding> Findings =>
        (Finding[])[.. ResultFindings.Of(Rows), .. ToolDifferences.Of(Rows), .. DiskSpdVersions.Find(Rows)];

    /// <summary>What the tools of both sides mean by the same figure, a sentence each: what was converted, and what no conversion makes equal; empty where one tool measured all.</summary>
    [JsonIgnore]
    public IReadOnlyList<string> ToolNotes =>
        [.. ToolDifferences.Of(Rows).Select(finding => finding.WhatToDo is { } todo ? $"{finding.What}. {todo}" : finding.What)];

    /// <summary>What differs, a sentence for each pattern, and one for what is not known.</summary>
    [JsonIgnore]
    public IEnumerable<string> Sentences
    {
        get
        {
            foreach (var row in Rows.Where(row => row.Verdict is ComparisonVerdict.Better or ComparisonVerdict.Worse))
                yield return ComparisonFindings.Of(row).What + ".";
            foreach (
                var unseen in Rows.Where(row => row.Verdict == ComparisonVerdict.NoVerdict && row.MinVisiblePercent is not null)
                    .GroupBy(row => (row.DecidingMetric, Min: Math.Ceiling(row.MinVisiblePercent!.Value - 1e-6)))
            )
            {
                var names = unseen.Select(row => row.Workload ?? row.IOPattern ?? "a run").Distinct().ToList();
                yield return string.Create(
                    CultureInfo.InvariantCulture,
                    $"Too few repeats to see less than {unseen.Key.Min:#,##0} % in {MetricCatalog.Get(unseen.Key.DecidingMetric!).Words}: {NameList.Of(names, 4)}."
                );
            }
        }
    }
}
