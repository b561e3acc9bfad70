namespace IoBench.Engine.Measurement;

/// <summary>One of the slowest I/Os as a worker notes it.</summary>
internal struct SlowIO
{
    /// <summary>When it was started, in nanoseconds.</summary>
    public long Started;

    /// <summary>From its start to its end, in nanoseconds.</summary>
    public long Latency;

    /// <summary>Open loop: from the moment it was due to its start, in nanoseconds; -1 in a closed loop.</summary>
    public long Queued;

    /// <summary>Its place in the target in bytes.</summary>
    public long Offset;

    /// <summary>Bytes.</summary>
    public int Size;

    /// <summary>Other I/Os of the run in flight at its end.</summary>
    public int InFlight;

    /// <summary>The target's number.</summary>
    public int Target;

    /// <summary>What it did.</summary>
    public SlotOperation Operation;

    /// <summary>It never came back.</summary>
    public bool IsLost;
}

/// <summary>The slowest I/Os of a worker: a heap of fixed size with the fastest of them on top, so that an I/O that does not belong to them costs one comparison.</summary>
internal sealed class SlowestIOs
{
    private readonly SlowIO[] _heap = new SlowIO[IoSlowIO.MaxCount];
    private int _count;

    /// <summary>An I/O above this latency, in nanoseconds, belongs to the slowest so far.</summary>
    public long Threshold => _count < _heap.Length ? -1 : _heap[0].Latency;

    /// <summary>The slowest so far, in no order.</summary>
    public ReadOnlySpan<SlowIO> All => _heap.AsSpan(0, _count);

    /// <summary>Adds one above <see cref="Threshold"/>; the fastest of the others makes room.</summary>
    public void Add(in SlowIO io)
    {
        if (io.Latency <= Threshold)
            return;
        if (_count < _heap.Length)
        {
            _heap[_count] = io;
            Rise(_count++);
            return;
        }
        _heap[0] = io;
        Sink();
    }

    private void Rise(int at)
    {
        for (var parent = (at - 1) / 2; at > 0 && _heap[at].Latency < _heap[parent].Latency; parent = (at - 1) / 2)
        {
            (_heap[at], _heap[parent]) = (_heap[parent], _heap[at]);
            at = parent;
        }
    }

    private void Sink()
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
