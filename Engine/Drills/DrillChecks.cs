using System.Diagnostics;

namespace IoBench.Engine;

/// <summary>Verifies the reads of a drill: failed I/Os are allowed, and suspect reads are classified on a background thread.</summary>
internal sealed class DrillChecks : IDisposable
{
    private readonly TargetIntegrity _target;
    private readonly IntegrityLog _log;
    private readonly QueuedJudge _judge;
    private readonly Stopwatch _finalTime = new();
    private (long Count, long Bytes)? _reads;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;
    private bool _isJudged;
    private long _finalDone = -1;

    public DrillChecks(OpenTarget target, int blockSize, Action<IoIntegrityError>? found)
    {
        _log = new IntegrityLog { Found = found };
        var run = BitConverter.ToUInt16(CryptoLibrary.RandomBytes(sizeof(ushort)));
        _target = new TargetIntegrity(
            0,
            target,
            BlockStamp.BlockSize,
            blockSize,
            new CheckedContent(target.Target.ContentSeed, run, compressiblePercent: 0)
        );
        _judge = new QueuedJudge(new IntegrityJudge(_target, _log), _log, BlockStamp.BlockSize);
        Stream = new StreamChecks(_target, _log, thread: 0, witness: null, _judge);
    }

    public StreamChecks Stream { get; }

    public void Learn(Action<string, long, long>? report, CancellationToken token) =>
        _first = IntegrityPass.Run([_target], _log, isFirst: true, report, token);

    public void Follow(OpenFile file) => _target.Follow(file);

    public void BeginFinalPass()
    {
        (Stream.Phase, _reads) = (IoIntegrityPhase.FinalPass, (Stream.Reads, Stream.ReadBytes));
        FinalDone = 0;
        _finalTime.Start();
    }

    /// <summary>Bytes that the final pass has read so far; -1 before the final pass.</summary>
    public long FinalDone
    {
        get => Volatile.Read(ref _finalDone);
        set => Volatile.Write(ref _finalDone, value);
    }

    public void EndFinalPass(long bytes) =>
        _final = new IoIntegrityPass
        {
            ByteCount = bytes,
            Seconds = _finalTime.Elapsed.TotalSeconds,
            IsUnbuffered = true,
        };

    /// <param name="patience">Longest time to wait for a classification that hangs.</param>
    public IoIntegrity End(TimeSpan patience)
    {
        _isJudged = _judge.End(patience);
        var result = _log.ToResult();
        (result.ReadCount, result.ReadBytes) = _reads ?? (Stream.Reads, Stream.ReadBytes);
        (result.WriteCount, result.WriteBytes) = (Stream.Writes, Stream.WriteBytes);
        if (_final is not null)
            _final.ErrorCount = _log.CountOf(IoIntegrityPhase.FinalPass);
        (result.FirstPass, result.FinalPass) = (_first, _final);
        (result.MemoryBytes, result.GroupSize) = (_target.Map.MemoryBytes, BlockStamp.BlockSize);
        return result;
    }

    public void Dispose()
    {
        // If a load or a verification still hangs, it uses the map when it completes. Therefore, do not free the map.
        if (_isJudged)
            _target.Dispose();
    }
}
