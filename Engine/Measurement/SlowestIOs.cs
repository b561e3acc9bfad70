namespace IoBench.Engine;

internal struct SlowIO
{
    public long Started;

    public long Latency;

    /// <summary>Open loop: time from the scheduled start to the start, in nanoseconds; -1 in a closed loop.</summary>
    public long Queued;

    public long Offset;

    public int Size;

    public int InFlight;

    public int Target;

    public IoRequestKind Operation;

    public bool IsLost;
}

/// <summary>The slowest I/Os of a worker in a fixed heap, so that any faster I/O costs one comparison.</summary>
internal sealed class SlowestIOs
{
    private readonly SlowIO[] _heap = new SlowIO[IoSlowIO.MaxCount];
    private int _count;

    public long Threshold => _count < _heap.Length ? -1 : _heap[0].Latency;

    public ReadOnlySpan<SlowIO> All => _heap.AsSpan(0, _count);

    public void Add(in SlowIO io)
    {
        if (io.Latency <= Threshold)
            return;
        if (_count < _heap.Length)
        {
            _heap[_count] = io;
            SiftUp(_count++);
            return;
        }
        _heap[0] = io;
        SiftDown();
    }

    private void SiftUp(int at)
    {
        for (var parent = (at - 1) / 2; at > 0 && _heap[at].Latency < _heap[parent].Latency; parent = (at - 1) / 2)
        {
            (_heap[at], _heap[parent]) = (_heap[parent], _heap[at]);
            at = parent;
        }
    }

    private void SiftDown()
    {
        for (var at = 0; 2 * at + 1 < _count; )
        {
            var child = 2 * at + 1;
            if (child + 1 < _count && _heap[child + 1].Latency < _heap[child].Latency)
                child++;
            if (_heap[at].Latency <= _heap[child].Latency)
                return;
            (_heap[at], _heap[child]) = (_heap[child], _heap[at]);
            at = child;
        }
    }
}
