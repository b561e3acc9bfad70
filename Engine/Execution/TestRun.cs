using System.Runtime.ExceptionServices;

namespace IoBench.Engine;

/// <summary>
/// One run of a specification, on threads of its own. <see cref="Start"/> it, look at <see cref="GetProgress"/> while <see cref="Wait"/> returns
/// false, then take <see cref="GetResult"/>; or let <see cref="Run(IoTestSpecification, TestRunOptions?, CancellationToken)"/> do it all.
/// </summary>
public sealed class TestRun : IDisposable
{
    private readonly IoTestSpecification _specification;
    private readonly TestRunOptions _options;
    private readonly ITargetPreparer _preparer;
    private readonly VirtualClock? _clock;
    private readonly CancellationTokenSource _cancel = new();
    private readonly ManualResetEventSlim _done = new();
    private readonly Preparation _preparation = new();
    private readonly long _created = Clock.Now;
    private RunExecution? _execution;
    private IoTestResult? _result;
    private ExceptionDispatchInfo? _failure;
    private Thread? _thread;

    /// <summary>A run of a specification, which is copied: what is changed in it afterwards does not matter.</summary>
    public TestRun(IoTestSpecification specification, TestRunOptions? options = null)
        : this(specification, options, preparer: null, clock: null)
    {
    }

    internal TestRun(IoTestSpecification specification, TestRunOptions? options, ITargetPreparer? preparer, VirtualClock? clock)
    {
        ArgumentNullException.ThrowIfNull(specification);
        _specification = specification.Clone();
        _options = options ?? new TestRunOptions();
        _preparer = preparer ?? (specification.Backend == IoBackendKind.Null ? new ImaginaryTargets() : new RealTargets());
        _clock = clock;
    }

    /// <summary>The run's threads; none before the targets are ready.</summary>
    public IReadOnlyList<RunThread> Threads => Volatile.Read(ref _execution) is { } execution
        ? [.. execution.Workers.Select(w => new RunThread(w.Plan.Thread, w.Plan.Lanes[0].ThreadOfTarget, [.. w.Plan.Lanes.Select(l => l.TargetIndex)], w.Plan.Processors))]
        : [];

    /// <summary>The workers, for tests of what they cost.</summary>
    internal IReadOnlyList<Worker> Workers => _execution?.Workers ?? [];

    /// <summary>Makes the workers' backends in place of the chosen kind's, for tests of faults.</summary>
    internal Func<IoBackend>? BackendFactory { get; init; }

    /// <summary>Starts the run on a thread of its own and returns at once. Trouble shows in <see cref="GetResult"/>.</summary>
    public void Start()
    {
        if (_thread is not null)
            throw new InvalidOperationException("The run was started before.");
        _thread = new Thread(Coordinate) { IsBackground = true, Name = "IoBench run" };
        _thread.Start();
    }

    /// <summary>Waits for the end; false when the time is over first.</summary>
    public bool Wait(TimeSpan timeout) => _done.Wait(timeout);

    /// <summary>
    /// Ends the run early: no I/O is started after at most 50 ms, and the result, with the figures so far, is there half a second after the
    /// last I/O came back, or after 2 s when some do not. Returns at once; may be called at any time and more than once.
    /// </summary>
    public void Cancel()
    {
        _cancel.Cancel();
        Volatile.Read(ref _execution)?.Control.RequestStop(_clock?.Now ?? Clock.Now);
    }

    /// <summary>What the run is doing now. Takes no lock that a worker knows of.</summary>
    public RunProgress GetProgress()
    {
        var now = Clock.Now;
        if (_done.IsSet)
            return new RunProgress(RunPhase.Done, 0, 0, 0, 0, null, null, 0, 0);
        if (Volatile.Read(ref _execution) is { Control.Begin: > 0 } execution)
            return ProgressOf(execution, now);
        return _preparation.Progress(_thread is null ? RunPhase.Waiting : RunPhase.Preparing, now - _created);
    }

    /// <summary>The result, after <see cref="Wait"/> returned true. A run that broke off in the middle has the status Failed and its error.</summary>
    /// <exception cref="IoBenchException">The run was refused, or failed before it measured.</exception>
    /// <exception cref="InvalidOperationException">The run is not over.</exception>
    public IoTestResult GetResult()
    {
        if (!_done.IsSet)
            throw new InvalidOperationException("The run is not over.");
        _failure?.Throw();
        return _result!;
    }

    /// <summary>Carries out a specification and returns its result; a cancelled token ends the run early, with the figures so far.</summary>
    /// <exception cref="IoBenchException">The run was refused, or failed before it measured.</exception>
    public static IoTestResult Run(IoTestSpecification specification, TestRunOptions? options = null, CancellationToken token = default)
    {
        using var run = new TestRun(specification, options);
        run.Start();
        using (token.Register(run.Cancel))
            run.Wait(Timeout.InfiniteTimeSpan);
        return run.GetResult();
    }

