namespace IoBench.Analysis;

/// <summary>Results that a rule applies to, by what they do; a workload name is not needed.</summary>
public enum IoRuleKind : long
{
    Any,

    /// <summary>Reads, including those of a mixed run.</summary>
    Read,

    Write,

    /// <summary>Page reads: random reads of 8 KB.</summary>
    PageRead,

    /// <summary>Scans: sequential reads of at least 256 KB.</summary>
    Scan,

    /// <summary>Log writes of a commit: sequential writes of at most 60 KB with at most two outstanding I/Os.</summary>
    LogCommit,

    Checkpoint,
}

/// <summary>
/// Each limit is rated separately. Latencies are in milliseconds. Latency limits apply only to low-load tests (at most 2 outstanding I/Os
/// in total, or a target rate that was reached), unless <see cref="AnyLoad"/> is set.
/// </summary>
public sealed class IoRule
{
    /// <summary>Name of the workload that the rule applies to, with <c>*</c> as wildcard; null = by <see cref="Kind"/>.</summary>
    public string? Workload { get; set; }

    public IoRuleKind Kind { get; set; }

    public double? MinIOPS { get; set; }

    public double? MinMBps { get; set; }

    public double? MaxAverageLatencyMs { get; set; }

    public double? MaxP99Ms { get; set; }

    public double? MaxLatencyMs { get; set; }

    /// <summary>Highest variation of IOPS that passes: standard deviation over intervals / IOPS; null = no such limit.</summary>
    public double? MaxIopsVariation { get; set; }

    /// <summary>Value at or above which a passing result gets a warning; for a rule with one upper limit. Null = no warning.</summary>
    public double? WarnFrom { get; set; }

    /// <summary>Value at or above which a failure is critical, below it a warning. Null = every failure is critical.</summary>
    public double? CriticalFrom { get; set; }

    /// <summary>Rates latency at any load.</summary>
    public bool AnyLoad { get; set; }

    /// <summary>Whether the limit has no published source. A result that exceeds an IoBench limit passes with a warning.</summary>
    public bool IsIoBenchLimit { get; set; }

    /// <summary>Named ranges, ascending; the last one has no upper end.</summary>
    public List<IoRuleBand> Bands { get; set; } = [];

    public override string ToString()
    {
        (string Words, double? Limit, string Unit)[] limits =
        [
            ("at least", MinIOPS, " IOPS"),
            ("at least", MinMBps, " MiB/s"),
            ("average at most", MaxAverageLatencyMs, " ms"),
            ("p99 at most", MaxP99Ms, " ms"),
            ("each I/O at most", MaxLatencyMs, " ms"),
            ("variation at most", MaxIopsVariation, ""),
        ];
        var set = limits
            .Where(limit => limit.Limit is not null)
            .Select(limit => Invariant($"{limit.Words} {limit.Limit:#,0.###}{limit.Unit}"));
        return $"{Workload ?? Kind.ToString()}: {string.Join(", ", set)}";
    }
}

public sealed class IoRuleBand
{
    /// <summary>Upper end (exclusive); null = no upper end.</summary>
    public double? UpTo { get; set; }

    public string Name { get; set; } = "";

    public override string ToString() => Name;
}
