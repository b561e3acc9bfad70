namespace IoBench.Engine;

/// <summary>What a lane keeps of each I/O beyond its latency, where the test asks for it: an open loop's response times, and latencies by interval.</summary>
internal sealed class LaneDetails
{
    private readonly IntervalLatency[]? _readIntervals;
    private readonly IntervalLatency[]? _writeIntervals;

    private LaneDetails(bool responses, bool byInterval, IoPattern pattern, int intervals)
    {
        var (reads, writes) = (pattern.WritePercent < 100, pattern.WritePercent > 0);
        ReadResponses = responses && reads ? new LatencyHistogram() : null;
        WriteResponses = responses && writes ? new LatencyHistogram() : null;
        _readIntervals = byInterval && reads ? new IntervalLatency[intervals] : null;
        _writeIntervals = byInterval && writes ? new IntervalLatency[intervals] : null;
    }

    /// <summary>Open loop: times of reads from the intended start; null otherwise.</summary>
    public LatencyHistogram? ReadResponses { get; }
    /// <summary>Open loop: times of writes from the intended start; null otherwise.</summary>
    public LatencyHistogram? WriteResponses { get; }
    /// <summary>Latencies of reads by interval; empty when they are not kept.</summary>
    public ReadOnlySpan<IntervalLatency> ReadIntervals => _readIntervals;
    /// <summary>Latencies of writes by interval; empty when they are not kept.</summary>
    public ReadOnlySpan<IntervalLatency> WriteIntervals => _writeIntervals;

    /// <summary>The details a lane is to keep; null when there are none.</summary>
    public static LaneDetails? For(IoPattern pattern, bool isOpenLoop, bool byInterval, int intervals)
        => isOpenLoop || byInterval ? new LaneDetails(isOpenLoop, byInterval, pattern, intervals) : null;

    /// <summary>Whether latencies by interval are asked for: DiskSpd's -D, whose output has them for each thread and target.</summary>
    public static bool KeepsIntervals(IoTestSpecification specification) => specification.DiskSpd is { GatherIops: true };

    /// <summary>A read of the measured time.</summary>
    public void AddRead(long latency, long response, int interval)
    {
        ReadResponses?.Add(response);
        if (_readIntervals is { } intervals)
            intervals[interval].Add(latency);
    }

    /// <summary>A write of the measured time.</summary>
    public void AddWrite(long latency, long response, int interval)
    {
        WriteResponses?.Add(response);
        if (_writeIntervals is { } intervals)
            intervals[interval].Add(latency);
    }
}