    /// <summary>Ends the run, if it still goes on, and gives its resources back.</summary>
    public void Dispose()
    {
        if (_thread is not null && !_done.IsSet)
        {
            Cancel();
            _done.Wait();
        }
        _execution?.Dispose();
        _cancel.Dispose();
        _done.Dispose();
    }

    private void Coordinate()
    {
        try
        {
            _result = Carry();
        }
        catch (Exception e)
        {
            // Handed to whoever asks for the result.
            _failure = ExceptionDispatchInfo.Capture(e);
        }
        _done.Set();
    }

    private IoTestResult Carry()
    {
        SpecificationValidator.Validate(_specification);
        LargePages.Check(_specification);
        var passedOver = new List<string>();
        var backend = BackendChooser.Choose(_specification.Backend, passedOver);
        foreach (var reason in passedOver)
            _options.Log?.Invoke(reason);
        CheckBeforehand(backend);
        PreparedTarget[] targets;
        try
        {
            targets = [.. _specification.Targets.Select(Prepare)];
            if (_specification.RestBefore > TimeSpan.Zero && _cancel.Token.WaitHandle.WaitOne(_specification.RestBefore))
                return ResultBuilder.CancelledBeforeStart(_specification);
        }
        catch (OperationCanceledException)
        {
            return ResultBuilder.CancelledBeforeStart(_specification);
        }

        var plan = RunPlan.Make(_specification, targets);
        RunBudget.Check(plan, backend);
        var execution = new RunExecution(plan, backend, _clock, BackendFactory);
        Volatile.Write(ref _execution, execution);
        if (_cancel.IsCancellationRequested)
            execution.Control.RequestStop(Clock.Now);
        var marks = Mark(targets);
        var watch = backend == IoBackendKind.Null ? null : new TargetWatch(targets);
        try
        {
            execution.GetReady();
            _options.Log?.Invoke($"{backend}: {execution.Workers[0].Backend.Details}");
            execution.Execute();
        }
        catch
        {
            CloseMarks(marks);
            throw;
        }
        // With I/O still in flight a file may yet change: its mark stays open, which the next run understands.
        var unclosed = execution.Stuck == 0 ? CloseMarks(marks) : [];
        var result = new ResultBuilder(plan, execution).Build(_cancel.IsCancellationRequested);
        result.Warnings.AddRange(unclosed);
        if (execution.Stuck == 0)
            watch?.TellWhatIsGone(result);
        return result;
    }

    /// <summary>What can be known to go wrong is said before hours are spent on making a file: the plan and its needs, on the targets as they will be.</summary>
    private void CheckBeforehand(IoBackendKind backend)
        => RunBudget.Check(RunPlan.Make(_specification, [.. _specification.Targets.Select(t => _preparer.Check(_specification, t, _options))]), backend);

    /// <summary>Closes marks. What fails there (a disk that is full or gone) must not cost the figures: it is returned as warnings.</summary>
    private static List<string> CloseMarks(List<IDisposable> marks)
    {
        var unclosed = new List<string>();
        foreach (var mark in marks)
        {
            try
            {
                mark.Dispose();
            }
            catch (IoBenchException e)
            {
                unclosed.Add("the test file's mark could not be closed; the next run proves the file by its content. " + e.Message);
            }
        }
        return unclosed;
    }

    private PreparedTarget Prepare(IoTargetSpecification target)
    {
        _cancel.Token.ThrowIfCancellationRequested();
        _preparation.Begin(target.Path);
        var prepared = _preparer.Prepare(_specification, target, _options, _preparation.Report, _cancel.Token);
        _preparation.End();
        return prepared;
    }

    private List<IDisposable> Mark(PreparedTarget[] targets)
    {
        var marks = new List<IDisposable>();
        try
        {
            for (var i = 0; i < targets.Length; i++)
                if (_specification.PatternOf(_specification.Targets[i]).WritePercent > 0)
                    marks.Add(_preparer.BeginWriting(targets[i]));
        }
        catch
        {
            CloseMarks(marks);
            throw;
        }
        return marks;
    }

    private RunProgress ProgressOf(RunExecution execution, long now)
    {
        var control = execution.Control;
        var phase = execution.PhaseAt(now);
        var began = phase switch
        {
            RunPhase.WarmUp => control.Begin,
            RunPhase.Measuring => control.MeasureFrom,
            RunPhase.CoolDown => control.MeasureTo,
            _ => Math.Min(control.End, control.StoppedAt),
        };
        return new RunProgress(phase, Math.Max(0, now - began) / 1e9, Math.Max(0, control.End - now) / 1e9,
            execution.Rates.Iops, execution.Rates.BytesPerSecond / 1048576, _options.Quiet ? null : LiveP99(execution), null, 0, 0);
    }

    private static double? LiveP99(RunExecution execution)
    {
        var total = new LatencyHistogram();
        foreach (var lane in execution.Workers.SelectMany(w => w.Lanes))
        {
            if (lane.Reads is not null)
                total.Add(lane.Reads);
            if (lane.Writes is not null)
                total.Add(lane.Writes);
        }
        return DistributionResult.Milliseconds(total.TrustedPercentile(99));
    }
}
