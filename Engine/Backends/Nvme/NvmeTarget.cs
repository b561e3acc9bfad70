namespace IoBench.Engine;

internal sealed record NvmeTarget
{
    public required string Name { get; init; }

    public required uint Namespace { get; init; }

    /// <summary>Base-2 logarithm of the bytes of a logical block; 9 or more.</summary>
    public required int SectorShift { get; init; }

    public required long LargestTransfer { get; init; }

    /// <summary>Whether writes are durable when they complete (FUA), as with O_DSYNC in the block layer.</summary>
    public required bool IsWriteThrough { get; init; }
}
