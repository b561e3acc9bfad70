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

    /// <summary>Bytes of a sector, the smallest unit in which a file can hold content of two writes.</summary>
    public const int SectorSize = 512;

    private const int WordsPerSector = SectorSize / sizeof(ulong);
    private const int StreamBytes = 4 << 20;

    // The stream is the same for all files; the masks differ. The headers show whose file it is.
    private const ulong PayloadSeed = 0x10BE4C8B0D1E5;

    // A header takes three words; the next two words identify the sector of the stream, with or without a header.
    private const int FirstWord = BlockHeader.Size / sizeof(ulong);

    private static readonly Lazy<(ulong[] Stream, Dictionary<ulong, int> Sectors)> s_known = new(BuildSectorIndex);

    /// <param name="place">Number of a 4 KB piece; any number is allowed.</param>
    public static void FillPayload(Span<byte> buffer, uint place)
    {
        for (; buffer.Length > 0; place++)
        {
            var piece = buffer[..Math.Min(BlockHeader.BlockSize, buffer.Length)];
            Generate(piece, PayloadSeed, (long)(place % (StreamBytes / BlockHeader.BlockSize)) * BlockHeader.BlockSize);
            buffer = buffer[piece.Length..];
        }
    }

    /// <summary>Returns whether a sector holds bytes of the stream with one mask.</summary>
    /// <param name="zerosAtEnd">Whether zeros are accepted from any position on, as in compressible content.</param>
    public static bool MatchesPayload(ReadOnlySpan<byte> sector, bool stamped, bool zerosAtEnd)
    {
        var words = MemoryMarshal.Cast<byte, ulong>(sector);
        if (words.Length != WordsPerSector)
            return false;
        if (zerosAtEnd && words[(FirstWord + 2)..].IndexOfAnyExcept(0UL) < 0)
            return stamped || words.IndexOfAnyExcept(0UL) < 0;
        var (stream, sectors) = s_known.Value;
        if (!sectors.TryGetValue(words[FirstWord] ^ words[FirstWord + 1], out var at))
            return false;
        var known = stream.AsSpan(at, WordsPerSector);
        var mask = words[FirstWord] ^ known[FirstWord];
        for (var i = stamped ? FirstWord : 0; i < WordsPerSector; i++)
            if ((words[i] ^ known[i]) != mask)
                return zerosAtEnd && i > FirstWord && EndsInZeros(words[i..], known[i]);
        return true;
    }

    // If the zeros start within a word, its first bytes are not masked.
    private static bool EndsInZeros(ReadOnlySpan<ulong> words, ulong known)
    {
        if (words[1..].IndexOfAnyExcept(0UL) >= 0)
            return false;
        for (var bits = 0; bits < 64; bits += 8)
            if (words[0] == (known & ((1UL << bits) - 1)))
                return true;
        return false;
    }

    private static (ulong[] Stream, Dictionary<ulong, int> Sectors) BuildSectorIndex()
    {
        var stream = new ulong[StreamBytes / sizeof(ulong)];
        FillPayload(MemoryMarshal.AsBytes(stream.AsSpan()), 0);
        var sectors = new Dictionary<ulong, int>(stream.Length / WordsPerSector);
        for (var at = 0; at < stream.Length; at += WordsPerSector)
            sectors.Add(stream[at + FirstWord] ^ stream[at + FirstWord + 1], at);
        return (stream, sectors);
    }
}
