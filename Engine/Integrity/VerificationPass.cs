using System.Diagnostics;

namespace IoBench.Engine;

/// <summary>
/// Reads a whole target with several large reads at a time, past the file cache if possible: before a test to record its content, and after
/// the test to verify it. Use an instance once.
/// </summary>
internal sealed unsafe class VerificationPass
{
    private readonly IntegrityTarget _target;
    private readonly IntegrityErrorLog _log;
    private readonly InitialContent? _initial;
    private readonly long _size;
    private long _digest;
    private volatile bool _isBuffered;

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
            ParallelFileWork.Read(
                target.File.Handle,
                target.Path,
                target.Size,
                "IoBench check",
                pass.ProcessChunk,
                (done, total) => report?.Invoke(target.Path, done, total),
                token
            );
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

    private bool ProcessChunk(ReadOnlySpan<byte> chunk, long offset, bool isUnbuffered)
    {
        var wanted = (int)Math.Min(ParallelFileWork.ChunkSize, _size - offset);
        if (chunk.Length < wanted)
            throw IoBenchException.Failure(
                "IoBench.FileChanged",
                $"Another program truncated {_target.Path} while IoBench was reading it.",
                _target.Path
            );
        if (!isUnbuffered)
            _isBuffered = true;
        if (_initial is not null)
            RecordChecksums(chunk[..wanted], offset);
        else
            VerifyChunk(chunk[..wanted], offset);
        return true;
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

    private void VerifyChunk(ReadOnlySpan<byte> chunk, long offset)
    {
        var map = _target.Map;
        var size = map.GroupSize;
        var first = map.GetGroup(offset);
        var before = stackalloc ChecksumMapEntry[chunk.Length / size];
        var isRight = true;
        for (int at = 0, i = 0; at < chunk.Length; at += size, i++)
        {
            before[i] = map.Read(first + i);
            isRight &= BlockChecksum.Compute(chunk.Slice(at, size)) == before[i].Sum;
        }
        if (_target.IsContentRecognized)
            Interlocked.Add(ref _digest, (long)ContentDigest.Compute(chunk, offset));
        if (!isRight)
            new CorruptionClassifier(_target, _log).Verify(chunk, offset, before, IoIntegrityPhase.FinalPass);
    }
}
