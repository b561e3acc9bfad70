using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>What came of a worker's I/Os: latencies by stream and interval, and the counters that others read while it works.</summary>
internal sealed unsafe class WorkerRecorder(RunControl control, TargetStream[] streams, WorkerCounters counters, IntervalFold? fold)
{
    private long _intervalEnd = control.MeasureFrom;
    private int _interval = -1;
    private long _allocatedBefore = -1;
    private bool _counting;
    private readonly bool _hasResponses = streams.Any(stream => stream.Latencies.Response is not null);
    private long _now;
    private long _ios;
    private long _bytes;
    // The last I/Os of this moment that are alike.
    private long _started;
    private SlotOperation _operation;
    private int _stream;
    private int _alike;
    private long _alikeBytes;

    /// <summary>Managed bytes that the worker allocated in the measured time; null before its end.</summary>
    public long? AllocatedBytes { get; private set; }

    /// <summary>Completions follow that were taken at a moment.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="finishing">No more is started: what comes now belongs to no interval.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void At(long now, bool finishing)
    {
        if (now >= _intervalEnd)
            NextInterval(now);
        _counting = _interval >= 0 && !finishing;
        _now = now;
    }

    /// <summary>The run ends here: the other completions of this moment belong to no interval.</summary>
    public void StopCounting()
    {
        CountAlike();
        _counting = false;
    }

    /// <summary>
    /// An I/O is back, whole. Those of one moment that are alike, started by one call and of one kind, are counted together: so a batch costs little more than
    /// a single I/O, and each of them is in the histogram.
    /// </summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(IoSlot* slot)
    {
        if (slot->Started != _started || slot->Operation != _operation || slot->Stream != _stream)
        {
            CountAlike();
            (_started, _operation, _stream) = (slot->Started, slot->Operation, slot->Stream);
        }
        if (_hasResponses)
            streams[slot->Stream].RecordResponse(slot, _now);
        _alike++;
        _alikeBytes += slot->Length + slot->Moved;
        slot->Started = 0;
        slot->Moved = slot->Tries = 0;
    }

    /// <summary>All completions of a moment are recorded: others may see them.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Publish(int outstanding)
    {
        CountAlike();
        counters.Bytes = _bytes;
        counters.LastCompletion = _now;
        Volatile.Write(ref counters.IOs, _ios);
        Volatile.Write(ref counters.Outstanding, outstanding);
    }

    /// <summary>The worker's work is over.</summary>
    public void End()
    {
        if (_allocatedBefore >= 0 && AllocatedBytes is null)
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
    }

    /// <summary>Closes the histograms of the interval that counts at the moment; may be told more than once.</summary>
    public void EndInterval() => fold?.End(_interval);

    /// <summary>Moves to the interval that a moment belongs to; -1 outside the measured time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NextInterval(long now)
    {
        if (_allocatedBefore < 0)
            _allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
        EndInterval();
        if (now >= control.MeasureTo)
        {
            _interval = -1;
            _intervalEnd = long.MaxValue;
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
            return;
        }
        _interval = (int)((now - control.MeasureFrom) / control.Interval);
        _intervalEnd = Math.Min(control.MeasureTo, control.MeasureFrom + (_interval + 1) * control.Interval);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountAlike()
    {
        if (_alike > 0)
            CountThem();
    }

    private void CountThem()
    {
        if (_counting)
            streams[_stream].Record(_operation, _now - _started, _alike, _alikeBytes, _interval);
        else if (_started < control.MeasureTo && _now > control.MeasureFrom)
            streams[_stream].RecordLate(_operation, _now - _started);
        // A flush moves nothing and is no I/O of the test.
        _ios += _operation == SlotOperation.Flush ? 0 : _alike;
        _bytes += _alikeBytes;
        (_alike, _alikeBytes) = (0, 0);
    }
}
