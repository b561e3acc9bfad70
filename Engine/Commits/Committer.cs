namespace IoBench.Engine;

/// <summary>A thread that commits one record after the other, like a session of SQL Server.</summary>
internal sealed unsafe class Committer : IDisposable
{
    private readonly CommitCase _case;
    private readonly CommitRound _round;
    private readonly TargetHandle _handle;
    private readonly WriteContent _content;
    private readonly WorkerMemory _memory;
    private readonly Func<int> _flush;
    private long _first;
    private long _last;

    public Committer(CommitCase what, CommitRound round, TargetHandle handle, IoPattern pattern, ulong contentSeed, int number)
    {
        _case = what;
        _round = round;
        _handle = handle;
        _content = new WriteContent(pattern, contentSeed, source: null);
        _memory = new WorkerMemory(2, what.WriteSize, largePages: false);
        var random = new RandomSource(contentSeed, number, 0);
        _content.FillBuffer(new Span<byte>(_memory.Buffers, what.WriteSize), ref random);
        Slot->WriteBuffer = _memory.Buffers;
        Slot->Length = what.WriteSize;
        Slot->Operation = IoRequestKind.Write;
        FlushSlot->Operation = IoRequestKind.Flush;
        // Created once, so that a commit allocates nothing.
        _flush = Flush;
    }

    public LatencyHistogram Latencies { get; } = new();

    public long Writes { get; private set; }

    public long FlushCalls { get; private set; }

    public IoBenchException? Failure { get; private set; }

    /// <summary>Commits per second of this thread, from the start of its first to the end of its last commit.</summary>
    public double Rate => _last > _first ? Latencies.Count * (double)Clock.Second / (_last - _first) : 0;

    private IoSlot* Slot => _memory.Slots;

    private IoSlot* FlushSlot => _memory.Slots + 1;

    public void Run()
    {
        while (_round.TryTakeOffset(out var offset))
        {
            Slot->Offset = offset;
            _content.PrepareWrite(Slot);
            var began = Clock.Now;
            if (began >= _round.End)
                return;
            if (!TryCommit())
                return;
            var ended = Clock.Now;
            if (began < _round.Begin)
                continue;
            Latencies.Add(ended - began);
            if (_first == 0)
                _first = began;
            _last = ended;
        }
    }

    public void Dispose()
    {
        _handle.Dispose();
        _memory.Free();
    }

    private bool TryCommit()
    {
        var result = ThreadsBackend.ExecuteIO(Slot, _handle);
        if (result != Slot->Length)
            return Fail(IoErrors.FromResult(Slot, result, _handle.Path));
        Writes++;
        var flushed = _case.Method switch
        {
            CommitMethod.WriteThrough => 0,
            CommitMethod.GroupedFlush => _round.Group.WaitUntilDurable(_flush),
            _ => Flush(),
        };
        return flushed >= 0 || Fail(IoErrors.FromResult(FlushSlot, flushed, _handle.Path));
    }

    private int Flush()
    {
        FlushCalls++;
        return ThreadsBackend.ExecuteIO(FlushSlot, _handle);
    }

    private bool Fail(IoBenchException error)
    {
        Failure = error;
        _round.Stop();
        return false;
    }
}

/// <summary>What the committers of a round share.</summary>
/// <param name="start">Offset of the first write in bytes.</param>
/// <param name="end">End of the range in bytes; overwriting continues at the start, extending ends there.</param>
internal sealed class CommitRound(CommitCase what, long start, long end)
{
    private readonly long _slots = (end - start) / what.WriteSize;
    private long _next = -1;
    private volatile bool _isStopped;

    public FlushGroup Group { get; } = new();

    /// <summary>In nanoseconds. Commits that begin earlier are warm-up.</summary>
    public long Begin { get; set; }

    /// <summary>In nanoseconds.</summary>
    public long End { get; set; }

    /// <summary>Whether an extended file has reached the end of its range.</summary>
    public bool IsFull => what.Extends && Volatile.Read(ref _next) + 1 >= _slots;

    public void Stop() => _isStopped = true;

    public bool TryTakeOffset(out long offset)
    {
        var number = Interlocked.Increment(ref _next);
        offset = start + number % _slots * what.WriteSize;
        return !_isStopped && !(what.Extends && number >= _slots);
    }
}
