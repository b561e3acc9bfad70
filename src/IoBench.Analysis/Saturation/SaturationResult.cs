namespace IoBench.Analysis;

/// <summary>Saturation point of a sweep over the load.</summary>
public sealed class SaturationResult : IHasFindings
{
    public required string IOPattern { get; init; }

    public string? Workload { get; init; }

    public string? Label { get; init; }

    public string? Path { get; init; }

    public required IReadOnlyList<SaturationPoint> Points { get; init; }

    /// <summary>Lowest load (total outstanding I/Os) with 95% of the throughput of the plateau; null if the sweep has no plateau.</summary>
    public int? KneeOutstanding { get; init; }

    /// <summary>Lowest load that can be the saturation point, because runs vary.</summary>
    public int? KneeLowOutstanding { get; init; }

    /// <summary>Highest load that can be the saturation point; null if the sweep has no plateau.</summary>
    public int? KneeHighOutstanding { get; init; }

    /// <summary>Whether the last two steps of the sweep increased throughput by more than the runs vary.</summary>
    public bool IsStillGrowing { get; init; }

    /// <summary>Whether the host did not run IoBench's threads for so long that the sweep does not show the storage.</summary>
    public bool IsCpuLimited { get; init; }

    public double? KneeIOPS { get; init; }

    public double? KneeMBps { get; init; }

    public double? KneeLatencyMs { get; init; }

    public required double MaxIOPS { get; init; }

    /// <summary>Load (total outstanding I/Os) with the highest IOPS.</summary>
    public required int MaxIOPSOutstanding { get; init; }

    /// <summary>Latency in milliseconds that the highest load adds to the latency at the knee; null without a knee.</summary>
    public double? LatencyGainedMs { get; init; }

    /// <summary>Whether the sweep reached a plateau; false if throughput still increased at its end.</summary>
    public required bool PlateauReached { get; init; }

    public required string Summary { get; init; }

    public override string ToString() => Summary;

    public List<string> Warnings => [.. WarningFindings.Select(doubt => doubt.What)];

    public IReadOnlyList<Finding> Findings => (Finding[])[ResultFinding, .. WarningFindings];

    internal IReadOnlyList<Finding> WarningFindings { get; init; } = [];

    private Finding ResultFinding =>
        new()
        {
            Code = PlateauReached ? FindingCodes.SaturationKnee : FindingCodes.SaturationNoPlateau,
            Subject = Workload ?? IOPattern,
            What = Summary,
            Outcome = PlateauReached ? null : VerdictOutcome.NotRated,
            Evidence = PlateauReached
                ?
                [
                    new("KneeOutstanding", KneeOutstanding),
                    new("KneeLowOutstanding", KneeLowOutstanding),
                    new("KneeHighOutstanding", KneeHighOutstanding),
                    new("IOPS", KneeIOPS, "IOPS"),
                    new("BandwidthMBps", KneeMBps, "MiB/s"),
                    new("AverageLatencyMs", KneeLatencyMs, "ms"),
                    new("MaxIOPS", MaxIOPS, "IOPS"),
                ]
                : [new("MaxIOPS", MaxIOPS, "IOPS"), new("MaxIOPSOutstanding", MaxIOPSOutstanding)],
            WhatToDo =
                PlateauReached ? null
                : IsCpuLimited ? CpuWait.Advice
                : "Test higher loads",
            Values = Finding.CreateValues(("IOPattern", IOPattern), ("Path", Path), ("Label", Label)),
        };
}

/// <summary>One load (total outstanding I/Os) of a sweep; rates are means of repeats.</summary>
/// <param name="LittlesLawMs">Load / IOPS in milliseconds.</param>
/// <param name="LittlesLawErrorPercent">Difference of the measured latency from Little's law, the largest of several runs.</param>
public sealed record SaturationPoint(
    int Load,
    double IOPS,
    double? MBps,
    double? AverageLatencyMs,
    double? P99Ms,
    double LittlesLawMs,
    double? LittlesLawErrorPercent
);
