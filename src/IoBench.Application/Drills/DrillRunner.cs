using System.Runtime.ExceptionServices;

namespace IoBench.Application.Drills;

/// <summary>Runs a drill: the load on a thread of its own, what is seen on the calling one.</summary>
public static class DrillRunner
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Seconds that what is in flight at the end has to come back, and that reading back may take.</summary>
    private const double Patience = 5;

    /// <summary>Runs it to its end.</summary>
    /// <param name="options">What it may do.</param>
    /// <param name="observer">Shows it.</param>
    /// <param name="ends">Asked whether somebody ends it; null = nobody does.</param>
    /// <param name="cancelled">Ends it too, with what was found so far.</param>
    /// <param name="abandoned">Ends it at once, since nobody takes a result any more: the file is not read back.</param>
    /// <exception cref="IoBenchException">The file is refused or cannot be made.</exception>
    /// <exception cref="OperationCanceledException">It was ended before the load began, or abandoned.</exception>
    public static DrillResult Run(
        DrillPlan plan,
        TestRunOptions options,
        IDrillObserver observer,
        Func<bool>? ends,
        CancellationToken cancelled,
        CancellationToken abandoned = default
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(observer);
        var pattern = plan.Test.PatternOf(plan.Test.Targets[0]);
        var settings = new DrillLoadSettings(plan.Test.TargetIops!.Value, pattern.WritePercent, (int)pattern.BlockSize, plan.Test.Seed);
        var record = new DrillRecord();
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancelled, abandoned);
        using var target = DrillOpening.Open(plan, options, settings.MaxOutstanding, record.OnMismatch, observer, ended.Token);
        using var process = new ReadyProcess();
        if (process.Warning is { } warning)
            observer.OnEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });
        var loop = new DrillLoop(settings, target, record);
        observer.OnEvent(
            new DrillEvent(DrillEventKind.Begin, 0) { Load = new DrillLoad(settings.Rate, settings.WritePercent, target.Path) }
        );
        // What was typed before ends nothing.
        ends?.Invoke();
        var load = new Load(loop, plan.Test.Duration.TotalSeconds, () => !abandoned.IsCancellationRequested);
        using var heard = ended.Token.Register(load.Stop);
        var watch = new Watch(observer, record, target, plan.EndsWithKey ? null : plan.Test.Duration.TotalSeconds);
        try
        {
            while (!load.IsOver(s_look))
            {
                watch.Look();
                if (ends?.Invoke() == true)
                    load.Stop();
            }
        }
        finally
        {
            // Whatever the observer throws: the files stay open until nothing uses them.
            load.Stop();
            load.IsOver(TimeSpan.FromSeconds(3 * Patience));
        }
        watch.Look();
        var integrity = target.Checks.End(TimeSpan.FromSeconds(Patience));
        watch.Look();
        var open = Close(target, integrity);
        abandoned.ThrowIfCancellationRequested();
        var result = record.ToResult(target.Path, load.StartTime, plan, integrity);
        if (open is not null)
            observer.OnEvent(new DrillEvent(DrillEventKind.Warning, result.DurationSeconds) { Warning = open });
        observer.OnEvent(new DrillEvent(DrillEventKind.End, result.DurationSeconds) { Result = result });
        return result;
    }

    /// <summary>Closes the file's mark, or leaves the file as evidence; returns what people should know of that. Does not wait for a disk that hangs.</summary>
    private static IoWarning? Close(DrillTarget target, IoIntegrity integrity)
    {
        var closing = Task.Factory.StartNew(
            () =>
            {
                if (integrity.ErrorCount == 0)
                    return target.End() is { } why ? new IoWarning(WarningCodes.MarkOpen, why) : null;
                if (target.LeaveAsEvidence(integrity))
                    integrity.Evidence.Add(target.Path);
                return null;
            },
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        return closing.Wait(TimeSpan.FromSeconds(Patience))
            ? closing.Result
            : new IoWarning(
                WarningCodes.MarkOpen,
                $"{target.Path} did not answer: its mark stays open, so that the next write test looks at all of it."
            );
    }

    /// <summary>The loop on a thread that does not keep the process, though it may hang with its disk.</summary>
    private sealed class Load
    {
        private readonly Thread _thread;
        private volatile bool _isStopped;
        private ExceptionDispatchInfo? _failure;

        public Load(DrillLoop loop, double seconds, Func<bool> readsBack)
        {
            _thread = new Thread(() =>
            {
                try
                {
                    StartTime = DateTimeOffset.Now;
                    loop.Run(seconds, () => _isStopped, Patience, readsBack);
                }
                catch (Exception e)
                {
                    // Handed to whoever waits for the end.
                    _failure = ExceptionDispatchInfo.Capture(e);
                }
            })
            {
                IsBackground = true,
                Name = "IoBench drill",
            };
            _thread.Start();
        }

        /// <summary>When the load began: all seconds of the drill count from there.</summary>
        public DateTimeOffset StartTime { get; private set; }

        public void Stop() => _isStopped = true;

        public bool IsOver(TimeSpan timeout)
        {
            if (!_thread.Join(timeout))
                return false;
            _failure?.Throw();
            return true;
        }
    }

    /// <summary>What is shown while it runs.</summary>
    private sealed class Watch(IDrillObserver observer, DrillRecord record, DrillTarget target, double? duration)
    {
        private readonly HangWatch _hangs = new();
        private double _nextLine = 1;

        public void Look()
        {
            foreach (var news in record.TakeNews())
                observer.OnEvent(news);
            var live = record.Live(duration);
            var oldest = record.OldestSeconds;
            if (
                _hangs.Look(oldest >= 1 ? new WaitingIO(IoRequestKind.Write, target.Path, 0, 0, oldest, 1) : null, "an I/O to") is
                { } warning
            )
                observer.OnEvent(new DrillEvent(DrillEventKind.Warning, live.Seconds) { Warning = warning });
            if (target.Checks.FinalDone is >= 0 and var done)
                observer.OnPreparing(target.Path, PreparationStep.Comparing, done, target.Size);
            else
                observer.OnLive(live);
            if (live.Seconds < _nextLine)
                return;
            _nextLine = Math.Floor(live.Seconds) + 1;
            observer.OnEvent(new DrillEvent(DrillEventKind.Live, live.Seconds) { Live = live });
        }
    }
}
