using System.Buffers.Binary;
using System.Runtime.CompilerServices;
using static IoBench.Engine.SplitMix64;

namespace IoBench.Engine;

/// <summary>
/// The 24 bytes that begin every 4 KB that a test writes. They say where the block belongs and which write it was, so that
/// no two blocks deduplicate, that content read back can be checked, and that blocks prove whose file it is after a run was killed.
/// </summary>
/// <remarks>
/// Layout, little endian: key (8 bytes, from seed and offset), sequence XOR a mask from the key (8 bytes), check over seed, offset and
/// sequence (8 bytes). All three look random, so that a stamp does not make a block compressible.
/// </remarks>
public static class BlockStamp
{
    /// <summary>Distance of stamps in bytes within a write, from its first byte.</summary>
    public const int BlockSize = 4096;

    /// <summary>Bytes of a stamp.</summary>
    public const int Size = 24;

    /// <summary>Writes the stamp over the first <see cref="Size"/> bytes of a block.</summary>
    /// <param name="block4k">The block (of 4 KB; less at the end of a write, at least <see cref="Size"/> bytes).</param>
    /// <param name="seed">The seed that was given to <c>TestFiles.BeginWriting</c>.</param>
    /// <param name="offset">Offset in bytes of the block's first byte in the file.</param>
    /// <param name="sequence">Number of the write: any two writes to the same offset must differ.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public static void Stamp(Span<byte> block4k, ulong seed, long offset, ulong sequence)
    {
        var key = Key(seed, offset);
        BinaryPrimitives.WriteUInt64LittleEndian(block4k, key);
        BinaryPrimitives.WriteUInt64LittleEndian(block4k[8..], sequence ^ Mask(key));
        BinaryPrimitives.WriteUInt64LittleEndian(block4k[16..], Check(seed, key, sequence));
    }

    /// <summary>Stamps every 4 KB of a write's buffer, from its first byte; a rest shorter than a stamp stays as it is.</summary>
    /// <param name="buffer">All bytes of one write.</param>
    /// <param name="seed">The seed that was given to <c>TestFiles.BeginWriting</c>.</param>
    /// <param name="offset">Offset in bytes of the write in the file.</param>
    /// <param name="sequence">Number of the write: any two writes to the same offset must differ.</param>
    public static void StampAll(Span<byte> buffer, ulong seed, long offset, ulong sequence)
    {
        for (var at = 0; at + Size <= buffer.Length; at += BlockSize)
            Stamp(buffer[at..], seed, offset + at, sequence);
    }

    /// <summary>True when a block begins with a stamp of this seed for this offset.</summary>
    public static bool IsOurs(ReadOnlySpan<byte> block4k, ulong seed, long offset) => IsOurs(block4k, seed, offset, out _);

    /// <summary>True when a block begins with a stamp of this seed for this offset; gives the number of the write.</summary>
    public static bool IsOurs(ReadOnlySpan<byte> block4k, ulong seed, long offset, out ulong sequence)
    {
        sequence = 0;
        if (block4k.Length < Size)
            return false;
        var key = Key(seed, offset);
        if (BinaryPrimitives.ReadUInt64LittleEndian(block4k) != key)
            return false;
        sequence = BinaryPrimitives.ReadUInt64LittleEndian(block4k[8..]) ^ Mask(key);
        return BinaryPrimitives.ReadUInt64LittleEndian(block4k[16..]) == Check(seed, key, sequence);
    }

    // Mix(seed) first, so that neighbouring seeds do not give shifted copies of each other's keys.
    private static ulong Key(ulong seed, long offset) => Mix(Mix(seed + Golden) ^ (ulong)offset);

    private static ulong Mask(ulong key) => Mix(key + Golden);

    private static ulong Check(ulong seed, ulong key, ulong sequence) => Mix(Mix(sequence + Golden) ^ key ^ Mix(~seed));
}
