namespace IoBench.Engine;

/// <summary>
/// A device known exactly: so many servers, each busy for a modelled time an I/O, first come first served. Shared by the workers of a run.
/// </summary>
internal sealed class NullDevice
{
    private readonly object _gate = new();
    private readonly NullDeviceModel _model;
    private readonly PriorityQueue<int, long> _freeAt = new();
    private RandomSource _random;

    /// <summary>A device after a model; the seed fixes its service times.</summary>
    public NullDevice(NullDeviceModel model, ulong seed)
    {
        _model = model;
        _random = new RandomSource(seed, thread: -1, target: -1);
        _freeAt.EnsureCapacity(Math.Max(1, model.Servers) + 1);
        for (var i = 0; i < model.Servers; i++)
            _freeAt.Enqueue(i, 0);
    }

    /// <summary>When an I/O that arrives at a moment will be complete.</summary>
    public long Serve(long arrival)
    {
        lock (_gate)
        {
            var service = ServiceTime();
            if (_model.Servers == 0)
                return arrival + service;
            _freeAt.TryDequeue(out var server, out var free);
            var complete = Math.Max(arrival, free) + service;
            _freeAt.Enqueue(server, complete);
            return complete;
        }
    }

    private long ServiceTime()
    {
        var milliseconds = _model.Kind switch
        {
            NullServiceTime.Exponential => -Math.Log(1 - _random.NextDouble()) * _model.MeanMs,
            NullServiceTime.Bimodal => _random.NextDouble() * 100 < _model.SlowPercent ? _model.SlowMs : _model.MeanMs,
            _ => _model.MeanMs,
        };
        return (long)Math.Round(milliseconds * 1e6);
    }
}
