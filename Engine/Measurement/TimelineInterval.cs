namespace IoBench.Engine.Measurement;

/// <summary>What one thread did on one target in one interval of the measured time.</summary>
internal struct TimelineInterval
{
    /// <summary>Bytes of memory of one.</summary>
    public const int Size = 6 * sizeof(long);

    /// <summary>Reads completed.</summary>
    public long Reads;

    /// <summary>Writes completed.</summary>
    public long Writes;

    /// <summary>Bytes of the reads.</summary>
    public long ReadBytes;

    /// <summary>Bytes of the writes.</summary>
    public long WriteBytes;

    /// <summary>Sum of their latencies in nanoseconds.</summary>
    public long LatencySum;

    /// <summary>Highest latency in nanoseconds.</summary>
    public long LatencyMax;

    /// <summary>Adds another thread's figures for the same interval.</summary>
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
