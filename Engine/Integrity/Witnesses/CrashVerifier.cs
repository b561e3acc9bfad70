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

    public IoIntegrity Verify(Dictionary<long, DurableWrite> promised, CancellationToken token)
    {
        var log = new IntegrityErrorLog();
        var crash = new IoCrashCheck();
        using var reader = new BlockReader(_handle, _path);
        var checks = new List<(DurableWrite Write, List<(long Offset, IoIntegrityErrorKind? Error)> Sectors)>();
        var bytes = 0L;
        foreach (var write in promised.GroupBy(p => p.Value.Write.Number).OrderBy(g => g.Min(p => p.Key)))
        {
            token.ThrowIfCancellationRequested();
            var sectors = new List<(long, IoIntegrityErrorKind?)>();
            foreach (var (group, _) in write.OrderBy(p => p.Key))
            {
                InspectGroup(reader, group, write.Key, sectors);
                bytes += _size;
            }
            checks.Add((write.First().Value, sectors));
        }
        var lastThere = checks.Where(c => c.Sectors.TrueForAll(s => s.Error is null)).Select(c => c.Write.Order).DefaultIfEmpty(0).Max();
        foreach (var (write, sectors) in checks)
        {
            var bad = sectors.FindAll(s => s.Error is not null);
            if (bad.Count == 0)
                continue;
            var isGone = bad.TrueForAll(s => s.Error == IoIntegrityErrorKind.LostWrite);
            var isOutOfOrder = write.Order < lastThere;
            var kind = IoIntegrityErrorKind.LostWrite;
            if (!isGone)
                kind = bad.Find(s => s.Error != IoIntegrityErrorKind.LostWrite).Error!.Value;
            else if (bad.Count < sectors.Count)
                kind = IoIntegrityErrorKind.TornWrite;
            var error = new IoIntegrityError
            {
                Kind = kind,
                Phase = IoIntegrityPhase.AfterCrash,
                Path = _path,
                Offset = bad[0].Offset,
                Length = bad[^1].Offset + BlockPayload.SectorSize - bad[0].Offset,
                Time = DateTimeOffset.Now,
                Expected = CorruptionClassifier.DescribeWrite(write.Write.Number),
                Found =
                    (isGone, bad.Count < sectors.Count) switch
                    {
                        (true, false) => "what was there before it",
                        (true, true) => string.Create(
                            CultureInfo.InvariantCulture,
                            $"{sectors.Count - bad.Count} of its {sectors.Count} sectors, the rest is what was there before"
                        ),
                        _ => "neither it nor what was there before",
                    } + (isOutOfOrder ? "; writes acknowledged after it are there" : ""),
                IsLasting = true,
            };
            log.Add(error, 0, write.Write.Number);
            crash.GoneCount += error.Kind == IoIntegrityErrorKind.LostWrite ? 1 : 0;
            crash.TornCount += error.Kind == IoIntegrityErrorKind.TornWrite ? 1 : 0;
            crash.OutOfOrderCount += isOutOfOrder ? 1 : 0;
        }
        crash.CheckedCount = checks.Count;
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

    private void InspectGroup(BlockReader reader, long group, ulong number, List<(long, IoIntegrityErrorKind?)> sectors)
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
            sectors.Add((offset + i, ClassifySector(sector, made.Slice(i, BlockPayload.SectorSize), offset + i, group, number)));
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
}
