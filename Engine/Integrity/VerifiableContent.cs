using System.Numerics;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Content of checked writes. The bytes depend only on the target's seed, the offset, and the write number. Each sector begins with a block
/// header, followed by bytes of <see cref="TestFileContent"/> with one mask per group of sectors. Other tests use the same layout, so that
/// the file's ownership can be verified as usual.
/// </summary>
internal sealed unsafe class VerifiableContent
{
    /// <summary>Bits of a block header's sequence that hold the write number. The run number is above.</summary>
    public const int NumberBits = 48;

    public const int ThreadBits = 10;

    private const ulong NumberMask = (1UL << NumberBits) - 1;
    private static readonly ulong[] s_base = CreateBase();

    private readonly ulong _seed;
    private readonly ulong _keySeed;
    private readonly int _zerosFrom;

    /// <param name="run">Run number (16 bits), which distinguishes the writes of different runs.</param>
    /// <param name="compressiblePercent">Percentage of zeros in each 4 KB, apart from the block headers.</param>
    public VerifiableContent(ulong seed, ushort run, int compressiblePercent)
    {
        _seed = seed;
        Run = run;
        CompressiblePercent = compressiblePercent;
        _keySeed = SplitMix64.Mix(seed + SplitMix64.GoldenGamma);
        // Zero whole words only: a word that is partly zero under the mask would not be recognized as written by a test.
        _zerosFrom = (BlockHeader.BlockSize - (int)(BlockHeader.BlockSize * (long)compressiblePercent / 100)) & ~(sizeof(ulong) - 1);
    }

    public ushort Run { get; }

    public ulong Seed => _seed;

    public int CompressiblePercent { get; }

    /// <param name="to">Buffer of 4,096 or 512 bytes.</param>
    /// <param name="offset">Offset of the group in the file, in bytes.</param>
    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    public void Fill(Span<byte> to, long offset, ulong number)
    {
        var sequence = GetSequence(number);
        var mask = SplitMix64.Mix(SplitMix64.Mix(_keySeed + (ulong)offset) ^ sequence);
        var within = (int)(offset % BlockHeader.BlockSize);
        var from = MemoryMarshal.Cast<ulong, Vector<ulong>>(s_base.AsSpan(within / sizeof(ulong), to.Length / sizeof(ulong)));
        var words = MemoryMarshal.Cast<byte, Vector<ulong>>(to);
        var wide = new Vector<ulong>(mask);
        for (var i = 0; i < words.Length; i++)
            words[i] = from[i] ^ wide;
        if (_zerosFrom < within + to.Length)
            to[Math.Max(0, _zerosFrom - within)..].Clear();
        BlockHeader.WriteHeaders(to, _seed, offset, sequence, TestFileContent.SectorSize);
    }

    public bool HasHeader(ReadOnlySpan<byte> sector, long offset, out ulong number)
    {
        var ours = BlockHeader.Matches(sector, _seed, offset, out var sequence) && sequence >> NumberBits == Run;
        number = sequence & NumberMask;
        return ours;
    }

    public bool HasHeader(ReadOnlySpan<byte> sector, out long offset, out ulong number)
    {
        offset = BlockHeader.ReadOffset(sector, _seed);
        if (offset >= 0 && HasHeader(sector, offset, out number))
            return true;
        number = 0;
        return false;
    }

    private ulong GetSequence(ulong number) => (ulong)Run << NumberBits | number;

    // Part of the random stream of WriteBody, small enough for the CPU's first-level cache.
    private static ulong[] CreateBase()
    {
        var words = new ulong[BlockHeader.BlockSize / sizeof(ulong)];
        TestFileContent.FillPayload(MemoryMarshal.AsBytes(words.AsSpan()), 0);
        return words;
    }
}
