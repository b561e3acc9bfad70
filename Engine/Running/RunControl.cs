namespace IoBench.Engine;

internal sealed class RunControl : IDisposable
{
    private readonly ManualResetEventSlim _go = new();
    private readonly CountdownEvent _ready;
    private readonly CountdownEvent _finished;
    private readonly FeatureBarrier _opened;
    private readonly FeatureBarrier _extras;
    private IoBenchException? _error;
    private volatile bool _stop;
    private long _stoppedAt = long.MaxValue;
    private long _begin;

    public RunControl(int workers)
    {
        _ready = new CountdownEvent(workers);
        _finished = new CountdownEvent(workers);
        _opened = new FeatureBarrier(workers);
        _extras = new FeatureBarrier(workers);
    }

    /// <summary>In nanoseconds; 0 before it is set. A thread that reads a value above 0 can read the other times.</summary>
    public long IoStart => Volatile.Read(ref _begin);

    public long MeasureFrom { get; private set; }

    public long MeasureTo { get; private set; }

    public long IoEnd { get; private set; }

    public long Interval { get; private set; }

    public WorkerCounters[] Counters { private get; set; } = [];

    public long Outstanding
    {
        get
        {
            var sum = 0L;
            foreach (var counters in Counters)
                sum += Volatile.Read(ref counters.Outstanding);
            return sum;
        }
    }

    public bool IsStopRequested => _stop;

    /// <summary>Time of the request to stop; <see cref="long.MaxValue"/> without one.</summary>
    public long StoppedAt => Volatile.Read(ref _stoppedAt);

    public IoBenchException? Error => Volatile.Read(ref _error);

    public int RunningWorkers => _finished.CurrentCount;

    /// <summary>Called by a worker that is ready. Returns true when all workers can start, false if the run was stopped.</summary>
    public bool WaitForStart()
    {
        _ready.Signal();
        _go.Wait();
        return !_stop;
    }

    /// <summary>Enables the features that all workers have. Waits until all workers are ready.</summary>
    public void NegotiateFeatures(IoBackend backend)
    {
        _opened.SignalAndWait(0);
        backend.DisableFeaturesExcept((BackendFeatures)_extras.SignalAndWait(_stop ? 0 : (int)backend.EnableOptionalFeatures()));
    }

    public void ReportStartFailure(IoBenchException error)
    {
        Fail(error, Clock.Now);
        _ready.Signal();
    }

    public void SignalFinished() => _finished.Signal();

    public bool WaitForReady(TimeSpan timeout) => _ready.Wait(timeout);

    public bool WaitForFinish(TimeSpan timeout) => _finished.Wait(timeout);

    public void ReleaseWorkers(IoTestSpecification specification, long begin)
    {
        MeasureFrom = begin + Clock.ToNanoseconds(specification.WarmUp);
        MeasureTo = MeasureFrom + Clock.ToNanoseconds(specification.Duration);
        IoEnd = MeasureTo + Clock.ToNanoseconds(specification.CoolDown);
        Interval = Math.Max(1, Clock.ToNanoseconds(TimelineInterval.GetLength(specification)));
        // Must be last, because other threads read the times once this one is set.
        Volatile.Write(ref _begin, begin);
        _go.Set();
    }

    public void RequestStop(long now)
    {
        Interlocked.CompareExchange(ref _stoppedAt, now, long.MaxValue);
        _stop = true;
        _opened.Cancel();
        _extras.Cancel();
        _go.Set();
    }

    public void Fail(IoBenchException error, long now)
    {
        Interlocked.CompareExchange(ref _error, error, null);
        RequestStop(now);
    }

    public void Dispose()
    {
        _go.Dispose();
        _ready.Dispose();
        _finished.Dispose();
        _opened.Dispose();
        _extras.Dispose();
    }
}

/// <summary>Barrier for all workers of a run. Each worker gets the flags that all of them have.</summary>
internal sealed class FeatureBarrier(int workers) : IDisposable
{
    private readonly ManualResetEventSlim _decided = new();
    private int _left = workers;
    private int _common = ~0;

    /// <summary>Adds a worker's flags and waits for the others. Returns the common flags, or 0 if the run was stopped.</summary>
    public int SignalAndWait(int mine)
    {
        Interlocked.And(ref _common, mine);
        if (Interlocked.Decrement(ref _left) == 0)
            _decided.Set();
        _decided.Wait();
        return Volatile.Read(ref _common);
    }

    public void Cancel()
    {
        if (_decided.IsSet)
            return;
        Interlocked.And(ref _common, 0);
        _decided.Set();
    }

    public void Dispose() => _decided.Dispose();
}
