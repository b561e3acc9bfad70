namespace IoBench.Engine.Running;

/// <summary>
/// What a run's own thread does outside of the test's I/O: looks at files, opens, fills, proves and closes them. Each of these calls can hang with a disk
/// that does not answer; it is reported while it hangs, and whoever cancels the run sees what hangs and is not kept waiting.
/// </summary>
internal sealed class RunActivity
{
    /// <summary>How long an activity may go on after the run was cancelled. With the looks of the clock it stays below 2 s.</summary>
    private static readonly long s_patience = Clock.Nanoseconds(TimeSpan.FromSeconds(1.5));

    private volatile Entry? _now;

    /// <summary>Something begins.</summary>
    /// <param name="kind">What it is.</param>
    /// <param name="path">The file it is about, when asked; null when none can be named.</param>
    public void Begin(RunCallKind kind, Func<string?> path) => Begin(kind, path, Clock.Now);

    /// <summary>The same at a moment.</summary>
    internal void Begin(RunCallKind kind, Func<string?> path, long now) => _now = new Entry(kind, path, now);

    /// <summary>It has got further: what hangs does not. The same number twice is no progress.</summary>
    /// <param name="done">How far it is.</param>
    public void Moved(long done) => Moved(done, Clock.Now);

    /// <summary>The same at a moment.</summary>
    internal void Moved(long done, long now)
    {
        if (_now is { } entry && Interlocked.Exchange(ref entry.Done, done) != done)
            Volatile.Write(ref entry.Since, now);
    }

    /// <summary>It is over.</summary>
    public void End() => _now = null;

    /// <summary>What hangs, for those who watch; null when nothing has for a second.</summary>
    /// <param name="now">The time.</param>
    public WaitingCall? Waiting(long now) =>
        _now is { } entry && now - Volatile.Read(ref entry.Since) is >= Clock.Second and var waited
            ? new WaitingCall(entry.Kind, entry.Path(), waited / 1e9)
            : null;

    /// <summary>What hangs, for people; null when nothing does.</summary>
    /// <param name="now">The time.</param>
    /// <param name="cancelled">When the run was cancelled.</param>
    public IoText? Hung(long now, long cancelled)
    {
        if (_now is not { } entry || now - Math.Max(cancelled, entry.Began) < s_patience)
            return null;
        return (IoText)
            $"{entry.Path() ?? "A file of the run"} did not answer: {Words(entry.Kind)} has been waiting for {Math.Max(1, (now - entry.Began) / 1e9):0} s. It stays in use until that call returns or this process ends; a mark that was open stays open.";
    }

    private static string Words(RunCallKind kind) =>
        kind switch
        {
            RunCallKind.Check => "its check",
            RunCallKind.Preparation => "its preparation",
            RunCallKind.Opening => "its opening",
            RunCallKind.Reading => "its reading",
            RunCallKind.Closing => "the closing of its mark",
            _ => "a look at it",
        };

    private sealed class Entry(RunCallKind kind, Func<string?> path, long began)
    {
        public long Done = -1;
        public long Since = began;

        public RunCallKind Kind => kind;
        public Func<string?> Path => path;
        public long Began { get; } = began;
    }
}
