using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>What limits the storage.</summary>
public enum CapKind
{
    /// <summary>An IOPS limit.</summary>
    Iops,

    /// <summary>A throughput limit.</summary>
    Throughput,

    /// <summary>Both limits: IOPS for small I/Os, throughput for large I/Os.</summary>
    IopsAndThroughput,

    /// <summary>Several paths share a limit of the host, the virtual machine, the adapter, or the path to the storage.</summary>
    HostOrPath,

    /// <summary>A burst ended during the measurement.</summary>
    BurstEnds,

    /// <summary>No limit was found: the device itself determines the rate.</summary>
    Medium,

    /// <summary>Throughput still increased at the highest load, so no limit was reached.</summary>
    NotReached,

    /// <summary>Several paths together reach the sum of each path alone, so they share no limit.</summary>
    Independent,
}

/// <summary>What limits the storage of one path, or of several paths together.</summary>
public sealed class CapResult : IHasFindings
{
    /// <summary>Path; several paths are joined by <c>; </c>.</summary>
    public required string Path { get; init; }

    /// <summary>Kind of the limit.</summary>
    public required CapKind Kind { get; init; }

    /// <summary>Measured IOPS limit; null if there is none.</summary>
    public double? IopsCap { get; init; }

    /// <summary>Measured throughput limit in MiB/s; null if there is none.</summary>
    public double? ThroughputCapMBps { get; init; }

    /// <summary>IOPS during the burst; null if no burst ended.</summary>
    public double? BurstIops { get; init; }

    /// <summary>Seconds of measured load after which the burst ended; null if no burst ended.</summary>
    public double? BurstSeconds { get; init; }

    /// <summary>Highest sustained IOPS.</summary>
    public double? IOPS { get; init; }

    /// <summary>Highest sustained MiB/s.</summary>
    public double? MBps { get; init; }

    /// <summary>Variation of the rate (standard deviation over intervals / mean) that the result is based on.</summary>
    public double? Variation { get; init; }

    /// <summary>The result with its evidence in one sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>Provisioned limits compared with the measured values; empty without a specification.</summary>
    public IReadOnlyList<SpecificationCheck> Checks { get; init; } = [];

    /// <summary>Sentences about what makes the result less certain.</summary>
    public IReadOnlyList<string> Warnings { get; init; } = [];

    /// <summary>Runs that the result is based on.</summary>
    public required IReadOnlyList<IoTestResult> Results { get; init; }

    /// <summary>The result, then the provisioned limits, then the warnings.</summary>
    public IReadOnlyList<Finding> Findings => CapResult.CreateFindings(this);
}

/// <summary>One provisioned limit compared with the measured value.</summary>
/// <param name="Name">IOPS, Throughput, BurstIOPS, BurstThroughput, or LatencyMs.</param>
/// <param name="Bought">Provisioned limit, in IOPS, bytes per second, or milliseconds.</param>
/// <param name="Measured">Measured value in the same unit; null if no run shows it.</param>
/// <param name="Percent">Measured value in percent of the provisioned limit; for latency, provisioned / measured.</param>
/// <param name="Kept">Whether at least 95% were measured; for latency, whether it is at most the provisioned value. Null if no run shows
/// it.</param>
/// <param name="Summary">The comparison in words.</param>
public sealed record SpecificationCheck(string Name, double Bought, double? Measured, double? Percent, bool? Kept, string Summary)
{
    /// <summary>Provisioned limit with the unit of the vendor, such as <c>200 MB/s (10^6)</c>.</summary>
    public string BoughtText { get; init; } = "";

    /// <summary>Measured value in the same unit; null if no run shows it.</summary>
    public string? MeasuredText { get; init; }
}
