using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>One pattern, compared: flat for a table, with the metrics nested.</summary>
public sealed class ComparisonRow
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
    /// <summary>Outstanding I/Os a thread and target.</summary>
    public int? OutstandingIO { get; init; }
    /// <summary>File size in MiB on the baseline's side.</summary>
    public double? FileSizeMB { get; init; }
    /// <summary>Runs on the baseline's side.</summary>
    public int BaselineRuns { get; init; }
    /// <summary>Runs on the other side.</summary>
    public int Runs { get; init; }
    /// <summary>Change of IOPS in percent.</summary>
    public double? IopsChangePercent => Find("IOPS")?.ChangePercent;
    /// <summary>Change of MB/s in percent.</summary>
    public double? MBpsChangePercent => Find("BandwidthMBps")?.ChangePercent;
    /// <summary>Change of the average latency in percent.</summary>
    public double? LatencyChangePercent => (Find("AverageLatencyMs") ?? Find("LittlesLawLatencyMs"))?.ChangePercent;
    /// <summary>Change of the 99th percentile in percent.</summary>
    public double? P99ChangePercent => Find("P99Ms")?.ChangePercent;
    /// <summary>Worse when any metric is worse, better when one is better and none worse.</summary>
    public ComparisonVerdict Verdict { get; internal set; }
    /// <summary>The metrics.</summary>
    public required IReadOnlyList<ComparedMetric> Metrics { get; init; }
    /// <summary>The baseline's results that were compared.</summary>
    public IReadOnlyList<IoTestResult> BaselineResults { get; init; } = [];
    /// <summary>The other side's results that were compared.</summary>
    public IReadOnlyList<IoTestResult> Results { get; init; } = [];
    /// <summary>Why this comparison may be unfair; in words.</summary>
    public List<string> Warnings { get; init; } = [];

    private ComparedMetric? Find(string name) => Metrics.FirstOrDefault(m => m.Metric == name);
}

/// <summary>A comparison of one side with the baseline.</summary>
public sealed class ComparisonResult
{
    /// <summary>The baseline's label.</summary>
    public string? BaselineLabel { get; init; }
    /// <summary>The other side's label.</summary>
    public string? Label { get; init; }
    /// <summary>The patterns both sides ran.</summary>
    public required IReadOnlyList<ComparisonRow> Rows { get; init; }
    /// <summary>Runs without a partner, in words.</summary>
    public required IReadOnlyList<string> Unmatched { get; init; }
    /// <summary>What makes the whole comparison unfair; each once.</summary>
    public required IReadOnlyList<string> Warnings { get; init; }
}

/// <summary>How strict a comparison is.</summary>
/// <param name="Alpha">Highest probability of any false alarm over all patterns and metrics.</param>
/// <param name="LeastChangePercent">Smaller changes are noise, however certain.</param>
/// <param name="LeastSingleChangePercent">Without repeats: smaller changes have no verdict.</param>
public sealed record ComparisonOptions(double Alpha = 0.01, double LeastChangePercent = 5, double LeastSingleChangePercent = 15);
