namespace IoBench.Engine;

/// <summary>A modeled device that the workers share: servers, each busy for a time per I/O, first come, first served.</summary>
internal sealed class NullDevice
{
    private readonly object _lock = new();
    private readonly NullDeviceModel _model;
    private readonly PriorityQueue<int, long> _freeAt = new();
    private RandomSource _random;
    private double _burstCredit;
    private double _admittedAt;
    private long? _firstArrival;

    public NullDevice(NullDeviceModel model, ulong seed)
    {
        _model = model;
        _burstCredit = model.BurstCredit;
        _random = new RandomSource(seed, thread: -1, target: -1);
        _freeAt.EnsureCapacity(Math.Max(1, model.Servers) + 1);
        for (var i = 0; i < model.Servers; i++)
            _freeAt.Enqueue(i, 0);
    }

    public long GetCompletionTime(long arrival, int bytes)
    {
        lock (_lock)
        {
            arrival = ApplyThrottle(arrival, bytes);
            var service = NextServiceTime(bytes);
            if (_model.Servers == 0)
                return ApplyStalls(arrival, service);
            _freeAt.TryDequeue(out var server, out var free);
            var complete = ApplyStalls(Math.Max(arrival, free), service);
            _freeAt.Enqueue(server, complete);
            return complete;
        }
    }

    // An I/O that a stall interrupts continues after the stall.
    private long ApplyStalls(long start, long service)
    {
        if (_model.StallSeconds == 0)
            return start + service;
        _firstArrival ??= start;
        var stall = _firstArrival.Value + (long)(_model.StallAtSeconds * Clock.Second);
        var length = (long)(_model.StallSeconds * Clock.Second);
        var every = (long)(_model.StallEverySeconds * Clock.Second);
        if (every > 0 && start >= stall + length)
            stall += ((start - stall - length) / every + 1) * every;
        var over = stall + length;
        return start >= over || start + service <= stall ? start + service : over + service - Math.Max(0, stall - start);
    }

    // The throttle admits arrivals in order, one I/O or its bytes at a time, and faster while the burst credit lasts.
    private long ApplyThrottle(long arrival, int bytes)
    {
        if (_model is { MaxIops: 0, MaxBytesPerSecond: 0 })
            return arrival;
        var isBurst = _burstCredit > 0 && _model.BurstIops > _model.MaxIops;
        var rate = isBurst ? _model.BurstIops : _model.MaxIops;
        if (isBurst)
            _burstCredit -= 1 - _model.MaxIops / rate;
        var interval = Math.Max(
            rate > 0 ? Clock.Second / rate : 0,
            _model.MaxBytesPerSecond > 0 ? Clock.Second * bytes / _model.MaxBytesPerSecond : 0
        );
        _admittedAt = Math.Max(arrival, _admittedAt) + interval;
        return (long)_admittedAt;
    }

    private long NextServiceTime(int bytes)
    {
        var milliseconds = _model.Kind switch
        {
            NullServiceTime.Exponential => -Math.Log(1 - _random.NextDouble()) * _model.MeanMs,
            NullServiceTime.Bimodal => _random.NextDouble() * 100 < _model.SlowPercent ? _model.SlowMs : _model.MeanMs,
            _ => _model.MeanMs,
        };
        return (long)Math.Round((milliseconds + _model.MsPerKB * bytes / 1024) * 1e6);
    }
}
