namespace IoBench.Engine;

/// <summary>When a thread can start its next I/O: bursts with idle time, a rate limit, or an open loop's schedule.</summary>
internal sealed class Pacer
{
    // A limited thread can catch up on this much lost time (a late timer), but not on a stall of the device.
    private const long MaxCatchUp = 50_000_000;

    // A longer backlog counts as evenly spaced, which changes its ages by far less than a bucket.
    private const int MaxRandomArrivals = 1_000_000;

    private readonly double _interval;
    private readonly bool _open;
    private readonly bool _isPoisson;
    private readonly int _burstSize;
    private readonly long _thinkTime;

    // Relative to the start, so that a fraction of a nanosecond still counts after a year of uptime.
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

    public static Pacer? Create(IoPattern pattern, int thread, int threads, RandomSource random)
    {
        if (pattern.TargetIops is { } iops)
        {
            // Random arrivals of several threads add up to random arrivals. With even arrivals, the threads take turns.
            var interval = Clock.Second * threads / iops;
            var pacer = new Pacer(interval, open: true, 0, 0, pattern.Arrivals == IoArrivals.Poisson ? random : null);
            pacer._next = pacer._isPoisson ? pacer.NextGap() : interval / threads * thread;
            return pacer;
        }
        if (!pattern.IsRateLimited)
            return null;
        var limit = Math.Min(
            pattern.MaxIopsPerThread ?? double.MaxValue,
            pattern.MaxBytesPerSecondPerThread / pattern.GetMeanBlockSize() ?? double.MaxValue
        );
        // Threads start at different times within a step. Otherwise all of them would reach the storage at the same time.
        var pace = limit == double.MaxValue ? 0 : Clock.Second / limit;
        var rest = pattern.HasBursts ? pattern.ThinkTimeMs * 1_000_000L : 0;
        var burst = pattern.HasBursts ? pattern.BurstSize : 0;
        return new Pacer(pace, open: false, burst, rest) { _next = Math.Max(rest, pace) * thread / threads };
    }

    public bool IsOpenLoop => _open;

    public long NextDue => _begin + (long)_next;

    public void SetStart(long moment) => _begin = moment;

    public long StartNext(long now)
    {
        var intended = NextDue;
        var since = now - _begin;
        if (!_open)
            _next = Math.Max(_next, since - MaxCatchUp);
        _next += NextGap();
        if (_burstSize > 0 && --_burstLeft == 0)
        {
            _burstLeft = _burstSize;
            _next = Math.Max(_next, since + _thinkTime);
        }
        return intended;
    }

    /// <summary>Adds the I/Os of an open loop that were due before a time and never started.</summary>
    /// <param name="from">Start of the measured time; I/Os that were due earlier do not count.</param>
    /// <param name="now">Time up to which their age counts.</param>
    public void CountNeverStarted(long from, long end, long now, int writePercent, ResponseTimes times)
    {
        // A copy, because a hanging thread can still return and use its own pacer.
        var rest = (Pacer)MemberwiseClone();
        for (var drawn = 0; rest.NextDue < end; drawn++)
        {
            var isRandom = drawn < MaxRandomArrivals && _isPoisson;
            if (!isRandom && rest.NextDue < from)
                rest._next += Math.Ceiling((from - rest.NextDue) / _interval) * _interval;
            var count = isRandom ? 1 : Math.Max(1, (long)Math.Ceiling((end - rest.NextDue) / _interval));
            var first = rest.NextDue;
            if (count > 1)
                rest._next += _interval * (count - 1);
            var last = Math.Min(rest.StartNext(now), end - 1);
            if (first >= from && first < end)
                times.RecordNeverStarted(count, first, last, now, writePercent);
            if (!isRandom)
                break;
        }
    }

    // Random arrivals have exponentially distributed gaps.
    private double NextGap() => _isPoisson ? -Math.Log(1 - _random.NextDouble()) * _interval : _interval;
}
