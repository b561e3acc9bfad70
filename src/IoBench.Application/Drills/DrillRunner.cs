using System.Runtime.ExceptionServices;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a drill: the load on a separate thread, events and progress on the calling thread.</summary>
public static class DrillRunner
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    /// <summary>Seconds that outstanding I/Os have to complete at the end, and that reading back the file may take.</summary>
    private const double Patience = 5;

    /// <summary>Runs a drill to its end.</summary>
    /// <param name="options">Options of the run.</param>
    /// <param name="observer">Displays the drill.</param>
    /// <param name="ends">Returns whether the user ends the drill; null if the user cannot end it.</param>
    /// <param name="cancelled">Ends the drill; the result covers the time so far.</param>
    /// <param name="abandoned">Ends the drill at once without a result; the file is not read back.</param>
    /// <exception cref="IoBenchException">The file is refused or cannot be created.</exception>
    /// <exception cref="OperationCanceledException">The drill was canceled before the load started, or it was abandoned.</exception>
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
        // Ignore keys that were pressed before the load started.
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
            // The observer can throw. The files must stay open until the load no longer uses them.
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

    /// <summary>Runs the load on a background thread, so that a disk that hangs cannot keep the process alive.</summary>
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
                    // TryJoin throws the error again on the calling thread.
                    _failure = ExceptionDispatchInfo.Capture(e);
                }
            })
            {
                IsBackground = true,
                Name = "IoBench drill",
            };
            _thread.Start();
        }

        /// <summary>Start of the load. All seconds of the drill count from this time.</summary>
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
