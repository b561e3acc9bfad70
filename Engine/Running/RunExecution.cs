namespace IoBench.Engine;

/// <summary>Executes the I/O of a run: creates and starts the workers, monitors them, and waits for outstanding I/O.</summary>
internal sealed class RunExecution : IDisposable
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(20);
    private static readonly long s_patienceAfterStop = 2 * Clock.Second;
    private static readonly long s_patienceAtEnd = 60 * Clock.Second;

    // Often enough to report the age in seconds. Reading thousands of slots does not slow the workers.
    private const long WaitingLook = 250_000_000;

    // Time to wake a thread, in nanoseconds.
    private const long WakingOne = 20_000;

    private readonly RunPlan _plan;
    private WaitingIO? _waiting;
    private long _lookedAt;
    private readonly RateWatch _watch;
    private long? _agreed;
    private readonly ReadyProcess _process;
    private readonly DeviceWatch _devices;
    private readonly ProcessorWait _wait;

    public RunExecution(
        RunPlan plan,
        IReadOnlyList<OpenTarget> targets,
        BackendDescriptor backend,
        VirtualClock? clock,
        Func<IoBackend>? factory = null,
        RunIntegrity? integrity = null
    )
    {
        _plan = plan;
        Backend = backend;
        ModelledClock = clock;
        var specification = plan.Specification;
        var device = specification.NullDevice is { } model && backend.IsModelled ? new NullDevice(model, specification.Seed) : null;
        Intervals = TimelineLength.Count(specification);
        Control = new RunControl(plan.Workers.Length);
        _devices = new DeviceWatch(targets);
        Workers =
        [
            .. plan.Workers.Select(w =>
                ThreadAffinity.MakeOn(
                    w.Processors,
                    () => new Worker(w, plan, targets, Control, factory?.Invoke() ?? backend.Create(device, clock), Intervals, integrity)
                )
            ),
        ];
        Control.Counters = [.. Workers.Select(w => w.Counters)];
        _watch = new RateWatch(Workers);
        _wait = new ProcessorWait(Workers);
        // Must be last, because nothing restores the process if the constructor fails later.
        _process = new ReadyProcess();
    }

    public BackendDescriptor Backend { get; }

    public IReadOnlyList<string> PassedOver { get; init; } = [];

    public string Grants => GrantText.Of([.. Workers.Select(w => w.Backend.Grants)]);

    public RunControl Control { get; }
    public Worker[] Workers { get; }

    public int Intervals { get; }

    public DateTimeOffset StartTime { get; private set; }

    public CpuSnapshot? Before { get; private set; }

    public CpuSnapshot? After { get; private set; }

    public long Stuck { get; private set; }

    public string? StoppedBecause { get; private set; }

    /// <summary>Clock of a test; null for the system clock.</summary>
    private VirtualClock? ModelledClock { get; }

    /// <summary>File that a worker is opening; otherwise the first target.</summary>
    public string? OpeningPath => Workers.Select(w => w.OpeningPath).FirstOrDefault(p => p is not null) ?? _plan.Targets[0].Path;

    public IoWarning? PriorityWarning => _process.Warning;

    /// <summary>Time that an average worker waited for a CPU in the measured time, in percent; null if it is unknown.</summary>
    public double? ProcessorWaitPercent => Before is { } before && After is { } after ? _wait.Percent(after.Moment - before.Moment) : null;

    /// <summary>
    /// Nanoseconds from the agreed start time to the start of the last thread; null without an agreed time or if no thread started.
    /// </summary>
    public long? StartOffset => _agreed is { } moment && Workers.Max(w => w.BeganAt) is > 0 and var began ? began - moment : null;

    // Workers spin for the rest of the time, so that even the last of many is awake in time.
    private long WakeUp => 20_000_000 + WakingAll;
    private long WakingAll => WakingOne * Workers.Length;

    public RateWatch Rates => _watch;

    public void GetReady()
    {
        var started = 0;
        try
        {
            foreach (var worker in Workers)
            {
                worker.Thread.Start();
                started++;
            }
        }
        catch (OutOfMemoryException e)
        {
            Abandon(
                started,
                IoBenchException.Failure(
                    "IoBench.TooManyThreads",
                    $"the system gave {started} of {Workers.Length} threads.",
                    null,
                    e,
                    advice: "Use fewer, or raise the limit of processes (ulimit -u)."
                )
            );
        }
        while (!Control.WaitForReady(s_poll) && Control.Error is null) { }
        if (Control.Error is { } error)
        {
            Control.RequestStop(Clock.Now);
            Control.WaitForFinish(TimeSpan.FromTicks(s_patienceAfterStop / 100));
            throw error;
        }
        // Collect the garbage of the preparation now. Otherwise it could be collected in the measured time, when the budget is nearly used.
        if (ModelledClock is null)
            GC.Collect(1);
    }

    /// <summary>
    /// Holds the workers, which are ready, until the gate returns the start time. No thread spins until shortly before that time.
    /// </summary>
    /// <returns>The agreed start time; null = at once.</returns>
    public long? WaitAt(Func<CancellationToken, long?>? gate, CancellationToken cancelled)
    {
        try
        {
            var agreed = gate?.Invoke(cancelled);
            if (agreed is { } moment && moment - Clock.Now - WakeUp is > 0 and var early)
                cancelled.WaitHandle.WaitOne(TimeSpan.FromTicks(early / 100));
            return agreed;
        }
        catch
        {
            Control.RequestStop(Clock.Now);
            Control.WaitForFinish(TimeSpan.FromTicks(s_patienceAfterStop / 100));
            throw;
        }
    }

    /// <summary>Starts the I/O and returns when the run has ended for any reason.</summary>
    /// <param name="agreed">Start time; null = as soon as possible.</param>
    public void Execute(long? agreed = null)
    {
        StartTime = DateTimeOffset.Now;
        _agreed = agreed;
        if (ModelledClock is not null)
        {
            Control.Release(_plan.Specification, 0);
            Control.WaitForFinish(Timeout.InfiniteTimeSpan);
            return;
        }
        if (_plan.Specification.WarmUp == TimeSpan.Zero)
            BeginCounting();
        // A few milliseconds, so that even the last of many threads is awake in time.
        var soonest = Clock.Now + 2_000_000 + WakingAll;
        var begin = Math.Max(agreed ?? 0, soonest);
        StartTime += TimeSpan.FromTicks((begin - Clock.Now) / 100);
        Control.Release(_plan.Specification, begin);
        var guard = _plan.Specification.StopAboveMs is { } limit
            ? new LatencyGuard(limit, TimelineLength.Interval(_plan.Specification))
            : null;
        while (!Control.WaitForFinish(NextLook()))
        {
            var now = Clock.Now;
            TakeSnapshots(now);
            _watch.Look(now);
            if (!Control.Stop && _devices.Look(now) is { } taken)
                Control.Fail(taken, now);
            if (!Control.Stop && BytesToGo is { } wanted && BytesGone >= wanted && IsThrough)
                Control.RequestStop(now);
            if (!Control.Stop && guard?.WhyStop(IntervalsOver(now), Outstanding, IntervalAt) is { } reason)
            {
                StoppedBecause = reason;
                Control.RequestStop(now);
            }
            if (IsStuck(now))
            {
                Stuck = Math.Max(1, Outstanding);
                foreach (var worker in Workers)
                    worker.GiveUp();
                break;
            }
        }
        if (Before is not null && After is null)
            EndCounting();
    }

    public RunPhase PhaseAt(long now) =>
        Control.Running == 0 ? RunPhase.Done
        : Control.Stop || now >= Control.End ? RunPhase.Draining
        : now >= Control.MeasureTo ? RunPhase.CoolDown
        : now >= Control.MeasureFrom ? RunPhase.Measuring
        : RunPhase.WarmUp;

    public void Dispose()
    {
        _process.Dispose();
        if (Control.Running == 0)
            Control.Dispose();
    }

    /// <summary>Null for a run that ends by its time instead of a number of passes.</summary>
    public long? BytesToGo => _plan.Specification.EndAfterPasses is null ? null : Workers.Sum(BytesOf);

    public long BytesGone => Workers.Sum(w => Volatile.Read(ref w.Counters.Bytes));

    // Each worker must complete its passes, because a fast one does not do the work of a slow one.
    private bool IsThrough => Array.TrueForAll(Workers, w => Volatile.Read(ref w.Counters.Bytes) >= BytesOf(w));

    private long BytesOf(Worker worker) =>
        (long)(
            _plan.Specification.EndAfterPasses!.Value
            * worker.Streams.Sum(stream => stream.Plan.Range.Length / (double)stream.Plan.ThreadsOfTarget)
        );

    public WaitingIO? Waiting(long now)
    {
        if (now - _lookedAt < WaitingLook)
            return _waiting;
        _lookedAt = now;
        WaitingIO[] waiting = [.. Workers.Select(w => w.OldestOutstanding(now, WaitingIO.MinAge)).OfType<WaitingIO>()];
        return _waiting = waiting.MaxBy(io => io.Seconds) is { } oldest
            ? oldest with
            {
                Count = waiting.Sum(io => io.Count),
                InFlight = (int)Outstanding,
            }
            : null;
    }

    private long Outstanding => Control.InFlight;

    private int IntervalsOver(long now) =>
        now < Control.MeasureFrom ? -1 : (int)Math.Min((now - Control.MeasureFrom) / Control.Interval, Intervals);

    private TimelineInterval IntervalAt(int index)
    {
        var sum = default(TimelineInterval);
        foreach (var stream in Workers.SelectMany(w => w.Streams))
            sum.Add(stream.Timeline[index]);
        return sum;
    }

    private TimeSpan NextLook()
    {
        var now = Clock.Now;
        var next =
            Before is null ? Control.MeasureFrom
            : After is null ? Control.MeasureTo
            : long.MaxValue;
        return next > now && next - now < Clock.Nanoseconds(s_poll) ? TimeSpan.FromTicks((next - now) / 100 + 1000) : s_poll;
    }

    private void TakeSnapshots(long now)
    {
        if (Before is null && now >= Control.MeasureFrom)
            BeginCounting();
        if (Before is not null && After is null && (now >= Control.MeasureTo || Control.Stop))
            EndCounting();
    }

    private void BeginCounting()
    {
        Before = CpuSnapshot.Take();
        _wait.Begin();
    }

    private void EndCounting()
    {
        After = CpuSnapshot.Take();
        _wait.End();
    }

    /// <summary>After a stop, outstanding I/Os get 2 s. At a regular end, they get a minute after the last completion.</summary>
    private bool IsStuck(long now)
    {
        if (Control.Stop)
            return now - Control.StoppedAt > s_patienceAfterStop;
        if (now < Control.End)
            return false;
        var last = Workers.Max(w => Volatile.Read(ref w.Counters.LastCompletion));
        return now - Math.Max(last, Control.End) > s_patienceAtEnd;
    }

    private void Abandon(int started, IoBenchException error)
    {
        for (var i = started; i < Workers.Length; i++)
        {
            Control.CannotBegin(error);
            Control.Finished();
        }
    }
}
