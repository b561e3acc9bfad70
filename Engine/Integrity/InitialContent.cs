using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// Content of a target before the test, compared with what the ownership marker proves. Only content of a file that nothing but the storage
/// can have changed is damage; other content that differs is not verified.
/// </summary>
internal sealed class InitialContent
{
    // Limits the memory for a file of which every second block is damaged.
    private const int MaxExtents = 100_000;

    private readonly IntegrityTarget _target;
    private readonly OwnershipMarker? _marker;
    private readonly SectorVerifier? _known;
    private readonly long _size;
    private readonly object _gate = new();
    private readonly List<Extent> _extents = [];
    private long _unknownBytes;
    private long _digest;

    public InitialContent(IntegrityTarget target, long size)
    {
        _target = target;
        _marker = target.ContentMarker;
        _known = _marker is null ? null : new SectorVerifier(_marker);
        _size = size;
    }

    /// <summary>Whether every byte is recognized as IoBench's, so that a digest of the content can be recorded.</summary>
    public bool IsRecognized { get; private set; }

    private bool HasDigest => _marker?.RecordedContent?.Size == _size;

    private bool IsDigestRight => HasDigest && _marker!.RecordedContent!.Value.Value == (ulong)_digest;

    /// <summary>Compares a part of the target. Can be called on several threads.</summary>
    /// <param name="offset">Offset of the part in bytes; a multiple of 4,096.</param>
    public void Add(ReadOnlySpan<byte> part, long offset)
    {
        if (_known is null)
            return;
        if (HasDigest)
            Interlocked.Add(ref _digest, (long)ContentDigest.Compute(part, offset));
        List<Extent>? unknown = null;
        for (var at = 0; at < part.Length; at += BlockHeader.BlockSize)
        {
            var block = part.Slice(at, Math.Min(BlockHeader.BlockSize, part.Length - at));
            if (_known.FindUnknownSector(block, offset + at, zerosToo: false) >= 0)
                AddUnknownSectors(block, offset + at, unknown ??= []);
        }
        if (unknown is null)
            return;
        lock (_gate)
        {
            _unknownBytes += unknown.Sum(extent => extent.Error.Length);
            _extents.AddRange(unknown.Take(MaxExtents - _extents.Count));
        }
    }

    /// <summary>Reports damage and content that is not verified, after all parts were added.</summary>
    public void Report(IntegrityErrorLog log)
    {
        lock (log.SyncRoot)
        {
            if (_marker is null)
            {
                ReportUnverified(log, _target.OutsideChange ?? IoUnverifiedReason.NoMarker, _size, 0);
                return;
            }
            if (IsDigestRight)
            {
                IsRecognized = true;
                return;
            }
            IsRecognized = _unknownBytes == 0;
            var change = _target.IsChangedOutside ? IoUnverifiedReason.WrittenDuringTest : _target.OutsideChange;
            if (change is null && (!_marker.HasUnrecognizableContent || HasDigest))
                ReportDamage(log);
            else if (_unknownBytes > 0)
                ReportUnverified(
                    log,
                    change ?? IoUnverifiedReason.Unrecognizable,
                    _unknownBytes,
                    _extents.Min(extent => extent.Error.Offset)
                );
            var isTestWritten = _marker.WriteSeeds.Count > 0 || _marker.HasUnrecognizableContent;
            if (isTestWritten && _unknownBytes < _size)
                ReportUnverified(log, IoUnverifiedReason.UnverifiedWrites, _size - _unknownBytes, 0);
        }
    }

    private void ReportDamage(IntegrityErrorLog log)
    {
        foreach (var extent in MergeExtents())
            log.Add(extent.Error, _target.Index, 0);
        if (HasDigest && (_unknownBytes == 0 || _marker!.HasUnrecognizableContent))
            log.Add(
                new IoIntegrityError
                {
                    Kind = IoIntegrityErrorKind.LostWrite,
                    Phase = IoIntegrityPhase.FirstPass,
                    Path = _target.Path,
                    Length = _size,
                    Time = DateTimeOffset.Now,
                    Expected = "the content that the last integrity check recorded",
                    Found = "older or different data somewhere in the file",
                    IsLasting = true,
                },
                _target.Index,
                0
            );
    }

