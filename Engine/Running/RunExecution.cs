namespace IoBench.Engine.Running;

/// <summary>The part of a run in which I/O happens: makes the workers, lets them go, watches, and waits for what is in flight.</summary>
internal sealed class RunExecution : IDisposable
{
    private static readonly TimeSpan s_poll = TimeSpan.FromMilliseconds(20);
    private static readonly long s_patienceAfterStop = 2 * Clock.Second;
    private static readonly long s_patienceAtEnd = 60 * Clock.Second;

    // Often enough to tell a second from two, and a look at thousands of slots costs their workers nothing.
    private const long WaitingLook = 250_000_000;

    // What it takes to wake a thread, in nanoseconds.
    private const long WakingOne = 20_000;

    private readonly RunPlan _plan;
    private WaitingIO? _waiting;
    private long _lookedAt;
    private readonly RateWatch _watch;
    private long? _agreed;
    private readonly ReadyProcess _process;
    private readonly DeviceWatch _devices;
    private readonly ProcessorWait _wait;

    /// <summary>Gets ready to execute a plan by a backend; a test may hand in backends of its own.</summary>
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
        // Last: of an execution that could not be made nobody gives the process back.
        _process = new ReadyProcess();
    }

    /// <summary>The backend that runs.</summary>
    public BackendDescriptor Backend { get; }

    /// <summary>Why better backends do not run, a sentence each.</summary>
    public IReadOnlyList<string> PassedOver { get; init; } = [];

    /// <summary>What the backends of all workers, or of how many, were granted; empty when there is nothing to say.</summary>
    public string Grants => GrantText.Of([.. Workers.Select(w => w.Backend.Grants)]);

    /// <summary>What the workers are told.</summary>
    public RunControl Control { get; }
    public Worker[] Workers { get; }

    /// <summary>Number of timeline intervals.</summary>
    public int Intervals { get; }

    /// <summary>When I/O began, by the calendar.</summary>
    public DateTimeOffset StartTime { get; private set; }

    /// <summary>Processor times when counting began; null when it never did.</summary>
    public CpuSnapshot? Before { get; private set; }

    /// <summary>Processor times when counting ended.</summary>
    public CpuSnapshot? After { get; private set; }

    /// <summary>I/Os that did not come back; 0 when all did.</summary>
    public long Stuck { get; private set; }

    /// <summary>Why the run ended itself early; null when it did not.</summary>
    public string? StoppedBecause { get; private set; }

    /// <summary>The modelled clock of a test; null for the real one.</summary>
    private VirtualClock? ModelledClock { get; }

    /// <summary>The file that a worker is opening at the moment; null when none is.</summary>
    public string? OpeningPath => Workers.Select(w => w.OpeningPath).FirstOrDefault(p => p is not null) ?? _plan.Targets[0].Path;

    /// <summary>Says that the process ran below normal priority; null when it did not.</summary>
    public IoWarning? PriorityWarning => _process.Warning;

    /// <summary>How long an average worker waited for a processor while it was counted, in percent; null where that is not known.</summary>
    public double? ProcessorWaitPercent => Before is { } before && After is { } after ? _wait.Percent(after.Moment - before.Moment) : null;

    /// <summary>Nanoseconds from the agreed moment to the start of the last thread; null when none was agreed or none began.</summary>
    public long? StartOffset => _agreed is { } moment && Workers.Max(w => w.BeganAt) is > 0 and var began ? began - moment : null;

    // Workers spin the rest of the way, so that they are awake in time: also the last of many.
    private long WakeUp => 20_000_000 + WakingAll;
    private long WakingAll => WakingOne * Workers.Length;

    /// <summary>Rates of about the last second.</summary>
    public RateWatch Rates => _watch;

    /// <summary>Starts the workers' threads and waits until each has its files, memory and backend.</summary>
    /// <exception cref="IoBenchException">One of them could not get ready.</exception>
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
        // What making ready left behind is collected now: it would be collected in the measured time, when little is missing to fill the budget.
        if (ModelledClock is null)
            GC.Collect(1);
    }

    /// <summary>Holds the workers, which are ready, until the gate says when I/O begins; until shortly before that moment nobody spins.</summary>
    /// <returns>The moment that was agreed; null = at once.</returns>
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

    /// <summary>Lets the workers go and returns when the run is over, whatever ended it.</summary>
    /// <param name="agreed">When I/O begins; null = as soon as all can.</param>
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

    /// <summary>What the run is doing at a moment.</summary>
    public RunPhase PhaseAt(long now) =>
        Control.Running == 0 ? RunPhase.Done
        : Control.Stop || now >= Control.End ? RunPhase.Draining
        : now >= Control.MeasureTo ? RunPhase.CoolDown
        : now >= Control.MeasureFrom ? RunPhase.Measuring
        : RunPhase.WarmUp;

    /// <inheritdoc/>
    public void Dispose()
    {
        _process.Dispose();
        if (Control.Running == 0)
            Control.Dispose();
    }

    /// <summary>Bytes that the passes of a run which ends after some come to; null for a run that ends by its time.</summary>
    public long? BytesToGo => _plan.Specification.EndAfterPasses is null ? null : Workers.Sum(BytesOf);

    /// <summary>Bytes of I/O that came back.</summary>
    public long BytesGone => Workers.Sum(w => Volatile.Read(ref w.Counters.Bytes));

    // Each of them: a fast one does not do a slow one's work.
    private bool IsThrough => Array.TrueForAll(Workers, w => Volatile.Read(ref w.Counters.Bytes) >= BytesOf(w));

    private long BytesOf(Worker worker) =>
        (long)(
            _plan.Specification.EndAfterPasses!.Value
            * worker.Streams.Sum(stream => stream.Plan.Range.Length / (double)stream.Plan.ThreadsOfTarget)
        );

    /// <summary>The I/O of any worker that has been out longest, from a second on; null when all answer.</summary>
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

    /// <summary>After a stop, 2 s are enough for what a device still answers; at a regular end it has a minute after its last answer.</summary>
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
