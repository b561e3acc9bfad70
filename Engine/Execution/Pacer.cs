namespace IoBench.Engine;

/// <summary>
/// When a thread may start its next I/O on a target: bursts with rest between them, a closed-loop rate limit, or an open loop's
/// schedule. A lane without any of these has no pacer.
/// </summary>
internal sealed class Pacer
{
    // A limited thread may catch up on this much lost time (a late timer), but not on a stall of the device.
    private const long MostCatchUp = 50_000_000;

    private readonly double _interval;
    private readonly bool _open;
    private readonly int _burstSize;
    private readonly long _thinkTime;
    // Since the beginning, so that a fraction of a nanosecond still counts after a year without a restart of the computer.
    private double _next;
    private long _begin;
    private int _burstLeft;

    private Pacer(double interval, bool open, int burstSize, long thinkTime)
    {
        _interval = interval;
        _open = open;
        _burstSize = burstSize;
        _burstLeft = burstSize;
        _thinkTime = thinkTime;
    }

    /// <summary>The pacer of thread <paramref name="thread"/> of the target's <paramref name="threads"/>; null when nothing paces it.</summary>
    public static Pacer? For(IoPattern pattern, int thread, int threads)
    {
        if (pattern.TargetIops is { } rate)
        {
            // The threads take turns: together they keep an even rate.
            return new Pacer(Clock.Second * (double)threads / rate, open: true, 0, 0) { _next = Clock.Second / rate * thread };
        }
        var limit = Math.Min(pattern.MaxIopsPerThread ?? double.MaxValue, pattern.MaxBytesPerSecondPerThread / pattern.BlockSize ?? double.MaxValue);
        var bursts = pattern.BurstSize > 0 && pattern.ThinkTimeMs > 0;
        if (limit == double.MaxValue && !bursts)
            return null;
        return new Pacer(limit == double.MaxValue ? 0 : Clock.Second / limit, open: false, bursts ? pattern.BurstSize : 0, pattern.ThinkTimeMs * 1_000_000L);
    }

    /// <summary>Whether I/Os start on a schedule.</summary>
    public bool IsOpenLoop => _open;

    /// <summary>The moment of the next I/O in nanoseconds.</summary>
    public long Due => _begin + (long)_next;

    /// <summary>Sets the schedule's beginning.</summary>
    public void Begin(long moment) => _begin = moment;

    /// <summary>Tells that an I/O that was due starts now; returns the moment it should have started.</summary>
    public long Take(long now)
    {
        var intended = Due;
        var since = now - _begin;
        if (!_open)
            _next = Math.Max(_next, since - MostCatchUp);
        _next += _interval;
        if (_burstSize > 0 && --_burstLeft == 0)
        {
            _burstLeft = _burstSize;
            _next = Math.Max(_next, since + _thinkTime);
        }
        return intended;
    }
}
