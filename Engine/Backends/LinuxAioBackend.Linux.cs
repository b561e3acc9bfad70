using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>Linux native asynchronous I/O, the fallback if io_uring is disabled. Only unbuffered I/O is asynchronous.</summary>
internal sealed unsafe class LinuxAioBackend : IoBackend
{
    public const string Name = "LinuxAio";

    public static BackendDescriptor Descriptor { get; } =
        new()
        {
            Name = Name,
            DisplayName = "native asynchronous I/O",
            RunsOn = OSPlatform.Linux,
            UsesAioRequests = true,
            Probe = GetUnavailableReason,
            ProbePlan = GetUnavailableReason,
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

    public override BackendDescriptor Kind => Descriptor;

    public static string? GetUnavailableReason() => GetUnavailableReason(RuntimeInformation.ProcessArchitecture, [1]);

    public static string? GetUnavailableReason(RunPlan plan) =>
        GetUnavailableReason(RuntimeInformation.ProcessArchitecture, [.. plan.Workers.Select(w => w.SlotCount)]);

    internal static string? GetUnavailableReason(Architecture processor, int[] requests)
    {
        // The numbers of these system calls differ per architecture. On an unknown architecture, they would be other calls.
        if (processor is not (Architecture.X64 or Architecture.Arm64))
            return $"this backend requires x64 or arm64, but this computer has {processor.ToString().ToLowerInvariant()}";
        var contexts = new List<nint>();
        try
        {
            foreach (var count in requests)
            {
                nint context = 0;
                if (Syscall(SYS_io_setup, count, (nint)(&context), 0, 0, 0, 0) < 0)
                    return DescribeError(Marshal.GetLastSystemError());
                contexts.Add(context);
            }
            return null;
        }
        finally
        {
            contexts.ForEach(context => _ = Syscall(SYS_io_destroy, context, 0, 0, 0, 0, 0));
        }
    }

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _slotCount = setup.SlotCount;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.RawHandle);
        nint context = 0;
        if (Syscall(SYS_io_setup, _slotCount, (nint)(&context), 0, 0, 0, 0) < 0)
            throw BackendRefusedException.CreateError(Kind, DescribeError(Marshal.GetLastSystemError()));
        _context = context;
        // The id of a context is the address of its completion ring. The magic number shows whether the kernel uses the known layout.
        _ring =
            ((AioRing*)context)->Magic == AioRing.KnownMagic && ((AioRing*)context)->IncompatibleFeatures == 0 ? (AioRing*)context : null;
        _blocks = (AioControlBlock*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioControlBlock));
        _pending = (AioControlBlock**)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioControlBlock*));
        _events = (AioEvent*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(AioEvent));
    }

    public override int Submit(int* ready, int count)
    {
        for (var i = 0; i < count; i++)
            _pending[_pendingCount++] = FillControlBlock(ready[i]);
        Submit();
        return count;
    }

    public override bool HasCompletions => _ring is not null && _ring->Head != Volatile.Read(ref _ring->Tail);

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        for (var i = 0; i < count; i++)
            _pending[_pendingCount++] = FillControlBlock(ready[i]);
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

    public override void Close()
    {
        if (_context != 0)
            _ = Syscall(SYS_io_destroy, _context, 0, 0, 0, 0, 0);
        NativeMemory.Free(_blocks);
        NativeMemory.Free(_pending);
        NativeMemory.Free(_events);
    }

    private AioControlBlock* FillControlBlock(int index)
    {
        var slot = _slots + index;
        var block = _blocks + index;
        block->Data = (ulong)index;
        block->Descriptor = (uint)_descriptors[slot->HandleIndex];
        if (slot->Operation == IoRequestKind.Flush)
        {
            block->Operation = AioControlBlock.DataSync;
            block->Buffer = null;
            block->Length = 0;
            block->Offset = 0;
        }
        else
        {
            block->Operation = slot->Operation == IoRequestKind.Read ? AioControlBlock.Read : AioControlBlock.Write;
            block->Buffer = slot->Buffer;
            block->Length = (ulong)slot->Length;
            block->Offset = slot->Offset;
        }
        return block;
    }

    /// <summary>EAGAIN means that the queue is full; the rest is submitted after the next completions.</summary>
    private void Submit()
    {
        var first = 0;
        while (first < _pendingCount)
        {
            var taken = (int)Syscall(SYS_io_submit, _context, _pendingCount - first, (nint)(_pending + first), 0, 0, 0);
            if (taken < 0)
            {
                var error = Marshal.GetLastSystemError();
                if (error == LinuxCalls.EINTR)
                    continue;
                if (error != LinuxCalls.EAGAIN)
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

    /// <summary>Reads completions without a system call, which is safe because only this thread reads the ring.</summary>
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
            CopyCompletion((AioEvent*)((byte*)_ring + _ring->HeaderLength) + head, completions + got);
            got++;
        }
        if (got > 0)
            Volatile.Write(ref _ring->Head, head);
        return got;
    }

    private int Reap(long until, IoCompletion* completions)
    {
        Timespec timeout;
        Timespec* limit = null;
        if (until != long.MaxValue)
        {
            timeout = Timespec.FromNowTo(until);
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
            if (error == LinuxCalls.EINTR)
                return 0;
            throw IoBenchException.Failure(
                "IoBench.BackendFailed",
                $"io_getevents failed: {Marshal.GetPInvokeErrorMessage(error)} ({error})."
            );
        }
        for (var i = 0; i < got; i++)
            CopyCompletion(_events + i, completions + i);
        return got;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void CopyCompletion(AioEvent* entry, IoCompletion* completion)
    {
        completion->Slot = (int)entry->Data;
        completion->Result = (int)entry->Result;
    }

    private static string DescribeError(int error) =>
        error switch
        {
            LinuxCalls.EAGAIN => "the system limit for asynchronous I/Os has been reached (fs.aio-max-nr)",
            LinuxCalls.ENOSYS => "this kernel does not support it",
            _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
        };
}
