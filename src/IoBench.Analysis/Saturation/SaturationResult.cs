namespace IoBench.Analysis.Saturation;

/// <summary>Where a sweep over the load stops gaining.</summary>
public sealed class SaturationResult : IHasFindings
{
    /// <summary>Pattern of the swept runs, such as <c>8KB random read</c>.</summary>
    public required string IOPattern { get; init; }

    /// <summary>Workload, when the runs have one.</summary>
    public string? Workload { get; init; }

    /// <summary>Label, when the runs have one.</summary>
    public string? Label { get; init; }

    /// <summary>Path of the runs.</summary>
    public string? Path { get; init; }

    /// <summary>The swept loads in ascending order.</summary>
    public required IReadOnlyList<SaturationPoint> Points { get; init; }

    /// <summary>The lowest swept load (total outstanding I/Os) that reaches 95 % of the best throughput; null when the sweep never reached a plateau.</summary>
    public int? KneeOutstanding { get; init; }

    /// <summary>IOPS at the knee.</summary>
    public double? KneeIOPS { get; init; }

    /// <summary>MiB per second at the knee.</summary>
    public double? KneeMBps { get; init; }

    /// <summary>Average latency at the knee in milliseconds.</summary>
    public double? KneeLatencyMs { get; init; }

    /// <summary>Best IOPS of the sweep.</summary>
    public required double MaxIOPS { get; init; }

    /// <summary>The load that gave it.</summary>
    public required int MaxIOPSOutstanding { get; init; }

    /// <summary>Milliseconds of latency that the highest load adds to the knee's; null without a knee.</summary>
    public double? LatencyGainedMs { get; init; }

    /// <summary>False when throughput still grew at the end of the sweep.</summary>
    public required bool PlateauReached { get; init; }

    /// <summary>The answer in a sentence.</summary>
    public required string Summary { get; init; }

    /// <inheritdoc/>
    public override string ToString() => Summary;

    /// <summary>Figures that contradict themselves or cannot be trusted.</summary>
    public List<string> Warnings => [.. Doubts.Select(doubt => doubt.What)];

    /// <summary>The answer, then what weakens it.</summary>
    public IReadOnlyList<Finding> Findings => (Finding[])[Answer, .. Doubts];

    internal IReadOnlyList<Finding> Doubts { get; init; } = [];

    private Finding Answer =>
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
            Values = Finding.ValuesOf(("IOPattern", IOPattern), ("Path", Path), ("Label", Label)),
        };
}
