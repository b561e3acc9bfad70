using System.Runtime.CompilerServices;

namespace IoBench.Engine;

internal sealed unsafe class WorkerRecorder(
    RunControl control,
    TargetStream[] streams,
    WorkerCounters counters,
    IntervalHistograms? closedLoopIntervals,
    WorkerMemory memory
)
{
    private readonly SlowestIOs _slowest = new();
    private readonly StallLog _stalls = new();

    // No I/O counts as slow before the measured time.
    private long _slowAbove = long.MaxValue;
    private long _lastBack = control.IoStart;
    private long _intervalEnd = control.MeasureFrom;
    private int _interval = -1;
    private long _allocatedBefore = -1;
    private bool _counting;
    private readonly bool _hasResponses = streams.Any(stream => stream.Latencies.Response is not null);
    private long _now;
    private long _ios;
    private long _bytes;

    // The last I/Os of this batch that have the same start time and operation.
    private long _started;
    private IoRequestKind _operation;
    private int _stream;
    private int _batchCount;
    private long _batchBytes;

    public long? AllocatedBytes { get; private set; }

    public SlowestIOs Slowest => _slowest;

    public StallLog Stalls => _stalls;

    /// <param name="finishing">Whether no more I/O is started. The completions then belong to no interval.</param>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void BeginBatch(long now, int count, bool finishing)
    {
        if (now >= _intervalEnd)
            MoveToInterval(now);
        _counting = _interval >= 0 && !finishing;
        _now = now;
        if (count == 0)
            return;
        if (now - _lastBack > StallLog.Shortest)
            RecordStall(now);
        _lastBack = now;
    }

    public void StopCounting()
    {
        CountPending();
        _counting = false;
    }

    /// <summary>Counts I/Os of one batch with the same start time and operation together, which saves time.</summary>
    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void Record(IoSlot* slot)
    {
        if (slot->Started != _started || slot->Operation != _operation || slot->Stream != _stream)
        {
            CountPending();
            _started = slot->Started;
            _operation = slot->Operation;
            _stream = slot->Stream;
        }
        if (_hasResponses)
            streams[slot->Stream].RecordResponse(slot, _now);
        if (_now - slot->Started > _slowAbove)
            RecordSlow(slot, _now, isLost: false);
        _batchCount++;
        _batchBytes += slot->Length + slot->Moved;
        slot->Started = 0;
        slot->Moved = slot->Tries = 0;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public void EndBatch(int outstanding)
    {
        CountPending();
        counters.Bytes = _bytes;
        counters.LastCompletion = _now;
        Volatile.Write(ref counters.IOs, _ios);
        Volatile.Write(ref counters.Outstanding, outstanding);
    }

    public void RecordLost(IoSlot* slot, long now)
    {
        RecordSlow(slot, now, isLost: true);
        if (now - _lastBack > StallLog.Shortest)
            RecordStall(now);
        _lastBack = now;
    }

    public void RecordAllocations()
    {
        if (_allocatedBefore >= 0 && AllocatedBytes is null)
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
    }

    /// <summary>Can be called more than once for an interval.</summary>
    public void EndInterval() => closedLoopIntervals?.AddDifferences(_interval, streams);

    /// <summary>Sets the interval of a time; -1 outside of the measured time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void MoveToInterval(long now)
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
    private void RecordSlow(IoSlot* slot, long now, bool isLost)
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
                    stream.Latencies.Response is null || slot->Operation == IoRequestKind.Flush
                        ? -1
                        : Math.Max(0, slot->Started - slot->Intended),
                Offset = slot->Offset - slot->Moved,
                Size = slot->Length + slot->Moved,
                // The published counters still include this I/O.
                InFlight = (int)Math.Max(0, control.Outstanding - 1),
                Target = stream.Plan.TargetIndex,
                Operation = slot->Operation,
                IsLost = isLost,
            }
        );
        _slowAbove = _slowest.Threshold;
    }

    /// <summary>Must be called while the slots still contain the I/Os that have just completed.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void RecordStall(long now)
    {
        var oldest = now;
        for (var slot = memory.Slots; slot < memory.Slots + memory.SlotCount; slot++)
            if (slot->Started != 0 && slot->Started < oldest)
                oldest = slot->Started;
        if (now > control.MeasureFrom)
            _stalls.Add(new WorkerStall(_lastBack, Math.Max(_lastBack, oldest), now));
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private void CountPending()
    {
        if (_batchCount > 0)
            CountGroup();
    }

    private void CountGroup()
    {
        if (_counting)
            streams[_stream].Record(_operation, _now - _started, _batchCount, _batchBytes, _interval);
        else if (_started < control.MeasureTo && _now > control.MeasureFrom)
            streams[_stream].RecordLate(_operation, _now - _started);
        // A flush moves no data and is not an I/O of the test.
        _ios += _operation == IoRequestKind.Flush ? 0 : _batchCount;
        _bytes += _batchBytes;
        _batchCount = 0;
        _batchBytes = 0;
    }
}
