namespace IoBench.Engine.Targets.Marks;

/// <summary>Says of each sector of a test file whether IoBench wrote it: the fill, a test's writes, or content that a run is known to have written.</summary>
/// <param name="mark">The file's mark, with the seeds of fill and stamps.</param>
/// <param name="written">What else the runs since the mark was closed have written; null when only the file can say.</param>
internal sealed class SectorProof(FileMark mark, WrittenContent? written = null)
{
    /// <summary>Offset of the first sector in a block of up to 4 KB that nothing explains; -1 when all are explained.</summary>
    /// <param name="offset">Offset of the block in bytes, a multiple of 4 KB.</param>
    /// <param name="zerosToo">Zeros are explained: nothing was written there yet.</param>
    /// <param name="before">What the block is known to have held, of the same size: a sector that still does is explained; empty = nothing is known.</param>
    public long FirstForeign(ReadOnlySpan<byte> block, long offset, bool zerosToo, ReadOnlySpan<byte> before = default)
    {
        Span<byte> fill = stackalloc byte[FillContent.BlockSize];
        FillContent.Fill(fill, mark.Seed, offset);
        if (block.SequenceEqual(fill[..block.Length]))
            return -1;
        for (var at = 0; at < block.Length; at += WriteBody.SectorSize)
        {
            var sector = block.Slice(at, Math.Min(WriteBody.SectorSize, block.Length - at));
            if (
                !sector.SequenceEqual(fill.Slice(at, sector.Length))
                && !IsWritten(sector, offset + at)
                && !(zerosToo && sector.IndexOfAnyExcept((byte)0) < 0)
                && written?.Explains(sector) != true
                && !(before.Length >= at + sector.Length && sector.SequenceEqual(before.Slice(at, sector.Length)))
            )
                return offset + at;
        }
        return -1;
    }

    /// <summary>Whether a sector holds what its place was filled with, or what a test of the mark's seeds wrote there.</summary>
    public bool IsFromBefore(ReadOnlySpan<byte> sector, long offset)
    {
        Span<byte> fill = stackalloc byte[FillContent.BlockSize];
        var block = offset / FillContent.BlockSize * FillContent.BlockSize;
        FillContent.Fill(fill, mark.Seed, block);
        return sector.SequenceEqual(fill.Slice((int)(offset - block), sector.Length)) || IsWritten(sector, offset);
    }

    /// <summary>Whether a sector holds what a test of the mark's seeds wrote: with a stamp for its place, or the rest of such a write.</summary>
    private bool IsWritten(ReadOnlySpan<byte> sector, long offset)
    {
        var stamped = false;
        foreach (var seed in mark.WriteSeeds)
            stamped |= BlockStamp.IsOurs(sector, seed, offset);
        return mark.WriteSeeds.Count > 0 && WriteBody.Matches(sector, stamped, mark.Compressible);
    }
}

/// <summary>Content without stamps that a run wrote: it proves nothing to others, but the run itself knows it.</summary>
internal sealed class WrittenContent
{
    // As WriteContent fills a buffer with the pattern.
    private static readonly byte[] s_pattern = [.. Enumerable.Range(0, WriteBody.SectorSize).Select(i => (byte)i)];

    private readonly List<byte[]> _sources = [];
    private bool _zeros;
    private bool _isPattern;

    /// <summary>Notes what a pattern writes.</summary>
    /// <param name="source">The bytes that writes are cut from, when they come from a file.</param>
    public void Add(IoPattern pattern, byte[]? source)
    {
        _zeros |= pattern.Content is IoContent.Zero;
        _isPattern |= pattern.Content is IoContent.ByteSequence;
        if (
            source is not null
            && !_sources.Exists(s => s.AsSpan(0, Math.Min(source.Length, s.Length - WriteBody.SectorSize)).SequenceEqual(source))
        )
            _sources.Add(Cyclic(source));
    }

    /// <summary>True when a sector is what these writes put there.</summary>
    public bool Explains(ReadOnlySpan<byte> sector)
    {
        if (_zeros && sector.IndexOfAnyExcept((byte)0) < 0 || _isPattern && sector.SequenceEqual(s_pattern.AsSpan(0, sector.Length)))
            return true;
        foreach (var source in _sources)
            if (source.AsSpan().IndexOf(sector) >= 0)
                return true;
        return false;
    }

    // The source is cut from end to beginning on: a sector may go over that seam, of a short source over several.
    private static byte[] Cyclic(byte[] source)
    {
        var bytes = new byte[source.Length + WriteBody.SectorSize];
        for (var i = 0; i < bytes.Length; i += source.Length)
            source.AsSpan(0, Math.Min(source.Length, bytes.Length - i)).CopyTo(bytes.AsSpan(i));
        return bytes;
    }
}
