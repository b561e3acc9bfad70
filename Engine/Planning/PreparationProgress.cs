namespace IoBench.Engine.Planning;

/// <summary>How far the making of test files is; written by the run's thread, read by anybody.</summary>
internal sealed class PreparationProgress
{
    private string? _path;
    private int _step;
    private long _done;
    private long _total;
    private long _began;

    /// <summary>Begins with a target.</summary>
    public void Begin(string path)
    {
        Volatile.Write(ref _done, 0);
        Volatile.Write(ref _total, 0);
        Volatile.Write(ref _began, Clock.Now);
        Volatile.Write(ref _path, path);
    }

    /// <summary>Set by the preparer: what it is at, bytes done, and bytes in all.</summary>
    public void Report(PreparationStep step, long done, long total)
    {
        if (Interlocked.Exchange(ref _step, (int)step) != (int)step)
            Volatile.Write(ref _began, Clock.Now);
        Volatile.Write(ref _total, total);
        Volatile.Write(ref _done, done);
    }

    /// <summary>The target is ready.</summary>
    public void End() => Volatile.Write(ref _path, null);

    /// <summary>The snapshot people see.</summary>
    public RunProgress Progress(RunPhase phase, long elapsed)
    {
        var path = Volatile.Read(ref _path);
        var total = Volatile.Read(ref _total);
        var done = Volatile.Read(ref _done);
        if (path is null || total == 0)
            return new RunProgress(phase, elapsed / 1e9, null, 0, 0, null, null, 0, 0);
        var seconds = (Clock.Now - Volatile.Read(ref _began)) / 1e9;
        var speed = seconds > 0 ? done / seconds : 0;
        return new RunProgress(phase, seconds, speed > 0 ? (total - done) / speed : null, 0, speed / 1048576, null, path, done, total)
        {
            Step = (PreparationStep)Volatile.Read(ref _step),
        };
    }
}
