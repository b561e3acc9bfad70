using System.Numerics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Keyed permutation from ranks to blocks, so that hot blocks are not neighbors. Threads of a target share the key.</summary>
/// <remarks>Rounds of an odd multiplication and a shift, each a bijection. Numbers beyond the range are mapped again ("cycle
/// walking", Black and Rogaway, "Ciphers with arbitrary finite domains", 2002), on average at most twice.</remarks>
internal sealed class BlockPermutation
{
    private readonly ulong _count;
    private readonly ulong _mask;
    private readonly int _shift;
    private readonly ulong _add;
    private readonly ulong _first;
    private readonly ulong _second;
    private readonly ulong _third;

    public BlockPermutation(long count, ulong key)
    {
        ArgumentOutOfRangeException.ThrowIfNegativeOrZero(count);
        _count = (ulong)count;
        var bits = 64 - BitOperations.LeadingZeroCount(_count - 1 | 1);
        _mask = ulong.MaxValue >> (64 - bits);
        _shift = (bits + 1) / 2;
        _add = SplitMix64.Mix(key += SplitMix64.GoldenGamma);
        _first = SplitMix64.Mix(key += SplitMix64.GoldenGamma) | 1;
        _second = SplitMix64.Mix(key += SplitMix64.GoldenGamma) | 1;
        _third = SplitMix64.Mix(key + SplitMix64.GoldenGamma) | 1;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long GetBlock(long rank)
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
