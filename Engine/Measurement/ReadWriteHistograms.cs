namespace IoBench.Engine.Measurement;

/// <summary>Latencies of reads and of writes, apart. A thread that only reads keeps none of writes.</summary>
internal sealed class ReadWriteHistograms(bool reads = true, bool writes = true)
{
    /// <summary>Of reads; null when there can be none.</summary>
    public LatencyHistogram? Reads { get; } = reads ? new() : null;

    /// <summary>Of writes; null when there can be none.</summary>
    public LatencyHistogram? Writes { get; } = writes ? new() : null;

    /// <summary>Of both, added up anew at each call.</summary>
    public LatencyHistogram Total
    {
        get
        {
            var sum = new LatencyHistogram();
            Add(Reads, sum);
            Add(Writes, sum);
            return sum;
        }
    }

    /// <summary>Adds the latencies of another thread or target.</summary>
    public void Add(ReadWriteHistograms other)
    {
        Add(other.Reads, Reads);
        Add(other.Writes, Writes);
    }

    private static void Add(LatencyHistogram? from, LatencyHistogram? to)
    {
        if (from is not null)
            to?.Add(from);
    }
}
