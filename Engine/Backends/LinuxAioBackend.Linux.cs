using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static IoBench.Engine.Interop.Linux.LinuxCalls;

namespace IoBench.Engine.Backends;

/// <summary>
/// Linux native asynchronous I/O by raw system calls (io_setup, io_submit, io_getevents). Where io_uring is forbidden, which is the rule
/// on many SQL Server hosts, this is what there is; only unbuffered I/O is really asynchronous.
/// </summary>
internal sealed unsafe class LinuxAioBackend : IoBackend
{
    /// <summary>What <c>-Backend</c> calls it, and a result that it measured.</summary>
    public const string Name = "LinuxAio";

    /// <summary>All that the rest of IoBench knows about it.</summary>
    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            Words = "native asynchronous I/O",
            RunsOn = OSPlatform.Linux,
            UsesAioRequests = true,
            Probe = WhyNot,
            Rehearse = WhyNotFor,
            Create = (_, _) => new LinuxAioBackend(),
        };

    private nint _context;
    private IoSlot* _slots;
    private int[] _descriptors = [];
    private AioControlBlock* _blocks;
    private AioControlBlock** _pending;
    private AioEvent* _events;
    private AioRing* _ring;
    private int _slotCount;
    private int _pendingCount;
    private int _outstanding;

    /// <inheritdoc/>
    public override BackendDescriptor Kind => Descriptor;

    /// <summary>Whether a context can be had here: tried, not guessed. The reason when it cannot.</summary>
    public static string? WhyNot() => WhyNotFor(RuntimeInformation.ProcessArchitecture, [1]);

    /// <summary>Whether the contexts of all workers can be had, each for as many I/Os as it will have; the reason when they cannot.</summary>
    public static string? WhyNotFor(RunPlan plan) =>
        WhyNotFor(RuntimeInformation.ProcessArchitecture, [.. plan.Workers.Select(w => w.SlotCount)]);

    /// <summary>The same for a kind of processor and so many I/Os of each context.</summary>
    internal static string? WhyNotFor(Architecture processor, int[] requests)
    {
        // Each kind of processor has numbers of its own for these calls: another one's would be other calls.
        if (processor is not (Architecture.X64 or Architecture.Arm64))
            return $"it is available on x64 and arm64 only, and this is {processor.ToString().ToLowerInvariant()}";
        var contexts = new List<nint>();
        try
        {
            foreach (var count in requests)
            {
                nint context = 0;
                if (Syscall(SYS_io_setup, count, (nint)(&context), 0, 0, 0, 0) < 0)
                    return Reason(Marshal.GetLastSystemError());
                contexts.Add(context);
            }
            return null;
        }
        finally
        {
            contexts.ForEach(context => _ = Syscall(SYS_io_destroy, context, 0, 0, 0, 0, 0));
        }
    }

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _slotCount = setup.SlotCount;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.Raw);
        nint context = 0;
        if (Syscall(SYS_io_setup, _slotCount, (nint)(&context), 0, 0, 0, 0) < 0)
            throw BackendRefusal.Error(Kind, Reason(Marshal.GetLastSystemError()));
        _context = context;
        // The context's name is the address of its ring; a kernel that lays it out otherwise says so there.
        _ring =
            ((AioRing*)context)->Magic == AioRing.KnownMagic && ((AioRing*)context)->IncompatibleFeatures == 0 ? (AioRing*)context : null;
        _blocks = (AioControlBlock*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioControlBlock));
        _pending = (AioControlBlock**)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioControlBlock*));
        _events = (AioEvent*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioEvent));
    }

    /// <inheritdoc/>
    public override int Submit(int* ready, int count)
    {
        for (var i = 0; i < count; i++)
            _pending[_pendingCount++] = Describe(ready[i]);
        Submit();
        return count;
    }

    /// <inheritdoc/>
    public override bool HasCompletions => _ring is not null && _ring->Head != Volatile.Read(ref _ring->Tail);

    /// <inheritdoc/>
    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        for (var i = 0; i < count; i++)
            _pending[_pendingCount++] = Describe(ready[i]);
        while (true)
        {
            Submit();
            var got = ReapRing(completions);
            if (got == 0)
                got = Reap(until, completions);
            _outstanding -= got;
            if (got > 0 || (until != long.MaxValue && Clock.Now >= until))
                return got;
        }
    }

    /// <inheritdoc/>
    public override void Close()
    {
        if (_context != 0)
            _ = Syscall(SYS_io_destroy, _context, 0, 0, 0, 0, 0);
        NativeMemory.Free(_blocks);
        NativeMemory.Free(_pending);
        NativeMemory.Free(_events);
    }

    private AioControlBlock* Describe(int index)
    {
        var slot = _slots + index;
        var block = _blocks + index;
        block->Data = (ulong)index;
        block->Descriptor = (uint)_descriptors[slot->Target];
        if (slot->Operation == SlotOperation.Flush)
        {
            block->Operation = AioControlBlock.DataSync;
            block->Buffer = null;
            block->Length = 0;
            block->Offset = 0;
        }
        else
        {
            block->Operation = slot->Operation == SlotOperation.Read ? AioControlBlock.Read : AioControlBlock.Write;
            block->Buffer = slot->Buffer;
            block->Length = (ulong)slot->Length;
            block->Offset = slot->Offset;
        }
        return block;
    }

    /// <summary>Offers what is pending. EAGAIN = the queue is full: the rest is offered again after something was reaped.</summary>
    private void Submit()
    {
        var first = 0;
        while (first < _pendingCount)
        {
            var taken = (int)Syscall(SYS_io_submit, _context, _pendingCount - first, (nint)(_pending + first), 0, 0, 0);
            if (taken < 0)
            {
                var error = Marshal.GetLastSystemError();
                if (error == Errno.EINTR)
                    continue;
                if (error != Errno.EAGAIN)
                    throw IoBenchException.Failure(
                        "IoBench.BackendFailed",
                        $"io_submit failed: {Marshal.GetPInvokeErrorMessage(error)} ({error})."
                    );
                if (_outstanding == 0)
                    Thread.Yield();
                break;
            }
            _outstanding += taken;
            first += taken;
        }
        _pendingCount -= first;
        for (var i = 0; i < _pendingCount && first > 0; i++)
            _pending[i] = _pending[i + first];
    }

    /// <summary>Takes what the kernel has already put into the ring, without a system call: a worker is the only one that takes from its own.</summary>
    private int ReapRing(IoCompletion* completions)
    {
        if (_ring is null)
            return 0;
        var size = _ring->Size;
        var head = _ring->Head;
        var tail = Volatile.Read(ref _ring->Tail);
        var got = 0;
        for (; head != tail; head = head + 1 == size ? 0 : head + 1)
        {
            Take((AioEvent*)((byte*)_ring + _ring->HeaderLength) + head, completions + got);
            got++;
        }
        if (got > 0)
            Volatile.Write(ref _ring->Head, head);
        return got;
    }

    /// <summary>Waits for the kernel, until a moment.</summary>
    private int Reap(long until, IoCompletion* completions)
    {
        Timespec timeout;
        Timespec* limit = null;
        if (until != long.MaxValue)
        {
            timeout = Timespec.Until(until);
            limit = &timeout;
        }
        else if (_outstanding == 0)
        {
            return 0;
        }
        var got = (int)Syscall(SYS_io_getevents, _context, 1, _slotCount, (nint)_events, (nint)limit, 0);
        if (got < 0)
        {
            var error = Marshal.GetLastSystemError();
            if (error == Errno.EINTR)
                return 0;
            throw IoBenchException.Failure(
                "IoBench.BackendFailed",
                $"io_getevents failed: {Marshal.GetPInvokeErrorMessage(error)} ({error})."
            );
        }
        for (var i = 0; i < got; i++)
            Take(_events + i, completions + i);
        return got;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Take(AioEvent* entry, IoCompletion* completion)
    {
        completion->Slot = (int)entry->Data;
        completion->Result = (int)entry->Result;
    }

    private static string Reason(int error) =>
        error switch
        {
            Errno.EAGAIN => "the system's limit of such I/Os is reached (fs.aio-max-nr)",
            Errno.ENOSYS => "this kernel has none",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
        };
}
