using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis;

/// <summary>Kind of a summary metric, which determines how its value is chosen and rated.</summary>
public enum VerdictKind
{
    /// <summary>Latency: from low-load tests only; in a sweep, from the lowest load.</summary>
    Wait,

    /// <summary>Rate: the highest value.</summary>
    Rate,

    /// <summary>Maximum latency of all runs, rated by the limits at which SQL Server itself reports an error.</summary>
    Stall,
}

/// <summary>A metric of the summary, with the tests that provide it.</summary>
/// <param name="Code">Code among the findings, after <see cref="FindingCodes.SummaryPrefix"/>.</param>
/// <param name="Words">Beginning of the sentence, such as <c>A commit waits</c>.</param>
/// <param name="Kind">Determines how the value is chosen and rated.</param>
/// <param name="Unit">ms, MiB/s, or per second.</param>
/// <param name="IsAbout">Whether a run provides the metric.</param>
/// <param name="Value">Value of a run.</param>
public sealed record VerdictQuestion(
    string Code,
    string Words,
    VerdictKind Kind,
    string Unit,
    Func<IoTestResult, bool> IsAbout,
    Func<IoTestResult, double?> Value
)
{
    private const double PageKB = 8;
    private static readonly string[] s_waits = ["AverageLatencyMs", "P99Ms", "ResponseAverageMs", "ResponseP99Ms", "LittlesLawLatencyMs"];

    /// <summary>Metrics of the rules that rate it.</summary>
    public IReadOnlyList<string> JudgedBy { get; init; } = s_waits;

    /// <summary>Recommended action if the rule fails, in the imperative; null = check the limit.</summary>
    public string? WhatToDo { get; init; }

    /// <summary>Formats a value with its unit.</summary>
    public string TextOf(double figure) =>
        Unit switch
        {
            "ms" => Figures.Milliseconds(figure),
            "MiB/s" => Throughput.Text(figure),
            _ => $"{Figures.Rate(figure)} {Unit}",
        };

    /// <summary>Whether a higher value is better.</summary>
    public bool HigherIsBetter => Kind == VerdictKind.Rate;

    /// <summary>All metrics of the summary, in order.</summary>
    public static IReadOnlyList<VerdictQuestion> All { get; } =
    [
        new(
            "CommitWait",
            "A commit waits",
            VerdictKind.Wait,
            "ms",
            run => RuleJudge.Is(run, IoRuleKind.LogCommit) && RuleJudge.IsWorkingLoad(run),
            Latency
        )
        {
            WhatToDo =
                "check the log volume's write cache (protected against power loss?), its path and who shares it, then run log-commit again",
        },
        new(
            "PageReadWait",
            "A page read waits",
            VerdictKind.Wait,
            "ms",
            run => RuleJudge.Is(run, IoRuleKind.PageRead) && RuleJudge.IsWorkingLoad(run),
            Latency
        )
        {
            WhatToDo = "check the path to the storage and who shares it, then run page-read-qd1 again",
        },
        // A test with a target rate does not show the highest possible rate.
        new(
            "PageReadRate",
            "Page reads",
            VerdictKind.Rate,
            "per second",
            run => RuleJudge.Is(run, IoRuleKind.PageRead) && !IsPaced(run),
            run => run.IOPS
        )
        {
            JudgedBy = ["IOPS"],
        },
        new(
            "MixedRate",
            "Mixed I/O",
            VerdictKind.Rate,
            "per second",
            run =>
                run
                    is {
                        Operation: IoOperation.Mixed,
                        WritePercent: not null,
                        BlockSizeKB: PageKB,
                        AccessPattern: not (IoAccessPattern.Sequential or IoAccessPattern.Interlocked)
                    }
                && !IsPaced(run),
            run => run.IOPS
        )
        {
            JudgedBy = ["IOPS"],
        },
        new(
            "ScanRate",
            "Scans read",
            VerdictKind.Rate,
            "MiB/s",
            run => RuleJudge.Is(run, IoRuleKind.Scan) && !IsPaced(run),
            run => run.BandwidthMBps
        )
        {
            JudgedBy = ["BandwidthMBps"],
        },
        new("LongestStall", "Longest stall", VerdictKind.Stall, "ms", _ => true, Longest)
        {
            JudgedBy = ["MaxLatencyMs", "ResponseMaxMs"],
            WhatToDo =
                "SQL Server reports I/Os of 15 s as error 833; look at what the storage did then: path failover, snapshot, another load",
        },
    ];

    // If the target rate was not reached, the response time only shows how long the queue became.
    private static double? Longest(IoTestResult run) => run.HasMissedRate() ? run.MaxLatencyMs : run.ResponseMaxMs ?? run.MaxLatencyMs;

    private static bool IsPaced(IoTestResult run) => run.LoadModel == IoLoadModel.Open || run.TargetIops is not null;

    /// <summary>
    /// Response time of an open loop, Little's law if the source truncates to whole milliseconds (SQLIO), or else the average.
    /// </summary>
    private static double? Latency(IoTestResult run) =>
        run.ResponseAverageMs ?? (ResultFormats.IsInWholeMilliseconds(run) ? run.LittlesLawLatencyMs : null) ?? run.AverageLatencyMs;
}
