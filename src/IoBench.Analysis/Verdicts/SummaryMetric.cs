using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

public enum SummaryMetricKind
{
    /// <summary>Latency: from low-load tests only; in a sweep, from the lowest load.</summary>
    Wait,

    Rate,

    /// <summary>Maximum latency of all runs, rated by the limits at which SQL Server itself reports an error.</summary>
    Stall,
}

/// <param name="Code">Code among the findings, after <see cref="FindingCodes.SummaryPrefix"/>.</param>
/// <param name="Words">Beginning of the sentence, such as <c>A commit waits</c>.</param>
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
    public IReadOnlyList<string> JudgedBy { get; init; } = s_latencyMetrics;

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
            "CommitWait",
            "A commit waits",
            SummaryMetricKind.Wait,
            "ms",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.LogCommit) && RuleEvaluator.IsLowLoad(run),
            GetLatencyMs
        )
        {
            WhatToDo =
                "check the log volume's write cache (protected against power loss?), its path and who shares it, then run log-commit again",
        },
        new(
            "PageReadWait",
            "A page read waits",
            SummaryMetricKind.Wait,
            "ms",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.PageRead) && RuleEvaluator.IsLowLoad(run),
            GetLatencyMs
        )
        {
            WhatToDo = "check the path to the storage and who shares it, then run page-read-qd1 again",
        },
        // A test with a target rate does not show the highest possible rate.
        new(
            "PageReadRate",
            "Page reads",
            SummaryMetricKind.Rate,
            "per second",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.PageRead) && !HasTargetRate(run),
            run => run.IOPS
        )
        {
            JudgedBy = ["IOPS"],
        },
        new(
            "MixedRate",
            "Mixed I/O",
            SummaryMetricKind.Rate,
            "per second",
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
            JudgedBy = ["IOPS"],
        },
        new(
            "ScanRate",
            "Scans read",
            SummaryMetricKind.Rate,
            "MiB/s",
            run => RuleEvaluator.IsOfKind(run, IoRuleKind.Scan) && !HasTargetRate(run),
            run => run.BandwidthMBps
        )
        {
            JudgedBy = ["BandwidthMBps"],
        },
        new("LongestStall", "Longest stall", SummaryMetricKind.Stall, "ms", _ => true, GetLongestMs)
        {
            JudgedBy = ["MaxLatencyMs", "ResponseMaxMs"],
            WhatToDo =
                "SQL Server reports I/Os of 15 s as error 833; look at what the storage did then: path failover, snapshot, another load",
        },
    ];

    // If the target rate was not reached, the response time only shows how long the queue became.
    private static double? GetLongestMs(IoTestResult run) => run.HasMissedRate() ? run.MaxLatencyMs : run.ResponseMaxMs ?? run.MaxLatencyMs;

    private static bool HasTargetRate(IoTestResult run) => run.LoadModel == IoLoadModel.Open || run.TargetIops is not null;

    /// <summary>Response time of an open loop, Little's law if the source truncates to milliseconds (SQLIO), or else the average.</summary>
    private static double? GetLatencyMs(IoTestResult run) =>
        run.ResponseAverageMs ?? (ResultFormats.IsInWholeMilliseconds(run) ? run.LittlesLawLatencyMs : null) ?? run.AverageLatencyMs;
}
