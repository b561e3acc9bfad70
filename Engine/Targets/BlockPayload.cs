using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Payload of random writes: pieces of one known stream of 4 MB, each write XORed with its own 64-bit mask.</summary>
/// <remarks>Sectors are recognized without their header, also in a partly overwritten write or after a power loss.</remarks>
internal static class BlockPayload
{
    /// <summary>Bytes of a sector, the smallest unit in which a file can hold content of two writes.</summary>
    public const int SectorSize = 512;

    private const int WordsPerSector = SectorSize / sizeof(ulong);
    private const int StreamBytes = 4 << 20;

    // The stream is the same for all files; the masks differ. The headers show whose file it is.
    private const ulong Seed = 0x10BE4C8B0D1E5;

    // A header takes three words; the next two words identify the sector of the stream, with or without a header.
    private const int FirstWord = BlockHeader.Size / sizeof(ulong);

    private static readonly Lazy<(ulong[] Stream, Dictionary<ulong, int> Sectors)> s_known = new(BuildSectorIndex);

    /// <param name="place">Number of a 4 KB piece; any number is allowed.</param>
    public static void Fill(Span<byte> buffer, uint place)
    {
        for (; buffer.Length > 0; place++)
        {
            var piece = buffer[..Math.Min(BlockHeader.BlockSize, buffer.Length)];
            TestFileContent.Generate(piece, Seed, (long)(place % (StreamBytes / BlockHeader.BlockSize)) * BlockHeader.BlockSize);
            buffer = buffer[piece.Length..];
        }
    }

    /// <summary>Returns whether a sector holds bytes of the stream with one mask.</summary>
    /// <param name="zerosAtEnd">Whether zeros are accepted from any position on, as in compressible content.</param>
    public static bool Matches(ReadOnlySpan<byte> sector, bool stamped, bool zerosAtEnd)
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
        Fill(MemoryMarshal.AsBytes(stream.AsSpan()), 0);
        var sectors = new Dictionary<ulong, int>(stream.Length / WordsPerSector);
        for (var at = 0; at < stream.Length; at += WordsPerSector)
            sectors.Add(stream[at + FirstWord] ^ stream[at + FirstWord + 1], at);
        return (stream, sectors);
    }
}
