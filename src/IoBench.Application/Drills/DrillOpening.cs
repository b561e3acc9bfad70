namespace IoBench.Application.Drills;

/// <summary>
/// Checks, makes, opens and reads a drill's file on a thread of its own: each of these can hang with a disk that is away already. It is said while it hangs, and
/// whoever ends the drill is not kept waiting.
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

    /// <summary>Opens the file; shows how far that is on the calling thread.</summary>
    /// <param name="options">What it may do.</param>
    /// <param name="slots">I/Os in flight at most.</param>
    /// <param name="wrong">Told each error that the checks find, by the thread that found it.</param>
    /// <param name="observer">Shows it.</param>
    /// <param name="cancelled">Ends it.</param>
    /// <exception cref="IoBenchException">The file is refused or cannot be made.</exception>
    /// <exception cref="OperationCanceledException">It was ended.</exception>
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
            // What comes back after all is used by nobody. A failure that nobody waits for any more needs no answer.
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

    // By the thread that opens, and by those that read.
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
