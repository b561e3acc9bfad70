using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>The worker's loop: what happens for every I/O.</summary>
internal sealed unsafe partial class Worker
{
    // While it waits for its next moment, a worker looks this often whether it shall stop.
    private const long LongestWait = 20_000_000;
    // In a row, of one I/O: more is no passing trouble.
    private const int MostParts = 64;
    private const long LongestBusy = 60 * Clock.Second;

    private void Run()
    {
        _intervalEnd = _control.MeasureFrom;
        _interval = -1;
        foreach (var stream in _streams)
            stream.Begin(_control, Intervals);
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

        var streams = _streams;
        long ios = 0;
        long bytes = 0;
        for (var i = 0; i < got; i++)
        {
            var index = completions[i].Slot;
            var slot = slots + index;
            if (completions[i].Result != slot->Length)
            {
                if (GoesOn(slot, completions[i].Result))
                {
                    memory.Retries[_retryCount++] = index;
                    continue;
                }
                if (_control.Error is null)
                    _control.Fail(IoFailure.Of(slot, completions[i].Result, _targets[streams[slot->Stream].Plan.TargetIndex].Path), now);
                _finishing = true;
                counting = false;
                continue;
            }
            var stream = streams[slot->Stream];
            if (counting)
                stream.Record(slot, now, _interval);
            else if (slot->Started < _control.MeasureTo && now > _control.MeasureFrom)
                stream.RecordLate(slot->Operation, now - slot->Started);
            stream.RecordResponse(slot, now);
            slot->Started = 0;
            // A flush moves nothing and is no I/O of the test.
            ios += slot->Length > 0 ? 1 : 0;
            bytes += slot->Length + slot->Moved;
            slot->Moved = slot->Tries = 0;
            if (_finishing)
                continue;
            if (stream.Pacer is null && !_pooled)
            {
                stream.Prepare(slot);
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

    /// <summary>A slot that is free: gets its next I/O, or waits for its stream's moment.</summary>
    private void StartOrPark(int index)
    {
        var slot = _memory!.Slots + index;
        if (_pooled)
            slot->Stream = slot->Target = PickStream();
        var stream = _streams[slot->Stream];
        if (stream.Pacer is null)
        {
            stream.Prepare(slot);
            _memory.Batch[_batchCount++] = index;
        }
        else
        {
            stream.FreeSlots[stream.FreeCount++] = index;
        }
    }

    private int PickStream()
    {
        var draw = _poolRandom.Below(_weights);
        for (var i = 0; ; i++)
        {
            draw -= _streams[i].Plan.Pattern.Weight;
            if (draw < 0)
                return i;
        }
    }

    /// <summary>Makes ready what paced streams owe by now; returns the next moment to look again.</summary>
    private long StartDue()
    {
        var now = Now;
        var until = _batchCount > 0 || _outstanding > 0 ? long.MaxValue : now + LongestWait;
        foreach (var stream in _streams)
        {
            var pacer = stream.Pacer;
            if (pacer is null)
                continue;
            while (stream.FreeCount > 0 && pacer.Due <= now)
            {
                var index = stream.FreeSlots[--stream.FreeCount];
                var slot = _memory!.Slots + index;
                stream.Prepare(slot);
                // A flush belongs to the writes before it: it takes no place in the schedule.
                if (slot->Operation != SlotOperation.Flush)
                    slot->Intended = pacer.Take(now);
                _memory.Batch[_batchCount++] = index;
            }
            if (stream.FreeCount > 0)
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
        _fold?.End(_interval);
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

    /// <summary>Whether an I/O that did not come back whole is tried again: one that found the system busy, or the rest of one that was moved in part.</summary>
    [MethodImpl(MethodImplOptions.NoInlining)]
    private bool GoesOn(IoSlot* slot, int result)
    {
        if (result > 0 && result < slot->Length && ++slot->Tries <= MostParts)
        {
            slot->Moved += result;
            slot->Offset += result;
            slot->Buffer += result;
            slot->Length -= result;
            Parts++;
            return true;
        }
        if (!IsBusy(result) || Now - slot->Started > LongestBusy)
            return false;
        BusyAnswers++;
        slot->Tries++;
        // The system asks for time: to ask at once again would only take the processor from those that it waits for.
        if (slot->Tries > 10)
            Thread.Yield();
        return true;
    }

    private static bool IsBusy(int result) => OperatingSystem.IsLinux() ? result is -Errno.EAGAIN or -Errno.EINTR
        : OperatingSystem.IsWindows() && result is -WindowsCalls.ERROR_NO_SYSTEM_RESOURCES or -WindowsCalls.ERROR_WORKING_SET_QUOTA or -WindowsCalls.ERROR_INVALID_USER_BUFFER;
}
