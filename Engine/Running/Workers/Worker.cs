using System.Globalization;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>One thread of a run. While it measures, it allocates nothing and shares only interlocked positions.</summary>
internal sealed unsafe partial class Worker
{
    private readonly WorkerPlan _plan;
    private readonly RunControl _control;
    private readonly IoTestSpecification _specification;
    private readonly CheckedTarget[] _targets;
    private readonly IReadOnlyList<OpenTarget> _open;
    private readonly IoBackend _backend;
    private readonly TargetStream[] _streams;
    private readonly WorkerClock _clock;
    private TargetHandle[] _handles = [];
    private volatile string? _openingPath;
    private WorkerMemory? _memory;
    private WorkerPipeline? _pipeline;
    private WorkerScheduler? _scheduler;
    private WorkerRecorder? _recorder;
    private readonly bool _isChecked;
    private readonly int _groupSize;
    private bool _finishing;
    private volatile bool _isGivenUp;

    // Held to free the memory, and by the coordinator to read the memory of an abandoned worker.
    private readonly object _memoryGate = new();

    public Worker(
        WorkerPlan plan,
        RunPlan run,
        IReadOnlyList<OpenTarget> open,
        RunControl control,
        IoBackend backend,
        int intervals,
        RunVerification? integrity = null
    )
    {
        _plan = plan;
        _control = control;
        _specification = run.Specification;
        _targets = run.Targets;
        _open = open;
        _backend = backend;
        _streams =
        [
            .. plan.Streams.Select(stream => new TargetStream(
                stream,
                intervals,
                run.Specification.Seed,
                open[stream.TargetIndex].Target.ContentSeed,
                run.Specification.ThreadTimelines
            )),
        ];
        if (integrity is not null)
        {
            _isChecked = true;
            _groupSize = integrity.GroupSize;
            foreach (var stream in _streams)
                stream.EnableChecks(integrity.CreateStreamVerifier(stream.Plan));
        }
        IsOpenLoop = _streams.Any(l => l.Latencies.Response is not null);
        var columns = IntervalHistograms.GetColumnCount(intervals, run.IOKindCount);
        Intervals = new IntervalHistograms(columns, plan.HasReads, plan.HasWrites, isClosedLoop: !IsOpenLoop);
        _clock = new WorkerClock(backend.VirtualClock);
        Thread = new Thread(ThreadMain, 512 * 1024)
        {
            IsBackground = true,
            Name = "IoBench worker " + plan.Thread.ToString(CultureInfo.InvariantCulture),
        };
    }

    public WorkerPlan Plan => _plan;
    public Thread Thread { get; }
    public IoBackend Backend => _backend;

    public string? OpeningPath => _openingPath;

    public IReadOnlyList<TargetStream> Streams => _streams;

    /// <summary>Whether a stream is an open loop. <see cref="Intervals"/> then contains response times.</summary>
    public bool IsOpenLoop { get; }

    public IntervalHistograms Intervals { get; }

    public WorkerCounters Counters { get; } = new();

    /// <summary>Managed bytes that the thread allocated in the measured time; null before its end.</summary>
    public long? AllocatedBytes => _recorder?.AllocatedBytes;

    public long PartialTransfers => _pipeline?.PartialTransfers ?? 0;

    public long BusyRetries => _pipeline?.BusyRetries ?? 0;

    public SlowestIOs? Slowest => _recorder?.Slowest;

    public StallLog? Stalls => _recorder?.Stalls;

    public long StartedAt { get; private set; }

    /// <summary>Thread id of the system; 0 before the start, and on Windows.</summary>
    public int ThreadId { get; private set; }

    /// <summary>Nanoseconds that the thread had waited for a CPU at its end; null before, and if the system does not report it.</summary>
    public long? CpuWaitAtEnd { get; private set; }

    /// <summary>Time at which the last I/O had completed and no more was started, in nanoseconds; 0 before.</summary>
    public long EndedAt { get; private set; }

