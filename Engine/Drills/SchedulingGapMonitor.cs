namespace IoBench.Engine;

/// <summary>
/// Detects that the host did not run this process: a suspended process, a moved virtual machine, or a host without a free CPU. A thread
/// wakes up every 20 ms and does no I/O, so a late wake-up does not depend on the storage. Gaps are in nanoseconds of <see cref="Clock"/>.
/// </summary>
public sealed class SchedulingGapMonitor : IDisposable
{
    /// <summary>Shortest gap in nanoseconds.</summary>
    public const long Shortest = 100_000_000;

    private static readonly TimeSpan s_interval = TimeSpan.FromMilliseconds(20);

    private readonly object _gate = new();
    private readonly Queue<(long Begin, long End)> _gaps = new();
    private readonly ManualResetEventSlim _isOver = new();
    private long _last;
    private long _longestDelay;

    /// <summary>Longest delay of a wake-up in seconds, without the gaps.</summary>
    public double LongestDelaySeconds => Volatile.Read(ref _longestDelay) / (double)Clock.Second;

    /// <param name="now">Time of the first wake-up.</param>
    public SchedulingGapMonitor(long now) => _last = now;

    public static SchedulingGapMonitor Start()
    {
        var monitor = new SchedulingGapMonitor(Clock.Now);
        new Thread(monitor.Run) { IsBackground = true, Name = "IoBench scheduling gaps" }.Start();
        return monitor;
    }

    /// <summary>Returns the gaps that ended until now and were not returned before, one per call; null = no more.</summary>
    internal (long Begin, long End)? TakeGap(long now)
    {
        lock (_gate)
        {
            // After a gap, the caller can run before the monitor's own thread does.
            WakeUp(now);
            return _gaps.TryPeek(out var gap) && gap.End <= now ? _gaps.Dequeue() : null;
        }
    }

    /// <summary>Returns all gaps that ended until now and were not returned before.</summary>
    internal IReadOnlyList<(long Begin, long End)> TakeAll()
    {
        List<(long Begin, long End)> gaps = [];
        while (TakeGap(Clock.Now) is { } gap)
            gaps.Add(gap);
        return gaps;
    }

    internal void WakeUp(long now)
    {
        lock (_gate)
        {
            if (now - _last > Shortest)
                _gaps.Enqueue((_last, now));
            _last = Math.Max(_last, now);
        }
    }

    public void Dispose() => _isOver.Set();

    private void Run()
    {
        for (var before = Clock.Now; !_isOver.Wait(s_interval); before = Clock.Now)
        {
            var now = Clock.Now;
            AddDelay(now - before - s_interval.Ticks * (Clock.Second / TimeSpan.TicksPerSecond));
            WakeUp(now);
        }
    }

    internal void AddDelay(long delay)
    {
        if (delay < Shortest && delay > _longestDelay)
            Volatile.Write(ref _longestDelay, delay);
    }
}
