namespace IoBench.Analysis.Saturation;

/// <summary>One swept load of a curve.</summary>
/// <param name="Load">Total outstanding I/Os.</param>
/// <param name="IOPS">I/Os per second (mean of repeats).</param>
/// <param name="MBps">MiB per second.</param>
/// <param name="AverageLatencyMs">Average latency as measured; null when not known.</param>
/// <param name="P99Ms">99th percentile; null when not known.</param>
/// <param name="LittlesLawMs">Load / IOPS in milliseconds.</param>
/// <param name="LittlesLawErrorPercent">How far the measured latency of a run lies from Little's law, in percent, of several runs the farthest; null when no latency is known.</param>
public sealed record SaturationPoint(
    int Load,
    double IOPS,
    double? MBps,
    double? AverageLatencyMs,
    double? P99Ms,
    double LittlesLawMs,
    double? LittlesLawErrorPercent
);
