namespace IoBench.Engine.Backends.Nvme;

/// <summary>What a worker's commands to a namespace need beside its open character device.</summary>
internal sealed record NvmeTarget
{
    /// <summary>Name of the character device, for people: ng0n1.</summary>
    public required string Name { get; init; }

    /// <summary>The namespace's number at its controller.</summary>
    public required uint Namespace { get; init; }

    /// <summary>A logical block has 2 to this power bytes: 9 or more.</summary>
    public required int SectorShift { get; init; }

    /// <summary>Bytes that one command may move at most: more than 0.</summary>
    public required long LargestTransfer { get; init; }

    /// <summary>Writes carry the order to be durable when they are answered (FUA), as O_DSYNC asks of the block layer.</summary>
    public required bool IsWriteThrough { get; init; }
}
