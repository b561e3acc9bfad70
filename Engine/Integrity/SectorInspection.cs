using System.Numerics;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

internal enum SectorState
{
    Right,

    /// <summary>The content from before the expected write.</summary>
    Old,
    OtherPlace,
    Flipped,
    Zero,

    /// <summary>Content of the buffer before the read.</summary>
    NotRead,
    Wrong,
}

/// <param name="Number">For old or misplaced content: write number, 0 = not from this run.</param>
/// <param name="Place">For misplaced content: its own offset in bytes.</param>
/// <param name="FirstBit">For flipped bits: the first one, counted from the start of the sector.</param>
internal readonly record struct SectorInspection(SectorState State, ulong Number = 0, long Place = -1, int Bits = 0, int FirstBit = 0)
{
    // More differences are not bit flips: two random sectors differ in half of their 4,096 bits.
    private const int MaxFlips = 16;

    /// <param name="number">Number of the expected write, 0 = content from before the run.</param>
    /// <param name="expected">Expected content; empty if unknown.</param>
    /// <param name="isPoisoned">Whether the buffer was marked before the read.</param>
    public static SectorInspection Inspect(
        ReadOnlySpan<byte> sector,
        long offset,
        ulong number,
        IntegrityTarget target,
        ReadOnlySpan<byte> expected,
        bool isPoisoned
    )
    {
        if (expected.Length > 0 && sector.SequenceEqual(expected))
            return new SectorInspection(SectorState.Right);
        if (isPoisoned && StreamVerifier.IsUntouched(sector))
            return new SectorInspection(SectorState.NotRead);
        if (sector.IndexOfAnyExcept((byte)0) < 0)
            return new SectorInspection(SectorState.Zero);
        if (expected.Length > 0 && FindFlippedBits(sector, expected) is { Bits: > 0 } flips)
            return flips;
        if (target.Content.HasHeader(sector, out var place, out var written) && target.IsWriteContent(sector, place, written))
            return place != offset
                ? new SectorInspection(SectorState.OtherPlace, written, place)
                : new SectorInspection(written >= number ? SectorState.Right : SectorState.Old, written);
        if (target.IsInitialContent(sector, offset))
            return new SectorInspection(number == 0 ? SectorState.Right : SectorState.Old);
        return new SectorInspection(SectorState.Wrong);
    }

    /// <summary>Returns the default value if the sectors differ in too many bits.</summary>
    internal static SectorInspection FindFlippedBits(ReadOnlySpan<byte> sector, ReadOnlySpan<byte> expected)
    {
        var found = MemoryMarshal.Cast<byte, ulong>(sector);
        var right = MemoryMarshal.Cast<byte, ulong>(expected);
        var bits = 0;
        var first = -1;
        for (var i = 0; i < found.Length && bits <= MaxFlips; i++)
        {
            var changed = found[i] ^ right[i];
            if (changed != 0 && first < 0)
                first = 64 * i + BitOperations.TrailingZeroCount(changed);
            bits += BitOperations.PopCount(changed);
        }
        return bits <= MaxFlips ? new SectorInspection(SectorState.Flipped, Bits: bits, FirstBit: first) : default;
    }
}
