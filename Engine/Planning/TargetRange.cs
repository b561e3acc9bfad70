namespace IoBench.Engine;

internal sealed class TargetRange
{
    // Element 16 is the counter. The others keep it alone in its cache lines, because all threads of the target write to it.
    private readonly long[] _sequence = new long[32];

    /// <exception cref="IoBenchException">The range is smaller than one block.</exception>
    public TargetRange(IoTargetSpecification target, IoPattern pattern, long size, string path)
    {
        Start = target.BaseOffset;
        End = Math.Min(target.MaxOffset ?? size, size);
        if (End - Start < pattern.BlockSize)
        {
            throw IoBenchException.Usage(
                "IoBench.TargetTooSmall",
                $"{path}: the range from offset {Start} to {End} is smaller than one block of {new IoSize(pattern.BlockSize)}.",
                path,
                advice: "Use a larger file or smaller blocks."
            );
        }
    }

    public long Start { get; }

    public long End { get; }

    public long Length => End - Start;

    public long NextSequenceNumber() => Interlocked.Increment(ref _sequence[16]) - 1;

    /// <summary>Blocks that can start in the range, one every <paramref name="step"/> bytes.</summary>
    public long CountPositions(long blockSize, long step) => (Length - blockSize) / step + 1;
}
