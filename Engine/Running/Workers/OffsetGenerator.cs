using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Generates the offsets of one thread on one target, for all access patterns. Random offsets depend on the seed only.</summary>
internal sealed class OffsetGenerator
{
    private readonly IoAccessPattern _pattern;
    private readonly TargetRange _range;
    private readonly long _blockSize;
    private readonly long _step;
    private readonly long _positions;
    private readonly int _randomPercent;
    private readonly bool _isOwnAligned;
    private readonly bool _isUniform;
    private readonly int _sameOffset;
    private readonly HotSpotDistribution? _distribution;
    private readonly SkewedBlockGenerator? _skewedBlocks;

    // SQLIO's stripe pattern (-f<n> -i<n>): down one column of a table of blocks, then the next one. Thread k of t starts at column
    // k x n / t. Source: the readme of sqlio v1.5.
    private readonly int _columns;
    private readonly int _rows;
    private readonly bool _staysInColumn;
    private int _column;
    private int _row;

    // A sequence wraps within the share of its thread, so that no thread reads what another one has just read.
    private readonly long _shareStart;
    private readonly long _shareEnd;
    private readonly long _firstPosition;
    private long _next;
    private int _remainingRepeats;
    private long _sameAt;

    /// <param name="start">The same for all threads of an interlocked sequence. Null = start at the first block.</param>
    /// <param name="hotKey">Determines the popular blocks; the same for all threads of a target.</param>
    public OffsetGenerator(
        IoPattern pattern,
        TargetRange range,
        int thread,
        int threads,
        int outstanding,
        RandomSource? start = null,
        ulong hotKey = 0
    )
    {
        _pattern = pattern.AccessPattern;
        _range = range;
        // In a mix, positions are those of the smallest block. A larger block starts at a multiple of its own size.
        _blockSize = pattern.BlockMix?.GetSmallestSize() ?? pattern.BlockSize;
        _isOwnAligned = pattern is { HasRandomOffsets: true, Alignment: null };
        _sameOffset = pattern.HasSharedOffsets ? outstanding : 1;
        _randomPercent = pattern.RandomPercent;
        var (alignment, sequenceStride, threadStride) = SpecificationValidator.GetDistances(pattern);
        _step = alignment ?? sequenceStride ?? _blockSize;
        if (_pattern == IoAccessPattern.Stride)
        {
            CheckStripe(pattern, _blockSize, range);
            _columns = pattern.StripeColumns;
            _rows = pattern.StripeRows;
            _staysInColumn = pattern.StripeStays;
            _column = (int)((long)thread * _columns / threads);
        }
        _positions = range.CountPositions(_blockSize, _step);
        var distribution = pattern.GetDistribution();
        if (distribution.Ranges.Count > 0)
            _distribution = new HotSpotDistribution(distribution, _blockSize, range, _step, _positions);
        else if (distribution.ZipfTheta is { } theta)
            _skewedBlocks = new SkewedBlockGenerator(SkewedBlockGenerator.CreateZipfWeights(theta), _positions, hotKey);
        else if (distribution.ParetoShare is { } share)
            _skewedBlocks = new SkewedBlockGenerator(SkewedBlockGenerator.CreateParetoWeights(share, _positions), _positions, hotKey);
        _isUniform = _pattern == IoAccessPattern.Random && _distribution is null && _skewedBlocks is null;
        // Threads beyond the end start again at the beginning, at whole strides, because unbuffered I/O must stay aligned.
        _shareStart = range.Start;
        _shareEnd = range.End;
        if (threadStride is { } stride)
        {
            _next = range.Start + (stride == 0 ? 0 : thread % range.CountPositions(_blockSize, stride) * stride);
            return;
        }
        var first = (long)((Int128)_positions * thread / threads);
        var end = (long)((Int128)_positions * (thread + 1) / threads);
        // If there are more threads than blocks, threads have to share blocks.
        var count = Math.Max(1, end - first);
        if (_pattern == IoAccessPattern.Sequential)
        {
            _shareStart = range.Start + first * _step;
            _shareEnd = Math.Min(range.End, range.Start + (first + count - 1) * _step + _blockSize);
        }
        _next = range.Start + first * _step;
        if (start is not { } random)
            return;
        if (_pattern == IoAccessPattern.Interlocked)
            _firstPosition = random.NextBelow(_positions);
        else
            _next += random.NextBelow(count) * _step;
    }

