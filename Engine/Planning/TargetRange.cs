namespace IoBench.Engine.Planning;

/// <summary>The part of a target that a pattern may touch, and where its threads meet in it. One per target of a run.</summary>
internal sealed class TargetRange
{
    /// <summary>The range of a target of a known size.</summary>
    /// <exception cref="IoBenchException">Not one block fits.</exception>
    public TargetRange(IoTargetSpecification target, IoPattern pattern, long size, string path)
    {
        Start = target.BaseOffset;
        End = Math.Min(target.MaxOffset ?? size, size);
        if (End - Start < pattern.BlockSize)
        {
            throw IoBenchException.Usage(
                "IoBench.TargetTooSmall",
                $"{path}: between offset {Start} and {End} there is no room for one block of {new IoSize(pattern.BlockSize)}.",
                path,
                advice: "Use a larger file or a smaller block."
            );
        }
        Cursor = new SharedCursor();
    }

    /// <summary>First byte.</summary>
    public long Start { get; }

    /// <summary>End, exclusive.</summary>
    public long End { get; }

    /// <summary>Bytes.</summary>
    public long Length => End - Start;

    /// <summary>The next I/O of an interlocked sequence.</summary>
    public SharedCursor Cursor { get; }

    /// <summary>How many blocks can start in the range, one every <paramref name="step"/> bytes.</summary>
    public long Positions(long blockSize, long step) => (Length - blockSize) / step + 1;
}

/// <summary>A running number that threads share; alone on its cache lines.</summary>
internal sealed class SharedCursor
{
    private readonly long[] _padded = new long[32];

    /// <summary>The next number, from 0.</summary>
    public long Next() => Interlocked.Increment(ref _padded[16]) - 1;
}
