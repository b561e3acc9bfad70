namespace IoBench.Engine;

/// <summary>
/// Content of writes: one record per kind. To add a kind, add a record here, a case in <c>WriteContent</c>, and a name in
/// <see cref="IoWriteContentKind"/>.
/// </summary>
public abstract record IoContent
{
    private IoContent() { }

    /// <summary>Content that neither compresses nor deduplicates; the closest kind to SQL Server's pages.</summary>
    public static RandomBytes Incompressible { get; } = new();

    public abstract IoWriteContentKind Kind { get; }

    /// <summary>
    /// Random bytes from the target's seed, with offset and sequence number in every 4 KB, so that each can be identified.
    /// </summary>
    /// <param name="CompressiblePercent">Percentage of each written 4 KB that compresses.</param>
    /// <param name="DedupablePercent">Percentage of the written 4 KB blocks that are copies of a few blocks.</param>
    public sealed record RandomBytes(int CompressiblePercent = 0, int DedupablePercent = 0) : IoContent
    {
        public override IoWriteContentKind Kind => IoWriteContentKind.Random;
    }

    public sealed record Zeros : IoContent
    {
        public override IoWriteContentKind Kind => IoWriteContentKind.Zero;
    }

    public sealed record ByteSequence : IoContent
    {
        public override IoWriteContentKind Kind => IoWriteContentKind.Pattern;
    }

    /// <param name="Size">Number of bytes of the file to use; null = at least one block, at most 20 MB.</param>
    public sealed record FileBytes(string Path, long? Size = null) : IoContent
    {
        public override IoWriteContentKind Kind => IoWriteContentKind.File;
    }
}
