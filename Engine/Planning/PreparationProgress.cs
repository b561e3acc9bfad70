namespace IoBench.Engine;

/// <summary>The run's thread writes it, any thread can read it.</summary>
internal sealed class PreparationProgress
{
    private string? _path;
    private int _step;
    private long _done;
    private long _total;
    private long _began;

    public void Begin(string path)
    {
        Volatile.Write(ref _done, 0);
        Volatile.Write(ref _total, 0);
        Volatile.Write(ref _began, Clock.Now);
        Volatile.Write(ref _path, path);
    }

    public void Report(PreparationStep step, long done, long total)
    {
        if (Interlocked.Exchange(ref _step, (int)step) != (int)step)
            Volatile.Write(ref _began, Clock.Now);
        Volatile.Write(ref _total, total);
        Volatile.Write(ref _done, done);
    }

    public void End() => Volatile.Write(ref _path, null);

    public RunProgress GetProgress(RunPhase phase, long elapsed)
    {
        var path = Volatile.Read(ref _path);
        var total = Volatile.Read(ref _total);
        var done = Volatile.Read(ref _done);
        if (path is null || total == 0)
            return new RunProgress(phase, elapsed / 1e9);
        var seconds = (Clock.Now - Volatile.Read(ref _began)) / 1e9;
        var speed = seconds > 0 ? done / seconds : 0;
        return new RunProgress(phase, seconds)
        {
            RemainingSeconds = speed > 0 ? (total - done) / speed : null,
            CurrentMBps = speed / 1048576,
            PreparingPath = path,
            PreparedBytes = done,
            PrepareTotalBytes = total,
            Step = (PreparationStep)Volatile.Read(ref _step),
        };
    }
}
