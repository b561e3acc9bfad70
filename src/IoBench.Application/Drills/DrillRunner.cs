using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a drill: the load on a separate thread, events and progress on the calling thread.</summary>
public static class DrillRunner
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    /// <summary>Seconds that outstanding I/Os have to complete at the end, and that reading back the file may take.</summary>
    private const double EndTimeoutSeconds = 5;

    /// <param name="onProgress">Receives a line that is updated in place, 10 times per second, and the remaining seconds; null if unknown.
    /// All calls come on the calling thread.</param>
    /// <param name="ends">Returns whether the user ends the drill; null if the user cannot end it.</param>
    /// <param name="cancelled">Ends the drill; the result covers the time so far.</param>
    /// <param name="abandoned">Ends the drill at once without a result; the file is not read back.</param>
    public static DrillResult Run(
        DrillPlan plan,
        TestRunOptions options,
        Action<string, double?> onProgress,
        Action<DrillEvent> onEvent,
        Func<bool>? ends,
        CancellationToken cancelled,
        CancellationToken abandoned = default
    )
    {
        var pattern = plan.Test.GetPattern(plan.Test.Targets[0]);
        using var gaps = SchedulingGapMonitor.Start();
        var record = new DrillStatistics(() => gaps.LongestDelaySeconds);
        using var ended = CancellationTokenSource.CreateLinkedTokenSource(cancelled, abandoned);
        using var target = OpenFile(plan, options, DrillLoop.MaxOutstanding, record.OnMismatch, onProgress, onEvent, ended.Token);
        using var process = new MeasurementProcessScope();
        if (process.Warning is { } warning)
            onEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });
        var loop = new DrillLoop(plan.Test, target, record, gaps);
        onEvent(
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
        double? duration = plan.EndsWithKey ? null : plan.Test.Duration.TotalSeconds;
        var hangs = new HangMonitor();
        var nextLine = 1.0;
        try
        {
            while (!load.Wait(s_pollInterval))
            {
                Report();
                if (ends?.Invoke() == true)
                    ended.Cancel();
            }
        }
        finally
        {
            // A handler can throw. The files must stay open until the load no longer uses them.
            ended.Cancel();
            load.Wait(TimeSpan.FromSeconds(3 * EndTimeoutSeconds));
        }
        var startTime = load.Result;
        Report();
        var integrity = target.CompleteVerification(TimeSpan.FromSeconds(EndTimeoutSeconds));
        Report();
        var result = record.ToResult(target.Path, startTime, plan, integrity);
        if (cancelled.IsCancellationRequested)
            result = result with { CanceledOfSeconds = plan.Test.Duration.TotalSeconds };
        // If the drill ended during an outage, the missing file is that outage.
        if (result.Outages.All(outage => outage.IsOver) && FindFileChange(target) is { } change)
            result = result with { FileChange = change.Message };
        var open = CloseFile(target, integrity);
        abandoned.ThrowIfCancellationRequested();
        if (open is not null)
            onEvent(new DrillEvent(DrillEventKind.Warning, result.DurationSeconds) { Warning = open });
        onEvent(new DrillEvent(DrillEventKind.End, result.DurationSeconds) { Result = result });
        return result;
        void Report()
        {
            foreach (var news in record.DequeueEvents())
                onEvent(news);
            var live = record.GetProgress(duration);
            var oldest = record.OldestIOSeconds;
            var pending = oldest >= 1 ? new PendingIO(IoRequestKind.Write, target.Path, 0, 0, oldest, 1) : null;
            if (hangs.Update(pending, "an I/O to") is { } slow)
                onEvent(new DrillEvent(DrillEventKind.Warning, live.Seconds) { Warning = slow });
            if (target.FinalPassBytes is >= 0 and var done)
                onProgress(SuiteMessages.FormatFileProgress(PreparationStep.Comparing, target.Path, done, target.Size, 0), null);
            else
                onProgress(live.Text, live.Remaining);
            if (live.Seconds < nextLine)
                return;
            nextLine = Math.Floor(live.Seconds) + 1;
            onEvent(new DrillEvent(DrillEventKind.Live, live.Seconds) { Live = live });
        }
    }

    /// <summary>Makes the file calls on a separate thread, because each of them can hang if the disk is already unavailable.</summary>
    /// <param name="wrong">Receives each data mismatch, on the thread that found it.</param>
    private static DrillTarget OpenFile(
        DrillPlan plan,
        TestRunOptions options,
        int slots,
        Action<IoIntegrityError> wrong,
        Action<string, double?> onProgress,
        Action<DrillEvent> onEvent,
        CancellationToken cancelled
    )
    {
        var path = plan.Test.Targets[0].Path;
        var activity = new RunCallTracker();
        var gate = new object();
        (PreparationStep Step, long Done, long Total)? current = null;
        activity.Begin(RunCallKind.Preparation, () => path);
        var work = new CancellableCall<DrillTarget>(() => DrillTarget.Open(plan.Test, options, slots, wrong, SetProgress, cancelled));
        try
        {
            WaitForOpen();
            return work.Result;
        }
        catch
        {
            // If the file opens after all, nothing uses it, so close it. The caller has already failed, so ignore a late error.
            work.Abandon(late => late.Dispose());
            throw;
        }

        void WaitForOpen()
        {
            var hangs = new HangMonitor();
            long? ended = null;
            (PreparationStep Step, long Done, long Total)? shown = null;
            while (!work.Wait(s_pollInterval))
            {
                (PreparationStep Step, long Done, long Total)? reached;
                lock (gate)
                    reached = current;
                if (reached is { } now && now != shown)
                    onProgress(SuiteMessages.FormatFileProgress(now.Step, path, now.Done, now.Total, 0), null);
                shown = reached;
                if (hangs.Update(activity.GetPendingCall(Clock.Now)) is { } warning)
                    SendWarning(warning);
                if (!cancelled.IsCancellationRequested)
                    continue;
                ended ??= Clock.Now;
                if (activity.DescribeHungCall(Clock.Now, ended.Value) is not { } words)
                    continue;
                SendWarning(new IoWarning(WarningCodes.NoAnswer, words));
                cancelled.ThrowIfCancellationRequested();
            }
            if (hangs.Update(call: null) is { } back)
                SendWarning(back);
        }

        // Called by the thread that opens the file and by the threads that read it.
        void SetProgress(PreparationStep step, long done, long total)
        {
            lock (gate)
            {
                if (current?.Step != step)
                    activity.Begin(step == PreparationStep.Reading ? RunCallKind.Reading : RunCallKind.Preparation, () => path);
                activity.ReportProgress(done);
                current = (step, done, total);
            }
        }

        void SendWarning(IoWarning warning) => onEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });
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
                $"{target.Path} did not respond, so IoBench could not complete its ownership marker. The next write test verifies the whole file."
            );
    }
}
