using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

public enum SummaryMetricKind
{
    /// <summary>From low-load tests only; in a sweep, from the lowest load.</summary>
    Latency,

    Rate,

    /// <summary>Maximum latency of one I/O, of all runs.</summary>
    LongestIO,
}

/// <param name="Code">Code among the findings, after <see cref="FindingCodes.SummaryPrefix"/>.</param>
/// <param name="Words">The metric in words, such as <c>Average log write latency</c>.</param>
/// <param name="IsAbout">Whether a run provides the metric.</param>
public sealed record SummaryMetric(
    string Code,
    string Words,
    SummaryMetricKind Kind,
    string Unit,
    Func<IoTestResult, bool> IsAbout,
    Func<IoTestResult, double?> Value
)
{
    private const double PageKB = 8;
    private static readonly string[] s_latencyMetrics =
    [
        "AverageLatencyMs",
        "P99Ms",
        "ResponseAverageMs",
        "ResponseP99Ms",
        "LittlesLawLatencyMs",
    ];

    /// <summary>Metrics of the rules that rate it.</summary>
    public IReadOnlyList<string> RatedBy { get; init; } = s_latencyMetrics;

    /// <summary>Recommended action if the rule fails, in the imperative; null = check the limit.</summary>
    public string? WhatToDo { get; init; }

    public string FormatValue(double figure) =>
        Unit switch
        {
            "ms" => NumberFormat.Milliseconds(figure),
            "MiB/s" => ThroughputDisplay.Format(figure),
            _ => $"{NumberFormat.Rate(figure)} {Unit}",
        };

    public bool HigherIsBetter => Kind == SummaryMetricKind.Rate;

    public static IReadOnlyList<SummaryMetric> All { get; } =
    [
        new(
            "LogWriteLatency",
            "Average log write latency",
            SummaryMetricKind.Latency,
            "ms",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.LogCommit) && RuleEvaluator.IsLowLoad(run),
            GetLatencyMs
        )
        {
            WhatToDo =
                "check the write cache of the log volume and its power-loss protection, the path to the storage, and other load on the storage, then run log-commit again",
        },
        new(
            "PageReadLatency",
            "Average page read latency",
            SummaryMetricKind.Latency,
            "ms",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.PageRead) && RuleEvaluator.IsLowLoad(run),
            GetLatencyMs
        )
        {
            WhatToDo = "check the path to the storage and other load on it, then run page-read-qd1 again",
        },
        // A test with a target rate does not show the highest possible rate.
        new(
            "PageReadRate",
            "Page reads",
            SummaryMetricKind.Rate,
            "IOPS",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.PageRead) && !HasTargetRate(run),
            run => run.IOPS
        )
        {
            RatedBy = ["IOPS"],
        },
        new(
            "MixedRate",
            "Mixed I/O",
            SummaryMetricKind.Rate,
            "IOPS",
            run =>
                run
                    is {
                        Operation: IoOperation.Mixed,
                        WritePercent: not null,
                        BlockSizeKB: PageKB,
                        AccessPattern: not (IoAccessPattern.Sequential or IoAccessPattern.Interlocked)
                    }
                && !HasTargetRate(run),
            run => run.IOPS
        )
        {
            RatedBy = ["IOPS"],
        },
        new(
            "ScanRate",
            "Scan throughput",
            SummaryMetricKind.Rate,
            "MiB/s",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.Scan) && !HasTargetRate(run),
            run => run.BandwidthMBps
        )
        {
            RatedBy = ["BandwidthMBps"],
        },
        new("LongestIO", "Longest I/O", SummaryMetricKind.LongestIO, "ms", _ => true, GetLongestMs)
        {
            RatedBy = ["MaxLatencyMs", "ResponseMaxMs"],
            WhatToDo = "check what the storage did at that time, such as a path failover, a snapshot, or other load",
        },
    ];

    // If the target rate was not reached, the response time only shows how long the queue became.
    private static double? GetLongestMs(IoTestResult run) => run.HasMissedRate() ? run.MaxLatencyMs : run.ResponseMaxMs ?? run.MaxLatencyMs;

    private static bool HasTargetRate(IoTestResult run) => run.LoadModel == IoLoadModel.Open || run.TargetIops is not null;

    /// <summary>Response time of an open loop, Little's law if the source truncates to milliseconds (SQLIO), or else the average.</summary>
    private static double? GetLatencyMs(IoTestResult run) =>
        run.ResponseAverageMs ?? (ResultFormats.IsInWholeMilliseconds(run) ? run.LittlesLawLatencyMs : null) ?? run.AverageLatencyMs;
}
