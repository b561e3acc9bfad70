namespace IoBench.Engine;

internal sealed class ReadWriteHistograms(bool reads = true, bool writes = true)
{
    public LatencyHistogram? Reads { get; } = reads ? new() : null;

    public LatencyHistogram? Writes { get; } = writes ? new() : null;

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
