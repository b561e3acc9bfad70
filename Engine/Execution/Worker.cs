using System.Globalization;
using System.Runtime.CompilerServices;

namespace IoBench.Engine;

/// <summary>
/// One thread of a run, with a backend, buffers, random numbers and histograms of its own. From the end of warm-up to the end of the
/// measurement it allocates nothing and shares nothing but an interlocked sequence's cursor.
/// </summary>
internal sealed unsafe partial class Worker
{
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
    private int _retryCount;
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
        _lanes = [.. plan.Lanes.Select((lane, i) => new Lane(lane, i, intervals, run.Specification.Seed, LaneDetails.KeepsIntervals(run.Specification)))];
        _paced = _lanes.Any(l => l.Pacer is not null);
        _pooled = plan.PoolOutstanding is not null;
        _weights = _lanes.Sum(l => l.Plan.Pattern.Weight);
        _poolRandom = new RandomSource(run.Specification.Seed, plan.Thread, int.MaxValue);
        Thread = new Thread(ThreadMain, 512 * 1024) { IsBackground = true, Name = "IoBench worker " + plan.Thread.ToString(CultureInfo.InvariantCulture) };
    }

    /// <summary>What it was planned to do.</summary>
    public WorkerPlan Plan => _plan;
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
        if (OperatingSystem.IsLinux())
            LinuxPriority.Set(_lanes[0].Plan.Pattern.Priority);
        // The scheduler's usual 50 us of slack would show in every paced run.
        if (OperatingSystem.IsLinux() && _paced)
            _ = LinuxNative.Prctl(LinuxNative.PR_SET_TIMERSLACK, 1, 0, 0, 0);
        _memory = new WorkerMemory(_plan.SlotCount, _plan.BufferBytes, _plan.LargePages);
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
