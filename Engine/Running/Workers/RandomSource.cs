using System.Numerics;
using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>xoshiro256** by D. Blackman and S. Vigna (https://prng.di.unimi.it), seeded by splitmix64.</summary>
/// <remarks>The same seed, thread, and target give the same numbers on every computer.</remarks>
internal struct RandomSource
{
    private ulong _s0,
        _s1,
        _s2,
        _s3;

    public RandomSource(ulong seed, int thread, int target)
    {
        var state = SplitMix64.Mix(seed) ^ SplitMix64.Mix(((ulong)(uint)thread << 32) | (uint)target);
        _s0 = SplitMix64.Mix(state += SplitMix64.GoldenGamma);
        _s1 = SplitMix64.Mix(state += SplitMix64.GoldenGamma);
        _s2 = SplitMix64.Mix(state += SplitMix64.GoldenGamma);
        _s3 = SplitMix64.Mix(state + SplitMix64.GoldenGamma);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public ulong Next()
    {
        var result = BitOperations.RotateLeft(_s1 * 5, 7) * 9;
        var t = _s1 << 17;
        _s2 ^= _s0;
        _s3 ^= _s1;
        _s1 ^= _s2;
        _s0 ^= _s3;
        _s2 ^= t;
        _s3 = BitOperations.RotateLeft(_s3, 45);
        return result;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public long NextBelow(long bound) => (long)Math.BigMul(Next(), (ulong)bound, out _);

    public double NextDouble() => (Next() >> 11) * (1.0 / (1UL << 53));
}
