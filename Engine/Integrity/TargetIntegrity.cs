namespace IoBench.Engine.Integrity;

/// <summary>What is known of a target whose every read is checked.</summary>
internal sealed unsafe class TargetIntegrity : IDisposable
{
    private readonly OpenTarget _target;
    private readonly SectorProof? _proof;
    private readonly ulong? _fillSeed;
    private OpenFile? _file;
    private OpenFile? _readFrom;
    private BlockReader? _reader;

    /// <summary>Knowledge of a target.</summary>
    /// <param name="index">Its number in the run.</param>
    /// <param name="groupSize">Bytes of a group of sectors.</param>
    /// <param name="largest">Bytes of the largest I/O.</param>
    /// <param name="content">What checked writes consist of.</param>
    public TargetIntegrity(int index, OpenTarget target, int groupSize, int largest, CheckedContent content)
    {
        (Index, _target, _file, Content, Largest) = (index, target, target.File, content, largest);
        Map = new IntegrityMap(target.Target.Size, groupSize);
        var mark = target.Target.Kind is TargetKind.New or TargetKind.Own ? target.Target.Mark : null;
        _fillSeed = mark?.Seed;
        // What earlier runs wrote without stamps nobody can tell.
        _proof = mark is { Opaque: false } ? new SectorProof(mark.WithWriteSeed(target.Target.ContentSeed)) : null;
    }

    /// <summary>Its number in the run.</summary>
    public int Index { get; }

    /// <summary>What it must hold.</summary>
    public IntegrityMap Map { get; }

    /// <summary>What checked writes consist of.</summary>
    public CheckedContent Content { get; }

    /// <summary>Bytes of the largest I/O.</summary>
    public int Largest { get; }
    public string Path => _target.Target.Path;
    public OpenFile File => Volatile.Read(ref _file)!;

    /// <summary>Whether what it holds before the run can be told from damage.</summary>
    public bool IsProvable => _proof is not null;

    /// <summary>Whether a sector holds what IoBench wrote there before the run: the fill, or a write of an earlier run.</summary>
    public bool IsFromBefore(ReadOnlySpan<byte> sector, long offset) => _proof?.IsFromBefore(sector, offset) == true;

    /// <summary>Offset of the first sector of a block of up to 4 KB that IoBench did not write; -1 when it wrote all, or nobody can tell.</summary>
    public long FirstForeign(ReadOnlySpan<byte> block, long offset) => _proof?.FirstForeign(block, offset, zerosToo: false) ?? -1;

    /// <summary>Makes what a group must hold; false when nobody knows it byte by byte.</summary>
    public bool TryMake(Span<byte> to, long offset, ulong number)
    {
        if (number != 0)
            Content.Make(to, offset, number);
        else if (_fillSeed is { } seed)
        {
            Span<byte> fill = stackalloc byte[FillContent.BlockSize];
            FillContent.Fill(fill, seed, offset / FillContent.BlockSize * FillContent.BlockSize);
            fill.Slice((int)(offset % FillContent.BlockSize), to.Length).CopyTo(to);
        }
        else
            return false;
        return true;
    }

    /// <summary>Whether a sector is that of a write at a place.</summary>
    public bool IsContent(ReadOnlySpan<byte> sector, long offset, ulong number)
    {
        var group = offset / Map.GroupSize * Map.GroupSize;
        Span<byte> made = stackalloc byte[BlockStamp.BlockSize];
        made = made[..Map.GroupSize];
        Content.Make(made, group, number);
        return sector.SequenceEqual(made.Slice((int)(offset - group), sector.Length));
    }

    /// <summary>The file was opened anew, since the handles that were open have died with their disk: second reads take this one.</summary>
    public void Follow(OpenFile file) => Volatile.Write(ref _file, file);

    /// <summary>Reads groups once more, past the file cache where that is possible; null when they cannot be read.</summary>
    public byte[]? ReadAgain(long group, int count)
    {
        var (from, end) = (group * Map.GroupSize, (group + count) * Map.GroupSize);
        var bytes = new byte[end - from];
        try
        {
            var reader = Reader();
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
            // A place that cannot be read says nothing of what a read brought.
            return null;
        }
    }

    private BlockReader Reader()
    {
        var file = File;
        if (_reader is not null && _readFrom == file)
            return _reader;
        _reader?.Dispose();
        (_reader, _readFrom) = (new BlockReader(file.Handle, Path), file);
        return _reader;
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _reader?.Dispose();
        Map.Dispose();
    }
}
