using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a drill: the load on a separate thread, events and progress on the calling thread.</summary>
public static class DrillRunner
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Seconds that outstanding I/Os have to complete at the end, and that reading back the file may take.</summary>
    private const double EndTimeoutSeconds = 5;

    /// <param name="ends">Returns whether the user ends the drill; null if the user cannot end it.</param>
    /// <param name="cancelled">Ends the drill; the result covers the time so far.</param>
    /// <param name="abandoned">Ends the drill at once without a result; the file is not read back.</param>
    public static DrillResult Run(
        DrillPlan plan,
        TestRunOptions options,
        IDrillObserver observer,
        Func<bool>? ends,
        CancellationToken cancelled,
        CancellationToken abandoned = default
    )
    {
        var pattern = plan.Test.GetPattern(plan.Test.Targets[0]);
        using var gaps = SchedulingGapMonitor.Start();
        var record = new DrillStatistics(() => gaps.LongestDelaySeconds);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancelled, abandoned);
        using var target = DrillPreparation.OpenFile(plan, options, DrillLoop.MaxOutstanding, record.OnMismatch, observer, ended.Token);
        using var process = new MeasurementProcessScope();
        if (process.Warning is { } warning)
            observer.OnEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });
        var loop = new DrillLoop(plan.Test, target, record, gaps);
        observer.OnEvent(
            new DrillEvent(DrillEventKind.Begin, 0) { Load = new DrillLoad(plan.Test.TargetIops!.Value, pattern.WritePercent, target.Path) }
        );
        // Ignore keys that were pressed before the load started.
        ends?.Invoke();
        // A background thread, so that a disk that hangs cannot keep the process alive. The result is the start of the load.
        var load = new CancellableCall<DateTimeOffset>(() =>
        {
            var start = DateTimeOffset.Now;
            loop.Run(
                plan.Test.Duration.TotalSeconds,
                () => ended.IsCancellationRequested,
                EndTimeoutSeconds,
                () => !abandoned.IsCancellationRequested
            );
            return start;
        });
        var watch = new ProgressReporter(observer, record, target, plan.EndsWithKey ? null : plan.Test.Duration.TotalSeconds);
        try
        {
            while (!load.Wait(s_pollInterval))
            {
                watch.Report();
                if (ends?.Invoke() == true)
                    ended.Cancel();
            }
        }
        finally
        {
            // The observer can throw. The files must stay open until the load no longer uses them.
            ended.Cancel();
            load.Wait(TimeSpan.FromSeconds(3 * EndTimeoutSeconds));
        }
        var startTime = load.Result;
        watch.Report();
        var integrity = target.CompleteVerification(TimeSpan.FromSeconds(EndTimeoutSeconds));
        watch.Report();
        var result = record.ToResult(target.Path, startTime, plan, integrity);
        if (cancelled.IsCancellationRequested)
            result = result with { CanceledOfSeconds = plan.Test.Duration.TotalSeconds };
        // If the drill ended during an outage, the missing file is that outage.
        if (result.Outages.All(outage => outage.IsOver) && FindFileChange(target) is { } change)
            result = result with { FileChange = change.Message };
        var open = CloseFile(target, integrity);
        abandoned.ThrowIfCancellationRequested();
        if (open is not null)
            observer.OnEvent(new DrillEvent(DrillEventKind.Warning, result.DurationSeconds) { Warning = open });
        observer.OnEvent(new DrillEvent(DrillEventKind.End, result.DurationSeconds) { Result = result });
        return result;
    }

    // Use a separate thread, because a lost disk can hang.
    private static IoBenchException? FindFileChange(DrillTarget target)
    {
        var look = new CancellableCall<IoBenchException?>(target.FindFileChange);
        return look.Wait(TimeSpan.FromSeconds(EndTimeoutSeconds)) ? look.Result : null;
    }

    private static IoWarning? CloseFile(DrillTarget target, IoIntegrity integrity)
    {
        var closing = new CancellableCall<IoWarning?>(() =>
        {
            if (integrity.ErrorCount == 0)
                return target.CloseMarker() is { } why ? new IoWarning(WarningCodes.MarkOpen, why) : null;
            if (target.KeepAsEvidence(integrity))
                integrity.Evidence.Add(target.Path);
            return null;
        });
        return closing.Wait(TimeSpan.FromSeconds(EndTimeoutSeconds))
            ? closing.Result
            : new IoWarning(
                WarningCodes.MarkOpen,
                $"{target.Path} did not respond, so its ownership marker stays open. The next write test verifies the whole file."
            );
    }

    private sealed class ProgressReporter(IDrillObserver observer, DrillStatistics record, DrillTarget target, double? duration)
    {
        private readonly HangMonitor _hangs = new();
        private double _nextLine = 1;

        public void Report()
        {
            foreach (var news in record.DequeueEvents())
                observer.OnEvent(news);
            var live = record.GetProgress(duration);
            var oldest = record.OldestIOSeconds;
            if (
                _hangs.Update(oldest >= 1 ? new PendingIO(IoRequestKind.Write, target.Path, 0, 0, oldest, 1) : null, "an I/O to") is
                { } warning
            )
                observer.OnEvent(new DrillEvent(DrillEventKind.Warning, live.Seconds) { Warning = warning });
            if (target.FinalPassBytes is >= 0 and var done)
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
