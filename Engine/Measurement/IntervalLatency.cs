using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>Latencies of one kind of I/O in one interval of the measured time, in nanoseconds.</summary>
internal struct IntervalLatency
{
    public const int Size = 5 * sizeof(long);

    private long _count;
    private long _min;
    private long _max;
    private double _sum;
    private double _sumOfSquares;

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

    /// <summary>In milliseconds; null without any I/O. The deviation is that of the population.</summary>
    public readonly IoLatencySummary? ToSummary()
    {
        if (_count == 0)
            return null;
        var mean = _sum / _count;
        return new IoLatencySummary(_min / 1e6, _max / 1e6, mean / 1e6, Math.Sqrt(Math.Max(0, _sumOfSquares / _count - mean * mean)) / 1e6);
    }
}
