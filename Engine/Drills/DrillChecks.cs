using System.Diagnostics;

namespace IoBench.Engine.Drills;

/// <summary>What a drill's reads are checked by: as in any checked test, but for I/Os that fail and a judge that nobody waits for.</summary>
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

    /// <summary>Checks of a drill's file.</summary>
    /// <param name="target">The file, open.</param>
    /// <param name="blockSize">Bytes of an I/O.</param>
    /// <param name="found">Called with each error, by the thread that found it.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughMemory</c>.</exception>
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

    /// <summary>The checks of its I/Os.</summary>
    public StreamChecks Stream { get; }

    /// <summary>Reads the file to know what it holds, before the load begins.</summary>
    /// <exception cref="IoBenchException">A part cannot be read.</exception>
    /// <exception cref="OperationCanceledException">The token ended it.</exception>
    public void Learn(Action<string, long, long>? report, CancellationToken token) =>
        _first = IntegrityPass.Run([_target], _log, isFirst: true, report, token);

    /// <summary>The file was opened anew: second reads take this one.</summary>
    public void Follow(OpenFile file) => _target.Follow(file);

    /// <summary>The load is over: what is read from now on is the final pass.</summary>
    public void BeginFinalPass()
    {
        (Stream.Phase, _reads) = (IoIntegrityPhase.FinalPass, (Stream.Reads, Stream.ReadBytes));
        FinalDone = 0;
        _finalTime.Start();
    }

    /// <summary>Bytes that the final pass has read so far; -1 before it.</summary>
    public long FinalDone
    {
        get => Volatile.Read(ref _finalDone);
        set => Volatile.Write(ref _finalDone, value);
    }

    /// <summary>All of the file was read once more.</summary>
    public void EndFinalPass(long bytes) =>
        _final = new IoIntegrityPass
        {
            ByteCount = bytes,
            Seconds = _finalTime.Elapsed.TotalSeconds,
            IsUnbuffered = true,
        };

    /// <summary>What was found, once nothing more comes.</summary>
    /// <param name="patience">How long a judgement that hangs may take.</param>
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

    /// <inheritdoc/>
    public void Dispose()
    {
        // A load or a judge that hangs comes back into the map.
        if (_isJudged)
            _target.Dispose();
    }
}
