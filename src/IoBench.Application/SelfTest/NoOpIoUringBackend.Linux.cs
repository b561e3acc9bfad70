using System.Runtime.InteropServices;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>io_uring with requests that do nothing (IORING_OP_NOP). They are submitted and completed like all others.</summary>
internal sealed unsafe class NoOpIoUringBackend : IoBackend
{
    private IoUringRing? _ring;
    private IoSlot* _slots;
    private uint _unsubmitted;

    // With the descriptor of the Null backend, workers open no files.
    public override BackendDescriptor Kind => NullBackend.Descriptor;

    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _ring =
            IoUringRing.Create((uint)setup.SlotCount, out var error)
            ?? throw IoBenchException.Failure(
                "IoBench.NoIoUring",
                $"io_uring cannot be used: {Marshal.GetPInvokeErrorMessage(error)} ({error})."
            );
    }

    public override int SubmitAndReap(int* ready, int count, long until, IoCompletion* completions)
    {
        var ring = _ring!;
        var tail = *ring.SqTail;
        for (var i = 0; i < count; i++)
        {
            var entry = ring.Entries + (tail++ & ring.SqMask);
            *entry = default;
            entry->Opcode = IoUringAbi.OP_NOP;
            entry->UserData = (ulong)ready[i];
        }
        Volatile.Write(ref *ring.SqTail, tail);
        _unsubmitted += (uint)count;
        while (true)
        {
            var submitted = ring.Enter(_unsubmitted, 1, until);
            if (submitted >= 0)
                _unsubmitted -= (uint)submitted;
            var got = ReapCompletions(ring, completions);
            if (got > 0 || (until != long.MaxValue && Clock.Now >= until))
                return got;
            if (submitted is < 0 and not (-Errno.EINTR or -Errno.EAGAIN or -Errno.EBUSY or -Errno.ETIME))
                throw IoBenchException.Failure(
                    "IoBench.BackendFailed",
                    $"io_uring_enter failed: {Marshal.GetPInvokeErrorMessage(-submitted)} ({-submitted})."
                );
        }
    }

    public override void Close() => _ring?.Dispose();

    private int ReapCompletions(IoUringRing ring, IoCompletion* completions)
    {
        var head = *ring.CqHead;
        var tail = Volatile.Read(ref *ring.CqTail);
        var got = 0;
        for (; head != tail; head++, got++)
        {
            var slot = (int)ring.Completions[head & ring.CqMask].UserData;
            completions[got].Slot = slot;
            completions[got].Result = _slots[slot].Length;
        }
        Volatile.Write(ref *ring.CqHead, head);
        return got;
    }
}
