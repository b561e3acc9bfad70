namespace IoBench.Analysis;

/// <summary>Results that a rule applies to, by what they do; a workload name is not needed.</summary>
public enum IoRuleKind
{
    /// <summary>Every result.</summary>
    Any,

    /// <summary>Reads, including those of a mixed run.</summary>
    Read,

    /// <summary>Writes, including those of a mixed run.</summary>
    Write,

    /// <summary>Page reads: random reads of 8 KB.</summary>
    PageRead,

    /// <summary>Scans: sequential reads of at least 256 KB.</summary>
    Scan,

    /// <summary>Log writes of a commit: sequential writes of at most 60 KB with at most two outstanding I/Os.</summary>
    LogCommit,

    /// <summary>The checkpoint workloads.</summary>
    Checkpoint,
}

/// <summary>
/// A rule with limits for results. Each limit is rated separately. Latencies are in milliseconds.
/// Latency limits apply only to low-load tests (at most 2 outstanding I/Os in total, or a target rate that was reached), unless
/// <see cref="AnyLoad"/> is set.
/// </summary>
public sealed class IoRule
{
    /// <summary>Name of the workload that the rule applies to, with <c>*</c> as wildcard; null = by <see cref="Kind"/>.</summary>
    public string? Workload { get; set; }

    /// <summary>Kind of results that the rule applies to.</summary>
    public IoRuleKind Kind { get; set; }

    /// <summary>Lowest IOPS that pass; null = no such limit.</summary>
    public double? MinIOPS { get; set; }

    /// <summary>Lowest MiB/s that pass; null = no such limit.</summary>
    public double? MinMBps { get; set; }

    /// <summary>Highest average latency in milliseconds that passes; null = no such limit.</summary>
    public double? MaxAverageLatencyMs { get; set; }

    /// <summary>Highest 99th percentile of the latency in milliseconds that passes; null = no such limit.</summary>
    public double? MaxP99Ms { get; set; }

    /// <summary>Highest maximum latency in milliseconds that passes; null = no such limit.</summary>
    public double? MaxLatencyMs { get; set; }

    /// <summary>Highest variation of IOPS that passes: standard deviation over intervals / IOPS; null = no such limit.</summary>
    public double? MaxIopsVariation { get; set; }

    /// <summary>
    /// Value at or above which a passing result gets a warning, in the unit of the limit; for a rule with one upper limit. Null = no
    /// warning threshold.
    /// </summary>
    public double? WarnFrom { get; set; }

    /// <summary>
    /// Value at or above which a failure is critical; below it, a failure is a warning. Null = every failure is critical, unless the limit
    /// is an IoBench limit.
    /// </summary>
    public double? BadFrom { get; set; }

    /// <summary>Rates latency at any load.</summary>
    public bool AnyLoad { get; set; }

    /// <summary>Whether the limit is an IoBench limit (no published source).</summary>
    public bool HouseRule { get; set; }

    /// <summary>Named ranges, ascending; the last one has no upper end.</summary>
    public List<IoRuleBand> Bands { get; set; } = [];

    /// <summary>Describes the rule in one line, as in <c>LogCommit: average at most 1 ms, p99 at most 3 ms</c>.</summary>
    public override string ToString()
    {
        (string Words, double? Limit, string Unit)[] limits =
        [
            ("at least", MinIOPS, " IOPS"),
            ("at least", MinMBps, " MiB/s"),
            ("average at most", MaxAverageLatencyMs, " ms"),
            ("p99 at most", MaxP99Ms, " ms"),
            ("each at most", MaxLatencyMs, " ms"),
            ("variation at most", MaxIopsVariation, ""),
        ];
        var set = limits
            .Where(limit => limit.Limit is not null)
            .Select(limit => FormattableString.Invariant($"{limit.Words} {limit.Limit:#,0.###}{limit.Unit}"));
        return $"{Workload ?? Kind.ToString()}: {string.Join(", ", set)}";
    }
}

/// <summary>A named range of a rule's metric.</summary>
public sealed class IoRuleBand
{
    /// <summary>Upper end (exclusive); null = no upper end.</summary>
    public double? UpTo { get; set; }

    /// <summary>Name of the range.</summary>
    public string Name { get; set; } = "";

    /// <inheritdoc/>
    public override string ToString() => Name;
}

/// <summary>Rules with a name and a source.</summary>
public sealed class IoRuleSet
{
    /// <summary>Name, as in <c>--require NAME</c>.</summary>
    public string Name { get; set; } = "";

    /// <summary>Description in one sentence.</summary>
    public string? Description { get; set; }

    /// <summary>Author or publisher.</summary>
    public string? Author { get; set; }

    /// <summary>Title of the publication; for a rule file of the user, its path.</summary>
    public string? Source { get; set; }

    /// <summary>Address of the source; null if it is not available online.</summary>
    public string? Url { get; set; }

    /// <summary>Date of the source; null if it has none.</summary>
    public string? Published { get; set; }

    /// <summary>Summary of the source, and which rules are not based on it.</summary>
    public string? RestsOn { get; set; }

    /// <summary>Kind of storage for which this is the default rule set; null = none.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>Date on which the source was read; null if it was not read.</summary>
    public string? DateRead { get; set; }
    public List<IoRule> Rules { get; set; } = [];

    internal IReadOnlyList<IoRuleSet> Parts { get; init; } = [];

    /// <inheritdoc/>
    public override string ToString() => Name;
}
