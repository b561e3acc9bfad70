using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>Linux io_uring by raw system calls: one ring a worker; submission and waiting are one call.</summary>
internal sealed unsafe class IoUringBackend : IoBackend
{
    /// <summary>Its name.</summary>
    public const string Name = "IoUring";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static BackendDescriptor Descriptor { get; } = new()
    {
        Name = Name, Words = "io_uring", RunsOn = OSPlatform.Linux, FilesPerWorker = 1, CanPoll = true, Probe = WhyNot, Rehearse = WhyNotFor, Create = (_, _) => new IoUringBackend(),
    };

    /// <summary>Bytes of the largest registered piece of memory: the kernel takes at most 1 GiB; less only in tests.</summary>
    internal long LargestPiece { get; init; } = 1L << 30;

    private IoUringRing? _ring;
    private IoSlot* _slots;
    private int[] _descriptors = [];
    private bool _registeredFiles;
    private bool _registeredBuffers;
    private uint _unsubmitted;
    private BackendSetup? _setup;

    /// <inheritdoc/>
    public override BackendDescriptor Kind => Descriptor;

    /// <inheritdoc/>
    public override string Details => string.Join(", ", new[] { _ring?.Mode, _registeredFiles ? "registered files" : null, _registeredBuffers ? "registered buffers" : PlainBuffers }.Where(part => part is not null));

    /// <inheritdoc/>
    public override bool HasExtras => true;

    /// <summary>Whether a ring can be had here: tried, not guessed. The reason when it cannot.</summary>
    public static string? WhyNot()
    {
        using var ring = IoUringRing.Create(8, out var error);
        return ring is not null ? null : Reason(error) + Need(error, [], 1);
    }

