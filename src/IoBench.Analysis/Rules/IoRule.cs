namespace IoBench.Analysis.Rules;

/// <summary>Which results a rule is about, by what they do; a workload's name is not needed.</summary>
public enum IoRuleKind
{
    /// <summary>Every result.</summary>
    Any,

    /// <summary>Reads, also those of a mixed run.</summary>
    Read,

    /// <summary>Writes, also those of a mixed run.</summary>
    Write,

    /// <summary>Random reads of 8 KB: a page read.</summary>
    PageRead,

    /// <summary>Reads of at least 256 KB in order: a scan.</summary>
    Scan,

    /// <summary>Sequential writes of at most 60 KB, at most two outstanding: what a commit waits for.</summary>
    LogCommit,

    /// <summary>The checkpoint workloads.</summary>
    Checkpoint,
}

/// <summary>
/// What results must keep. Each limit that is set is judged apart. Latency in milliseconds.
/// Limits on latency hold for a working load only (total outstanding at most 2, or a target rate), unless <see cref="AnyLoad"/> is set.
/// </summary>
public sealed class IoRule
{
    /// <summary>Name of the workload it is about, with <c>*</c> as wildcard; null = by <see cref="Kind"/>.</summary>
    public string? Workload { get; set; }

    /// <summary>Which results it is about.</summary>
    public IoRuleKind Kind { get; set; }

    /// <summary>Lowest I/Os per second that keep the rule; null = no such limit.</summary>
    public double? MinIOPS { get; set; }

    /// <summary>Lowest MiB per second that keep the rule; null = no such limit.</summary>
    public double? MinMBps { get; set; }

    /// <summary>Highest average latency in milliseconds that keeps the rule; null = no such limit.</summary>
    public double? MaxAverageLatencyMs { get; set; }

    /// <summary>Highest 99th percentile of latency in milliseconds that keeps the rule; null = no such limit.</summary>
    public double? MaxP99Ms { get; set; }

    /// <summary>Highest latency of any I/O in milliseconds that keeps the rule; null = no such limit.</summary>
    public double? MaxLatencyMs { get; set; }

    /// <summary>Highest variation of IOPS: standard deviation over intervals / IOPS.</summary>
    public double? MaxIopsVariation { get; set; }

    /// <summary>From this value on a limit that is kept is worth a warning, in the limit's unit; for a rule with one upper limit.</summary>
    public double? WarnFrom { get; set; }

    /// <summary>A limit that is missed below this value is to watch; from it on it is bad. Null = whatever misses is bad, but for a rule of IoBench's own.</summary>
    public double? BadFrom { get; set; }

    /// <summary>Judge latency whatever the load.</summary>
    public bool AnyLoad { get; set; }

    /// <summary>A rule of IoBench's own rather than a published one.</summary>
    public bool HouseRule { get; set; }

    /// <summary>Names of ranges, ascending; the last has no upper end.</summary>
    public List<IoRuleBand> Bands { get; set; } = [];

    /// <summary>What it is about and its limits in a line: <c>LogCommit: average at most 1 ms, p99 at most 3 ms</c>.</summary>
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
    /// <summary>Upper end, exclusive; null = none.</summary>
    public double? UpTo { get; set; }

    /// <summary>What it is called.</summary>
    public string Name { get; set; } = "";

    /// <inheritdoc/>
    public override string ToString() => Name;
}

/// <summary>Rules with a name and a source.</summary>
public sealed class IoRuleSet
{
    /// <summary>Name, as in <c>--require NAME</c>.</summary>
    public string Name { get; set; } = "";

    /// <summary>What it says in a sentence.</summary>
    public string? Description { get; set; }

    /// <summary>Who published it.</summary>
    public string? Author { get; set; }

    /// <summary>What it was published as; of a set of one's own its file.</summary>
    public string? Source { get; set; }

    /// <summary>Where it can be read; null where nothing can be.</summary>
    public string? Url { get; set; }

    /// <summary>The source's own date; null when it has none.</summary>
    public string? Published { get; set; }

    /// <summary>What the source says, in IoBench's words, and what of the rules is not in it.</summary>
    public string? RestsOn { get; set; }

    /// <summary>The kind of storage that it is the yardstick of; null = of none.</summary>
    public StorageClass? Storage { get; set; }

    /// <summary>When the source was read; null when it was not.</summary>
    public string? DateRead { get; set; }
    public List<IoRule> Rules { get; set; } = [];

    /// <summary>Several sets that were named together; empty of one by itself.</summary>
    internal IReadOnlyList<IoRuleSet> Parts { get; init; } = [];

    /// <inheritdoc/>
    public override string ToString() => Name;
}
