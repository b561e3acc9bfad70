using System.Globalization;
using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// One thread of a run, with a backend, buffers, random numbers and histograms of its own. From the end of warm-up to the end of the
/// measurement it allocates nothing and shares nothing but an interlocked sequence's cursor.
/// </summary>
internal sealed unsafe class Worker
{
    // While it waits for its next moment, a worker looks this often whether it shall stop.
    private const long LongestWait = 20_000_000;

    private readonly WorkerPlan _plan;
    private readonly RunControl _control;
    private readonly IoTestSpecification _specification;
    private readonly PreparedTarget[] _targets;
    private readonly IoBackend _backend;
    private readonly Lane[] _lanes;
    private readonly bool _paced;
    private readonly bool _pooled;
    private readonly int _weights;
    private TargetHandle[] _handles = [];
    private WorkerMemory? _memory;
    private RandomSource _poolRandom;
    private int _batchCount;
    private int _outstanding;
    private int _interval;
    private long _intervalEnd;
    private long _allocatedBefore = -1;
    private bool _finishing;

    /// <summary>A worker as planned.</summary>
    public Worker(WorkerPlan plan, RunPlan run, RunControl control, IoBackend backend, int intervals)
    {
        _plan = plan;
        _control = control;
        _specification = run.Specification;
        _targets = run.Targets;
        _backend = backend;
        _lanes = [.. plan.Lanes.Select((lane, i) => new Lane(lane, i, intervals, run.Specification.Seed))];
        _paced = _lanes.Any(l => l.Pacer is not null);
        _pooled = plan.PoolOutstanding is not null;
        _weights = _lanes.Sum(l => l.Plan.Pattern.Weight);
        _poolRandom = new RandomSource(run.Specification.Seed, plan.Thread, int.MaxValue);
        Thread = new Thread(ThreadMain, 512 * 1024) { IsBackground = true, Name = "IoBench worker " + plan.Thread.ToString(CultureInfo.InvariantCulture) };
    }

    /// <summary>Its thread.</summary>
    public Thread Thread { get; }
    /// <summary>Its backend.</summary>
    public IoBackend Backend => _backend;
    /// <summary>Its work and what came of it.</summary>
    public IReadOnlyList<Lane> Lanes => _lanes;
    /// <summary>What others may read while it works.</summary>
    public WorkerCounters Counters { get; } = new();
    /// <summary>Managed bytes it allocated in the measured time; null before its end.</summary>
    public long? AllocatedBytes { get; private set; }
    /// <summary>The longest latency of an I/O that came back after the last one was started, in nanoseconds.</summary>
    public long SlowestLate { get; private set; }

    private void ThreadMain()
    {
        var ready = false;
        try
        {
            Open();
            ready = true;
            if (_control.WaitForBegin())
                Run();
        }
        catch (IoBenchException e) when (!ready)
        {
            _control.CannotBegin(e);
        }
        catch (IoBenchException e)
        {
            _control.Fail(e, Now);
        }
        catch (OutOfMemoryException e)
        {
            var error = IoBenchException.Failure("IoBench.NotEnoughMemory", "there is not enough memory for the run. Use fewer threads, fewer outstanding I/Os or smaller blocks.", null, e);
            if (ready)
                _control.Fail(error, Now);
            else
                _control.CannotBegin(error);
        }
        finally
        {
            Close();
            _control.Finished();
        }
    }

    private long Now
    {
        [MethodImpl(MethodImplOptions.AggressiveInlining)]
        get => _backend.VirtualClock is { } clock ? clock.Now : Clock.Now;
    }