    /// <summary>Whether the rings of all workers can be had, each as deep as it will be; the reason when they cannot.</summary>
    public static string? WhyNotFor(RunPlan plan)
    {
        var polling = plan.Specification.Polling;
        if (polling is IoPolling.Completion or IoPolling.Hybrid && plan.Targets.FirstOrDefault(target => target.Facts.GetValueOrDefault(VolumeFacts.QueuePollingFact) != "1") is { } target)
            return $"the device of {target.Path} has no queues that can be polled (its queue/io_poll in /sys is not 1; NVMe has them with the module's parameter poll_queues)";
        var workers = plan.Workers;
        var rings = new List<IoUringRing>();
        try
        {
            foreach (var worker in workers)
            {
                if (IoUringRing.Create((uint)worker.SlotCount, out var error, polling) is not { } ring)
                    return Reason(error) + Need(error, rings, workers.Length);
                rings.Add(ring);
            }
            return null;
        }
        finally
        {
            rings.ForEach(ring => ring.Dispose());
        }
    }

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _setup = setup;
        _slots = setup.Slots;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.Raw);
        _ring = IoUringRing.Create((uint)setup.SlotCount, out var error, setup.Polling)
            ?? throw BackendRefusal.Error(Kind, Reason(error));
        _ring.RegisterDescriptor();
    }

    /// <inheritdoc/>
    public override BackendExtras TakeExtras()
    {
        fixed (int* descriptors = _descriptors)
            _registeredFiles = _ring!.Register(REGISTER_FILES, descriptors, (uint)_descriptors.Length) >= 0;
        // A registered buffer spares the kernel to look up pages for a device. Where the processor copies, it only makes the copy a longer way: piece by piece.
        _registeredBuffers = !_setup!.IsCopied && RegisterBuffers(_setup);
        return (_registeredFiles ? BackendExtras.RegisteredFiles : BackendExtras.None) | (_registeredBuffers ? BackendExtras.RegisteredBuffers : BackendExtras.None);
    }

    /// <inheritdoc/>
    public override void Keep(BackendExtras common)
    {
        if (_registeredBuffers && !common.HasFlag(BackendExtras.RegisteredBuffers))
            _registeredBuffers = _ring!.Register(UNREGISTER_BUFFERS, null, 0) < 0;
        if (_registeredFiles && !common.HasFlag(BackendExtras.RegisteredFiles))
            _registeredFiles = _ring!.Register(UNREGISTER_FILES, null, 0) < 0;
    }

    /// <inheritdoc/>
    public override int Submit(int* ready, int count)
    {
        var ring = _ring!;
        count = Math.Min((int)(ring.SqEntries - _unsubmitted), count);
        Queue(ring, ready, count);
        // What is refused now stays queued and goes with the next.
        _unsubmitted -= (uint)Math.Max(0, ring.Submit(_unsubmitted));
        return count;
    }

    /// <inheritdoc/>
    public override bool HasCompletions => *_ring!.CqHead != Volatile.Read(ref *_ring.CqTail);

    /// <inheritdoc/>
    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var ring = _ring!;
        var got = 0;
        while (count > 0)
        {
            var room = (int)(ring.SqEntries - _unsubmitted);
            var now = Math.Min(room, count);
            Queue(ring, ready, now);
            ready += now;
            count -= now;
            if (count > 0)
                got += Enter(ring, wait: false, until, completions + got);
        }
        return got > 0 ? got + Enter(ring, wait: false, until, completions + got) : Enter(ring, wait: true, until, completions);
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (_ring is null)
            return;
        // The kernel takes a closed ring apart in its own time: buffers and files are given back now, so that the next run, or an unmount, finds them free.
        if (_registeredBuffers)
            _ = _ring.Register(UNREGISTER_BUFFERS, null, 0);
        if (_registeredFiles)
            _ = _ring.Register(UNREGISTER_FILES, null, 0);
        _ring.Dispose();
    }

    private void Queue(IoUringRing ring, int* ready, int count)
    {
        var tail = *ring.SqTail;
        var mask = ring.SqMask;
        var entries = ring.Entries;
        var slots = _slots;
        var registeredFiles = _registeredFiles;
        var fileFlag = registeredFiles ? SQE_FIXED_FILE : (byte)0;
        // Reads and writes differ by their number alone: nothing to branch on.
        var (read, more) = _registeredBuffers ? (OP_READ_FIXED, OP_WRITE_FIXED - OP_READ_FIXED) : (OP_READ, OP_WRITE - OP_READ);
        for (var i = 0; i < count; i++)
        {
            var index = ready[i];
            var slot = slots + index;
            var entry = entries + (tail++ & mask);
            entry->Opcode = (byte)(read + (int)slot->Operation * more);
            entry->Flags = fileFlag;
            entry->Descriptor = registeredFiles ? slot->Target : _descriptors[slot->Target];
            entry->Offset = slot->Offset;
            entry->Address = slot->Buffer;
            entry->Length = slot->Length;
            entry->OperationFlags = 0;
            entry->UserData = (ulong)index;
            entry->BufferIndex = slot->Piece;
            if (slot->Operation == SlotOperation.Flush)
                MakeFlush(entry);
        }
        Volatile.Write(ref *ring.SqTail, tail);
        _unsubmitted += (uint)count;
    }

    private static void MakeFlush(Submission* entry)
    {
        entry->Opcode = OP_FSYNC;
        entry->Offset = 0;
        entry->Address = null;
        entry->Length = 0;
        entry->OperationFlags = FSYNC_DATASYNC;
    }

    /// <summary>
    /// Submits what is queued and takes what is complete. EINTR (the garbage collector's signals), EAGAIN (no memory for requests now)
    /// and EBUSY (completions must be taken first) only mean: take what is there and try again.
    /// </summary>
    private int Enter(IoUringRing ring, bool wait, long until, IoCompletion* completions)
    {
        var got = 0;
        while (true)
        {
            var result = ring.Enter(_unsubmitted, wait && got == 0 ? 1u : 0u, until);
            if (result >= 0)
                _unsubmitted -= (uint)result;
            got += Reap(ring, completions + got);
            if (result < 0 && result is not (-Errno.EINTR or -Errno.EAGAIN or -Errno.EBUSY or -Errno.ETIME))
                throw IoBenchException.Failure("IoBench.BackendFailed", $"io_uring_enter failed: {Marshal.GetPInvokeErrorMessage(-result)} ({-result}). Use {Opt.Backend.With(LinuxAioBackend.Name)}.");
            if (_unsubmitted == 0 && (got > 0 || !wait))
                return got;
            if (got > 0 && result < 0)
                return got;
            if (until != long.MaxValue && Clock.Now >= until)
                return got;
            if (result is -Errno.EAGAIN or -Errno.EBUSY)
                Thread.Yield();
        }
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

    /// <summary>One registration for all of a worker's buffers. Refused (the limit of locked memory): plain buffers do.</summary>
    private bool RegisterBuffers(BackendSetup setup)
    {
        var vectors = RegisteredPieces.Cut(setup, LargestPiece);
        fixed (IoVector* all = vectors)
            return _ring!.Register(REGISTER_BUFFERS, all, (uint)vectors.Length) >= 0;
    }

    private string PlainBuffers => _setup is { IsCopied: true } ? "plain buffers (the file cache copies)" : LinuxLimits.LockedMemory() is { } limit ? $"plain buffers (locked memory is limited to {new IoSize(limit).ToDisplayString()}: ulimit -l)" : "plain buffers";

    private static string Need(int error, List<IoUringRing> had, int count)
    {
        if (error != Errno.ENOMEM || LinuxLimits.LockedMemory() is not { } limit)
            return "";
        var need = had.Count == 0 ? "" : $", and the rings of {count} threads need {new IoSize(had.Sum(ring => ring.Bytes) / had.Count * count).ToDisplayString()}";
        return $": it is {new IoSize(limit).ToDisplayString()} for all programs of the user{need}. Raise it, or use fewer threads or outstanding I/Os";
    }

    private static string Reason(int error) => error switch
    {
        Errno.ENOSYS => "this kernel has none, or one older than 5.11",
        Errno.EINVAL => "this kernel does not support it",
        Errno.EPERM => "it is forbidden here (kernel.io_uring_disabled, or a container's seccomp filter)",
        Errno.ENOMEM => "the limit of locked memory is too low (ulimit -l)",
        _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
    };
}
