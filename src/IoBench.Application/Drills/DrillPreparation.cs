using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Makes the file calls on a separate thread, because each of them can hang if the disk is already unavailable.</summary>
internal sealed class DrillPreparation
{
    private static readonly TimeSpan s_pollInterval = TimeSpan.FromMilliseconds(100);

    private readonly DrillPlan _plan;
    private readonly Action<string, double?> _onProgress;
    private readonly Action<DrillEvent> _onEvent;
    private readonly object _gate = new();
    private readonly RunCallTracker _activity = new();
    private readonly HangMonitor _hangs = new();
    private (PreparationStep Step, long Done, long Total)? _current;

    private DrillPreparation(DrillPlan plan, Action<string, double?> onProgress, Action<DrillEvent> onEvent) =>
        (_plan, _onProgress, _onEvent) = (plan, onProgress, onEvent);

    private string Path => _plan.Test.Targets[0].Path;

    /// <param name="wrong">Receives each data mismatch, on the thread that found it.</param>
    public static DrillTarget OpenFile(
        DrillPlan plan,
        TestRunOptions options,
        int slots,
        Action<IoIntegrityError> wrong,
        Action<string, double?> onProgress,
        Action<DrillEvent> onEvent,
        CancellationToken cancelled
    )
    {
        var opening = new DrillPreparation(plan, onProgress, onEvent);
        opening._activity.Begin(RunCallKind.Preparation, () => opening.Path);
        var work = new CancellableCall<DrillTarget>(() =>
            DrillTarget.Open(plan.Test, options, slots, wrong, opening.ReportProgress, cancelled)
        );
        try
        {
            opening.WaitForOpen(work, cancelled);
            return work.Result;
        }
        catch
        {
            // If the file opens after all, nothing uses it, so close it. The caller has already failed, so ignore a late error.
            work.Abandon(late => late.Dispose());
            throw;
        }
    }

    private void WaitForOpen(CancellableCall<DrillTarget> work, CancellationToken cancelled)
    {
        long? ended = null;
        (PreparationStep Step, long Done, long Total)? shown = null;
        while (!work.Wait(s_pollInterval))
        {
            (PreparationStep Step, long Done, long Total)? current;
            lock (_gate)
                current = _current;
            if (current is { } now && now != shown)
                _onProgress(SuiteMessages.FormatFileProgress(now.Step, Path, now.Done, now.Total, 0), null);
            shown = current;
            if (_hangs.Update(_activity.GetPendingCall(Clock.Now)) is { } warning)
                SendWarning(warning);
            if (!cancelled.IsCancellationRequested)
                continue;
            ended ??= Clock.Now;
            if (_activity.DescribeHungCall(Clock.Now, ended.Value) is not { } words)
                continue;
            SendWarning(new IoWarning(WarningCodes.NoAnswer, words));
            cancelled.ThrowIfCancellationRequested();
        }
        if (_hangs.Update(call: null) is { } back)
            SendWarning(back);
    }

    // Called by the thread that opens the file and by the threads that read it.
    private void ReportProgress(PreparationStep step, long done, long total)
    {
        lock (_gate)
        {
            if (_current?.Step != step)
                _activity.Begin(step == PreparationStep.Learning ? RunCallKind.Reading : RunCallKind.Preparation, () => Path);
            _activity.ReportProgress(done);
            _current = (step, done, total);
        }
    }

    private void SendWarning(IoWarning warning) => _onEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });
}