    private void Open()
    {
        ThreadAffinity.Bind(_plan.Processors);
        // The scheduler's usual 50 us of slack would show in every paced run.
        if (OperatingSystem.IsLinux() && _paced)
            _ = LinuxNative.Prctl(LinuxNative.PR_SET_TIMERSLACK, 1, 0, 0, 0);
        _memory = new WorkerMemory(_plan.SlotCount, _plan.BufferBytes);
        LayOutSlots();
        if (_backend.Kind != IoBackendKind.Null)
        {
            var handles = new List<TargetHandle>();
            foreach (var lane in _lanes)
            {
                handles.Add(TargetHandle.Open(_targets[lane.Plan.TargetIndex].Path, lane.Plan.Pattern.WritePercent > 0, lane.Plan.Pattern, _backend.Kind));
                _handles = [.. handles];
            }
        }
        _backend.Open(new BackendSetup
        {
            Slots = _memory.Slots,
            SlotCount = _plan.SlotCount,
            Buffers = _memory.Buffers,
            BufferBytes = _memory.BufferBytes,
            Targets = _handles,
            Seed = _specification.Seed,
        });
    }

    private void LayOutSlots()
    {
        var random = new RandomSource(_specification.Seed, _plan.Thread, int.MaxValue - 1);
        var buffer = _memory!.Buffers;
        var index = 0;
        foreach (var lane in _lanes)
        {
            for (var i = 0; i < (_pooled ? 0 : lane.Plan.Outstanding); i++)
                LayOut(index++, lane, lane.Plan.Pattern);
        }
        for (; index < _plan.SlotCount; index++)
        {
            // A pool's slot serves every lane: room for the largest block, content of the first lane that writes.
            var largest = _lanes.MaxBy(l => l.Plan.Pattern.BlockSize)!;
            LayOut(index, _lanes.FirstOrDefault(l => l.Plan.Pattern.WritePercent > 0) ?? largest, largest.Plan.Pattern);
        }

        void LayOut(int slotIndex, Lane lane, IoPattern size)
        {
            var slot = _memory.Slots + slotIndex;
            slot->Lane = lane.Handle;
            slot->Target = lane.Handle;
            slot->ReadBuffer = slot->WriteBuffer = buffer;
            if (_pooled ? !AllReadOrAllWrite : lane.Plan.Pattern.WritePercent is not (0 or 100))
            {
                buffer += WorkerMemory.Padded(size.BlockSize);
                slot->WriteBuffer = buffer;
            }
            buffer += WorkerMemory.Padded(size.BlockSize);
            lane.FillBuffer(slot, ref random);
        }
    }

    private bool AllReadOrAllWrite => _lanes.All(l => l.Plan.Pattern.WritePercent == 0) || _lanes.All(l => l.Plan.Pattern.WritePercent == 100);

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
                if (!_finishing && IsTransient(completions[i].Result))
                {
                    batch[_batchCount++] = index;
                    continue;
                }
                if (_control.Error is null)
                    _control.Fail(Describe(slot, completions[i].Result), now);
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
            _batchCount = 0;
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
                slot->Intended = pacer.Take(now);
                lane.Prepare(slot);
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

    private IoBenchException Describe(IoSlot* slot, int result)
    {
        var path = _targets[_lanes[slot->Lane].Plan.TargetIndex].Path;
        var what = string.Create(CultureInfo.InvariantCulture, $"{slot->Operation.ToString().ToLowerInvariant()} of {slot->Length} bytes at offset {slot->Offset:N0} of {path} failed");
        if (slot->Operation == SlotOperation.Flush)
            what = $"flush of {path} failed";
        return IoBenchException.Failure("IoBench.IoFailed", result >= 0
            ? string.Create(CultureInfo.InvariantCulture, $"{what}: only {result} bytes were moved. The file has become shorter, or its volume is full.")
            : string.Create(CultureInfo.InvariantCulture, $"{what}: {Marshal.GetPInvokeErrorMessage(-result)} ({-result})."), path);
    }

    private void Close()
    {
        // The kernel may still write into the buffers when a backend broke off with I/O outstanding: then they stay.
        if (_outstanding > 0)
            return;
        _backend.Close();
        foreach (var handle in _handles)
            handle.Dispose();
        _memory?.Free();
    }
}