    /// <summary>Percentage of the distribution that fits in the target; 100 without a distribution.</summary>
    public int PlacedPercent => _distribution?.PlacedPercent ?? 100;

    /// <summary>Percentage of <see cref="PlacedPercent"/>, start, and exclusive end in bytes; empty without a distribution.</summary>
    public IEnumerable<(int Percent, long From, long To)> EffectiveParts =>
        _distribution?.Parts.Select(part =>
            (part.Percent, _range.Start + part.First * _step, _range.Start + (part.First + part.Count) * _step)
        ) ?? [];

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Next(ref RandomSource random) =>
        _isUniform ? _range.Start + random.NextBelow(_positions) * _step : NextNonUniform(ref random);

    public long Next(ref RandomSource random, int length)
    {
        if (_pattern == IoAccessPattern.Random || (_pattern == IoAccessPattern.PartRandom && random.NextBelow(100) < _randomPercent))
        {
            var at = AlignToBlock(NextRandom(ref random), length);
            _next = at + length;
            return at;
        }
        if (_next + length > _shareEnd)
            _next = _shareStart;
        // If the share is smaller than a large block, the block extends into the next share.
        var offset = Math.Min(_next, _range.End - length);
        _next += length;
        return offset;
    }

    // Rounds down to a multiple of the block's own size, and moves blocks at the end back into the range.
    private long AlignToBlock(long place, int length)
    {
        var step = _isOwnAligned ? length : _step;
        return _range.Start + Math.Min(place - _range.Start, _range.Length - length) / step * step;
    }

    private long NextNonUniform(ref RandomSource random)
    {
        if (_sameOffset > 1)
        {
            if (_remainingRepeats == 0)
            {
                _remainingRepeats = _sameOffset;
                _sameAt = NextInOrder(ref random);
            }
            _remainingRepeats--;
            return _sameAt;
        }
        return NextInOrder(ref random);
    }

    private long NextInOrder(ref RandomSource random)
    {
        switch (_pattern)
        {
            case IoAccessPattern.Random:
                return NextRandom(ref random);
            case IoAccessPattern.Interlocked:
                return _range.Start + (_firstPosition + _range.NextSequenceNumber()) % _positions * _step;
            case IoAccessPattern.PartRandom when random.NextBelow(100) < _randomPercent:
                var at = NextRandom(ref random);
                _next = at + _step;
                return at;
            case IoAccessPattern.Stride:
                return NextInStripe();
            default:
                if (_next + _blockSize > _shareEnd)
                    _next = _shareStart;
                var offset = _next;
                _next += _step;
                return offset;
        }
    }

    private long NextRandom(ref RandomSource random)
    {
        long block;
        if (_skewedBlocks is not null)
            block = _skewedBlocks.NextBlock(ref random);
        else
            block = _distribution is null ? random.NextBelow(_positions) : _distribution.NextBlock(ref random);
        return _range.Start + block * _step;
    }

    private long NextInStripe()
    {
        var offset = _range.Start + ((long)_row * _columns + _column) * _blockSize;
        if (++_row == _rows)
        {
            _row = 0;
            if (!_staysInColumn)
                _column = (_column + 1) % _columns;
        }
        return offset;
    }

    private static void CheckStripe(IoPattern pattern, long blockSize, TargetRange range)
    {
        var size = (Int128)pattern.StripeColumns * pattern.StripeRows * blockSize;
        if (size > range.Length)
            throw IoBenchException.Usage(
                "IoBench.TargetTooSmall",
                $"A stripe of {NumberFormat.Pluralize(pattern.StripeColumns, "column")} x {NumberFormat.Pluralize(pattern.StripeRows, "row")} x "
                    + $"{new IoSize(blockSize)} needs {IoSize.Format((long)Int128.Min(long.MaxValue, size))}, but the "
                    + $"file is {IoSize.Format(range.Length)}.",
                advice: "Use a larger file or a smaller stripe."
            );
    }
}
