using System.Buffers.Binary;

namespace IoBench.Engine;

/// <summary>
/// What a test's write carries at the start of the I/O and of every 4 KB in it: its offset, a running number, and a check word that
/// only the run's seed gives. No two blocks are alike, so nothing deduplicates; and a block read back proves who wrote it.
/// </summary>
internal static class WriteStamp
{
    /// <summary>Bytes between two stamps.</summary>
    public const int Interval = 4096;

    /// <summary>Bytes of a stamp.</summary>
    public const int Size = 24;

    /// <summary>Stamps a block that is about to be written at <paramref name="offset"/>.</summary>
    public static void Apply(Span<byte> block, long offset, ulong sequence, ulong seed)
    {
        for (var at = 0; at + Size <= block.Length; at += Interval)
        {
            var stamp = block.Slice(at, Size);
            BinaryPrimitives.WriteInt64LittleEndian(stamp, offset + at);
            BinaryPrimitives.WriteUInt64LittleEndian(stamp[8..], sequence);
            BinaryPrimitives.WriteUInt64LittleEndian(stamp[16..], Check(offset + at, sequence, seed));
        }
    }

    /// <summary>Whether the bytes at <paramref name="offset"/> of a file begin with a stamp of a run with this seed.</summary>
    public static bool Matches(ReadOnlySpan<byte> bytes, long offset, ulong seed)
        => bytes.Length >= Size
           && BinaryPrimitives.ReadInt64LittleEndian(bytes) == offset
           && BinaryPrimitives.ReadUInt64LittleEndian(bytes[16..]) == Check(offset, BinaryPrimitives.ReadUInt64LittleEndian(bytes[8..]), seed);

    private static ulong Check(long offset, ulong sequence, ulong seed)
        => RandomSource.Mix(RandomSource.Mix((ulong)offset ^ seed) + sequence);
}
