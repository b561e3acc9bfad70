using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>Where the next I/O of one thread on one target goes. Every order of blocks in one place; what is drawn depends on the seed alone.</summary>
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
    private readonly OffsetDistribution? _distribution;
    private readonly PopularBlocks? _popular;
    private readonly StripeWalk? _stripe;

    // A sequence wraps within its thread's share: no thread reads again what another one has just read.
    private readonly long _shareStart;
    private readonly long _shareEnd;
    private readonly long _firstPosition;
    private long _next;
    private int _sameLeft;
    private long _sameAt;

    /// <summary>The offsets of thread <paramref name="thread"/> of <paramref name="threads"/> on a target.</summary>
    /// <param name="pattern">The order of blocks.</param>
    /// <param name="range">What may be touched.</param>
    /// <param name="thread">Number of the thread on the target.</param>
    /// <param name="threads">How many there are.</param>
    /// <param name="outstanding">I/Os of the thread in flight.</param>
    /// <param name="start">Draws where a sequence begins; of an interlocked one the same for all threads. Null = at the first block.</param>
    /// <param name="hotKey">Says which blocks are the popular ones, where some are: the same for all threads of a target.</param>
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
        _pattern = pattern.Order.Kind;
        _range = range;
        // Places of a mix are those of its smallest block; a larger one begins at a multiple of its own size.
        _blockSize = pattern.BlockMix?.Smallest() ?? pattern.BlockSize;
        _isOwnAligned = pattern.Order is IoOrder.Random { Alignment: null } or IoOrder.PartRandom { Alignment: null };
        _sameOffset = 1;
        _step = _blockSize;
        long? threadStride = null;
        switch (pattern.Order)
        {
            case IoOrder.Random order:
                _step = order.Alignment ?? _blockSize;
                break;
            case IoOrder.Sequential order:
                (_step, threadStride, _sameOffset) = (order.Stride ?? _blockSize, order.ThreadStride, order.SameOffset ? outstanding : 1);
                break;
            case IoOrder.Interlocked order:
                _step = order.Stride ?? _blockSize;
                break;
            case IoOrder.PartRandom order:
                (_step, threadStride, _randomPercent) = (order.Alignment ?? order.Stride ?? _blockSize, order.ThreadStride, order.Percent);
                break;
            case IoOrder.Stripe order:
                _stripe = new StripeWalk(order, _blockSize, range, thread, threads);
                break;
        }
        _positions = range.Positions(_blockSize, _step);
        if (pattern.Order.Spread is IoDistribution.Parts parts)
            _distribution = new OffsetDistribution(parts, _blockSize, range, _step, _positions);
        if (PopularityOf(pattern.Order.Spread, _positions) is { } popularity)
            _popular = new PopularBlocks(popularity, _positions, hotKey);
        _isUniform = _pattern == IoAccessPattern.Random && _distribution is null && _popular is null;
        // Threads beyond the end begin again from the start, at whole distances: unbuffered I/O must stay aligned.
        (_shareStart, _shareEnd) = (range.Start, range.End);
        if (threadStride is { } stride)
        {
            _next = range.Start + (stride == 0 ? 0 : thread % range.Positions(_blockSize, stride) * stride);
            return;
        }
        var (first, end) = ((long)((Int128)_positions * thread / threads), (long)((Int128)_positions * (thread + 1) / threads));
        // More threads than blocks: they cannot but share.
        var count = Math.Max(1, end - first);
        if (_pattern == IoAccessPattern.Sequential)
            (_shareStart, _shareEnd) = (
                range.Start + first * _step,
                Math.Min(range.End, range.Start + (first + count - 1) * _step + _blockSize)
            );
        _next = range.Start + first * _step;
        if (start is not { } random)
            return;
        if (_pattern == IoAccessPattern.Interlocked)
            _firstPosition = random.Below(_positions);
        else
            _next += random.Below(count) * _step;
    }

    /// <summary>Share of the distribution that has a place in the target, in percent; 100 without one.</summary>
    public int PlacedPercent => _distribution?.PlacedPercent ?? 100;

    /// <summary>Where a distribution's I/Os really go: shares of <see cref="PlacedPercent"/> in percent and bytes from the target's begin, the end exclusive; empty without one.</summary>
    public IEnumerable<(int Percent, long From, long To)> EffectiveParts =>
        _distribution?.Parts.Select(part =>
            (part.Percent, _range.Start + part.First * _step, _range.Start + (part.First + part.Count) * _step)
        ) ?? [];

    /// <summary>The next offset in bytes.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Next(ref RandomSource random) => _isUniform ? _range.Start + random.Below(_positions) * _step : NextOther(ref random);

    /// <summary>The next offset in bytes of a block of a mix.</summary>
    public long Next(ref RandomSource random, int length)
    {
        if (_pattern == IoAccessPattern.Random || (_pattern == IoAccessPattern.PartRandom && random.Below(100) < _randomPercent))
        {
            var at = Fit(Jump(ref random), length);
            _next = at + length;
            return at;
        }
        if (_next + length > _shareEnd)
            _next = _shareStart;
        // A share that is smaller than a large block: it goes into its neighbour's.
        var offset = Math.Min(_next, _range.End - length);
        _next += length;
        return offset;
    }

    // Down to a multiple of its own size, and back from the end.
    private long Fit(long place, int length)
    {
        var step = _isOwnAligned ? length : _step;
        return _range.Start + Math.Min(place - _range.Start, _range.Length - length) / step * step;
    }

    private long NextOther(ref RandomSource random)
    {
        if (_sameOffset > 1)
        {
            if (_sameLeft == 0)
            {
                _sameLeft = _sameOffset;
                _sameAt = NextOfPattern(ref random);
            }
            _sameLeft--;
            return _sameAt;
        }
        return NextOfPattern(ref random);
    }

    private long NextOfPattern(ref RandomSource random)
    {
        switch (_pattern)
        {
            case IoAccessPattern.Random:
                return Jump(ref random);
            case IoAccessPattern.Interlocked:
                return _range.Start + (_firstPosition + _range.Cursor.Next()) % _positions * _step;
            case IoAccessPattern.PartRandom when random.Below(100) < _randomPercent:
                var at = Jump(ref random);
                _next = at + _step;
                return at;
            case IoAccessPattern.Stride:
                return _stripe!.Next();
            default:
                if (_next + _blockSize > _shareEnd)
                    _next = _shareStart;
                var offset = _next;
                _next += _step;
                return offset;
        }
    }

    private long Jump(ref RandomSource random) =>
        _range.Start
        + (
            _popular is not null ? _popular.Draw(ref random)
            : _distribution is null ? random.Below(_positions)
            : _distribution.Draw(ref random)
        ) * _step;

    private static Popularity? PopularityOf(IoDistribution distribution, long count) =>
        distribution switch
        {
            IoDistribution.Zipf zipf => new ZipfPopularity(zipf.Theta),
            IoDistribution.Pareto pareto => new ParetoPopularity(pareto.Share, count),
            _ => null,
        };
}
