namespace IoBench.Engine;

internal sealed class StreamIntervalLatencies
{
    private readonly IntervalLatency[]? _readIntervals;
    private readonly IntervalLatency[]? _writeIntervals;

    public StreamIntervalLatencies(IoPattern pattern, int intervals)
    {
        _readIntervals = pattern.WritePercent < 100 ? new IntervalLatency[intervals] : null;
        _writeIntervals = pattern.WritePercent > 0 ? new IntervalLatency[intervals] : null;
    }

    /// <summary>Empty if the stream does not read.</summary>
    public ReadOnlySpan<IntervalLatency> Reads => _readIntervals;

    /// <summary>Empty if the stream does not write.</summary>
    public ReadOnlySpan<IntervalLatency> Writes => _writeIntervals;

    public void AddReads(long latency, int count, int interval) => _readIntervals![interval].Add(latency, count);

    public void AddWrites(long latency, int count, int interval) => _writeIntervals![interval].Add(latency, count);
}
