namespace IoBench.Engine;

/// <summary>One interval of the measured time.</summary>
public sealed class IoTimelinePoint
{
    /// <summary>End of the interval in seconds from the start of the measurement.</summary>
    public double Seconds { get; set; }

    /// <summary>I/Os per second.</summary>
    public double? IOPS { get; set; }

    /// <summary>Throughput in MiB/s.</summary>
    public double? MBps { get; set; }

    public double? ReadIOPS { get; set; }

    public double? WriteIOPS { get; set; }

    /// <summary>Average latency (from submission) of the I/Os that ended in the interval, in milliseconds.</summary>
    public double? AverageLatencyMs { get; set; }

    /// <summary>Maximum latency (from submission) of the I/Os that ended in the interval, in milliseconds.</summary>
    public double? MaxLatencyMs { get; set; }

    /// <summary>Latency of the reads that ended in the interval; null if unknown.</summary>
    public IoLatencySummary? ReadLatency { get; set; }

    /// <summary>Latency of the writes that ended in the interval; null if unknown.</summary>
    public IoLatencySummary? WriteLatency { get; set; }

    /// <summary>
    /// Percentiles and distribution of latency; null if unknown or without I/Os. In a run of more than 1,024 intervals, only every 2nd,
    /// 4th, ...
    /// point has them, for all intervals since the previous one.
    /// </summary>
    public IoIntervalLatency? Latencies { get; set; }

    /// <summary>
    /// Returns the average to display in milliseconds: for an open loop, the response time of the I/Os that were due in the interval, if
    /// known.
    /// </summary>
    public double? GetDisplayAverageMs() => Latencies is { IsResponse: true } response ? response.AverageMs : AverageLatencyMs;

    /// <summary>Returns the maximum to display in milliseconds: for an open loop, of the response times, if known.</summary>
    public double? GetDisplayMaxMs() => Latencies is { IsResponse: true } response ? response.MaxMs : MaxLatencyMs;

    /// <summary>Returns a text such as <c>1 s: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => IoTotals.Describe(FormattableString.Invariant($"{Seconds:0.###} s"), IOPS, GetDisplayAverageMs());
}

/// <summary>Latency of one kind of I/O over a period, in milliseconds.</summary>
/// <param name="MinMs">Minimum; null if unknown.</param>
/// <param name="MaxMs">Maximum; null if unknown.</param>
/// <param name="AverageMs">Average; null if unknown.</param>
/// <param name="StdDevMs">Standard deviation (population); null if unknown.</param>
public sealed record IoLatencySummary(double? MinMs, double? MaxMs, double? AverageMs, double? StdDevMs);
