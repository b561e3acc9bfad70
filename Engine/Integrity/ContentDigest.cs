using System.Globalization;
using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static IoBench.Engine.SplitMix64;

namespace IoBench.Engine;

/// <summary>Digest of a file's content. It depends neither on the CPU nor on the order of the reads, so that a marker can store
/// it.</summary>
/// <param name="Size">Number of bytes from the start of the file.</param>
internal readonly record struct ContentDigest(long Size, ulong Value)
{
    private const ulong Prime1 = 0x9E3779B185EBCA87;
    private const ulong Prime2 = 0xC2B2AE3D27D4EB4F;

    /// <summary>Computes the digest of a part of a file. The digest of the file is the sum of all parts.</summary>
    /// <param name="part">A multiple of 32 bytes.</param>
    /// <param name="offset">Offset of the part in the file; a multiple of 4,096 bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public static ulong Compute(ReadOnlySpan<byte> part, long offset)
    {
        var sum = 0UL;
        for (var at = 0; at < part.Length; at += BlockHeader.BlockSize)
            sum += Mix(
                HashBlock(part.Slice(at, Math.Min(BlockHeader.BlockSize, part.Length - at))) + Mix((ulong)(offset + at) + GoldenGamma)
            );
        return sum;
    }

    // The rounds of xxHash64, with four independent lanes.
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static ulong HashBlock(ReadOnlySpan<byte> block)
    {
        var words = MemoryMarshal.Cast<byte, ulong>(block);
        ulong a = Prime1,
            b = Prime2,
            c = 0,
            d = ~0UL;
        for (var i = 0; i + 4 <= words.Length; i += 4)
        {
            a = AddWord(a, words[i]);
            b = AddWord(b, words[i + 1]);
            c = AddWord(c, words[i + 2]);
            d = AddWord(d, words[i + 3]);
        }
        return Mix(a) ^ Mix(b + Prime1) ^ Mix(c + Prime2) ^ Mix(d + GoldenGamma) ^ (ulong)block.Length;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static ulong AddWord(ulong lane, ulong word) => BitOperations.RotateLeft(lane + word * Prime2, 31) * Prime1;

    /// <summary>Returns null for any other text than <c>SIZE,DIGEST</c>.</summary>
    public static ContentDigest? Parse(string text) =>
        text.Split(',') is [var size, var digest]
        && long.TryParse(size, NumberStyles.None, CultureInfo.InvariantCulture, out var bytes)
        && ulong.TryParse(digest, NumberStyles.AllowHexSpecifier, CultureInfo.InvariantCulture, out var value)
            ? new ContentDigest(bytes, value)
            : null;
}
