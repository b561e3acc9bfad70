using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine.Integrity;

/// <summary>
/// What checked writes consist of: bytes that follow from the target's seed, the place and the write's number alone, so that what was read can be compared with
/// every bit that should be there. Each sector begins with a stamp; behind it stand bytes of <see cref="WriteBody"/> under one mask per group of sectors, as in any other
/// test's writes, so that a file's owner is proved as ever.
/// </summary>
internal sealed unsafe class CheckedContent
{
    /// <summary>Bits of a stamp's sequence that are the write's number; those above are the run's.</summary>
    public const int NumberBits = 48;

    /// <summary>Bits of a number that are the thread's.</summary>
    public const int ThreadBits = 10;

    private const ulong NumberMask = (1UL << NumberBits) - 1;
    private static readonly ulong[] s_base = MakeBase();

    private readonly ulong _seed;
    private readonly ulong _keySeed;
    private readonly int _zerosFrom;

    /// <summary>Content for a target.</summary>
    /// <param name="seed">Seed of its stamps.</param>
    /// <param name="run">The run's own number, of 16 bits: tells its writes from those of earlier runs.</param>
    /// <param name="compressiblePercent">Share of each 4 KB that is zeros, but for the stamps.</param>
    public CheckedContent(ulong seed, ushort run, int compressiblePercent)
    {
        (_seed, Run, CompressiblePercent) = (seed, run, compressiblePercent);
        _keySeed = SplitMix64.Mix(seed + SplitMix64.Golden);
        // In whole words: a word that is half zeros under a mask would not be recognized as a write's.
        _zerosFrom = (BlockStamp.BlockSize - (int)(BlockStamp.BlockSize * (long)compressiblePercent / 100)) & ~(sizeof(ulong) - 1);
    }

    /// <summary>The run's own number.</summary>
    public ushort Run { get; }

    /// <summary>Seed of the stamps.</summary>
    public ulong Seed => _seed;

    /// <summary>Share of each 4 KB that is zeros.</summary>
    public int CompressiblePercent { get; }

    /// <summary>Makes the content of a group of sectors.</summary>
    /// <param name="to">Receives it; 4,096 or 512 bytes.</param>
    /// <param name="offset">Offset in bytes of its first byte in the file.</param>
    /// <param name="number">Number of the write.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Make(Span<byte> to, long offset, ulong number)
    {
        var sequence = Sequence(number);
        var mask = SplitMix64.Mix(SplitMix64.Mix(_keySeed + (ulong)offset) ^ sequence);
        var within = (int)(offset % BlockStamp.BlockSize);
        var from = MemoryMarshal.Cast<ulong, Vector<ulong>>(s_base.AsSpan(within / sizeof(ulong), to.Length / sizeof(ulong)));
        var words = MemoryMarshal.Cast<byte, Vector<ulong>>(to);
        var wide = new Vector<ulong>(mask);
        for (var i = 0; i < words.Length; i++)
            words[i] = from[i] ^ wide;
        if (_zerosFrom < within + to.Length)
            to[Math.Max(0, _zerosFrom - within)..].Clear();
        BlockStamp.StampAll(to, _seed, offset, sequence, WriteBody.SectorSize);
    }

    /// <summary>Whether a sector begins with a stamp of this run for a place; gives the number of the write.</summary>
    public bool IsStamped(ReadOnlySpan<byte> sector, long offset, out ulong number)
    {
        var ours = BlockStamp.IsOurs(sector, _seed, offset, out var sequence) && sequence >> NumberBits == Run;
        number = sequence & NumberMask;
        return ours;
    }

    /// <summary>Whether a sector begins with a stamp of this run for any place; gives the place and the number of the write.</summary>
    public bool IsStamped(ReadOnlySpan<byte> sector, out long offset, out ulong number)
    {
        offset = BlockStamp.PlaceOf(sector, _seed);
        if (offset >= 0 && IsStamped(sector, offset, out number))
            return true;
        number = 0;
        return false;
    }

    private ulong Sequence(ulong number) => (ulong)Run << NumberBits | number;

    // A piece of the stream that WriteBody knows: it stays in the processor's first cache.
    private static ulong[] MakeBase()
    {
        var words = new ulong[BlockStamp.BlockSize / sizeof(ulong)];
        WriteBody.Fill(MemoryMarshal.AsBytes(words.AsSpan()), 0);
        return words;
    }
}
