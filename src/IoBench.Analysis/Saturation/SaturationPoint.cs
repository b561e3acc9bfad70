namespace IoBench.Analysis;

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
