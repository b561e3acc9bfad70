using System.Diagnostics;
using System.Globalization;

namespace IoBench.Engine;

/// <summary>
/// Reads a whole target with several large reads at a time, past the file cache if possible: before a test to record its content, and after
/// the test to verify it. Use an instance once.
/// </summary>
internal sealed unsafe class VerificationPass
{
    private const int ChunkSize = 1 << 20;
    private const int Readers = 4;

    private readonly IntegrityTarget _target;
    private readonly IntegrityErrorLog _log;
    private readonly bool _isFirst;
    private readonly long _size;
    private long _next;
    private long _read;
    private volatile bool _isBuffered;
    private readonly ParallelFileWork _work = new();

    private VerificationPass(IntegrityTarget target, IntegrityErrorLog log, bool isFirst)
    {
        _target = target;
        _log = log;
        _isFirst = isFirst;
        _size = target.Map.Count * target.Map.GroupSize;
    }

    /// <param name="isFirst">True to record the content; false to verify it.</param>
    /// <param name="report">Called with the path, bytes read, and total bytes; null = not reported.</param>
    /// <exception cref="IoBenchException">A part cannot be read.</exception>
    public static IoIntegrityPass Run(
        IEnumerable<IntegrityTarget> targets,
        IntegrityErrorLog log,
        bool isFirst,
        Action<string, long, long>? report,
        CancellationToken token
    )
    {
        var began = Stopwatch.GetTimestamp();
        var errors = log.Count;
        var result = new IoIntegrityPass { IsUnbuffered = true };
        foreach (var target in targets)
        {
            // Flush first, because data in the file cache belongs to the file too.
            if (!isFirst && target.File.IsWritable)
                PlatformFiles.Current.Flush(target.File.Handle, target.Path);
            PlatformFiles.Current.DropCache(target.File.Handle);
            var pass = new VerificationPass(target, log, isFirst);
            pass.Run((done, total) => report?.Invoke(target.Path, done, total), token);
            result.ByteCount += pass._size;
            result.IsUnbuffered &= !pass._isBuffered;
        }
        result.Seconds = Stopwatch.GetElapsedTime(began).TotalSeconds;
        result.ErrorCount = log.Count - errors;
        return result;
    }

    private void Run(Action<long, long> progress, CancellationToken token)
    {
        progress(0, _size);
        _work.Run(
            "IoBench check",
            (int)Math.Min(Readers, (_size + ChunkSize - 1) / ChunkSize),
            ReadChunks,
            () => progress(Volatile.Read(ref _read), _size),
            token
        );
        progress(Volatile.Read(ref _read), _size);
    }

    private void ReadChunks()
    {
        using var reader = new BlockReader(_target.File.Handle, _target.Path, ChunkSize);
        var judge = new CorruptionClassifier(_target, _log);
        var before = new ChecksumMapEntry[ChunkSize / _target.Map.GroupSize];
        while (!_work.IsStopped)
        {
            var offset = Interlocked.Add(ref _next, ChunkSize) - ChunkSize;
            if (offset >= _size)
                return;
            var chunk = reader.Read(offset);
            var wanted = (int)Math.Min(ChunkSize, _size - offset);
            if (chunk.Length < wanted)
                throw IoBenchException.Failure(
                    "IoBench.FileChanged",
                    $"{_target.Path} became shorter while it was read: something else changed it.",
                    _target.Path
                );
            if (_isFirst)
                RecordChecksums(chunk[..wanted], offset);
            else
                VerifyChunk(judge, chunk[..wanted], offset, before);
            _isBuffered |= !reader.IsUnbuffered;
            Interlocked.Add(ref _read, wanted);
        }
    }

    private void RecordChecksums(ReadOnlySpan<byte> chunk, long offset)
    {
        var map = _target.Map;
        for (var at = 0; at < chunk.Length; at += map.GroupSize)
            map.SetChecksum(map.GetGroup(offset + at), BlockChecksum.Compute(chunk.Slice(at, map.GroupSize)));
        if (!_target.CanVerifyInitialContent)
            return;
        for (var at = 0; at < chunk.Length; at += BlockHeader.BlockSize)
        {
            var block = chunk.Slice(at, Math.Min(BlockHeader.BlockSize, chunk.Length - at));
            var unknown = _target.FindUnknownSector(block, offset + at);
            if (unknown >= 0)
                ReportUnknownContent(_target, _log, block, offset + at, unknown);
        }
    }

    private void VerifyChunk(CorruptionClassifier judge, ReadOnlySpan<byte> chunk, long offset, ChecksumMapEntry[] before)
    {
        var map = _target.Map;
        var size = map.GroupSize;
        var first = map.GetGroup(offset);
        var isRight = true;
        for (int at = 0, i = 0; at < chunk.Length; at += size, i++)
        {
            before[i] = map.Read(first + i);
            isRight &= BlockChecksum.Compute(chunk.Slice(at, size)) == before[i].Sum;
        }
        if (isRight)
            return;
        fixed (ChecksumMapEntry* entries = before)
            judge.Verify(chunk, offset, entries, IoIntegrityPhase.FinalPass);
    }

    public static void ReportUnknownContent(
        IntegrityTarget target,
        IntegrityErrorLog log,
        ReadOnlySpan<byte> block,
        long offset,
        long foreign
    )
    {
        Span<byte> fill = stackalloc byte[TestFileContent.BlockSize];
        var expected = target.TryFill(fill[..block.Length], offset, 0) ? fill[..block.Length] : default;
        var sector = block.Slice((int)(foreign - offset), Math.Min(BlockPayload.SectorSize, block.Length - (int)(foreign - offset)));
        var inspection = SectorInspection.Inspect(
            sector,
            foreign,
            0,
            target,
            expected.IsEmpty ? default : expected.Slice((int)(foreign - offset), sector.Length),
            isPoisoned: false
        );
        var place = BlockHeader.ReadOffset(sector, target.Content.Seed);
        var error = new IoIntegrityError
        {
            Phase = IoIntegrityPhase.FirstPass,
            Path = target.Path,
            Offset = foreign,
            Length = sector.Length,
            Time = DateTimeOffset.Now,
            Expected = "what the file was filled with, or a write of an earlier test",
            IsLasting = true,
        };
        if (inspection.State == SectorState.Zero)
        {
            error.Kind = IoIntegrityErrorKind.Zeros;
            error.Found = "zeros";
        }
        else if (inspection.State == SectorState.Flipped)
        {
            error.Kind = IoIntegrityErrorKind.BitFlip;
            error.Found = string.Create(
                CultureInfo.InvariantCulture,
                $"{inspection.Bits} changed bit(s), the first is bit {inspection.FirstBit % 8} of the byte at {foreign + inspection.FirstBit / 8:#,##0}"
            );
        }
        else if (place >= 0 && place != foreign)
        {
            error.Kind = IoIntegrityErrorKind.MisdirectedWrite;
            error.Found = string.Create(CultureInfo.InvariantCulture, $"a write of an earlier test to offset {place:#,##0}");
        }
        else
        {
            error.Kind = IoIntegrityErrorKind.WrongContent;
            error.Found = "bytes that no write of this file has";
        }
        lock (log.SyncRoot)
            log.Add(error, target.Index, 0);
    }
}
