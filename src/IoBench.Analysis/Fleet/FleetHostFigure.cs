namespace IoBench.Analysis.Fleet;

/// <summary>What one host gave in the time in which all of its group measured.</summary>
public sealed record FleetHostFigure
{
    /// <summary>The host's name in its group.</summary>
    public required string Host { get; init; }
    public required IoTestResult Result { get; init; }

    /// <summary>When its measurement began, in seconds from the agreed moment.</summary>
    public double From { get; init; }

    /// <summary>When it ended.</summary>
    public double To { get; init; }

    /// <summary>Share of its measured time that is the common window, in percent.</summary>
    public double CommonPercent { get; init; }

    /// <summary>I/Os per second in the common window, by its timeline; null where there is no window.</summary>
    public double? IOPS { get; init; }

    /// <summary>MiB per second in it.</summary>
    public double? MBps { get; init; }

    /// <summary>Its IOPS in percent of an equal share of the sum; null where nothing is added up.</summary>
    public double? SharePercent { get; init; }

    /// <summary>It is far from the median of the group.</summary>
    public bool IsOutlier { get; init; }

    /// <inheritdoc/>
    public override string ToString() => $"{Host}: {Figures.Grouped(IOPS, 0, "?")} IOPS";
}
