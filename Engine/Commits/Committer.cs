namespace IoBench.Engine;

/// <summary>A thread that commits one record after the other, like a session of SQL Server.</summary>
internal class Committer(CommitRound round, LogWriter writer) : IDisposable
{
    private readonly LatencyHistogram _latencies = new();
    private long _first;
    private long _last;

    protected LogWriter Writer { get; } = writer;

    /// <summary>Latencies by part; null without a replica.</summary>
    public virtual ReplicaLatencies? Replica => null;

    public LatencyHistogram Latencies => Replica?.Commits ?? _latencies;

    public long Writes => Writer.Writes;

    public long FlushCalls => Writer.FlushCalls;

    public virtual IoBenchException? Failure => Writer.Failure;

    /// <summary>Commits per second of this thread, from the start of its first to the end of its last commit.</summary>
    public double Rate => _last > _first ? Latencies.Count * (double)Clock.Second / (_last - _first) : 0;

    public virtual void Run()
    {
        while (round.TryTakeOffset(out var offset))
        {
            Prepare(offset);
            var began = Clock.Now;
            if (began >= round.End)
                return;
            if (!TryCommit(began))
            {
                round.Stop();
                return;
            }
            var ended = Clock.Now;
            if (began < round.Begin)
                continue;
            AddLatency(ended - began);
            if (_first == 0)
                _first = began;
            _last = ended;
        }
    }

    /// <summary>Ends calls that wait for a replica.</summary>
    public virtual void Cancel() { }

    public virtual void Dispose() => Writer.Dispose();

    protected virtual void Prepare(long offset) => Writer.Prepare(offset);

    protected virtual bool TryCommit(long began) => Writer.TryCommit();

    protected virtual void AddLatency(long latency) => _latencies.Add(latency);
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
