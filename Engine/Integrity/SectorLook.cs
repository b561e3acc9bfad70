using System.Numerics;
using System.Runtime.InteropServices;

namespace IoBench.Engine.Integrity;

/// <summary>What a sector that may be wrong holds.</summary>
internal enum SectorState
{
    /// <summary>What it must hold.</summary>
    Right,

    /// <summary>What stood there before.</summary>
    Old,

    /// <summary>What belongs to another place.</summary>
    OtherPlace,

    /// <summary>What it must hold, but for a few bits.</summary>
    Flipped,
    Zero,

    /// <summary>What the buffer held before the read.</summary>
    NotRead,

    /// <summary>None of these.</summary>
    Wrong,
}

/// <summary>A look at a sector.</summary>
/// <param name="State">What it holds.</param>
/// <param name="Number">Of old content and that of another place: number of the write, 0 = not one of this run.</param>
/// <param name="Place">Of content of another place: its offset in bytes.</param>
/// <param name="Bits">Of flipped bits: how many.</param>
/// <param name="FirstBit">Of flipped bits: the first one, from the sector's first byte.</param>
internal readonly record struct SectorLook(SectorState State, ulong Number = 0, long Place = -1, int Bits = 0, int FirstBit = 0)
{
    // More of them are no flips: two random sectors differ in half of their 4,096 bits.
    private const int MaxFlips = 16;

    /// <param name="offset">Offset of the sector in bytes.</param>
    /// <param name="number">Number of the write that must be there, 0 = what was there before the run.</param>
    /// <param name="expected">What must be there, where that is known; else empty.</param>
    /// <param name="isPoisoned">The buffer was poisoned before the read.</param>
    public static SectorLook At(
        ReadOnlySpan<byte> sector,
        long offset,
        ulong number,
        TargetIntegrity target,
        ReadOnlySpan<byte> expected,
        bool isPoisoned
    )
    {
        if (expected.Length > 0 && sector.SequenceEqual(expected))
            return new SectorLook(SectorState.Right);
        if (isPoisoned && Poison.IsIn(sector))
            return new SectorLook(SectorState.NotRead);
        if (sector.IndexOfAnyExcept((byte)0) < 0)
            return new SectorLook(SectorState.Zero);
        if (expected.Length > 0 && Flips(sector, expected) is { Bits: > 0 } flips)
            return flips;
        if (target.Content.IsStamped(sector, out var place, out var written) && target.IsContent(sector, place, written))
            return place != offset
                ? new SectorLook(SectorState.OtherPlace, written, place)
                : new SectorLook(written >= number ? SectorState.Right : SectorState.Old, written);
        if (target.IsFromBefore(sector, offset))
            return new SectorLook(number == 0 ? SectorState.Right : SectorState.Old);
        return new SectorLook(SectorState.Wrong);
    }

    /// <summary>The bits in which a sector differs from what must be there; none when they are too many to be flips.</summary>
    internal static SectorLook Flips(ReadOnlySpan<byte> sector, ReadOnlySpan<byte> expected)
    {
        var found = MemoryMarshal.Cast<byte, ulong>(sector);
        var right = MemoryMarshal.Cast<byte, ulong>(expected);
        var (bits, first) = (0, -1);
        for (var i = 0; i < found.Length && bits <= MaxFlips; i++)
        {
            var changed = found[i] ^ right[i];
            if (changed != 0 && first < 0)
                first = 64 * i + BitOperations.TrailingZeroCount(changed);
            bits += BitOperations.PopCount(changed);
        }
        return bits <= MaxFlips ? new SectorLook(SectorState.Flipped, Bits: bits, FirstBit: first) : default;
    }
}

/// <summary>What a buffer holds in each sector before a read, so that bytes which the read leaves out are seen.</summary>
internal static unsafe class Poison
{
    private const int At = WriteBody.SectorSize - sizeof(ulong);
    private static readonly ulong s_word = (ulong)Random.Shared.NextInt64() | 1;

    /// <summary>Poisons a buffer.</summary>
    public static void Put(byte* buffer, long length)
    {
        var word = s_word;
        for (long at = At; at < length; at += WriteBody.SectorSize)
            *(ulong*)(buffer + at) = word;
    }

    /// <summary>Whether a sector still is poisoned.</summary>
    public static bool IsIn(ReadOnlySpan<byte> sector) =>
        sector.Length == WriteBody.SectorSize && MemoryMarshal.Read<ulong>(sector[At..]) == s_word;
}
