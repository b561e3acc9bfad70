using IoBench.Engine;

namespace IoBench.Analysis;

/// <summary>Result of one host in the window in which all hosts of its group measured.</summary>
public sealed record FleetHostResult
{
    /// <summary>Name of the host in its group.</summary>
    public required string Host { get; init; }
    public required IoTestResult Result { get; init; }

    /// <summary>Start of the measurement in seconds since the group's start time.</summary>
    public double From { get; init; }

    /// <summary>End of the measurement in seconds since the group's start time.</summary>
    public double To { get; init; }

    /// <summary>Share of the host's duration that the common window covers, in percent.</summary>
    public double CommonPercent { get; init; }

    /// <summary>IOPS in the common window, from the timeline; null without a common window.</summary>
    public double? IOPS { get; init; }

    /// <summary>MiB/s in the common window; null without a common window.</summary>
    public double? MBps { get; init; }

    /// <summary>IOPS in percent of an equal share of the sum; null if the rates are not added up.</summary>
    public double? SharePercent { get; init; }

    /// <summary>Whether the host is far from the median of the group.</summary>
    public bool IsOutlier { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"{Host}: {NumberFormat.Grouped(IOPS, 0, "?")} IOPS";
}
