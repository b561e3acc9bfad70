using System.Diagnostics;

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
    private readonly InitialContent? _initial;
    private readonly long _size;
    private long _digest;
    private long _next;
    private long _read;
    private volatile bool _isBuffered;
    private readonly ParallelFileWork _work = new();

    private VerificationPass(IntegrityTarget target, IntegrityErrorLog log, bool isFirst)
    {
        _target = target;
        _log = log;
        _size = target.Size;
        _initial = isFirst ? new InitialContent(target, _size) : null;
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
            if (!isFirst)
                target.BeginIdlePhase();
            var pass = new VerificationPass(target, log, isFirst);
            pass.Run((done, total) => report?.Invoke(target.Path, done, total), token);
            if (isFirst)
                target.IsContentRecognized = pass.ReportInitialContent();
            else if (log.Count == 0 && target.IsContentRecognized)
                target.RecordContent((ulong)pass._digest);
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
                    $"Another program truncated {_target.Path} while IoBench read it.",
                    _target.Path
                );
            if (_initial is not null)
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
        _initial!.Add(chunk, offset);
    }

    private bool ReportInitialContent()
    {
        _initial!.Report(_log);
        return _initial.IsRecognized;
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
        if (_target.IsContentRecognized)
            Interlocked.Add(ref _digest, (long)ContentDigest.Compute(chunk, offset));
        if (isRight)
            return;
        fixed (ChecksumMapEntry* entries = before)
            judge.Verify(chunk, offset, entries, IoIntegrityPhase.FinalPass);
    }
}
