namespace IoBench.Engine;

/// <summary>Tracks calls outside of the test's I/O, which can hang. Canceling the run does not wait for them.</summary>
public sealed class RunCallTracker
{
    /// <summary>Time that a call can take after the run was canceled. With the polling interval, the total is less than 2 s.</summary>
    private static readonly long s_cancelTimeout = Clock.ToNanoseconds(TimeSpan.FromSeconds(1.5));

    private volatile TrackedCall? _now;

    public void Begin(RunCallKind kind, Func<string?> path) => Begin(kind, path, Clock.Now);

    internal void Begin(RunCallKind kind, Func<string?> path, long now) => _now = new TrackedCall(kind, path, now);

    /// <summary>Reports progress, so that the call does not count as hanging. The same number again is no progress.</summary>
    public void ReportProgress(long done) => ReportProgress(done, Clock.Now);

    internal void ReportProgress(long done, long now)
    {
        if (_now is { } entry && Interlocked.Exchange(ref entry.Done, done) != done)
            Volatile.Write(ref entry.Since, now);
    }

    public void End() => _now = null;

    /// <summary>Returns the pending call; null if it has made progress within the last second.</summary>
    public PendingCall? GetPendingCall(long now)
    {
        if (_now is not { } entry)
            return null;
        var waited = now - Volatile.Read(ref entry.Since);
        return waited >= Clock.Second ? new PendingCall(entry.Kind, entry.Path(), waited / 1e9) : null;
    }

    public IoMessage? DescribeHungCall(long now, long cancelled)
    {
        if (_now is not { } entry || now - Math.Max(cancelled, entry.StartedAt) < s_cancelTimeout)
            return null;
        return $"{entry.Path() ?? "A file of the run"} did not respond. {DescribeKind(entry.Kind)} has taken "
            + $"{Math.Max(1, (now - entry.StartedAt) / 1e9):0} s so far. The file stays in use until the call returns or this process ends. If IoBench "
            + $"cannot complete the ownership marker of the file, the next write test verifies the whole file.";
    }

    private static string DescribeKind(RunCallKind kind) =>
        kind switch
        {
            RunCallKind.Check => "Checking the file",
            RunCallKind.Preparation => "Preparing the file",
            RunCallKind.Opening => "Opening the file",
            RunCallKind.Reading => "Reading the file",
            RunCallKind.Closing => "Updating the ownership marker",
            _ => "Checking the file",
        };

    private sealed class TrackedCall(RunCallKind kind, Func<string?> path, long began)
    {
        public long Done = -1;
        public long Since = began;

        public RunCallKind Kind => kind;
        public Func<string?> Path => path;
        public long StartedAt { get; } = began;
    }
}
