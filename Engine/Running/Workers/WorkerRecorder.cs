using System.Runtime.CompilerServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>What came of a worker's I/Os: latencies by stream and interval, and the counters that others read while it works.</summary>
internal sealed unsafe class WorkerRecorder(
    RunControl control,
    TargetStream[] streams,
    WorkerCounters counters,
    IntervalFold? fold,
    WorkerMemory memory
)
{
    private readonly SlowestIOs _slowest = new();
    private readonly SilenceLog _silences = new();

    // Nothing belongs to the slowest before the measured time.
    private long _slowAbove = long.MaxValue;
    private long _lastBack = control.Begin;
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

    /// <summary>The slowest I/Os of the measured time.</summary>
    public SlowestIOs Slowest => _slowest;

    /// <summary>The longest times in which no I/O came back.</summary>
    public SilenceLog Silences => _silences;

    /// <summary>Completions follow that were taken at a moment.</summary>
    /// <param name="now">The moment.</param>
    /// <param name="count">How many; none when only time has passed.</param>
    /// <param name="finishing">No more is started: what comes now belongs to no interval.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void At(long now, int count, bool finishing)
    {
        if (now >= _intervalEnd)
            NextInterval(now);
        _counting = _interval >= 0 && !finishing;
        _now = now;
        if (count == 0)
            return;
        if (now - _lastBack > SilenceLog.Shortest)
            NoteSilence(now);
        _lastBack = now;
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
        if (_now - slot->Started > _slowAbove)
            NoteSlow(slot, _now, isLost: false);
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

    /// <summary>Notes an I/O that was given up, and the silence that it is in.</summary>
    public void NeverBack(IoSlot* slot, long now)
    {
        NoteSlow(slot, now, isLost: true);
        if (now - _lastBack > SilenceLog.Shortest)
            NoteSilence(now);
        _lastBack = now;
    }

    /// <summary>The worker's work is over.</summary>
    public void End()
    {
        if (_allocatedBefore >= 0 && AllocatedBytes is null)
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
    }

    /// <summary>Closes the histograms of the interval that counts at the moment; may be called more than once.</summary>
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
        _slowAbove = _slowest.Threshold;
    }

    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NoteSlow(IoSlot* slot, long now, bool isLost)
    {
        if (slot->Started >= control.MeasureTo || now <= control.MeasureFrom)
            return;
        var stream = streams[slot->Stream];
        _slowest.Add(
            new SlowIO
            {
                Started = slot->Started,
                Latency = now - slot->Started,
                Queued =
                    stream.Latencies.Response is null || slot->Operation == SlotOperation.Flush
                        ? -1
                        : Math.Max(0, slot->Started - slot->Intended),
                Offset = slot->Offset - slot->Moved,
                Size = slot->Length + slot->Moved,
                // This one is among them until its worker publishes what came back.
                InFlight = (int)Math.Max(0, control.InFlight - 1),
                Target = stream.Plan.TargetIndex,
                Operation = slot->Operation,
                IsLost = isLost,
            }
        );
        _slowAbove = _slowest.Threshold;
    }

    /// <summary>The slots still hold what came back just now.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NoteSilence(long now)
    {
        var oldest = now;
        for (var slot = memory.Slots; slot < memory.Slots + memory.SlotCount; slot++)
            if (slot->Started != 0 && slot->Started < oldest)
                oldest = slot->Started;
        if (now > control.MeasureFrom)
            _silences.Add(new Silence(_lastBack, Math.Max(_lastBack, oldest), now));
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
