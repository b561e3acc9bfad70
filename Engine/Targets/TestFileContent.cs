using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using System.Runtime.Intrinsics;
using static IoBench.Engine.SplitMix64;

namespace IoBench.Engine;

/// <summary>A random stream for every 4 KB from seed and offset, so that any part can be generated and verified.</summary>
/// <remarks>xoshiro256++ (Blackman and Vigna, 2018), four generators in parallel, seeded by SplitMix64.</remarks>
internal static class TestFileContent
{
    public const int BlockSize = 4096;

    /// <param name="offset">Offset in bytes of the first byte; a multiple of <see cref="BlockSize"/>.</param>
    public static void Generate(Span<byte> buffer, ulong seed, long offset)
    {
        if (offset % BlockSize != 0)
            throw new ArgumentOutOfRangeException(nameof(offset), offset, "The offset must be a multiple of the block size.");
        for (; buffer.Length > 0; offset += BlockSize)
        {
            var block = buffer[..Math.Min(BlockSize, buffer.Length)];
            GenerateBlock(block, seed, offset / BlockSize);
            buffer = buffer[block.Length..];
        }
    }

    // Filling a file spends its time here from the start, so skip the slower first compilation tier.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void GenerateBlock(Span<byte> block, ulong seed, long number)
    {
        // Mix is a bijection, so distinct numbers give distinct streams. 16 consecutive keys seed the four generators.
        var key = Mix(Mix(seed ^ GoldenGamma) ^ (ulong)number);
        Vector256<ulong> a = CreateSeeds(ref key),
            b = CreateSeeds(ref key),
            c = CreateSeeds(ref key),
            d = CreateSeeds(ref key);
        if (block.Length == BlockSize)
        {
            var lanes = MemoryMarshal.Cast<byte, Vector256<ulong>>(block);
            for (var i = 0; i < lanes.Length; i++)
                lanes[i] = GetNextValues(ref a, ref b, ref c, ref d);
            return;
        }
        // The last block of a file can be partial.
        Span<byte> whole = stackalloc byte[BlockSize];
        GenerateBlock(whole, seed, number);
        whole[..block.Length].CopyTo(block);
    }

    private static Vector256<ulong> CreateSeeds(ref ulong key) =>
        Vector256.Create(Mix(key += GoldenGamma), Mix(key += GoldenGamma), Mix(key += GoldenGamma), Mix(key += GoldenGamma));

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static Vector256<ulong> GetNextValues(
        ref Vector256<ulong> a,
        ref Vector256<ulong> b,
        ref Vector256<ulong> c,
        ref Vector256<ulong> d
    )
    {
        var sum = a + d;
        var result = (Vector256.ShiftLeft(sum, 23) | Vector256.ShiftRightLogical(sum, 64 - 23)) + a;
        var shifted = Vector256.ShiftLeft(b, 17);
        c ^= a;
        d ^= b;
        b ^= c;
        a ^= d;
        c ^= shifted;
        d = Vector256.ShiftLeft(d, 45) | Vector256.ShiftRightLogical(d, 64 - 45);
        return result;
    }
}
