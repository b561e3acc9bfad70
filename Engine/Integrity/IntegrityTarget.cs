using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed unsafe class IntegrityTarget : IDisposable
{
    private readonly OpenTarget _target;
    private readonly SectorVerifier? _verifier;
    private readonly ulong? _fillSeed;
    private OpenFile? _file;
    private OpenFile? _readFrom;
    private BlockReader? _reader;

    // State of the file since the test last wrote to it; null while the test writes. Size and times show writes of other programs.
    private StrongBox<FileStatus>? _idleStatus;

    public IntegrityTarget(int index, OpenTarget target, int groupSize, int largest, VerifiableContent content)
    {
        Index = index;
        _target = target;
        _file = target.File;
        Content = content;
        LargestBlock = largest;
        Map = new ChecksumMap(target.Target.Size, groupSize);
        _idleStatus = target.File is { Status.Kind: FileKind.Regular } ? new(ReadStatus()) : null;
        var mark = target.Target.Kind is TargetKind.New or TargetKind.Own ? target.Target.Marker : null;
        ContentMarker = mark ?? target.Target.Ownership?.ContentMarker;
        OutsideChange = FindOutsideChange(mark);
        _fillSeed = mark?.Seed;
        // Content that earlier runs wrote without block headers cannot be verified.
        _verifier = mark is { HasUnrecognizableContent: false } ? new SectorVerifier(mark.WithWriteSeed(target.Target.ContentSeed)) : null;
    }

    public int Index { get; }

    public ChecksumMap Map { get; }

    public VerifiableContent Content { get; }

    public int LargestBlock { get; }
    public string Path => _target.Target.Path;
    public OpenFile File => Volatile.Read(ref _file)!;

    /// <summary>Marker that states the content from before the test, even of a copy or a changed file; null without a valid
    /// marker.</summary>
    public OwnershipMarker? ContentMarker { get; }

    /// <summary>Why content from before the test that differs is not damage by the storage; null if only the storage can have changed
    /// it.</summary>
    public IoUnverifiedReason? OutsideChange { get; }

    /// <summary>Whether the first pass recognized every byte as IoBench's.</summary>
    public bool IsContentRecognized { get; set; }

    /// <summary>Whether the test writes to the target.</summary>
    public bool IsWritten { get; init; }

    /// <summary>Number of bytes that are verified.</summary>
    public long Size => Map.Count * Map.GroupSize;

    public bool IsDevice => _target.Target.IsDevice;

    /// <summary>Whether another program changed the file since <see cref="BeginIdlePhase"/>; false while the test itself writes to
    /// it.</summary>
    public bool IsChangedOutside =>
        Volatile.Read(ref _idleStatus)?.Value is { } before
        && ReadStatus() is var now
        && (HasNewContent(before, now) || now.Changed != before.Changed);

    /// <summary>As <see cref="IsChangedOutside"/>, but without changes of names or rights.</summary>
    public bool IsWrittenOutside => Volatile.Read(ref _idleStatus)?.Value is { } before && HasNewContent(before, ReadStatus());

    public bool IsInitialContent(ReadOnlySpan<byte> sector, long offset) => _verifier?.IsFillOrTestWrite(sector, offset) == true;

    /// <summary>Call before the test writes. Its own writes change the times, so another program's cannot be detected.</summary>
    public void EndIdlePhase() => Volatile.Write(ref _idleStatus, null);

    /// <summary>Call when all I/O of the test has completed.</summary>
    public void BeginIdlePhase()
    {
        if (_idleStatus is null && File.Status.Kind == FileKind.Regular)
            Volatile.Write(ref _idleStatus, new(ReadStatus()));
    }

    /// <summary>Adds a digest of all content to the marker when it is closed.</summary>
    public void RecordContent(ulong digest)
    {
        if (_idleStatus is { } status)
            _target.WriteSession?.RecordContent(new ContentDigest(Size, digest), status.Value.Modified);
    }

    /// <summary>Returns what another program changed besides the content during the test, to append to the path; null if nothing.</summary>
    public string? DescribeOutsideChange()
    {
        if (IsDevice)
            return null;
        var status = ReadStatus();
        var isOwn = _target.Target.Marker is not null;
        if (status.Size != (isOwn ? _target.Target.Marker!.Size : _target.Target.Status?.Size ?? status.Size))
            return "has a different size";
        if (status.LinkCount > Math.Max(1, _target.Target.Status?.LinkCount ?? 1))
            return "has a second name (hard link)";
        if (!isOwn)
            return null;
        if (OwnershipMarker.ReadText(File.Handle, Path) is not { } text)
            return "has no ownership marker";
        return OwnershipMarker.Parse(text)?.Id == _target.Target.Marker!.Id ? null : "has a different or damaged ownership marker";
    }

    private FileStatus ReadStatus() => PlatformFiles.Current.GetStatus(File.Handle, Path);

    private static bool HasNewContent(FileStatus before, FileStatus now) => now.Modified != before.Modified || now.Size != before.Size;

    private IoUnverifiedReason? FindOutsideChange(OwnershipMarker? mark)
    {
        if (IsDevice)
            return IoUnverifiedReason.Device;
        if (_target.Target.Ownership?.OutsideChange is { } change)
            return change;
        // A test can wait for a long time after the check.
        return mark is { State: OwnershipMarkerState.Closed } && _idleStatus is { } status && status.Value.Modified != mark.Modified
            ? IoUnverifiedReason.ChangedOutside
            : null;
    }

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
