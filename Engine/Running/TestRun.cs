using System.Runtime.ExceptionServices;

namespace IoBench.Engine;

/// <summary>One run of a specification: <see cref="Start"/>, then <see cref="Wait"/>, then <see cref="GetResult"/>.</summary>
public sealed partial class TestRun : IDisposable
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    private readonly IoTestSpecification _specification;
    private readonly TestRunOptions _options;
    private readonly VirtualClock? _clock;
    private readonly CancellationTokenSource _cancel = new();
    private readonly ManualResetEventSlim _done = new();
    private readonly PreparationProgress _preparation = new();
    private readonly long _created = Clock.Now;
    private RunExecution? _execution;
    private IoTestResult? _result;
    private ExceptionDispatchInfo? _failure;
    private Thread? _thread;
    private readonly List<OpenTarget> _targets = [];
    private readonly object _gate = new();
    private readonly RunCallTracker _activity = new();
    private IoTestResult? _unclosed;
    private Timer? _patience;
    private long _cancelledAt;
    private bool _isPublished;
    private bool _isLeft;

    /// <summary>Creates a run of a copy of the specification. Later changes to the specification have no effect.</summary>
    public TestRun(IoTestSpecification specification, TestRunOptions? options = null)
        : this(specification, options, clock: null) { }

    internal TestRun(IoTestSpecification specification, TestRunOptions? options, VirtualClock? clock)
    {
        ArgumentNullException.ThrowIfNull(specification);
        _specification = specification.Clone();
        _options = options ?? new TestRunOptions();
        _clock = clock;
    }

    /// <summary>Threads of the run; empty before the targets are ready.</summary>
    public IReadOnlyList<RunThread> Threads =>
        Volatile.Read(ref _execution) is { } execution
            ?
            [
                .. execution.Workers.Select(w => new RunThread(
                    w.Plan.Thread,
                    w.Plan.Streams[0].TargetThreadIndex,
                    [.. w.Plan.Streams.Select(l => l.TargetIndex)],
                    w.Plan.Processors
                )),
            ]
            : [];

    internal IReadOnlyList<Worker> Workers => _execution?.Workers ?? [];

    /// <summary>For tests that use files without an ownership check, with <see cref="OpenUnchecked"/>.</summary>
    internal Func<IoTargetSpecification, CheckedTarget>? DescribeUnchecked { get; init; }

    internal Func<CheckedTarget, IReadOnlyList<OpenTarget>, OpenTarget>? OpenUnchecked { get; init; }

    /// <summary>Creates the backends instead of the selected backend, for tests of faults.</summary>
    internal Func<IoBackend>? BackendFactory { get; init; }

    internal Action<TestRunEvent>? EventHook { get; init; }

    public void Start()
    {
        if (_thread is not null)
            throw new InvalidOperationException("The run has already been started.");
        _thread = new Thread(RunCoordinator) { IsBackground = true, Name = "IoBench run" };
        _thread.Start();
    }

    /// <summary>Waits for the end of the run. Returns false if the timeout elapses first.</summary>
    public bool Wait(TimeSpan timeout) => _done.Wait(timeout);

    /// <summary>Ends the run early and returns at once. Can be called at any time and more than once.</summary>
    /// <remarks>No I/O starts after 50 ms. The result follows 0.5 s after the last I/O, or after 2 s if an I/O or file hangs.</remarks>
    public void Cancel()
    {
        Interlocked.CompareExchange(ref _cancelledAt, Clock.Now, 0);
        _cancel.Cancel();
        Volatile.Read(ref _execution)?.Control.RequestStop(_clock?.Now ?? Clock.Now);
        lock (_gate)
        {
            if (!_isPublished)
                _patience ??= new Timer(_ => AbandonHungCall(), null, s_look, s_look);
        }
    }

    /// <summary>For tests until a modeled device has caused its faults. A canceled run would skip the final check.</summary>
    internal void StopIO() => Volatile.Read(ref _execution)?.Control.RequestStop(Clock.Now);

    /// <summary>Returns the current progress. Uses no lock that a worker uses.</summary>
    public RunProgress GetProgress()
    {
        var now = Clock.Now;
        return _done.IsSet ? new RunProgress(RunPhase.Done, 0) : CreateProgress(now) with { Call = _activity.GetPendingCall(now) };
    }

    private RunProgress CreateProgress(long now)
    {
        if (Volatile.Read(ref _isComparing))
            return _preparation.GetProgress(RunPhase.Preparing, now - _created);
        if (Volatile.Read(ref _execution) is { Control.IoStart: > 0 } execution)
            return CreateExecutionProgress(execution, now);
        return _preparation.GetProgress(_thread is null ? RunPhase.Waiting : RunPhase.Preparing, now - _created);
    }

    /// <summary>Returns the result after <see cref="Wait"/> returned true. A run that failed later has the status Failed.</summary>
    /// <exception cref="IoBenchException">The run was refused, or it failed before it measured.</exception>
    /// <exception cref="InvalidOperationException">The run has not ended yet.</exception>
    public IoTestResult GetResult()
    {
        if (!_done.IsSet)
            throw new InvalidOperationException("The run has not ended yet.");
        _failure?.Throw();
        return _result!;
    }

    /// <summary>Runs a specification and returns its result. Canceling the token ends the run early, with the values so far.</summary>
    /// <exception cref="IoBenchException">The run was refused, or it failed before it measured.</exception>
    public static IoTestResult Run(IoTestSpecification specification, TestRunOptions? options = null, CancellationToken token = default)
    {
        using var run = new TestRun(specification, options);
        run.Start();
        using (token.Register(run.Cancel))
            run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    public void Dispose()
    {
        if (_thread is not null && !_done.IsSet)
        {
            Cancel();
            _done.Wait();
        }
        // The run's own thread hangs in a system call and uses these objects when that call returns.
        if (_isLeft)
            return;
        _execution?.Dispose();
        _cancel.Dispose();
        _done.Dispose();
    }

    private void RunCoordinator()
    {
        try
        {
            Publish(PrepareAndExecute(), null);
        }
        catch (Exception e)
        {
            // GetResult throws the exception to its caller.
            Publish(null, ExceptionDispatchInfo.Capture(e));
        }
    }

    private IoTestResult PrepareAndExecute()
    {
        SpecificationValidator.Validate(_specification);
        LargePages.Check(_specification);
        var backend = new BackendNegotiation(_specification.Backend, _specification.Polling, _options.Log);
        try
        {
            if (PrepareTargets(backend) is not { } plan)
                return ResultBuilder.CreateCanceledResult(_specification);
            EventHook?.Invoke(TestRunEvent.Prepared);
            return _specification.Verify ? ExecuteChecked(plan, backend) : Execute(plan, backend, null);
        }
        finally
        {
            _targets.ForEach(target => target.Dispose());
        }
    }

    /// <summary>Returns null if the run was canceled.</summary>
    private RunPlan? PrepareTargets(BackendNegotiation backend)
    {
        try
        {
            var plan = CreatePlan(backend);
            EventHook?.Invoke(TestRunEvent.Checked);
            foreach (var target in plan.Targets)
                _targets.Add(PrepareTarget(target));
            var isCanceled = _specification.RestBefore > TimeSpan.Zero && _cancel.Token.WaitHandle.WaitOne(_specification.RestBefore);
            return isCanceled ? null : plan;
        }
        catch (OperationCanceledException)
        {
            return null;
        }
    }

    private IoTestResult Execute(RunPlan plan, BackendNegotiation backend, RunVerification? integrity)
    {
        RunExecution execution;
        try
        {
            TrackCall(
                RunCallKind.Opening,
                () => plan.Targets[0].Path,
                () =>
                {
                    integrity?.BeginWriting();
                    BeginWriting(plan);
                    EventHook?.Invoke(TestRunEvent.Marked);
                }
            );
            execution = CreateReadyExecution(plan, backend, integrity);
            _options.Log?.Invoke($"{execution.Backend}: {execution.FeatureSummary}");
            EventHook?.Invoke(TestRunEvent.Opened);
            integrity?.StartWitness(error => execution.Control.Fail(error, Clock.Now));
            var agreed = execution.WaitForStart(_options.StartGate, _cancel.Token);
            execution.Execute(agreed);
            integrity?.FinishWitness(_cancel.Token);
        }
        catch
        {
            CloseTargets();
            throw;
        }
        var result = new ResultBuilder(plan, execution).Build(_cancel.IsCancellationRequested);
        Volatile.Write(ref _unclosed, result);
        if (integrity is not null)
            CompareContents(result, execution, integrity);
        var warnings = CloseTargets();
        List<IoBenchException> gone = [];
        if (execution.StuckIOs == 0)
            TrackCall(
                RunCallKind.Look,
                () => plan.Targets[0].Path,
                () =>
                    gone = [
                        .. _targets.DistinctBy(target => target.File).Select(target => target.FindFileChange()).OfType<IoBenchException>(),
                    ]
            );
        lock (_gate)
        {
            // If one of these calls hung, the result has already been published as it was.
            if (!_isPublished)
            {
                warnings.ForEach(text => result.AddWarning(new IoWarning(WarningCodes.MarkOpen, text)));
                gone.ForEach(error => AddFileChange(result, error));
            }
        }
        return result;
    }

    private static void AddFileChange(IoTestResult result, IoBenchException error)
    {
        if (result.Status != IoResultStatus.Complete)
        {
            result.AddWarning(new IoWarning(WarningCodes.TargetGone, error.Text));
            return;
        }
        result.Status = IoResultStatus.Failed;
        result.SetError(error);
    }

    private void BeginWriting(RunPlan plan)
    {
        foreach (var stream in plan.Workers.SelectMany(w => w.Streams).DistinctBy(l => l.TargetIndex).OrderBy(l => l.TargetIndex))
            if (stream.Pattern.WritePercent > 0)
                _targets[stream.TargetIndex].BeginWriting(stream.Pattern, stream.ContentSource);
    }

    /// <summary>If a backend is refused, Auto falls back to the next one for all workers.</summary>
    private RunExecution CreateReadyExecution(RunPlan plan, BackendNegotiation backend, RunVerification? integrity)
    {
        while (true)
        {
            var execution = new RunExecution(plan, _targets, backend.Kind, _clock, BackendFactory, integrity)
            {
                SkippedBackends = backend.SkippedBackends,
                Stack = _options.Stack,
            };
            Volatile.Write(ref _execution, execution);
            if (_cancel.IsCancellationRequested)
                execution.Control.RequestStop(Clock.Now);
            try
            {
                TrackCall(RunCallKind.Opening, () => execution.OpeningPath, execution.StartWorkers);
                return execution;
            }
            catch (IoBenchException error)
                when (BackendRefusedException.GetReason(error) is { } reason && execution.Control.RunningWorkers == 0)
            {
                execution.Dispose();
                backend.FallBack(reason, plan);
            }
        }
    }

    /// <summary>Checks the plan and its needs before a file is created, because that can take hours.</summary>
    private RunPlan CreatePlan(BackendNegotiation backend)
    {
        var targets = new List<CheckedTarget>();
        foreach (var target in _specification.Targets)
        {
            _cancel.Token.ThrowIfCancellationRequested();
            TrackCall(
                RunCallKind.Check,
                () => target.Path,
                () => targets.Add(DescribeUnchecked?.Invoke(target) ?? CheckedTarget.Check(_specification, target, _options))
            );
        }
        var plan = RunPlan.Create(_specification, [.. targets]);
        RunVerification.CheckPlan(plan, _options.Witness);
        backend.Choose(plan);
        return plan;
    }

    private OpenTarget PrepareTarget(CheckedTarget target)
    {
        _cancel.Token.ThrowIfCancellationRequested();
        OpenTarget? opened = null;
        _preparation.Begin(target.Path);
        TrackCall(
            RunCallKind.Preparation,
            () => target.Path,
            () => opened = OpenUnchecked?.Invoke(target, _targets) ?? OpenTarget.Open(target, _targets, ReportPreparation, _cancel.Token)
        );
        _preparation.End();
        return opened!;
    }

    private void ReportPreparation(PreparationStep step, long done, long total)
    {
        _activity.ReportProgress(((long)step << 56) + done);
        _preparation.Report(step, done, total);
    }

    private List<string> CloseTargets()
    {
        var warnings = new List<string>();
        TrackCall(
            RunCallKind.Closing,
            () => _targets[0].Target.Path,
            () => warnings.AddRange(_targets.Select(target => target.EndWriting(_cancel.IsCancellationRequested)).OfType<string>())
        );
        return warnings;
    }

    private void TrackCall(RunCallKind kind, Func<string?> path, Action act)
    {
        _activity.Begin(kind, path);
        try
        {
            act();
        }
        finally
        {
            _activity.End();
        }
    }

    /// <summary>Ends a canceled run for its caller even if a system call never returns.</summary>
    private void AbandonHungCall()
    {
        if (_activity.DescribeHungCall(Clock.Now, Volatile.Read(ref _cancelledAt)) is not { } hung)
            return;
        lock (_gate)
        {
            if (_isPublished)
                return;
            var result = Volatile.Read(ref _unclosed) ?? ResultBuilder.CreateCanceledResult(_specification);
            if (result.ErrorId is null)
                result.SetError(IoBenchException.Failure(WarningCodes.NoAnswer, hung));
            else
                result.AddWarning(new IoWarning(WarningCodes.NoAnswer, hung));
            _isLeft = true;
            Publish(result, null);
        }
    }

    private void Publish(IoTestResult? result, ExceptionDispatchInfo? failure)
    {
        lock (_gate)
        {
            if (_isPublished)
                return;
            _isPublished = true;
            _result = result;
            _failure = failure;
            _patience?.Dispose();
            _done.Set();
        }
    }

    private RunProgress CreateExecutionProgress(RunExecution execution, long now)
    {
        var control = execution.Control;
        if (execution.TotalPassBytes is { } total)
        {
            var done = Math.Min(total, execution.CompletedBytes);
            var rate = execution.Rates.BytesPerSecond;
            return new RunProgress(RunPhase.Preparing, Math.Max(0, now - control.IoStart) / 1e9)
            {
                RemainingSeconds = rate > 0 ? (total - done) / rate : null,
                CurrentIops = execution.Rates.Iops,
                CurrentMBps = rate / 1048576,
                PreparingPath = _specification.Targets[0].Path,
                PreparedBytes = done,
                PrepareTotalBytes = total,
                Step = PreparationStep.Preconditioning,
            };
        }
        var phase = execution.GetPhase(now);
        var began = phase switch
        {
            RunPhase.WarmUp => control.IoStart,
            RunPhase.Measuring => control.MeasureFrom,
            RunPhase.CoolDown => control.MeasureTo,
            _ => Math.Min(control.IoEnd, control.StoppedAt),
        };
        return new RunProgress(phase, Math.Max(0, now - began) / 1e9)
        {
            RemainingSeconds = Math.Max(0, control.IoEnd - now) / 1e9,
            CurrentIops = execution.Rates.Iops,
            CurrentMBps = execution.Rates.BytesPerSecond / 1048576,
            P99Ms = _options.Quiet ? null : GetLiveP99(execution),
            IsResponse = execution.Workers.Any(w => w.Streams.Any(l => l.Latencies.Response is not null)),
            Waiting = execution.GetPendingIO(now),
        };
    }

    private static double? GetLiveP99(RunExecution execution)
    {
        var sum = new LatencyDistributions();
        foreach (var stream in execution.Workers.SelectMany(w => w.Streams))
            sum.Add(stream.Latencies);
        return ReadWriteHistograms.ToMilliseconds(sum.Reported.Total.GetTrustedPercentile(99));
    }
}

internal enum TestRunEvent
{
    /// <summary>The targets are checked; none is open.</summary>
    Checked,

    /// <summary>The targets are open; nothing records yet that they are written to.</summary>
    Prepared,

    /// <summary>The ownership markers are open; no worker has a handle.</summary>
    Marked,

    /// <summary>Every worker has its handles; no I/O has started.</summary>
    Opened,
}

/// <summary>A planned thread of a run. Numbers count from 0.</summary>
/// <param name="NumberOfTarget">Number among the threads of its target or pool.</param>
/// <param name="Processors">Processors that the thread is bound to, with 64 numbers per Windows group; empty = any.</param>
public sealed record RunThread(int Number, int NumberOfTarget, IReadOnlyList<int> Targets, IReadOnlyList<int> Processors);
