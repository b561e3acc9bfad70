namespace IoBench.Engine;

/// <summary>
/// Order in which blocks are accessed: one record per kind, with only the settings that it needs. To add a kind, add a record here, a case
/// in
/// <c>OffsetGenerator</c>, and a name in <see cref="IoAccessPattern"/>.
/// </summary>
public abstract record IoOrder
{
    private IoOrder() { }

    /// <summary>Aligned blocks of the whole range, with equal probability.</summary>
    public static RandomBlocks Uniform { get; } = new();

    /// <summary>Name of this order.</summary>
    public abstract IoAccessPattern Kind { get; }

    /// <summary>Distribution of the random I/Os; uniform if the order has none.</summary>
    public IoDistribution Spread =>
        this switch
        {
            RandomBlocks random => random.Distribution ?? IoDistribution.Even,
            PartRandom part => part.Distribution ?? IoDistribution.Even,
            _ => IoDistribution.Even,
        };

    /// <summary>Aligned blocks, chosen at random.</summary>
    /// <param name="Alignment">Alignment of the blocks in bytes; null = the block size.</param>
    /// <param name="Distribution">Distribution over the range; null = uniform.</param>
    public sealed record RandomBlocks(long? Alignment = null, IoDistribution? Distribution = null) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Random;
    }

    /// <summary>One sequence per thread.</summary>
    /// <param name="Stride">Distance in bytes from one I/O to the next; null = the block size.</param>
    /// <param name="ThreadStride">
    /// Distance in bytes between the first offsets of a target's threads. Null = range / threads, so that no two threads access the same
    /// blocks;
    /// 0 = all start at the same offset.
    /// </param>
    /// <param name="SameOffset">Whether the outstanding I/Os of a thread all start at the same offset.</param>
    public sealed record Sequential(long? Stride = null, long? ThreadStride = null, bool SameOffset = false) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Sequential;
    }

    /// <summary>One sequence per target, shared by its threads.</summary>
    /// <param name="Stride">Distance in bytes from one I/O to the next; null = the block size.</param>
    public sealed record Interlocked(long? Stride = null) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Interlocked;
    }

    /// <summary>Sequential access with a percentage of random jumps.</summary>
    /// <param name="Percent">Percentage of random I/Os, 1 to 100.</param>
    /// <param name="Alignment">Alignment of the blocks in bytes; null = the stride.</param>
    /// <param name="Stride">Distance in bytes from one sequential I/O to the next if there is no alignment; null = the block size.</param>
    /// <param name="ThreadStride">See <see cref="Sequential"/>.</param>
    /// <param name="Distribution">Distribution of the jumps over the range; null = uniform.</param>
    public sealed record PartRandom(
        int Percent = 100,
        long? Alignment = null,
        long? Stride = null,
        long? ThreadStride = null,
        IoDistribution? Distribution = null
    ) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.PartRandom;
    }

    /// <summary>Columns of a two-dimensional array of blocks, column by column.</summary>
    /// <param name="Columns">Blocks per row, at least one per thread (<c>-f&lt;n&gt;</c>).</param>
    /// <param name="Rows">Rows: the I/Os per column (<c>-i&lt;n&gt;</c>).</param>
    /// <param name="Stays">Whether the access stays on the first column (<c>-v1.1.1</c>).</param>
    public sealed record Stripe(int Columns = 64, int Rows = 64, bool Stays = false) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Stride;
    }
}