    private void ThreadMain()
    {
        var ready = false;
        try
        {
            OpenResources();
            ready = true;
            if (_control.WaitForStart())
                Run();
        }
        catch (IoBenchException e) when (!ready)
        {
            _control.ReportStartFailure(e);
        }
        catch (IoBenchException e)
        {
            _control.Fail(e, _clock.Now);
        }
        catch (OutOfMemoryException e)
        {
            var error = IoBenchException.Failure(
                ErrorIds.NotEnoughMemory,
                "There is not enough memory for the run.",
                null,
                e,
                advice: "Use fewer threads, fewer outstanding I/Os, or smaller blocks."
            );
            if (ready)
                _control.Fail(error, _clock.Now);
            else
                _control.ReportStartFailure(error);
        }
        finally
        {
            CpuWaitAtEnd = ProcessorWait.GetThreadWait(ThreadId);
            lock (_memoryGate)
                EndedAt = _clock.Now;
            CloseResources();
            _control.SignalFinished();
        }
    }

    private void OpenResources()
    {
        ProcessorTopology.BindWorker(_plan.Processors, _plan.Thread);
        if (OperatingSystem.IsLinux())
            ThreadId = (int)LinuxCalls.Syscall(LinuxCalls.SYS_gettid, 0, 0, 0, 0, 0, 0);
        if (OperatingSystem.IsLinux())
            ProcessPriority.SetIOPriority(_streams[0].Plan.Pattern.Priority);
        // The scheduler's default slack of 50 us would be visible in every paced run.
        if (OperatingSystem.IsLinux() && _streams.Any(l => l.Pacer is not null))
            _ = LinuxCalls.Prctl(LinuxCalls.PR_SET_TIMERSLACK, 1, 0, 0, 0);
        _memory = new WorkerMemory(
            _plan.SlotCount,
            _plan.BufferBytes,
            _plan.UsesLargePages,
            _isChecked ? StreamVerifier.GetBytesPerSlot(_plan.LargestBlock, _groupSize) : 0
        );
        LayOutSlots();
        if (!_backend.Kind.IsModeled)
        {
            var handles = new List<TargetHandle>();
            foreach (var stream in _streams)
            {
                _openingPath = _targets[stream.Plan.TargetIndex].Path;
                var handle = _open[stream.Plan.TargetIndex].OpenHandle(stream.Plan.Pattern, _backend.Kind);
                handles.Add(handle);
                _handles = [.. handles];
                stream.OpenedAs = OpenFlags.FromHandle(handle.File);
            }
            _openingPath = null;
        }
        _backend.Open(
            new BackendSetup
            {
                Slots = _memory.Slots,
                SlotCount = _plan.SlotCount,
                Buffers = _memory.Buffers,
                BufferBytes = _memory.BufferBytes,
                HasFlushes = _streams.Any(l => l.Plan.Pattern.FlushEvery > 0),
                Targets = _handles,
                Polling = _specification.Polling,
                UsesFileCache = _plan.UsesSmallCachedIO,
            }
        );
        if (_backend.HasOptionalFeatures)
            _control.NegotiateFeatures(_backend);
        _pipeline = new WorkerPipeline(_backend, _memory, Counters, _isChecked ? _streams : null, _plan.LargestBlock);
        _scheduler = new WorkerScheduler(
            _streams,
            _pipeline,
            _plan.PoolOutstanding is not null,
            new RandomSource(_specification.Seed, _plan.Thread, int.MaxValue)
        );
    }

