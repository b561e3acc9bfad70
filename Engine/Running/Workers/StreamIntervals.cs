namespace IoBench.Engine.Running.Workers;

/// <summary>Latencies of a stream by interval, where the test asks for them.</summary>
internal sealed class StreamIntervals
{
    private readonly IntervalLatency[]? _readIntervals;
    private readonly IntervalLatency[]? _writeIntervals;

    /// <summary>Room for the latencies of a pattern in so many intervals.</summary>
    public StreamIntervals(IoPattern pattern, int intervals)
    {
        _readIntervals = pattern.WritePercent < 100 ? new IntervalLatency[intervals] : null;
        _writeIntervals = pattern.WritePercent > 0 ? new IntervalLatency[intervals] : null;
    }

    /// <summary>Latencies of reads by interval; empty when there can be none.</summary>
    public ReadOnlySpan<IntervalLatency> Reads => _readIntervals;

    /// <summary>Latencies of writes by interval; empty when there can be none.</summary>
    public ReadOnlySpan<IntervalLatency> Writes => _writeIntervals;

    /// <summary>Reads of the measured time with the same latency.</summary>
    public void AddReads(long latency, int count, int interval) => _readIntervals![interval].Add(latency, count);

    /// <summary>Writes of the measured time with the same latency.</summary>
    public void AddWrites(long latency, int count, int interval) => _writeIntervals![interval].Add(latency, count);
}
