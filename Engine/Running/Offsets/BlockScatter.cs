using System.Numerics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Offsets;

/// <summary>
/// A permutation of the blocks of a range, drawn by a key: which block is the most popular, which comes next. So hot blocks are no neighbours, as in a file that
/// grew over years, and no block stands for two. All threads of a target use the same key and have the same hot blocks.
/// </summary>
/// <remarks>
/// Rounds of an odd multiplication and a shift, each a bijection of the next power of two; numbers beyond the range go round again ("cycle walking", Black and
/// Rogaway, "Ciphers with arbitrary finite domains", 2002), twice at most on average.
/// </remarks>
internal sealed class BlockScatter
{
    private readonly ulong _count;
    private readonly ulong _mask;
    private readonly int _shift;
    private readonly ulong _add;
    private readonly ulong _first;
    private readonly ulong _second;
    private readonly ulong _third;

    /// <summary>A permutation of so many blocks.</summary>
    public BlockScatter(long count, ulong key)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        _count = (ulong)count;
        var bits = 64 - BitOperations.LeadingZeroCount(_count - 1 | 1);
        _mask = ulong.MaxValue >> (64 - bits);
        _shift = (bits + 1) / 2;
        _add = SplitMix64.Mix(key += SplitMix64.Golden);
        _first = SplitMix64.Mix(key += SplitMix64.Golden) | 1;
        _second = SplitMix64.Mix(key += SplitMix64.Golden) | 1;
        _third = SplitMix64.Mix(key + SplitMix64.Golden) | 1;
    }

    /// <summary>The block of a rank; both from 0 to below the number of blocks.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long Of(long rank)
    {
        var x = (ulong)rank;
        do
        {
            x = (x * _first + _add) & _mask;
            x ^= x >> _shift;
            x = x * _second & _mask;
            x ^= x >> _shift;
            x = x * _third & _mask;
            x ^= x >> _shift;
        } while (x >= _count);
        return (long)x;
    }
}
