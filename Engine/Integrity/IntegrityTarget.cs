namespace IoBench.Engine;

internal sealed unsafe class IntegrityTarget : IDisposable
{
    private readonly OpenTarget _target;
    private readonly SectorVerifier? _proof;
    private readonly ulong? _fillSeed;
    private OpenFile? _file;
    private OpenFile? _readFrom;
    private BlockReader? _reader;

    public IntegrityTarget(int index, OpenTarget target, int groupSize, int largest, VerifiableContent content)
    {
        Index = index;
        _target = target;
        _file = target.File;
        Content = content;
        LargestBlock = largest;
        Map = new ChecksumMap(target.Target.Size, groupSize);
        var mark = target.Target.Kind is TargetKind.New or TargetKind.Own ? target.Target.Marker : null;
        _fillSeed = mark?.Seed;
        // Content that earlier runs wrote without block headers cannot be verified.
        _proof = mark is { HasUnrecognizableContent: false } ? new SectorVerifier(mark.WithWriteSeed(target.Target.ContentSeed)) : null;
    }

    public int Index { get; }

    public ChecksumMap Map { get; }

    public VerifiableContent Content { get; }

    public int LargestBlock { get; }
    public string Path => _target.Target.Path;
    public OpenFile File => Volatile.Read(ref _file)!;

    /// <summary>Whether damage in the content from before the run can be detected.</summary>
    public bool CanVerifyInitialContent => _proof is not null;

    public bool IsInitialContent(ReadOnlySpan<byte> sector, long offset) => _proof?.IsFillOrTestWrite(sector, offset) == true;

    /// <summary>
    /// Returns the offset of the first sector that IoBench did not write; -1 if none or if the content cannot be verified.
    /// </summary>
    public long FindUnknownSector(ReadOnlySpan<byte> block, long offset) => _proof?.FindUnknownSector(block, offset, zerosToo: false) ?? -1;

    /// <summary>Returns false if the exact bytes are unknown.</summary>
    public bool TryFill(Span<byte> to, long offset, ulong number)
    {
        if (number != 0)
            Content.Fill(to, offset, number);
        else if (_fillSeed is { } seed)
        {
            Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
            TestFileContent.Generate(fill, seed, offset / TestFileContent.BlockSize * TestFileContent.BlockSize);
            fill.Slice((int)(offset % TestFileContent.BlockSize), to.Length).CopyTo(to);
        }
        else
            return false;
        return true;
    }

    public bool IsWriteContent(ReadOnlySpan<byte> sector, long offset, ulong number)
    {
        var group = offset / Map.GroupSize * Map.GroupSize;
        Span<byte> made = stackalloc byte[BlockHeader.BlockSize];
        made = made[..Map.GroupSize];
        Content.Fill(made, group, number);
        return sector.SequenceEqual(made.Slice((int)(offset - group), sector.Length));
    }

    /// <summary>Switches second reads to a reopened file, because handles of a lost disk no longer work.</summary>
    public void SwitchFile(OpenFile file) => Volatile.Write(ref _file, file);

    /// <summary>Reads groups again, past the file cache if possible; null if they cannot be read.</summary>
    public byte[]? ReadAgain(long group, int count)
    {
        var from = group * Map.GroupSize;
        var end = (group + count) * Map.GroupSize;
        var bytes = new byte[end - from];
        try
        {
            var reader = GetReader();
            for (var at = from / BlockReader.BlockSize * BlockReader.BlockSize; at < end; at += BlockReader.BlockSize)
            {
                var block = reader.Read(at);
                var first = Math.Max(from, at);
                var last = Math.Min(end, at + block.Length);
                if (first < last)
                    block[(int)(first - at)..(int)(last - at)].CopyTo(bytes.AsSpan((int)(first - from)));
            }
            return bytes;
        }
        catch (Exception e) when (e is IoBenchException or IOException)
        {
            // An unreadable offset shows nothing about the earlier read.
            return null;
        }
    }

    private BlockReader GetReader()
    {
        var file = File;
        if (_reader is not null && _readFrom == file)
            return _reader;
        _reader?.Dispose();
        _reader = new BlockReader(file.Handle, Path);
        _readFrom = file;
        return _reader;
    }

    public void Dispose()
    {
        _reader?.Dispose();
        Map.Dispose();
    }
}
