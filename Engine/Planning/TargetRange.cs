namespace IoBench.Engine;

internal sealed class TargetRange
{
    /// <exception cref="IoBenchException">The range is smaller than one block.</exception>
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
        SequenceCounter = new SharedCounter();
    }

    public long Start { get; }

    public long End { get; }

    public long Length => End - Start;

    public SharedCounter SequenceCounter { get; }

    /// <summary>Blocks that can start in the range, one every <paramref name="step"/> bytes.</summary>
    public long CountPositions(long blockSize, long step) => (Length - blockSize) / step + 1;
}

internal sealed class SharedCounter
{
    private readonly long[] _padded = new long[32];

    public long Next() => Interlocked.Increment(ref _padded[16]) - 1;
}
