using System.Globalization;
using Microsoft.Win32.SafeHandles;

namespace IoBench.Engine;

internal sealed class CrashJudge
{
    private readonly SafeFileHandle _handle;
    private readonly string _path;
    private readonly CheckedContent _content;
    private readonly SectorProof? _proof;
    private readonly int _size;
    private readonly byte[] _made = new byte[BlockStamp.BlockSize];

    public CrashJudge(SafeFileHandle handle, string path, WitnessTarget target, WitnessHead head, FileMark? mark)
    {
        (_handle, _path, _size) = (handle, path, head.GroupSize);
        _content = new CheckedContent(target.Seed, head.Run, target.Compressible);
        _proof = mark is { Opaque: false } ? new SectorProof(mark.WithWriteSeed(target.Seed)) : null;
    }

    private enum Fate
    {
        /// <summary>The write or a newer write is on disk.</summary>
        There,

        Gone,

        Wrong,
    }

    public IoIntegrity Judge(Dictionary<long, PromisedWrite> promised, CancellationToken token)
    {
        var log = new IntegrityLog();
        var crash = new IoCrashCheck();
        using var reader = new BlockReader(_handle, _path);
        var checks = new List<(PromisedWrite Write, List<(long Offset, Fate Fate, IoIntegrityErrorKind Kind)> Sectors)>();
        var bytes = 0L;
        foreach (var write in promised.GroupBy(p => p.Value.Write.Number).OrderBy(g => g.Min(p => p.Key)))
        {
            token.ThrowIfCancellationRequested();
            var sectors = new List<(long, Fate, IoIntegrityErrorKind)>();
            foreach (var (group, _) in write.OrderBy(p => p.Key))
            {
                Look(reader, group, write.Key, sectors);
                bytes += _size;
            }
            checks.Add((write.First().Value, sectors));
        }
        var lastThere = checks
            .Where(c => c.Sectors.TrueForAll(s => s.Fate == Fate.There))
            .Select(c => c.Write.Order)
            .DefaultIfEmpty(0)
            .Max();
        foreach (var (write, sectors) in checks)
        {
            var bad = sectors.FindAll(s => s.Fate != Fate.There);
            if (bad.Count == 0)
                continue;
            var isGone = bad.TrueForAll(s => s.Fate == Fate.Gone);
            var isOutOfOrder = write.Order < lastThere;
            var error = new IoIntegrityError
            {
                Kind =
                    !isGone ? bad.Find(s => s.Fate == Fate.Wrong).Kind
                    : bad.Count < sectors.Count ? IoIntegrityErrorKind.TornWrite
                    : IoIntegrityErrorKind.LostWrite,
                Phase = IoIntegrityPhase.AfterCrash,
                Path = _path,
                Offset = bad[0].Offset,
                Length = bad[^1].Offset + WriteBody.SectorSize - bad[0].Offset,
                Time = DateTimeOffset.Now,
                Expected = IntegrityJudge.NumberText(write.Write.Number),
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
        (result.Crash, result.GroupSize) = (crash, _size);
        result.FinalPass = new IoIntegrityPass
        {
            ByteCount = bytes,
            IsUnbuffered = reader.IsUnbuffered,
            ErrorCount = log.Count,
        };
        return result;
    }

    private void Look(BlockReader reader, long group, ulong number, List<(long, Fate, IoIntegrityErrorKind)> sectors)
    {
        var offset = group * _size;
        var at = offset / BlockReader.BlockSize * BlockReader.BlockSize;
        var block = reader.Read(at);
        var made = _made.AsSpan(0, _size);
        _content.Make(made, offset, number);
        for (var i = 0; i < _size; i += WriteBody.SectorSize)
        {
            var from = (int)(offset - at) + i;
            var sector = from + WriteBody.SectorSize <= block.Length ? block.Slice(from, WriteBody.SectorSize) : default;
            var (fate, kind) = FateOf(sector, made.Slice(i, WriteBody.SectorSize), offset + i, group, number);
            sectors.Add((offset + i, fate, kind));
        }
    }

    private (Fate, IoIntegrityErrorKind) FateOf(ReadOnlySpan<byte> sector, ReadOnlySpan<byte> made, long offset, long group, ulong number)
    {
        if (sector.SequenceEqual(made))
            return (Fate.There, default);
        if (sector.IsEmpty)
            return (Fate.Wrong, IoIntegrityErrorKind.NotRead);
        if (SectorLook.Flips(sector, made).Bits > 0)
            return (Fate.Wrong, IoIntegrityErrorKind.BitFlip);
        if (_content.IsStamped(sector, offset, out var other) && IsWhole(sector, offset, group, other))
            return other > number ? (Fate.There, default) : (Fate.Gone, default);
        if (_proof?.IsFromBefore(sector, offset) == true)
            return (Fate.Gone, default);
        if (sector.IndexOfAnyExcept((byte)0) < 0)
            return (Fate.Wrong, IoIntegrityErrorKind.Zeros);
        return _content.IsStamped(sector, out var place, out _) && place != offset
            ? (Fate.Wrong, IoIntegrityErrorKind.MisdirectedWrite)
            : (Fate.Wrong, IoIntegrityErrorKind.WrongContent);
    }

    private bool IsWhole(ReadOnlySpan<byte> sector, long offset, long group, ulong number)
    {
        Span<byte> other = stackalloc byte[BlockStamp.BlockSize];
        other = other[.._size];
        _content.Make(other, group * _size, number);
        return sector.SequenceEqual(other.Slice((int)(offset - group * _size), sector.Length));
    }
}
