namespace IoBench.Engine;

/// <summary>
/// What each block of a drill's file must hold, by the numbers of the writes to it. At most one I/O is at a block at a time, so that every answer is plain: a block
/// holds the last write that was acknowledged, or a later one that was not.
/// </summary>
/// <param name="size">Size of the file in bytes.</param>
/// <param name="blockSize">Bytes of a block.</param>
/// <param name="seed">Seed of the stamps.</param>
internal sealed class DrillLedger(long size, int blockSize, ulong seed)
{
    private readonly ulong[] _acknowledged = new ulong[size / blockSize];
    private readonly ulong[] _issued = new ulong[size / blockSize];
    private readonly bool[] _busy = new bool[size / blockSize];

    /// <summary>Number of blocks.</summary>
    public int Count => _busy.Length;

    /// <summary>Blocks with a write that was acknowledged.</summary>
    public IEnumerable<int> Written => Enumerable.Range(0, Count).Where(block => _acknowledged[block] != 0);

    /// <summary>Takes a block for an I/O; false when one is at it.</summary>
    public bool TryTake(int block)
    {
        if (_busy[block])
            return false;
        return _busy[block] = true;
    }

    /// <summary>A write to a block that was taken is about to start.</summary>
    public void Issue(int block, ReadOnlySpan<byte> content)
    {
        if (BlockStamp.IsOurs(content, seed, (long)block * blockSize, out var sequence))
            _issued[block] = sequence;
    }

    /// <summary>A write is over.</summary>
    public void EndWrite(int block, bool isDone)
    {
        _busy[block] = false;
        if (isDone)
            _acknowledged[block] = _issued[block];
    }

    /// <summary>A read is over; what is wrong with its content, null when nothing is or nothing is known of the block.</summary>
    public string? EndRead(int block, ReadOnlySpan<byte> content)
    {
        _busy[block] = false;
        if (_acknowledged[block] == 0 || content.Length == 0)
            return null;
        for (var at = 0; at < content.Length; at += BlockStamp.BlockSize)
        {
            if (!BlockStamp.IsOurs(content[at..], seed, (long)block * blockSize + at, out var sequence))
                return "it holds something else than a write of this drill";
            if (sequence < _acknowledged[block])
                return "it holds an older write: one that was acknowledged is lost";
            if (sequence > _issued[block])
                return "it holds a write that was never made there";
        }
        return null;
    }
}