    private void ReportUnverified(IntegrityErrorLog log, IoUnverifiedReason reason, long bytes, long offset) =>
        log.AddUnverified(
            _target.Index,
            new IoUnverifiedContent
            {
                Path = _target.Path,
                Reason = reason,
                ByteCount = bytes,
                Offset = offset,
            }
        );

    private IEnumerable<Extent> MergeExtents()
    {
        Extent? last = null;
        foreach (var extent in _extents.OrderBy(extent => extent.Error.Offset))
        {
            if (last?.TryExtend(extent) == true)
                continue;
            if (last is not null)
                yield return last;
            last = extent;
        }
        if (last is not null)
            yield return last;
    }

    private void AddUnknownSectors(ReadOnlySpan<byte> block, long offset, List<Extent> extents)
    {
        // Only the first sector of some writes has a block header, so the sectors after a misdirected one belong to it.
        Extent? misdirected = null;
        for (var at = 0; at < block.Length; at += TestFileContent.SectorSize)
        {
            var sector = block.Slice(at, Math.Min(TestFileContent.SectorSize, block.Length - at));
            var place = offset + at;
            if (_known!.IsFillOrTestWrite(sector, place))
            {
                if (_known.ShowsOffset(sector, place))
                    misdirected = null;
                if (misdirected is not null)
                    misdirected.Error.Length += sector.Length;
                continue;
            }
            var extent = InspectSector(sector, place);
            if (extents.Count == 0 || !extents[^1].TryExtend(extent))
                extents.Add(extent);
            misdirected = extents[^1].Error.Kind == IoIntegrityErrorKind.MisdirectedWrite ? extents[^1] : null;
        }
    }

    private Extent InspectSector(ReadOnlySpan<byte> sector, long offset)
    {
        var error = new IoIntegrityError
        {
            Phase = IoIntegrityPhase.FirstPass,
            Path = _target.Path,
            Offset = offset,
            Length = sector.Length,
            Time = DateTimeOffset.Now,
            Expected = "the initial content of the file, or data that an earlier test wrote to this offset",
            IsLasting = true,
        };
        Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
        var block = offset / TestFileContent.BlockSize * TestFileContent.BlockSize;
        TestFileContent.Generate(fill, _marker!.Seed, block);
        var place = _known!.FindOtherOffset(sector, offset);
        if (sector.IndexOfAnyExcept((byte)0) < 0)
        {
            error.Kind = IoIntegrityErrorKind.Zeros;
            error.Found = "zeros";
        }
        else if (place >= 0)
        {
            error.Kind = IoIntegrityErrorKind.MisdirectedWrite;
            error.Found = string.Create(CultureInfo.InvariantCulture, $"data that an earlier test wrote to offset {place:#,##0}");
        }
        else if (
            sector.Length == TestFileContent.SectorSize
            && SectorInspection.FindFlippedBits(sector, fill.Slice((int)(offset - block), sector.Length)) is { Bits: > 0 } flips
        )
        {
            error.Kind = IoIntegrityErrorKind.BitFlip;
            error.Found = string.Create(
                CultureInfo.InvariantCulture,
                $"{NumberFormat.PluralizeGrouped(flips.Bits, "changed bit")}; the first is bit {flips.FirstBit % 8} of the byte at offset {offset + flips.FirstBit / 8:#,##0}"
            );
        }
        else
        {
            error.Kind = IoIntegrityErrorKind.WrongContent;
            error.Found = "bytes that were never written to this file";
        }
        return new Extent(error, place < 0 ? 0 : place - offset);
    }

    /// <param name="Shift">For a misdirected write, the distance from its own offset in bytes.</param>
    private sealed record Extent(IoIntegrityError Error, long Shift)
    {
        public bool TryExtend(Extent next)
        {
            if (
                next.Error.Kind != Error.Kind
                || Error.Kind == IoIntegrityErrorKind.BitFlip
                || next.Shift != Shift
                || next.Error.Offset != Error.Offset + Error.Length
            )
                return false;
            Error.Length += next.Error.Length;
            return true;
        }
    }
}
