namespace IoBench.Engine;

/// <summary>
/// Order in which blocks are accessed. To add a kind, add a record here, a case in <c>OffsetGenerator</c>, and a name in
/// <see cref="IoAccessPattern"/>.
/// </summary>
public abstract record IoOrder
{
    private IoOrder() { }

    public static RandomBlocks Uniform { get; } = new();

    public abstract IoAccessPattern Kind { get; }

    /// <summary>Distribution of the random I/Os; uniform if the order has none.</summary>
    public IoDistribution Spread =>
        this switch
        {
            RandomBlocks random => random.Distribution ?? IoDistribution.Even,
            PartRandom part => part.Distribution ?? IoDistribution.Even,
            _ => IoDistribution.Even,
        };

    /// <param name="Alignment">Alignment of the blocks in bytes; null = the block size.</param>
    public sealed record RandomBlocks(long? Alignment = null, IoDistribution? Distribution = null) : IoOrder
    {
        public override IoAccessPattern Kind => IoAccessPattern.Random;
    }

    /// <summary>One sequence per thread.</summary>
    /// <param name="Stride">Distance in bytes from one I/O to the next; null = the block size.</param>
    /// <param name="ThreadStride">Bytes between the first offsets of the threads; null = range / threads, 0 = the same offset.</param>
    /// <param name="SameOffset">Whether the outstanding I/Os of a thread all start at the same offset.</param>
    public sealed record Sequential(long? Stride = null, long? ThreadStride = null, bool SameOffset = false) : IoOrder
    {
        public override IoAccessPattern Kind => IoAccessPattern.Sequential;
    }

    /// <summary>One sequence per target, shared by its threads.</summary>
    public sealed record Interlocked(long? Stride = null) : IoOrder
    {
        public override IoAccessPattern Kind => IoAccessPattern.Interlocked;
    }

    /// <summary>Sequential access with a percentage of random jumps.</summary>
    /// <param name="Alignment">Alignment of the blocks in bytes; null = the stride.</param>
    /// <param name="Stride">Distance in bytes from one sequential I/O to the next if there is no alignment; null = the block size.</param>
    public sealed record PartRandom(
        int Percent = 100,
        long? Alignment = null,
        long? Stride = null,
        long? ThreadStride = null,
        IoDistribution? Distribution = null
    ) : IoOrder
    {
        public override IoAccessPattern Kind => IoAccessPattern.PartRandom;
    }

    /// <summary>Columns of a two-dimensional array of blocks, column by column (<c>-f&lt;n&gt; -i&lt;n&gt;</c>).</summary>
    /// <param name="Columns">Blocks per row, at least one per thread.</param>
    /// <param name="Stays">Whether the access stays on the first column (<c>-v1.1.1</c>).</param>
    public sealed record Stripe(int Columns = 64, int Rows = 64, bool Stays = false) : IoOrder
    {
        public override IoAccessPattern Kind => IoAccessPattern.Stride;
    }
}
