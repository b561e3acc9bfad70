namespace IoBench.Engine.Results;

/// <summary>One interval of the measured time.</summary>
public sealed class IoTimelinePoint
{
    /// <summary>End of the interval in seconds from the start of the measurement.</summary>
    public double Seconds { get; set; }

    /// <summary>I/Os per second.</summary>
    public double? IOPS { get; set; }

    /// <summary>MiB per second.</summary>
    public double? MBps { get; set; }

    /// <summary>Reads per second.</summary>
    public double? ReadIOPS { get; set; }

    /// <summary>Writes per second.</summary>
    public double? WriteIOPS { get; set; }

    /// <summary>Average service time in milliseconds of the I/Os that ended in it.</summary>
    public double? AverageLatencyMs { get; set; }

    /// <summary>Highest service time in milliseconds of the I/Os that ended in it.</summary>
    public double? MaxLatencyMs { get; set; }

    /// <summary>Latency of the reads that ended in it; null when not known.</summary>
    public IoLatencySummary? ReadLatency { get; set; }

    /// <summary>Latency of the writes that ended in it; null when not known.</summary>
    public IoLatencySummary? WriteLatency { get; set; }

    /// <summary>
    /// Percentiles and distribution of latency; null when not known or without any I/O. Of a run of more than 1,024 intervals, each 2nd, 4th, ...
    /// point has those of all intervals since the one before.
    /// </summary>
    public IoIntervalLatency? Latencies { get; set; }

    /// <summary>The average that a reader is shown, in milliseconds: of an open loop the response time of the I/Os that were due in it, where it is known.</summary>
    public double? GetShownAverageMs() => Latencies is { IsResponse: true } response ? response.AverageMs : AverageLatencyMs;

    /// <summary>The highest that a reader is shown, in milliseconds.</summary>
    public double? GetShownMaxMs() => Latencies is { IsResponse: true } response ? response.MaxMs : MaxLatencyMs;

    /// <summary><c>1 s: 12,172 IOPS, 0.082 ms</c>.</summary>
    public override string ToString() => FigureWords.Of(FormattableString.Invariant($"{Seconds:0.###} s"), IOPS, GetShownAverageMs());
}
