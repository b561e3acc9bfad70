using System.Buffers.Binary;
using System.Runtime.Intrinsics;
using System.Runtime.Intrinsics.X86;
using static IoBench.Engine.SplitMix64;

namespace IoBench.Engine;

/// <summary>The 24 bytes at the start of every 4 KB that a test writes, and of every sector of a large write.</summary>
/// <remarks>
/// They identify offset and write, so that blocks do not deduplicate, and content and ownership can be verified after a run was killed.
/// Layout, little endian: key (8 bytes, from seed and offset), sequence XOR a mask from the key (8 bytes), check over seed, offset, and
/// sequence (8 bytes). All three look random, so that a header does not make a block compressible.
/// </remarks>
public static class BlockHeader
{
    /// <summary>Maximum distance in bytes between the headers of a write, counted from its first byte.</summary>
    public const int BlockSize = 4096;

    public const int Size = 24;

    // Headers to prefetch ahead of the one being written, to hide the latency of memory.
    private const int PrefetchDistance = 32;

    /// <summary>Writes headers to a write's buffer, from its first byte. A remainder shorter than a header is not changed.</summary>
    /// <param name="sequence">Sequence number of the write: any two writes to the same offset must differ.</param>
    /// <param name="distance">Bytes from one header to the next: 4 KB, or 512 for one header per sector.</param>
    public static void WriteHeaders(Span<byte> buffer, ulong seed, long offset, ulong sequence, int distance = BlockSize)
    {
        // The same computation as in ComputeKey and ComputeCheck, with the parts that all headers of a write share computed once.
        var keySeed = Mix(seed + GoldenGamma);
        var checkSeed = Mix(sequence + GoldenGamma) ^ Mix(~seed);
        for (
            var at = WriteHeadersVectorized(buffer, keySeed, checkSeed, offset, sequence, distance);
            at + Size <= buffer.Length;
            at += distance
        )
        {
            var stamp = buffer.Slice(at, Size);
            var key = Mix(keySeed ^ (ulong)(offset + at));
            BinaryPrimitives.WriteUInt64LittleEndian(stamp, key);
            BinaryPrimitives.WriteUInt64LittleEndian(stamp[8..], sequence ^ ComputeMask(key));
            BinaryPrimitives.WriteUInt64LittleEndian(stamp[16..], Mix(checkSeed ^ key));
        }
    }

    /// <summary>Needs a CPU that multiplies four 64-bit numbers at once. Returns the offset where it stopped.</summary>
    private static unsafe int WriteHeadersVectorized(
        Span<byte> buffer,
        ulong keySeed,
        ulong checkSeed,
        long offset,
        ulong sequence,
        int distance
    )
    {
        if (!Avx512DQ.VL.IsSupported || buffer.Length < 4 * distance)
            return 0;
        var offsets = Vector256.Create((ulong)offset) + Vector256.Create(0, (ulong)distance, 2 * (ulong)distance, 3 * (ulong)distance);
        var words = stackalloc ulong[3 * 4];
        var at = 0;
        fixed (byte* first = buffer)
        {
            for (; at + 4 * distance <= buffer.Length; at += 4 * distance)
            {
                // Large buffers of deep queues are not in any CPU cache. Prefetching beyond the end does no harm.
                for (var i = 0; i < 4; i++)
                    Sse.Prefetch0(first + at + (PrefetchDistance + i) * (long)distance);
                var key = Mix(Vector256.Create(keySeed) ^ offsets);
                key.Store(words);
                (Vector256.Create(sequence) ^ Mix(key + Vector256.Create(GoldenGamma))).Store(words + 4);
                Mix(Vector256.Create(checkSeed) ^ key).Store(words + 8);
                offsets += Vector256.Create(4 * (ulong)distance);
                for (var i = 0; i < 4; i++)
                {
                    var stamp = (ulong*)(first + at + i * distance);
                    stamp[0] = words[i];
                    stamp[1] = words[4 + i];
                    stamp[2] = words[8 + i];
                }
            }
        }
        return at;
    }

    /// <summary>Returns whether a block starts with a header of this seed and offset.</summary>
    public static bool Matches(ReadOnlySpan<byte> block4k, ulong seed, long offset) => Matches(block4k, seed, offset, out _);

    public static bool Matches(ReadOnlySpan<byte> block4k, ulong seed, long offset, out ulong sequence)
    {
        sequence = 0;
        if (block4k.Length < Size)
            return false;
        var key = ComputeKey(seed, offset);
        if (BinaryPrimitives.ReadUInt64LittleEndian(block4k) != key)
            return false;
        sequence = BinaryPrimitives.ReadUInt64LittleEndian(block4k[8..]) ^ ComputeMask(key);
        return BinaryPrimitives.ReadUInt64LittleEndian(block4k[16..]) == ComputeCheck(seed, key, sequence);
    }

    /// <summary>Returns the offset in bytes that a block's header contains; -1 if the header does not match the seed.</summary>
    internal static long ReadOffset(ReadOnlySpan<byte> block4k, ulong seed)
    {
        if (block4k.Length < Size)
            return -1;
        var offset = (long)(Unmix(BinaryPrimitives.ReadUInt64LittleEndian(block4k)) ^ Mix(seed + GoldenGamma));
        return Matches(block4k, seed, offset) ? offset : -1;
    }

    // Mix the seed first, so that the keys of neighboring seeds are not shifted copies of each other.
    private static ulong ComputeKey(ulong seed, long offset) => Mix(Mix(seed + GoldenGamma) ^ (ulong)offset);

    private static ulong ComputeMask(ulong key) => Mix(key + GoldenGamma);

    private static ulong ComputeCheck(ulong seed, ulong key, ulong sequence) => Mix(Mix(sequence + GoldenGamma) ^ key ^ Mix(~seed));
}
