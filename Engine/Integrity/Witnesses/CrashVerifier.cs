using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal sealed class CrashVerifier
{
    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly VerifiableContent _content;
    private readonly SectorVerifier? _proof;
    private readonly int _size;
    private readonly byte[] _made = new byte[BlockHeader.BlockSize];

    public CrashVerifier(SafeFileHandle handle, string path, WitnessTarget target, WitnessHeader head, OwnershipMarker? mark)
    {
        _handle = handle;
        _path = path;
        _size = head.GroupSize;
        _content = new VerifiableContent(target.Seed, head.Run, target.Compressible);
        _proof = mark is { HasUnrecognizableContent: false } ? new SectorVerifier(mark.WithWriteSeed(target.Seed)) : null;
    }

    public IoIntegrity Verify(Dictionary<long, (WitnessRecord Write, long Order)> promised, CancellationToken token)
    {
        var log = new IntegrityErrorLog();
        var crash = new IoCrashCheck();
        using var reader = new BlockReader(_handle, _path);
        var damaged = new List<WriteCheck>();
        var bytes = 0L;
        var lastThere = 0L;
        foreach (var write in promised.GroupBy(p => p.Value.Write.Number).OrderBy(g => g.Min(p => p.Key)))
        {
            var check = new WriteCheck(write.First().Value.Write, write.First().Value.Order);
            foreach (var (group, _) in write.OrderBy(p => p.Key))
            {
                token.ThrowIfCancellationRequested();
                InspectGroup(reader, group, write.Key, check);
                bytes += _size;
            }
            crash.CheckedCount++;
            if (check.DamagedCount == 0)
                lastThere = Math.Max(lastThere, check.Order);
            else
                damaged.Add(check);
        }
        foreach (var check in damaged)
        {
            var isOutOfOrder = check.Order < lastThere;
            var error = check.CreateError(_path, isOutOfOrder);
            log.Add(error, 0, check.Write.Number);
            crash.GoneCount += error.Kind == IoIntegrityErrorKind.LostWrite ? 1 : 0;
            crash.TornCount += error.Kind == IoIntegrityErrorKind.TornWrite ? 1 : 0;
            crash.OutOfOrderCount += isOutOfOrder ? 1 : 0;
        }
        var result = log.ToResult();
        result.Crash = crash;
        result.GroupSize = _size;
        result.FinalPass = new IoIntegrityPass
        {
            ByteCount = bytes,
            IsUnbuffered = reader.IsUnbuffered,
            ErrorCount = log.Count,
        };
        return result;
    }

    private void InspectGroup(BlockReader reader, long group, ulong number, WriteCheck check)
    {
        var offset = group * _size;
        var at = offset / BlockReader.BlockSize * BlockReader.BlockSize;
        var block = reader.Read(at);
        var made = _made.AsSpan(0, _size);
        _content.Fill(made, offset, number);
        for (var i = 0; i < _size; i += BlockPayload.SectorSize)
        {
            var from = (int)(offset - at) + i;
            var sector = from + BlockPayload.SectorSize <= block.Length ? block.Slice(from, BlockPayload.SectorSize) : default;
            check.Add(offset + i, ClassifySector(sector, made.Slice(i, BlockPayload.SectorSize), offset + i, group, number));
        }
    }

    /// <summary>Returns null if the write or a newer write is on disk, and LostWrite for the earlier content.</summary>
    private IoIntegrityErrorKind? ClassifySector(ReadOnlySpan<byte> sector, ReadOnlySpan<byte> made, long offset, long group, ulong number)
    {
        if (sector.SequenceEqual(made))
            return null;
        if (sector.IsEmpty)
            return IoIntegrityErrorKind.NotRead;
        if (SectorInspection.FindFlippedBits(sector, made).Bits > 0)
            return IoIntegrityErrorKind.BitFlip;
        if (_content.HasHeader(sector, offset, out var other) && IsIntactWrite(sector, offset, group, other))
            return other > number ? null : IoIntegrityErrorKind.LostWrite;
        if (_proof?.IsFillOrTestWrite(sector, offset) == true)
            return IoIntegrityErrorKind.LostWrite;
        if (sector.IndexOfAnyExcept((byte)0) < 0)
            return IoIntegrityErrorKind.Zeros;
        return _content.HasHeader(sector, out var place, out _) && place != offset
            ? IoIntegrityErrorKind.MisdirectedWrite
            : IoIntegrityErrorKind.WrongContent;
    }

    private bool IsIntactWrite(ReadOnlySpan<byte> sector, long offset, long group, ulong number)
    {
        Span<byte> other = stackalloc byte[BlockHeader.BlockSize];
        other = other[.._size];
        _content.Fill(other, group * _size, number);
        return sector.SequenceEqual(other.Slice((int)(offset - group * _size), sector.Length));
    }

    /// <summary>Counts the sectors of one write. Its size does not depend on the size of the write, because a file can have
    /// millions.</summary>
    private sealed class WriteCheck(WitnessRecord write, long order)
    {
        private int _sectors;
        private long _first;
        private long _last;

        // The first kind of error that is not the earlier content.
        private IoIntegrityErrorKind? _otherKind;

        public WitnessRecord Write => write;

        /// <summary>Position among all acknowledged writes.</summary>
        public long Order => order;

        public int DamagedCount { get; private set; }

        public void Add(long offset, IoIntegrityErrorKind? error)
        {
            _sectors++;
            if (error is null)
                return;
            if (DamagedCount++ == 0)
                _first = offset;
            _last = offset;
            if (error != IoIntegrityErrorKind.LostWrite)
                _otherKind ??= error;
        }

        public IoIntegrityError CreateError(string path, bool isOutOfOrder)
        {
            var isTorn = DamagedCount < _sectors;
            var found = "neither this write nor the previous content";
            if (_otherKind is null)
                found = isTorn
                    ? string.Create(
                        CultureInfo.InvariantCulture,
                        $"{_sectors - DamagedCount} of the {_sectors} sectors of this write; the others have the previous content"
                    )
                    : "the previous content";
            return new IoIntegrityError
            {
                Kind = _otherKind ?? (isTorn ? IoIntegrityErrorKind.TornWrite : IoIntegrityErrorKind.LostWrite),
                Phase = IoIntegrityPhase.AfterCrash,
                Path = path,
                Offset = _first,
                Length = _last + BlockPayload.SectorSize - _first,
                Time = DateTimeOffset.Now,
                Expected = CorruptionClassifier.DescribeWrite(write.Number),
                Found = found + (isOutOfOrder ? "; later acknowledged writes are present" : ""),
                IsLasting = true,
            };
        }
    }
}
