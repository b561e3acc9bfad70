namespace IoBench.Analysis;

/// <summary>Saturation point of a sweep over the load.</summary>
public sealed class SaturationResult : IHasFindings
{
    /// <summary>Pattern of the swept runs, such as <c>8KB random read</c>.</summary>
    public required string IOPattern { get; init; }

    /// <summary>Workload; null if the runs have none.</summary>
    public string? Workload { get; init; }

    /// <summary>Label; null if the runs have none.</summary>
    public string? Label { get; init; }

    /// <summary>Path of the runs.</summary>
    public string? Path { get; init; }

    /// <summary>The loads of the sweep, ascending.</summary>
    public required IReadOnlyList<SaturationPoint> Points { get; init; }

    /// <summary>
    /// Lowest load (total outstanding I/Os) that reaches 95% of the highest throughput; null if the sweep did not reach a plateau.
    /// </summary>
    public int? KneeOutstanding { get; init; }

    /// <summary>IOPS at the knee.</summary>
    public double? KneeIOPS { get; init; }

    /// <summary>MiB/s at the knee.</summary>
    public double? KneeMBps { get; init; }

    /// <summary>Average latency at the knee in milliseconds.</summary>
    public double? KneeLatencyMs { get; init; }

    /// <summary>Highest IOPS of the sweep.</summary>
    public required double MaxIOPS { get; init; }

    /// <summary>Load (total outstanding I/Os) with the highest IOPS.</summary>
    public required int MaxIOPSOutstanding { get; init; }

    /// <summary>Latency in milliseconds that the highest load adds to the latency at the knee; null without a knee.</summary>
    public double? LatencyGainedMs { get; init; }

    /// <summary>Whether the sweep reached a plateau; false if throughput still increased at its end.</summary>
    public required bool PlateauReached { get; init; }

    /// <summary>The result in one sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>Sentences about values that contradict each other or are unreliable.</summary>
    public List<string> Warnings => [.. WarningFindings.Select(doubt => doubt.What)];

    /// <summary>The result, then the warnings.</summary>
    public IReadOnlyList<Finding> Findings => (Finding[])[ResultFinding, .. WarningFindings];

    internal IReadOnlyList<Finding> WarningFindings { get; init; } = [];

    private Finding ResultFinding =>
        new()
        {
            Code = PlateauReached ? FindingCodes.SaturationKnee : FindingCodes.SaturationNoPlateau,
            Subject = Workload ?? IOPattern,
            What = Summary,
            Severity = PlateauReached ? FindingSeverity.Info : FindingSeverity.Unknown,
            Evidence = PlateauReached
                ?
                [
                    new("KneeOutstanding", KneeOutstanding),
                    new("IOPS", KneeIOPS, "IOPS"),
                    new("BandwidthMBps", KneeMBps, "MiB/s"),
                    new("AverageLatencyMs", KneeLatencyMs, "ms"),
                    new("MaxIOPS", MaxIOPS, "IOPS"),
                ]
                : [new("MaxIOPS", MaxIOPS, "IOPS"), new("MaxIOPSOutstanding", MaxIOPSOutstanding)],
            WhatToDo = PlateauReached ? null : "Sweep further",
            Values = Finding.CreateValues(("IOPattern", IOPattern), ("Path", Path), ("Label", Label)),
        };
}

/// <summary>One load of a sweep.</summary>
/// <param name="Load">Total outstanding I/Os.</param>
/// <param name="IOPS">IOPS (mean of repeats).</param>
/// <param name="MBps">MiB/s.</param>
/// <param name="AverageLatencyMs">Measured average latency in milliseconds; null if unknown.</param>
/// <param name="P99Ms">99th percentile in milliseconds; null if unknown.</param>
/// <param name="LittlesLawMs">Load / IOPS in milliseconds.</param>
/// <param name="LittlesLawErrorPercent">Difference between the measured latency of a run and Little's law in percent, the largest of
/// several runs; null if no latency is known.</param>
public sealed record SaturationPoint(
    int Load,
    double IOPS,
    double? MBps,
    double? AverageLatencyMs,
    double? P99Ms,
    double LittlesLawMs,
    double? LittlesLawErrorPercent
);
