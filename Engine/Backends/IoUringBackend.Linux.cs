using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>Linux io_uring with raw system calls. Each worker has one ring. One call submits and waits.</summary>
internal sealed unsafe class IoUringBackend : IoBackend
{
    public const string Name = "IoUring";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "io_uring",
            RunsOn = OSPlatform.Linux,
            FilesPerWorker = 1,
            CanPoll = true,
            Probe = GetUnavailableReason,
            ProbePlan = GetUnavailableReason,
            Create = (_, _) => new IoUringBackend(),
        };

    public override BackendDescriptor Kind => Descriptor;

    /// <summary>Maximum bytes of a registered buffer. The kernel accepts at most 1 GiB; only tests use less.</summary>
    internal long MaxRegisteredBytes { get; init; } = 1L << 30;

    private IoUringRing? _ring;
    private IoSlot* _slots;
    private int[] _descriptors = [];
    private bool _registeredFiles;
    private bool _registeredBuffers;
    private uint _unsubmitted;
    private BackendSetup? _setup;

    public static string? GetUnavailableReason()
    {
        using var ring = IoUringRing.Create(8, out var error);
        return ring is not null ? null : DescribeError(error) + DescribeLockedMemoryNeed(error, [], 1);
    }

    public static string? GetUnavailableReason(RunPlan plan)
    {
        var polling = plan.Specification.Polling;
        if (
            polling is IoPolling.Completion or IoPolling.Hybrid
            && plan.Targets.FirstOrDefault(target => target.Facts.GetValueOrDefault(VolumeFacts.QueuePollingFact) != "1") is { } target
        )
            return $"the device of {target.Path} does not support polling (queue/io_poll in /sys is not 1; NVMe requires "
                + $"the module parameter poll_queues)";
        var workers = plan.Workers;
        var rings = new List<IoUringRing>();
        try
        {
            foreach (var worker in workers)
            {
                if (IoUringRing.Create((uint)worker.SlotCount, out var error, polling) is not { } ring)
                    return DescribeError(error) + DescribeLockedMemoryNeed(error, rings, workers.Length);
                rings.Add(ring);
            }
            return null;
        }
        finally
        {
            rings.ForEach(ring => ring.Dispose());
        }
    }

    public override IReadOnlyList<string> FeatureNames =>
        [
            .. new[]
            {
                _ring?.CompletionMode,
                _registeredFiles ? "registered files" : null,
                _registeredBuffers ? "registered buffers" : PlainBuffersName,
            }.OfType<string>(),
        ];

    public override bool HasOptionalFeatures => true;

    public override void Open(BackendSetup setup)
    {
        _setup = setup;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.RawHandle);
        _slots = setup.Slots;
        _ring =
            IoUringRing.Create((uint)setup.SlotCount, out var error, setup.Polling)
            ?? throw BackendRefusedException.CreateError(Kind, DescribeError(error));
        _ring.RegisterDescriptor();
    }

    public override BackendFeatures EnableOptionalFeatures()
    {
        fixed (int* descriptors = _descriptors)
            _registeredFiles = _ring!.Register(REGISTER_FILES, descriptors, (uint)_descriptors.Length) >= 0;
        // A registered buffer saves the lookup of pages for a device, but makes a copy by the CPU slower.
        _registeredBuffers = PlainBuffersReason is null && RegisterBuffers(_setup!);
        return (_registeredFiles ? BackendFeatures.RegisteredFiles : BackendFeatures.None)
            | (_registeredBuffers ? BackendFeatures.RegisteredBuffers : BackendFeatures.None);
    }

    public override void DisableFeaturesExcept(BackendFeatures common)
    {
        if (_registeredBuffers && !common.HasFlag(BackendFeatures.RegisteredBuffers))
            _registeredBuffers = _ring!.Register(UNREGISTER_BUFFERS, null, 0) < 0;
        if (_registeredFiles && !common.HasFlag(BackendFeatures.RegisteredFiles))
            _registeredFiles = _ring!.Register(UNREGISTER_FILES, null, 0) < 0;
    }

    public override int Submit(int* ready, int count)
    {
        var ring = _ring!;
        count = Math.Min((int)(ring.SqEntries - _unsubmitted), count);
        QueueRequests(ring, ready, count);
        // Entries that the kernel does not accept now stay queued and are submitted with the next ones.
        _unsubmitted -= (uint)Math.Max(0, ring.Submit(_unsubmitted));
        return count;
    }

    public override bool HasCompletions => *_ring!.CqHead != Volatile.Read(ref *_ring.CqTail);

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var ring = _ring!;
        var got = 0;
        while (count > 0)
        {
            var room = (int)(ring.SqEntries - _unsubmitted);
            var now = Math.Min(room, count);
            QueueRequests(ring, ready, now);
            ready += now;
            count -= now;
            if (count > 0)
                got += Enter(ring, wait: false, until, completions + got);
        }
        return got > 0 ? got + Enter(ring, wait: false, until, completions + got) : Enter(ring, wait: true, until, completions);
    }

    public override void Close()
    {
        if (_ring is null)
            return;
        // The kernel tears down a closed ring asynchronously. Unregister now, so that buffers and files are free.
        if (_registeredBuffers)
            _ = _ring.Register(UNREGISTER_BUFFERS, null, 0);
        if (_registeredFiles)
            _ = _ring.Register(UNREGISTER_FILES, null, 0);
        _ring.Dispose();
    }

    private void QueueRequests(IoUringRing ring, int* ready, int count)
    {
        var tail = *ring.SqTail;
        var mask = ring.SqMask;
        var entries = ring.Entries;
        var slots = _slots;
        var registeredFiles = _registeredFiles;
        var descriptors = _descriptors;
        var fileFlag = registeredFiles ? SQE_FIXED_FILE : (byte)0;
        // Reads and writes differ only in the opcode, so the loop needs no branch.
        var (read, more) = _registeredBuffers ? (OP_READ_FIXED, OP_WRITE_FIXED - OP_READ_FIXED) : (OP_READ, OP_WRITE - OP_READ);
        for (var i = 0; i < count; i++)
        {
            var index = ready[i];
            var slot = slots + index;
            var entry = entries + (tail++ & mask);
            entry->Opcode = (byte)(read + (int)slot->Operation * more);
            entry->Flags = fileFlag;
            entry->Descriptor = registeredFiles ? slot->HandleIndex : descriptors[slot->HandleIndex];
            entry->Offset = slot->Offset;
            entry->Address = slot->Buffer;
            entry->Length = slot->Length;
            entry->OperationFlags = 0;
            entry->UserData = (ulong)index;
            entry->BufferIndex = slot->RegisteredBuffer;
            if (slot->Operation == IoRequestKind.Flush)
                SetFlush(entry);
        }
        Volatile.Write(ref *ring.SqTail, tail);
        _unsubmitted += (uint)count;
    }

    private static void SetFlush(Submission* entry)
    {
        entry->Opcode = OP_FSYNC;
        entry->Offset = 0;
        entry->Address = null;
        entry->Length = 0;
        entry->OperationFlags = FSYNC_DATASYNC;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static int Reap(IoUringRing ring, IoCompletion* completions)
    {
        var head = *ring.CqHead;
        var tail = Volatile.Read(ref *ring.CqTail);
        var mask = ring.CqMask;
        var got = 0;
        for (; head != tail; head++)
        {
            var entry = ring.Completions + (head & mask);
            completions[got].Slot = (int)entry->UserData;
            completions[got].Result = entry->Result;
            got++;
        }
        Volatile.Write(ref *ring.CqHead, head);
        return got;
    }

    /// <summary>EINTR (signals of the garbage collector), EAGAIN, and EBUSY only mean: read completions and try again.</summary>
    private int Enter(IoUringRing ring, bool wait, long until, IoCompletion* completions)
    {
        var got = 0;
        while (true)
        {
            var result = ring.Enter(_unsubmitted, wait && got == 0 ? 1u : 0u, until);
            if (result >= 0)
                _unsubmitted -= (uint)result;
            got += Reap(ring, completions + got);
            if (result < 0 && result is not (-LinuxCalls.EINTR or -LinuxCalls.EAGAIN or -LinuxCalls.EBUSY or -LinuxCalls.ETIME))
                throw IoBenchException.Failure(
                    "IoBench.BackendFailed",
                    $"io_uring_enter failed: {Marshal.GetPInvokeErrorMessage(-result)} ({-result}).",
                    advice: $"Use {OptionNames.Backend.WithValue(LinuxAioBackend.Name)}."
                );
            if (_unsubmitted == 0 && (got > 0 || !wait))
                return got;
            if (got > 0 && result < 0)
                return got;
            if (until != long.MaxValue && Clock.Now >= until)
                return got;
            if (result is -LinuxCalls.EAGAIN or -LinuxCalls.EBUSY)
                Thread.Yield();
        }
    }

    /// <summary>If the kernel refuses (limit of locked memory), the worker uses unregistered buffers.</summary>
    private bool RegisterBuffers(BackendSetup setup)
    {
        var vectors = BackendSetup.SplitIntoRegisteredBuffers(setup, MaxRegisteredBytes);
        fixed (IoVector* all = vectors)
            return _ring!.Register(REGISTER_BUFFERS, all, (uint)vectors.Length) >= 0;
    }

    private string? PlainBuffersReason => _setup is { UsesFileCache: true } ? "the file cache copies the data" : null;

    private string PlainBuffersName =>
        PlainBuffersReason is { } why ? $"plain buffers ({why})"
        : LinuxResourceLimits.GetMaxLockedMemory() is { } limit
            ? $"plain buffers (locked memory is limited to {IoSize.Format(limit)}: ulimit -l)"
        : "plain buffers";

    private static string DescribeLockedMemoryNeed(int error, List<IoUringRing> had, int count)
    {
        if (error != LinuxCalls.ENOMEM || LinuxResourceLimits.GetMaxLockedMemory() is not { } limit)
            return "";
        var need =
            had.Count == 0
                ? ""
                : $", and {(count == 1 ? "the ring of 1 thread needs" : $"the rings of {count} threads need")} "
                    + $"{IoSize.Format(had.Sum(ring => ring.LockedBytes) / had.Count * count)}";
        return $". The limit is {IoSize.Format(limit)} for all programs of this user together{need}. Raise the limit, or use fewer threads or "
            + $"outstanding I/Os";
    }

    public static string DescribeError(int error) =>
        error switch
        {
            LinuxCalls.ENOSYS => "this kernel has no io_uring, or is older than 5.11",
            LinuxCalls.EINVAL => "this kernel does not support it",
            LinuxCalls.EPERM => "the system does not allow it (kernel.io_uring_disabled, or the seccomp filter of a container)",
            LinuxCalls.ENOMEM => "the locked-memory limit is too low (ulimit -l)",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
        };
}
