namespace IoBench.Analysis.Caps;

/// <summary>Who or what limits the storage.</summary>
public enum CapKind
{
    /// <summary>A limit on I/Os per second.</summary>
    Iops,

    /// <summary>A limit on bytes per second.</summary>
    Throughput,

    /// <summary>Both: the one for small I/Os, the other for large ones.</summary>
    IopsAndThroughput,

    /// <summary>Several paths share a limit: of the host, the virtual machine, the adapter or the path to the storage.</summary>
    HostOrPath,

    /// <summary>A burst ended while it was measured.</summary>
    BurstEnds,

    /// <summary>No limit is set: the medium does what it can.</summary>
    Medium,

    /// <summary>Throughput still grew at the highest load: nothing limits it yet.</summary>
    NotReached,

    /// <summary>Several paths together give the sum of each alone: they share no limit.</summary>
    Independent,
}

/// <summary>The answer for one path, or for several at once.</summary>
public sealed class CapResult : IHasFindings
{
    /// <summary>Path; several joined by <c>; </c>.</summary>
    public required string Path { get; init; }

    /// <summary>Who or what limits it.</summary>
    public required CapKind Kind { get; init; }

    /// <summary>The limit on I/Os per second, as measured; null when there is none.</summary>
    public double? IopsCap { get; init; }

    /// <summary>The limit on MiB per second, as measured; null when there is none.</summary>
    public double? ThroughputCapMBps { get; init; }

    /// <summary>I/Os per second while the burst lasted; null when none ended.</summary>
    public double? BurstIops { get; init; }

    /// <summary>Seconds of measured load after which the burst ended; null when none did.</summary>
    public double? BurstSeconds { get; init; }

    /// <summary>Best I/Os per second that last.</summary>
    public double? IOPS { get; init; }

    /// <summary>Best MiB per second that last.</summary>
    public double? MBps { get; init; }

    /// <summary>Variation of the rate (standard deviation over intervals / mean) on which the answer rests.</summary>
    public double? Variation { get; init; }

    /// <summary>The answer with its evidence, in a sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>What was bought against what is there; empty when no specification was given.</summary>
    public IReadOnlyList<SpecificationCheck> Checks { get; init; } = [];

    /// <summary>What weakens the answer, in words.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>The runs it rests on.</summary>
    public required IReadOnlyList<IoTestResult> Results { get; init; }

    /// <summary>The answer, what was bought against it, then what weakens it.</summary>
    public IReadOnlyList<Finding> Findings => CapFindings.Of(this);
}

/// <summary>One figure of the specification.</summary>
/// <param name="Name">IOPS, Throughput, BurstIOPS, BurstThroughput or LatencyMs.</param>
/// <param name="Bought">The specification's figure, in I/Os per second, bytes per second or milliseconds.</param>
/// <param name="Measured">What was measured, in the same unit; null when no run shows it.</param>
/// <param name="Percent">Share of what was bought that is there; of latency: bought / measured.</param>
/// <param name="Kept">At least 95 % are there; of latency: the figure is not exceeded. Null when no run shows it.</param>
/// <param name="Summary">The same in words.</param>
public sealed record SpecificationCheck(string Name, double Bought, double? Measured, double? Percent, bool? Kept, string Summary)
{
    /// <summary>What was bought, with its unit as it was bought: <c>200 MB/s (10^6)</c>.</summary>
    public string BoughtText { get; init; } = "";

    /// <summary>What is there, in the same unit; null when no run shows it.</summary>
    public string? MeasuredText { get; init; }
}
