namespace IoBench.Engine.Specification.Patterns;

/// <summary>
/// What writes consist of: one case each. A further case is a record here, its arm in <c>WriteContent</c> and its name in
/// <see cref="IoWriteContentKind"/>.
/// </summary>
public abstract record IoContent
{
    private IoContent() { }

    /// <summary>What SQL Server's pages come nearest to: nothing compresses, nothing deduplicates.</summary>
    public static Random Incompressible { get; } = new();

    /// <summary>Its name.</summary>
    public abstract IoWriteContentKind Kind { get; }

    /// <summary>A random stream keyed by the target's seed, with offset and sequence in every 4 KB, so that nothing deduplicates and each block can be recognised.</summary>
    /// <param name="CompressiblePercent">Share of each written 4 KB that compresses, in percent, 0 to 100.</param>
    /// <param name="DedupablePercent">Share of the written 4 KB blocks that are copies of a few, in percent, 0 to 100: so much storage that deduplicates can save.</param>
    public sealed record Random(int CompressiblePercent = 0, int DedupablePercent = 0) : IoContent
    {
        /// <inheritdoc/>
        public override IoWriteContentKind Kind => IoWriteContentKind.Random;
    }

    public sealed record Zero : IoContent
    {
        /// <inheritdoc/>
        public override IoWriteContentKind Kind => IoWriteContentKind.Zero;
    }

    /// <summary>The bytes 0 to 255 over and over.</summary>
    public sealed record ByteSequence : IoContent
    {
        /// <inheritdoc/>
        public override IoWriteContentKind Kind => IoWriteContentKind.Pattern;
    }

    /// <summary>Bytes of a file.</summary>
    /// <param name="Path">The file.</param>
    /// <param name="Size">So many bytes of it; null = at least a block, at most 20 MB.</param>
    public sealed record FromFile(string Path, long? Size = null) : IoContent
    {
        /// <inheritdoc/>
        public override IoWriteContentKind Kind => IoWriteContentKind.File;
    }
}
