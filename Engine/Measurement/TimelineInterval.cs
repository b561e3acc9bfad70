namespace IoBench.Engine;

internal struct TimelineInterval
{
    public const int Size = 6 * sizeof(long);

    public long Reads;

    public long Writes;

    public long ReadBytes;

    public long WriteBytes;

    /// <summary>Sum of the latencies in nanoseconds.</summary>
    public long LatencySum;

    /// <summary>Highest latency in nanoseconds.</summary>
    public long LatencyMax;

    public void Add(in TimelineInterval other)
    {
        Reads += other.Reads;
        Writes += other.Writes;
        ReadBytes += other.ReadBytes;
        WriteBytes += other.WriteBytes;
        LatencySum += other.LatencySum;
        LatencyMax = Math.Max(LatencyMax, other.LatencyMax);
    }
}
