namespace IoBench.Engine.Running;

/// <summary>What the coordinator and the workers of a run say to each other: when to begin, when to count, when to stop, what went wrong.</summary>
internal sealed class RunControl : IDisposable
{
    private readonly ManualResetEventSlim _go = new();
    private readonly CountdownEvent _ready;
    private readonly CountdownEvent _finished;
    private readonly WorkerVote _opened;
    private readonly WorkerVote _extras;
    private IoBenchException? _error;
    private volatile bool _stop;
    private long _stoppedAt = long.MaxValue;
    private long _begin;

    /// <summary>Control of so many workers.</summary>
    public RunControl(int workers)
    {
        _ready = new CountdownEvent(workers);
        _finished = new CountdownEvent(workers);
        _opened = new WorkerVote(workers);
        _extras = new WorkerVote(workers);
    }

    /// <summary>When I/O begins, on the run's clock in nanoseconds; 0 before that is settled. Whoever finds it settled finds the other moments too.</summary>
    public long Begin => Volatile.Read(ref _begin);

    /// <summary>When counting begins.</summary>
    public long MeasureFrom { get; private set; }

    /// <summary>When counting ends.</summary>
    public long MeasureTo { get; private set; }

    /// <summary>When no more I/O is started.</summary>
    public long End { get; private set; }

    /// <summary>Length of a timeline interval in nanoseconds.</summary>
    public long Interval { get; private set; }

    /// <summary>What the workers publish; set once, before they begin.</summary>
    public WorkerCounters[] Counters { private get; set; } = [];

    /// <summary>I/Os that the system has of all workers, as each published it last.</summary>
    public long InFlight
    {
        get
        {
            var sum = 0L;
            foreach (var counters in Counters)
                sum += Volatile.Read(ref counters.Outstanding);
            return sum;
        }
    }

    /// <summary>Whether to stop starting I/O at once.</summary>
    public bool Stop => _stop;

    /// <summary>When it was asked to stop; <see cref="long.MaxValue"/> when it was not.</summary>
    public long StoppedAt => Volatile.Read(ref _stoppedAt);

    /// <summary>The first error of any worker.</summary>
    public IoBenchException? Error => Volatile.Read(ref _error);

    /// <summary>Number of workers that are not at their end yet.</summary>
    public int Running => _finished.CurrentCount;

    /// <summary>Called by a worker that is ready to begin; returns when all may, false when the run is off.</summary>
    public bool WaitForBegin()
    {
        _ready.Signal();
        _go.Wait();
        return !_stop;
    }

    /// <summary>
    /// Called by a worker whose backend can take more than it needs: waits until all have what they need, lets it take the rest, and keeps what all got.
    /// </summary>
    public void Share(IoBackend backend)
    {
        _opened.Answer(0);
        backend.Keep((BackendExtras)_extras.Answer(_stop ? 0 : (int)backend.TakeExtras()));
    }

    /// <summary>Called by a worker that could not get ready.</summary>
    public void CannotBegin(IoBenchException error)
    {
        Fail(error, Clock.Now);
        _ready.Signal();
    }

    /// <summary>Called by a worker at its end, whatever it was.</summary>
    public void Finished() => _finished.Signal();

    /// <summary>Waits for the workers to be ready.</summary>
    public bool WaitForReady(TimeSpan timeout) => _ready.Wait(timeout);

    /// <summary>Waits for the workers' end.</summary>
    public bool WaitForFinish(TimeSpan timeout) => _finished.Wait(timeout);

    /// <summary>Sets the times and lets the workers begin.</summary>
    public void Release(IoTestSpecification specification, long begin)
    {
        MeasureFrom = begin + Clock.Nanoseconds(specification.WarmUp);
        MeasureTo = MeasureFrom + Clock.Nanoseconds(specification.Duration);
        End = MeasureTo + Clock.Nanoseconds(specification.CoolDown);
        Interval = Math.Max(1, Clock.Nanoseconds(TimelineLength.Interval(specification)));
        // Last, since others look at the run while it is released.
        Volatile.Write(ref _begin, begin);
        _go.Set();
    }

    /// <summary>Asks the workers to start no more I/O.</summary>
    public void RequestStop(long now)
    {
        Interlocked.CompareExchange(ref _stoppedAt, now, long.MaxValue);
        _stop = true;
        _opened.CallOff();
        _extras.CallOff();
        _go.Set();
    }

    /// <summary>Notes an error, the first only, and stops the run.</summary>
    public void Fail(IoBenchException error, long now)
    {
        Interlocked.CompareExchange(ref _error, error, null);
        RequestStop(now);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _go.Dispose();
        _ready.Dispose();
        _finished.Dispose();
        _opened.Dispose();
        _extras.Dispose();
    }
}
