namespace IoBench.Analysis.Verdicts;

/// <summary>How an answer is taken and judged.</summary>
public enum VerdictKind
{
    /// <summary>What somebody waits for: asked of working loads only; of a sweep's loads the lowest answers.</summary>
    Wait,

    /// <summary>How much is done: the highest answers.</summary>
    Rate,

    /// <summary>The longest of all waits: of every run the worst, judged by what SQL Server itself reports.</summary>
    Stall,
}

/// <summary>Something that a manager asks, and which tests are about it: no other test answers it.</summary>
/// <param name="Code">Its code among the findings, behind <see cref="FindingCodes.SummaryPrefix"/>.</param>
/// <param name="Words">The question as the beginning of a sentence: <c>A commit waits</c>.</param>
/// <param name="Kind">How it is taken and judged.</param>
/// <param name="Unit">ms, MiB/s or per second.</param>
/// <param name="IsAbout">The runs that can answer it.</param>
/// <param name="Value">The figure of a run.</param>
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

    /// <summary>The metrics of rules that judge it.</summary>
    public IReadOnlyList<string> JudgedBy { get; init; } = s_waits;

    /// <summary>What to do where it is bad, as an order; null = look at the limit.</summary>
    public string? WhatToDo { get; init; }

    /// <summary>A figure of it in words, with its unit.</summary>
    public string TextOf(double figure) =>
        Unit switch
        {
            "ms" => Figures.Milliseconds(figure),
            "MiB/s" => Throughput.Text(figure),
            _ => $"{Figures.Rate(figure)} {Unit}",
        };

    /// <summary>Which way it is better.</summary>
    public bool HigherIsBetter => Kind == VerdictKind.Rate;

    /// <summary>The questions in their order.</summary>
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
        // What a rate was asked for says nothing about how much is possible.
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

    // Where the rate was missed, the response time only says how long the queue grew.
    private static double? Longest(IoTestResult run) => run.HasMissedRate() ? run.MaxLatencyMs : run.ResponseMaxMs ?? run.MaxLatencyMs;

    private static bool IsPaced(IoTestResult run) => run.LoadModel == IoLoadModel.Open || run.TargetIops is not null;

    /// <summary>Response time of an open loop, Little's law for SQLIO's whole milliseconds, else the average.</summary>
    private static double? Latency(IoTestResult run) =>
        run.ResponseAverageMs ?? (ResultFormats.IsInWholeMilliseconds(run) ? run.LittlesLawLatencyMs : null) ?? run.AverageLatencyMs;
}
