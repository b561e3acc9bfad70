namespace IoBench.Engine;

/// <summary>One interval of the measured time.</summary>
public sealed class IoTimelinePoint
{
    /// <summary>End of the interval in seconds from the start of the measurement.</summary>
    public double Seconds { get; set; }

    public double? IOPS { get; set; }

    public double? MBps { get; set; }

    public double? ReadIOPS { get; set; }

    public double? WriteIOPS { get; set; }

    /// <summary>Average latency (from submission) of the I/Os that ended in the interval.</summary>
    public double? AverageLatencyMs { get; set; }

    /// <summary>Maximum latency (from submission) of the I/Os that ended in the interval, in milliseconds.</summary>
    public double? MaxLatencyMs { get; set; }

    public IoLatencySummary? ReadLatency { get; set; }

    public IoLatencySummary? WriteLatency { get; set; }

    /// <summary>
    /// Percentiles and distribution of latency; null if unknown or without I/Os. In a run of more than 1,024 intervals, only every 2nd,
    /// 4th, ... point has them, for all intervals since the previous one.
    /// </summary>
    public IoIntervalLatency? Latencies { get; set; }

    /// <summary>For an open loop, the average response time of the I/Os that were due in the interval, if known.</summary>
    public double? GetDisplayAverageMs() => Latencies is { IsResponse: true } response ? response.AverageMs : AverageLatencyMs;

    public double? GetDisplayMaxMs() => Latencies is { IsResponse: true } response ? response.MaxMs : MaxLatencyMs;

    public override string ToString() => IoTotals.Describe(FormattableString.Invariant($"{Seconds:0.###} s"), IOPS, GetDisplayAverageMs());
}

/// <summary>In milliseconds; null if unknown. The standard deviation is that of a population.</summary>
public sealed record IoLatencySummary(double? MinMs, double? MaxMs, double? AverageMs, double? StdDevMs);