    private void LayOutSlots()
    {
        var random = new RandomSource(_specification.Seed, _plan.Thread, int.MaxValue - 1);
        foreach (var place in _plan.Layout.Slots)
        {
            var slot = _memory!.Slots + place.Slot;
            slot->Stream = slot->HandleIndex = place.Stream;
            slot->ReadBuffer = _memory.Buffers + place.ReadAt;
            slot->WriteBuffer = _memory.Buffers + place.WriteAt;
            slot->IsForWrites = place.IsForWrites;
            _streams[place.Stream].FillBuffer(slot, place, ref random);
            if (!_isChecked)
                continue;
            slot->Checks = _memory.GetChecks(place.Slot);
            StreamVerifier.MarkBuffer(slot->ReadBuffer, place.Length);
        }
    }

    /// <summary>Called by the coordinator when the run is over or abandoned.</summary>
    public void CountUnfinished(long now)
    {
        var end = Math.Min(_control.MeasureTo, _control.StoppedAt);
        lock (_memoryGate)
        {
            if (EndedAt == 0)
                CountLost(end, now);
            else
                now = EndedAt;
            _recorder?.EndInterval();
        }
        foreach (var stream in _streams)
        {
            if (stream.Latencies.Response is not { } responses)
                continue;
            responses.ShortenTo(end);
            stream.Pacer!.CountNeverStarted(_control.MeasureFrom, end, now, stream.Plan.Pattern.WritePercent, responses);
        }
    }

    public void CancelOutstanding()
    {
        lock (_memoryGate)
        {
            _isGivenUp = true;
            if (EndedAt == 0 && _pipeline is not null)
                _backend.Cancel();
        }
    }

    private void CountLost(long end, long now)
    {
        for (var i = 0; _memory is not null && i < _plan.SlotCount; i++)
        {
            var slot = _memory.Slots + i;
            if (slot->Started == 0 || slot->Started >= end)
                continue;
            _streams[slot->Stream].RecordLate(slot->Operation, now - slot->Started);
            _streams[slot->Stream].RecordResponse(slot, now);
            _recorder?.RecordLost(slot, now);
        }
    }

    /// <summary>Null if none is at least <paramref name="minAge"/> ns old. Uses no lock that the running worker uses.</summary>
    public PendingIO? FindOldestOutstanding(long now, long minAge)
    {
        lock (_memoryGate)
        {
            // The worker can write meanwhile. A slot that has been outstanding this long does not change; a completion is detected below.
            IoSlot* oldest = null;
            var started = now - minAge;
            var count = 0;
            for (var i = 0; EndedAt == 0 && _memory is not null && i < _plan.SlotCount; i++)
            {
                var slot = _memory.Slots + i;
                var at = Volatile.Read(ref slot->Started);
                if (at == 0 || at > now - minAge)
                    continue;
                count++;
                if (oldest is not null && at >= started)
                    continue;
                oldest = slot;
                started = at;
            }
            if (oldest is null)
                return null;
            var found = new PendingIO(
                oldest->Operation,
                _targets[_streams[oldest->Stream].Plan.TargetIndex].Path,
                oldest->Offset - oldest->Moved,
                oldest->Length + oldest->Moved,
                (now - started) / 1e9,
                count
            );
            return Volatile.Read(ref oldest->Started) == started ? found : null;
        }
    }

    private void CloseResources()
    {
        // If the backend failed with outstanding I/O and cannot cancel it, the kernel can still write into the buffers, so keep them.
        if (_pipeline?.Outstanding > 0 && !_backend.TryDrain())
            return;
        _backend.Close();
        foreach (var handle in _handles)
            handle.Dispose();
        _memory?.Free();
    }
}

/// <summary>Counters that other threads read during the run. Only the worker writes them, and they have their own cache lines.</summary>
[StructLayout(LayoutKind.Explicit, Size = 384)]
internal sealed class WorkerCounters
{
    /// <summary>I/Os completed since the start of the run, also outside of the measured time.</summary>
    [FieldOffset(128)]
    public long IOs;

    [FieldOffset(136)]
    public long Bytes;

    [FieldOffset(144)]
    public long Outstanding;

    [FieldOffset(152)]
    public long LastCompletion;
}
