namespace IoBench.Engine.Running.Workers;

/// <summary>
/// When a thread may start its next I/O on a target: bursts with rest between them, a closed-loop rate limit, or an open loop's
/// schedule. A stream without any of these has no pacer.
/// </summary>
internal sealed class Pacer
{
    // A limited thread may catch up on this much lost time (a late timer), but not on a stall of the device.
    private const long MaxCatchUp = 50_000_000;

    // A backlog longer than this is taken as even: its ages are then exact to far below a bucket.
    private const int MaxDrawn = 1_000_000;

    private readonly double _interval;
    private readonly bool _open;
    private readonly bool _isPoisson;
    private readonly int _burstSize;
    private readonly long _thinkTime;

    // Since the beginning, so that a fraction of a nanosecond still counts after a year without a restart of the computer.
    private double _next;
    private long _begin;
    private int _burstLeft;
    private RandomSource _random;

    private Pacer(double interval, bool open, int burstSize, long thinkTime, RandomSource? arrivals = null)
    {
        _interval = interval;
        _open = open;
        _isPoisson = arrivals is not null;
        _random = arrivals ?? default;
        _burstSize = burstSize;
        _burstLeft = burstSize;
        _thinkTime = thinkTime;
    }

    /// <summary>The pacer of thread <paramref name="thread"/> of the target's <paramref name="threads"/>; null when nothing paces it.</summary>
    /// <param name="pattern">Says what paces it.</param>
    /// <param name="thread">Number of the thread.</param>
    /// <param name="threads">Threads of the target.</param>
    /// <param name="random">Draws the moments of random arrivals.</param>
    public static Pacer? For(IoPattern pattern, int thread, int threads, RandomSource random)
    {
        if (pattern.Pace is IoPace.Open schedule)
        {
            // Random arrivals of several threads add up to random arrivals; with even ones the threads take turns, so that together they keep an even rate.
            var interval = Clock.Second * threads / schedule.Iops;
            var pacer = new Pacer(interval, open: true, 0, 0, schedule.Arrivals == IoArrivals.Poisson ? random : null);
            pacer._next = pacer._isPoisson ? pacer.Gap() : interval / threads * thread;
            return pacer;
        }
        if (pattern.Pace is not IoPace.Closed { IsLimited: true } loop)
            return null;
        var limit = Math.Min(loop.Limit?.Iops ?? double.MaxValue, loop.Limit?.BytesPerSecond / pattern.MeanBlockSize() ?? double.MaxValue);
        // Threads begin one after the other within a step: in phase all of them would meet at the storage at the same moment.
        var pace = limit == double.MaxValue ? 0 : Clock.Second / limit;
        var rest = (loop.Burst?.ThinkTimeMs ?? 0) * 1_000_000L;
        return new Pacer(pace, open: false, loop.Burst?.Size ?? 0, rest) { _next = Math.Max(rest, pace) * thread / threads };
    }

    /// <summary>Whether I/Os start on a schedule.</summary>
    public bool IsOpenLoop => _open;

    /// <summary>The moment of the next I/O in nanoseconds.</summary>
    public long Due => _begin + (long)_next;

    /// <summary>Sets the schedule's beginning.</summary>
    public void Begin(long moment) => _begin = moment;

    /// <summary>Notes that an I/O that was due starts now; returns the moment it should have started.</summary>
    public long Take(long now)
    {
        var intended = Due;
        var since = now - _begin;
        if (!_open)
            _next = Math.Max(_next, since - MaxCatchUp);
        _next += Gap();
        if (_burstSize > 0 && --_burstLeft == 0)
        {
            _burstLeft = _burstSize;
            _next = Math.Max(_next, since + _thinkTime);
        }
        return intended;
    }

    /// <summary>Hands an open loop's I/Os that were due before a moment and never started to those that count them.</summary>
    /// <param name="from">Beginning of the measured time: what was due earlier is not counted.</param>
    /// <param name="end">The moment.</param>
    /// <param name="now">When no more was awaited.</param>
    /// <param name="writePercent">Share of writes.</param>
    /// <param name="times">Counts them.</param>
    public void CountNeverStarted(long from, long end, long now, int writePercent, ResponseTimes times)
    {
        // A copy: where a thread hangs it may still come back and use its own.
        var rest = (Pacer)MemberwiseClone();
        for (var drawn = 0; rest.Due < end; drawn++)
        {
            var isDrawn = drawn < MaxDrawn && _isPoisson;
            if (!isDrawn && rest.Due < from)
                rest._next += Math.Ceiling((from - rest.Due) / _interval) * _interval;
            var count = isDrawn ? 1 : Math.Max(1, (long)Math.Ceiling((end - rest.Due) / _interval));
            var first = rest.Due;
            if (count > 1)
                rest._next += _interval * (count - 1);
            var last = Math.Min(rest.Take(now), end - 1);
            if (first >= from && first < end)
                times.NeverStarted(count, first, last, now, writePercent);
            if (!isDrawn)
                break;
        }
    }

    // Between random arrivals lie exponential times.
    private double Gap() => _isPoisson ? -Math.Log(1 - _random.NextDouble()) * _interval : _interval;
}
