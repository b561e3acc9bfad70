namespace IoBench.Engine.Specification.Patterns;

/// <summary>
/// In which order blocks are touched: one case each, with just what it needs. A further case is a record here, its arm in
/// <c>OffsetGenerator</c> and its name in <see cref="IoAccessPattern"/>.
/// </summary>
public abstract record IoOrder
{
    private IoOrder() { }

    /// <summary>Aligned blocks of the whole range, each as likely as any other.</summary>
    public static Random Uniform { get; } = new();

    /// <summary>Its name.</summary>
    public abstract IoAccessPattern Kind { get; }

    /// <summary>Where random I/Os go; uniform where there are none.</summary>
    public IoDistribution Spread =>
        this switch
        {
            Random random => random.Distribution ?? IoDistribution.Even,
            PartRandom part => part.Distribution ?? IoDistribution.Even,
            _ => IoDistribution.Even,
        };

    /// <summary>Aligned blocks, drawn at random.</summary>
    /// <param name="Alignment">Distance in bytes of the places where a block may begin; null = the block size.</param>
    /// <param name="Distribution">How likely each part of the range is; null = all alike.</param>
    public sealed record Random(long? Alignment = null, IoDistribution? Distribution = null) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Random;
    }

    /// <summary>Each thread its own sequence.</summary>
    /// <param name="Stride">Distance in bytes from one I/O to the next; null = the block size.</param>
    /// <param name="ThreadStride">
    /// Distance in bytes between the first offsets of a target's threads. Null = range / threads, so that they never read the same blocks;
    /// 0 = all start at the same place.
    /// </param>
    /// <param name="SameOffset">The outstanding I/Os of a thread all start at the same offset.</param>
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

    /// <summary>A share of random jumps in a sequential run.</summary>
    /// <param name="Percent">Share of random I/Os in percent, 1 to 100.</param>
    /// <param name="Alignment">Distance in bytes of the places where a block may begin; null = the stride.</param>
    /// <param name="Stride">Distance in bytes from one I/O of a run to the next where no alignment is said; null = the block size.</param>
    /// <param name="ThreadStride">As of <see cref="Sequential"/>.</param>
    /// <param name="Distribution">How likely each part of the range is for a jump; null = all alike.</param>
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

    /// <summary>Columns of a two-dimensional array of blocks, one after the other.</summary>
    /// <param name="Columns">Blocks per row, at least one per thread (<c>-f&lt;n&gt;</c>).</param>
    /// <param name="Rows">Rows, the I/Os of a run (<c>-i&lt;n&gt;</c>).</param>
    /// <param name="Stays">Stay on the first column for ever (<c>-v1.1.1</c>).</param>
    public sealed record Stripe(int Columns = 64, int Rows = 64, bool Stays = false) : IoOrder
    {
        /// <inheritdoc/>
        public override IoAccessPattern Kind => IoAccessPattern.Stride;
    }
}
