using System.Runtime.CompilerServices;

namespace IoBench.Engine.Measurement;

/// <summary>Latencies of one kind of I/O in one interval of the measured time, in nanoseconds.</summary>
internal struct IntervalLatency
{
    /// <summary>Bytes one takes.</summary>
    public const int Size = 5 * sizeof(long);

    private long _count;
    private long _min;
    private long _max;
    private double _sum;
    private double _sumOfSquares;

    /// <summary>Adds the same latency so many times.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Add(long latency, int times)
    {
        if (_count == 0 || latency < _min)
            _min = latency;
        _count += times;
        if (latency > _max)
            _max = latency;
        double value = latency;
        _sum += value * times;
        _sumOfSquares += value * value * times;
    }

    /// <summary>Adds another thread's latencies of the same interval.</summary>
    public void Add(in IntervalLatency other)
    {
        if (other._count == 0)
            return;
        _min = _count == 0 ? other._min : Math.Min(_min, other._min);
        _max = Math.Max(_max, other._max);
        _count += other._count;
        _sum += other._sum;
        _sumOfSquares += other._sumOfSquares;
    }

    /// <summary>As results report it, in milliseconds; null without any I/O. The deviation is sqrt(mean of squares - square of mean), the population's.</summary>
    public readonly IoLatencySummary? Summary()
    {
        if (_count == 0)
            return null;
        var mean = _sum / _count;
        return new IoLatencySummary(_min / 1e6, _max / 1e6, mean / 1e6, Math.Sqrt(Math.Max(0, _sumOfSquares / _count - mean * mean)) / 1e6);
    }
}
