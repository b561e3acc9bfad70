using System.Diagnostics;

namespace IoBench.Engine;

internal sealed class DrillVerification : IDisposable
{
    private readonly IntegrityTarget _target;
    private readonly IntegrityErrorLog _log;
    private readonly BackgroundVerifier _judge;
    private readonly Stopwatch _finalTime = new();
    private (long Count, long Bytes)? _reads;
    private IoIntegrityPass? _first;
    private IoIntegrityPass? _final;
    private bool _isJudged;
    private long _finalDone = -1;

    public DrillVerification(OpenTarget target, int blockSize, Action<IoIntegrityError>? found)
    {
        _log = new IntegrityErrorLog { ErrorFound = found };
        var run = BitConverter.ToUInt16(CryptoLibrary.GetRandomBytes(sizeof(ushort)));
        _target = new IntegrityTarget(
            0,
            target,
            BlockHeader.BlockSize,
            blockSize,
            new VerifiableContent(target.Target.ContentSeed, run, compressiblePercent: 0)
        );
        _judge = new BackgroundVerifier(new CorruptionClassifier(_target, _log), _log, BlockHeader.BlockSize);
        Stream = new StreamVerifier(_target, _log, thread: 0, witness: null, _judge);
    }

    public StreamVerifier Stream { get; }

    public void RunFirstPass(Action<string, long, long>? report, CancellationToken token) =>
        _first = VerificationPass.Run([_target], _log, isFirst: true, report, token);

    public void SwitchFile(OpenFile file) => _target.SwitchFile(file);

    public void BeginFinalPass()
    {
        Stream.Phase = IoIntegrityPhase.FinalPass;
        _reads = (Stream.Reads, Stream.ReadBytes);
        FinalPassBytes = 0;
        _finalTime.Start();
    }

    /// <summary>Bytes that the final pass has read so far; -1 before the final pass.</summary>
    public long FinalPassBytes
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
    public IoIntegrity Complete(TimeSpan patience)
    {
        _isJudged = _judge.Complete(patience);
        var result = _log.ToResult();
        var reads = _reads ?? (Stream.Reads, Stream.ReadBytes);
        result.ReadCount = reads.Count;
        result.ReadBytes = reads.Bytes;
        result.WriteCount = Stream.Writes;
        result.WriteBytes = Stream.WriteBytes;
        if (_final is not null)
            _final.ErrorCount = _log.GetCount(IoIntegrityPhase.FinalPass);
        result.FirstPass = _first;
        result.FinalPass = _final;
        result.MemoryBytes = _target.Map.MemoryBytes;
        result.GroupSize = BlockHeader.BlockSize;
        return result;
    }

    public void Dispose()
    {
        // If a load or a verification still hangs, it uses the map when it completes. Therefore, do not free the map.
        if (_isJudged)
            _target.Dispose();
    }
}
