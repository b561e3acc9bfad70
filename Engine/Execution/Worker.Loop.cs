using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>The worker's loop: what happens for every I/O.</summary>
internal sealed unsafe partial class Worker
{
    // While it waits for its next moment, a worker looks this often whether it shall stop.
    private const long LongestWait = 20_000_000;

    private void Run()
    {
        _intervalEnd = _control.MeasureFrom;
        _interval = -1;
        foreach (var lane in _lanes)
            lane.Pacer?.Begin(_control.Begin);
        if (_backend.VirtualClock is null)
            Clock.WaitUntil(_control.Begin);
        for (var i = 0; i < _plan.SlotCount; i++)
            StartOrPark(i);
        // A method of its own for a batch: the runtime recompiles it with all optimizations after a few calls, which a loop would not get.
        while (RunBatch())
        {
        }
        if (_allocatedBefore >= 0 && AllocatedBytes is null)
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
    }

    /// <summary>Starts what is ready, waits for completions, and makes the next I/Os ready. False at the end.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool RunBatch()
    {
        var memory = _memory!;
        var slots = memory.Slots;
        var batch = memory.Batch;
        var until = _paced && !_finishing ? StartDue() : long.MaxValue;

        var now = Now;
        for (var i = 0; i < _batchCount; i++)
            slots[batch[i]].Started = now;
        // What the system sent back as busy goes again, and its latency counts from the first try.
        while (_retryCount > 0)
            batch[_batchCount++] = memory.Retries[--_retryCount];
        _outstanding += _batchCount;
        if (_outstanding == 0 && _finishing)
            return false;
        Volatile.Write(ref Counters.Outstanding, _outstanding);
        var submitted = _batchCount;
        _batchCount = 0;

        var completions = memory.Completions;
        var got = _backend.SubmitAndReap(batch, submitted, until, completions);

        now = Now;
        _outstanding -= got;
        if (!_finishing && (_control.Stop || now >= _control.End))
            _finishing = true;
        if (now >= _intervalEnd)
            NextInterval(now);
        var counting = _interval >= 0 && !_finishing;

        var lanes = _lanes;
        long ios = 0;
        long bytes = 0;
        for (var i = 0; i < got; i++)
        {
            var index = completions[i].Slot;
            var slot = slots + index;
            if (completions[i].Result != slot->Length)
            {
                if (IsTransient(completions[i].Result))
                {
                    memory.Retries[_retryCount++] = index;
                    continue;
                }
                if (_control.Error is null)
                    _control.Fail(IoFailure.Of(slot, completions[i].Result, _targets[lanes[slot->Lane].Plan.TargetIndex].Path), now);
                _finishing = true;
                counting = false;
                continue;
            }
            var lane = lanes[slot->Lane];
            if (counting)
                lane.Record(slot, now, _interval);
            // A flush moves nothing and is no I/O of the test.
            ios += slot->Length > 0 ? 1 : 0;
            bytes += slot->Length;
            if (_finishing)
            {
                SlowestLate = Math.Max(SlowestLate, now - slot->Started);
            }
            else if (lane.Pacer is null && !_pooled)
            {
                lane.Prepare(slot);
                batch[_batchCount++] = index;
            }
            else
            {
                StartOrPark(index);
            }
        }
        if (_finishing)
            _batchCount = _retryCount = 0;
        Counters.Bytes += bytes;
        Counters.LastCompletion = now;
        Volatile.Write(ref Counters.IOs, Counters.IOs + ios);
        Volatile.Write(ref Counters.Outstanding, _outstanding);
        return !_finishing || _outstanding > 0;
    }

    /// <summary>A slot that is free: gets its next I/O, or waits for its lane's moment.</summary>
    private void StartOrPark(int index)
    {
        var slot = _memory!.Slots + index;
        if (_pooled)
            slot->Lane = slot->Target = PickLane();
        var lane = _lanes[slot->Lane];
        if (lane.Pacer is null)
        {
            lane.Prepare(slot);
            _memory.Batch[_batchCount++] = index;
        }
        else
        {
            lane.FreeSlots[lane.FreeCount++] = index;
        }
    }

    private int PickLane()
    {
        var draw = _poolRandom.Below(_weights);
        for (var i = 0; ; i++)
        {
            draw -= _lanes[i].Plan.Pattern.Weight;
            if (draw < 0)
                return i;
        }
    }

    /// <summary>Makes ready what paced lanes owe by now; returns the next moment to look again.</summary>
    private long StartDue()
    {
        var now = Now;
        var until = _batchCount > 0 || _outstanding > 0 ? long.MaxValue : now + LongestWait;
        foreach (var lane in _lanes)
        {
            var pacer = lane.Pacer;
            if (pacer is null)
                continue;
            while (lane.FreeCount > 0 && pacer.Due <= now)
            {
                var index = lane.FreeSlots[--lane.FreeCount];
                var slot = _memory!.Slots + index;
                lane.Prepare(slot);
                // A flush belongs to the writes before it: it takes no place in the schedule.
                if (slot->Operation != SlotOperation.Flush)
                    slot->Intended = pacer.Take(now);
                _memory.Batch[_batchCount++] = index;
            }
            if (lane.FreeCount > 0)
                until = Math.Min(until, pacer.Due);
        }
        return until == long.MaxValue ? until : Math.Min(until, now + LongestWait);
    }

    /// <summary>Moves to the interval that a moment belongs to; -1 outside the measured time.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private void NextInterval(long now)
    {
        if (_allocatedBefore < 0)
            _allocatedBefore = GC.GetAllocatedBytesForCurrentThread();
        if (now >= _control.MeasureTo)
        {
            _interval = -1;
            _intervalEnd = long.MaxValue;
            AllocatedBytes = GC.GetAllocatedBytesForCurrentThread() - _allocatedBefore;
            return;
        }
        _interval = (int)((now - _control.MeasureFrom) / _control.Interval);
        _intervalEnd = Math.Min(_control.MeasureTo, _control.MeasureFrom + (_interval + 1) * _control.Interval);
    }

    private static bool IsTransient(int result) => OperatingSystem.IsLinux() && result is -LinuxNative.EAGAIN or -LinuxNative.EINTR;
}
