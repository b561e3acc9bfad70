using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks, creates, opens, and reads the file of a drill on a separate thread, because each of these calls can hang if the disk is already
/// unavailable.
/// The calling thread reports a call that hangs and can cancel at any time.
/// </summary>
internal sealed class DrillOpening
{
    private static readonly TimeSpan s_look = TimeSpan.FromMilliseconds(100);

    private readonly DrillPlan _plan;
    private readonly IDrillObserver _observer;
    private readonly RunActivity _activity = new();
    private readonly HangWatch _hangs = new();
    private volatile Progress? _now;
    private Progress? _shown;

    private DrillOpening(DrillPlan plan, IDrillObserver observer) => (_plan, _observer) = (plan, observer);

    private string Path => _plan.Test.Targets[0].Path;

    /// <param name="slots">Maximum number of outstanding I/Os.</param>
    /// <param name="wrong">Receives each data mismatch, on the thread that found it.</param>
    /// <exception cref="IoBenchException">The file is refused or cannot be created.</exception>
    /// <exception cref="OperationCanceledException">The call was canceled.</exception>
    public static DrillTarget Open(
        DrillPlan plan,
        TestRunOptions options,
        int slots,
        Action<IoIntegrityError> wrong,
        IDrillObserver observer,
        CancellationToken cancelled
    )
    {
        var opening = new DrillOpening(plan, observer);
        opening._activity.Begin(RunCallKind.Preparation, () => opening.Path);
        var work = Task.Factory.StartNew(
            () => DrillTarget.Open(plan.Test, options, slots, wrong, opening.Report, cancelled),
            CancellationToken.None,
            TaskCreationOptions.LongRunning,
            TaskScheduler.Default
        );
        try
        {
            opening.Watch(work, cancelled);
            return work.GetAwaiter().GetResult();
        }
        catch
        {
            // If the file opens after all, nothing uses it, so close it. A late error needs no report, because the caller has already
            // failed.
            work.ContinueWith(
                late => late.Result.Dispose(),
                CancellationToken.None,
                TaskContinuationOptions.OnlyOnRanToCompletion,
                TaskScheduler.Default
            );
            throw;
        }
    }

    private void Watch(Task work, CancellationToken cancelled)
    {
        long? ended = null;
        while (Task.WaitAny([work], s_look) < 0)
        {
            if (_now is { } now && now != _shown)
                _observer.OnPreparing(Path, now.Step, now.Done, now.Total);
            _shown = _now;
            if (_hangs.Look(_activity.Waiting(Clock.Now)) is { } warning)
                Warn(warning);
            if (!cancelled.IsCancellationRequested)
                continue;
            ended ??= Clock.Now;
            if (_activity.Hung(Clock.Now, ended.Value) is not { } words)
                continue;
            Warn(new IoWarning(WarningCodes.NoAnswer, words));
            cancelled.ThrowIfCancellationRequested();
        }
        if (_hangs.Look(call: null) is { } back)
            Warn(back);
    }

    // Called by the thread that opens the file and by the threads that read it.
    private void Report(PreparationStep step, long done, long total)
    {
        if (_now?.Step != step)
            _activity.Begin(step == PreparationStep.Learning ? RunCallKind.Reading : RunCallKind.Preparation, () => Path);
        _activity.Moved(done);
        _now = new Progress(step, done, total);
    }

    private void Warn(IoWarning warning) => _observer.OnEvent(new DrillEvent(DrillEventKind.Warning, 0) { Warning = warning });

    private sealed record Progress(PreparationStep Step, long Done, long Total);
}
