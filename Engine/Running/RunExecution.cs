namespace IoBench.Engine;

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
    private PendingIO? _waiting;
    private long _lookedAt;
    private readonly LiveRates _watch;
    private long? _agreed;
    private readonly MeasurementProcessScope _process;
    private readonly DeviceMonitor _devices;
    private readonly ProcessorWait _wait;
    private readonly DeviceCounters _counters;

    public RunExecution(
        RunPlan plan,
        IReadOnlyList<OpenTarget> targets,
        BackendDescriptor backend,
        VirtualClock? clock,
        Func<IoBackend>? factory = null,
        RunVerification? integrity = null
    )
    {
        _plan = plan;
        Backend = backend;
        ModeledClock = clock;
        var specification = plan.Specification;
        var device = specification.NullDevice is { } model && backend.IsModeled ? new NullDevice(model, specification.Seed) : null;
        Intervals = TimelineInterval.CountIntervals(specification);
        Control = new RunControl(plan.Workers.Length);
        _devices = new DeviceMonitor(targets);
        Workers =
        [
            .. plan.Workers.Select(w =>
                ProcessorTopology.CreateOn(
                    w.Processors,
                    () => new Worker(w, plan, targets, Control, factory?.Invoke() ?? backend.Create(device, clock), Intervals, integrity)
                )
            ),
        ];
        Control.Counters = [.. Workers.Select(w => w.Counters)];
        _watch = new LiveRates(Workers);
        _wait = new ProcessorWait(Workers);
        _counters = new DeviceCounters(targets.SelectMany(target => target.Target.Volume.Counters));
        // Must be last, because nothing restores the process if the constructor fails later.
        _process = new MeasurementProcessScope();
    }

    public BackendDescriptor Backend { get; }

    public IReadOnlyList<string> SkippedBackends { get; init; } = [];

    public StorageLevels? Stack { get; init; }

    public string FeatureSummary => BackendNegotiation.DescribeFeatures([.. Workers.Select(w => w.Backend.FeatureNames)]);

    public RunControl Control { get; }
    public Worker[] Workers { get; }

    public int Intervals { get; }

    public DateTimeOffset StartTime { get; private set; }

    public CpuSnapshot? CpuBefore { get; private set; }

    public CpuSnapshot? CpuAfter { get; private set; }

    public long StuckIOs { get; private set; }

    /// <summary>Periods in which the host did not run this process.</summary>
    public IReadOnlyList<(long Begin, long End)> SchedulingGaps { get; private set; } = [];

    public string? StopReason { get; private set; }

    /// <summary>Clock of a test; null for the system clock.</summary>
    private VirtualClock? ModeledClock { get; }

    /// <summary>File that a worker is opening; otherwise the first target.</summary>
    public string? OpeningPath => Workers.Select(w => w.OpeningPath).FirstOrDefault(p => p is not null) ?? _plan.Targets[0].Path;

    public IoWarning? PriorityWarning => _process.Warning;

    /// <summary>Time that an average worker waited for a CPU in the measured time, in percent; null if it is unknown.</summary>
    public double? ProcessorWaitPercent =>
        CpuBefore is { } before && CpuAfter is { } after ? _wait.GetPercent(after.Timestamp - before.Timestamp) : null;

    public List<IoDeviceLoad> DeviceLoads => _counters.Loads;

    /// <summary>Nanoseconds from the agreed start time to the start of the last thread; null if either is missing.</summary>
    public long? StartOffset
    {
        get
        {
            if (_agreed is not { } agreed)
                return null;
            var lastStart = Workers.Max(w => w.StartedAt);
            return lastStart > 0 ? lastStart - agreed : null;
        }
    }

    // Workers spin for the rest of the time, so that even the last of many is awake in time.
    private long WakeUpTime => 20_000_000 + WakeAllTime;
    private long WakeAllTime => WakingOne * Workers.Length;

    public LiveRates Rates => _watch;

    public void StartWorkers()
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
            ReportMissingWorkers(
                started,
                IoBenchException.Failure(
                    "IoBench.TooManyThreads",
                    $"The system created only {started} of {Workers.Length} threads.",
                    null,
                    e,
                    advice: "Use fewer threads, or raise the process limit (ulimit -u)."
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
        if (ModeledClock is null)
            GC.Collect(1);
    }

    /// <summary>Holds the ready workers until the gate returns the start time; null = at once.</summary>
    public long? WaitForStart(Func<CancellationToken, long?>? gate, CancellationToken cancelled)
    {
        try
        {
            var agreed = gate?.Invoke(cancelled);
            var early = agreed - Clock.Now - WakeUpTime;
            if (early > 0)
                cancelled.WaitHandle.WaitOne(TimeSpan.FromTicks(early.Value / 100));
            return agreed;
        }
        catch
        {
            Control.RequestStop(Clock.Now);
            Control.WaitForFinish(TimeSpan.FromTicks(s_patienceAfterStop / 100));
            throw;
        }
    }

    /// <param name="agreed">Start time; null = as soon as possible.</param>
    public void Execute(long? agreed = null)
    {
        StartTime = DateTimeOffset.Now;
        _agreed = agreed;
        if (ModeledClock is not null)
        {
            Control.ReleaseWorkers(_plan.Specification, 0);
            Control.WaitForFinish(Timeout.InfiniteTimeSpan);
            return;
        }
        if (_plan.Specification.WarmUp == TimeSpan.Zero)
            BeginCounting();
        // A few milliseconds, so that even the last of many threads is awake in time.
        var soonest = Clock.Now + 2_000_000 + WakeAllTime;
        var begin = Math.Max(agreed ?? 0, soonest);
        StartTime += TimeSpan.FromTicks((begin - Clock.Now) / 100);
        Control.ReleaseWorkers(_plan.Specification, begin);
        var guard = _plan.Specification.StopAboveMs is { } limit
            ? new LatencyGuard(limit, TimelineInterval.GetLength(_plan.Specification))
            : null;
        using var gaps = SchedulingGapMonitor.Start();
        while (!Control.WaitForFinish(GetPollInterval()))
        {
            var now = Clock.Now;
            TakeSnapshots(now);
            _watch.Update(now);
            if (!Control.IsStopRequested && _devices.FindNewUser(now) is { } taken)
                Control.Fail(taken, now);
            if (!Control.IsStopRequested && TotalPassBytes is { } wanted && CompletedBytes >= wanted && HasCompletedPasses)
                Control.RequestStop(now);
            if (!Control.IsStopRequested && guard?.GetStopReason(CountCompletedIntervals(now), Outstanding, GetInterval) is { } reason)
            {
                StopReason = reason;
                Control.RequestStop(now);
            }
            if (IsStuck(now))
            {
                StuckIOs = Math.Max(1, Outstanding);
                foreach (var worker in Workers)
                    worker.CancelOutstanding();
                break;
            }
        }
        if (CpuBefore is not null && CpuAfter is null)
            EndCounting();
        SchedulingGaps = gaps.TakeAll();
    }

    public RunPhase GetPhase(long now)
    {
        if (Control.RunningWorkers == 0)
            return RunPhase.Done;
        if (Control.IsStopRequested || now >= Control.IoEnd)
            return RunPhase.Draining;
        if (now >= Control.MeasureTo)
            return RunPhase.CoolDown;
        return now >= Control.MeasureFrom ? RunPhase.Measuring : RunPhase.WarmUp;
    }

    public void Dispose()
    {
        _process.Dispose();
        if (Control.RunningWorkers == 0)
            Control.Dispose();
    }

    public long? TotalPassBytes => _plan.Specification.EndAfterPasses is null ? null : Workers.Sum(GetPassBytes);

    public long CompletedBytes => Workers.Sum(w => Volatile.Read(ref w.Counters.Bytes));

    // Each worker must complete its passes, because a fast one does not do the work of a slow one.
    private bool HasCompletedPasses => Array.TrueForAll(Workers, w => Volatile.Read(ref w.Counters.Bytes) >= GetPassBytes(w));

    private long GetPassBytes(Worker worker) =>
        (long)(
            _plan.Specification.EndAfterPasses!.Value
            * worker.Streams.Sum(stream => stream.Plan.Range.Length / (double)stream.Plan.TargetThreadCount)
        );

    public PendingIO? GetPendingIO(long now)
    {
        if (now - _lookedAt < WaitingLook)
            return _waiting;
        _lookedAt = now;
        PendingIO[] waiting = [.. Workers.Select(w => w.FindOldestOutstanding(now, PendingIO.MinAge)).OfType<PendingIO>()];
        var oldest = waiting.MaxBy(io => io.Seconds);
        if (oldest is not null)
            oldest = oldest with { Count = waiting.Sum(io => io.Count), InFlight = (int)Outstanding };
        _waiting = oldest;
        return oldest;
    }

    private long Outstanding => Control.Outstanding;

    private int CountCompletedIntervals(long now) =>
        now < Control.MeasureFrom ? -1 : (int)Math.Min((now - Control.MeasureFrom) / Control.Interval, Intervals);

    private TimelineInterval GetInterval(int index)
    {
        var sum = default(TimelineInterval);
        foreach (var stream in Workers.SelectMany(w => w.Streams))
            sum.Add(stream.Timeline[index]);
        return sum;
    }

    private TimeSpan GetPollInterval()
    {
        var now = Clock.Now;
        var next =
            CpuBefore is null ? Control.MeasureFrom
            : CpuAfter is null ? Control.MeasureTo
            : long.MaxValue;
        return next > now && next - now < Clock.ToNanoseconds(s_poll) ? TimeSpan.FromTicks((next - now) / 100 + 1000) : s_poll;
    }

    private void TakeSnapshots(long now)
    {
        if (CpuBefore is null && now >= Control.MeasureFrom)
            BeginCounting();
        if (CpuBefore is not null && CpuAfter is null && (now >= Control.MeasureTo || Control.IsStopRequested))
            EndCounting();
    }

    private void BeginCounting()
    {
        CpuBefore = CpuSnapshot.Capture();
        _wait.Begin();
        _counters.Begin();
        Stack?.Begin();
    }

    private void EndCounting()
    {
        CpuAfter = CpuSnapshot.Capture();
        _wait.End();
        _counters.End();
        Stack?.End();
    }

    /// <summary>After a stop, outstanding I/Os get 2 s. At a regular end, they get a minute after the last completion.</summary>
    private bool IsStuck(long now)
    {
        if (Control.IsStopRequested)
            return now - Control.StoppedAt > s_patienceAfterStop;
        if (now < Control.IoEnd)
            return false;
        var last = Workers.Max(w => Volatile.Read(ref w.Counters.LastCompletion));
        return now - Math.Max(last, Control.IoEnd) > s_patienceAtEnd;
    }

    private void ReportMissingWorkers(int started, IoBenchException error)
    {
        for (var i = started; i < Workers.Length; i++)
        {
            Control.ReportStartFailure(error);
            Control.SignalFinished();
        }
    }
}
