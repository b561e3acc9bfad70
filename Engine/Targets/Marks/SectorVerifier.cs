namespace IoBench.Engine;

/// <summary>Verifies that IoBench wrote each sector: filled content, writes of a test, or known content of a run.</summary>
/// <param name="written">Other content that runs wrote since the marker was closed; null if only the file can show it.</param>
internal sealed class SectorVerifier(OwnershipMarker mark, HeaderlessContent? written = null)
{
    /// <summary>Returns the offset of the first unknown sector in a block of up to 4 KB; -1 if there is none.</summary>
    /// <param name="zerosToo">Whether zeros are accepted, because nothing was written there yet.</param>
    /// <param name="before">Earlier content of the block: an unchanged sector is accepted; empty = not known.</param>
    public long FindUnknownSector(ReadOnlySpan<byte> block, long offset, bool zerosToo, ReadOnlySpan<byte> before = default)
    {
        Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
        TestFileContent.Generate(fill, mark.Seed, offset);
        if (block.SequenceEqual(fill[..block.Length]))
            return -1;
        for (var at = 0; at < block.Length; at += TestFileContent.SectorSize)
        {
            var sector = block.Slice(at, Math.Min(TestFileContent.SectorSize, block.Length - at));
            if (
                !sector.SequenceEqual(fill.Slice(at, sector.Length))
                && !IsTestWrite(sector, offset + at)
                && !(zerosToo && sector.IndexOfAnyExcept((byte)0) < 0)
                && written?.Contains(sector) != true
                && !(before.Length >= at + sector.Length && sector.SequenceEqual(before.Slice(at, sector.Length)))
            )
                return offset + at;
        }
        return -1;
    }

    public bool IsFillOrTestWrite(ReadOnlySpan<byte> sector, long offset) => IsFill(sector, offset) || IsTestWrite(sector, offset);

    /// <summary>Whether the content of a sector shows its own offset. Only the first sector of some writes has a block header.</summary>
    public bool ShowsOffset(ReadOnlySpan<byte> sector, long offset) => IsFill(sector, offset) || HasHeader(sector, offset);

    /// <summary>Returns the other offset that the block header of a sector contains; -1 if there is none.</summary>
    public long FindOtherOffset(ReadOnlySpan<byte> sector, long offset)
    {
        foreach (var seed in mark.WriteSeeds)
            if (BlockHeader.ReadOffset(sector, seed) is >= 0 and var place && place != offset)
                return place;
        return -1;
    }

    private bool IsFill(ReadOnlySpan<byte> sector, long offset)
    {
        Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
        var block = offset / TestFileContent.BlockSize * TestFileContent.BlockSize;
        TestFileContent.Generate(fill, mark.Seed, block);
        return sector.SequenceEqual(fill.Slice((int)(offset - block), sector.Length));
    }

    private bool HasHeader(ReadOnlySpan<byte> sector, long offset)
    {
        foreach (var seed in mark.WriteSeeds)
            if (BlockHeader.Matches(sector, seed, offset))
                return true;
        return false;
    }

    private bool IsTestWrite(ReadOnlySpan<byte> sector, long offset) =>
        mark.WriteSeeds.Count > 0 && TestFileContent.MatchesPayload(sector, HasHeader(sector, offset), mark.HasCompressibleContent);
}

/// <summary>Content without block headers that a run wrote. Only the run itself can recognize it.</summary>
internal sealed class HeaderlessContent
{
    // The same bytes that WriteContent uses for the pattern.
    private static readonly byte[] s_pattern = [.. Enumerable.Range(0, TestFileContent.SectorSize).Select(i => (byte)i)];

    private readonly List<byte[]> _sources = [];
    private bool _zeros;
    private bool _isPattern;

    public void AddPattern(IoPattern pattern, byte[]? source)
    {
        _zeros |= pattern.WriteContent == IoWriteContentKind.Zero;
        _isPattern |= pattern.WriteContent == IoWriteContentKind.Pattern;
        if (
            source is not null
            && !_sources.Exists(s => s.AsSpan(0, Math.Min(source.Length, s.Length - TestFileContent.SectorSize)).SequenceEqual(source))
        )
            _sources.Add(ExtendCyclically(source));
    }

    public bool Contains(ReadOnlySpan<byte> sector)
    {
        if (_zeros && sector.IndexOfAnyExcept((byte)0) < 0 || _isPattern && sector.SequenceEqual(s_pattern.AsSpan(0, sector.Length)))
            return true;
        foreach (var source in _sources)
            if (source.AsSpan().IndexOf(sector) >= 0)
                return true;
        return false;
    }

    // The source is repeated in a cycle, so a sector can cross from its end to its start, several times if the source is short.
    private static byte[] ExtendCyclically(byte[] source)
    {
        var bytes = new byte[source.Length + TestFileContent.SectorSize];
        for (var i = 0; i < bytes.Length; i += source.Length)
            source.AsSpan(0, Math.Min(source.Length, bytes.Length - i)).CopyTo(bytes.AsSpan(i));
        return bytes;
    }
}
