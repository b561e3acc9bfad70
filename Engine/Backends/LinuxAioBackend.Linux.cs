using System.Runtime.CompilerServices;
using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// Linux native asynchronous I/O by raw system calls (io_setup, io_submit, io_getevents). Where io_uring is forbidden, which is the rule
/// on many SQL Server hosts, this is what there is; only unbuffered I/O is really asynchronous.
/// </summary>
internal sealed unsafe class LinuxAioBackend : IoBackend
{
    private nint _context;
    private IoSlot* _slots;
    private int[] _descriptors = [];
    private ControlBlock* _blocks;
    private ControlBlock** _pending;
    private Event* _events;
    private Ring* _ring;
    private int _slotCount;
    private int _pendingCount;
    private int _outstanding;

    /// <inheritdoc/>
    public override IoBackendKind Kind => IoBackendKind.LinuxAio;

    /// <summary>Whether a context can be had here: tried, not guessed. The reason when it cannot.</summary>
    public static string? WhyNot()
    {
        if (!OperatingSystem.IsLinux())
            return "native asynchronous I/O is a part of Linux";
        nint context = 0;
        if (LinuxNative.Syscall(LinuxNative.SYS_io_setup, 1, (nint)(&context), 0, 0, 0, 0) < 0)
            return Reason(Marshal.GetLastSystemError());
        _ = LinuxNative.Syscall(LinuxNative.SYS_io_destroy, context, 0, 0, 0, 0, 0);
        return null;
    }

    /// <inheritdoc/>
    public override void Open(BackendSetup setup)
    {
        _slots = setup.Slots;
        _slotCount = setup.SlotCount;
        _descriptors = Array.ConvertAll(setup.Targets, t => (int)t.Raw);
        nint context = 0;
        if (LinuxNative.Syscall(LinuxNative.SYS_io_setup, _slotCount, (nint)(&context), 0, 0, 0, 0) < 0)
        {
            throw IoBenchException.Failure("IoBench.NoLinuxAio",
                $"Linux native asynchronous I/O cannot be used for {_slotCount} I/Os a thread: {Reason(Marshal.GetLastSystemError())}.");
        }
        _context = context;
        // The context's name is the address of its ring; a kernel that lays it out otherwise says so there.
        _ring = ((Ring*)context)->Magic == Ring.KnownMagic && ((Ring*)context)->IncompatibleFeatures == 0 ? (Ring*)context : null;
        _blocks = (ControlBlock*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(ControlBlock));
        _pending = (ControlBlock**)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(ControlBlock*));
        _events = (Event*)NativeMemory.AllocZeroed((nuint)_slotCount, (nuint)sizeof(Event));
    }

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
            _ = LinuxNative.Syscall(LinuxNative.SYS_io_destroy, _context, 0, 0, 0, 0, 0);
        NativeMemory.Free(_blocks);
        NativeMemory.Free(_pending);
        NativeMemory.Free(_events);
    }

    private ControlBlock* Describe(int index)
    {
        var slot = _slots + index;
        var block = _blocks + index;
        block->Data = (ulong)index;
        block->Descriptor = (uint)_descriptors[slot->Target];
        if (slot->Operation == SlotOperation.Flush)
        {
            block->Operation = ControlBlock.DataSync;
            block->Buffer = null;
            block->Length = 0;
            block->Offset = 0;
        }
        else
        {
            block->Operation = slot->Operation == SlotOperation.Read ? ControlBlock.Read : ControlBlock.Write;
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
        for (var portion = SubmissionRamp.First; first < _pendingCount; portion = SubmissionRamp.After(portion))
        {
            var taken = (int)LinuxNative.Syscall(LinuxNative.SYS_io_submit, _context, Math.Min(portion, _pendingCount - first), (nint)(_pending + first), 0, 0, 0);
            if (taken < 0)
            {
                var error = Marshal.GetLastSystemError();
                if (error == LinuxNative.EINTR)
                    continue;
                if (error != LinuxNative.EAGAIN)
                    throw IoBenchException.Failure("IoBench.BackendFailed", $"io_submit failed: {Marshal.GetPInvokeErrorMessage(error)} ({error}).");
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
            Take((Event*)((byte*)_ring + _ring->HeaderLength) + head, completions + got);
            got++;
        }
        if (got > 0)
            Volatile.Write(ref _ring->Head, head);
        return got;
    }

    /// <summary>Waits for the kernel, until a moment.</summary>
    private int Reap(long until, IoCompletion* completions)
    {
        LinuxNative.Timespec timeout;
        LinuxNative.Timespec* limit = null;
        if (until != long.MaxValue)
        {
            timeout = LinuxNative.Timespec.Until(until);
            limit = &timeout;
        }
        else if (_outstanding == 0)
        {
            return 0;
        }
        var got = (int)LinuxNative.Syscall(LinuxNative.SYS_io_getevents, _context, 1, _slotCount, (nint)_events, (nint)limit, 0);
        if (got < 0)
        {
            var error = Marshal.GetLastSystemError();
            if (error == LinuxNative.EINTR)
                return 0;
            throw IoBenchException.Failure("IoBench.BackendFailed", $"io_getevents failed: {Marshal.GetPInvokeErrorMessage(error)} ({error}).");
        }
        for (var i = 0; i < got; i++)
            Take(_events + i, completions + i);
        return got;
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    private static void Take(Event* entry, IoCompletion* completion)
    {
        completion->Slot = (int)entry->Data;
        completion->Result = (int)entry->Result;
    }

    private static string Reason(int error) => error switch
    {
        LinuxNative.EAGAIN => "the system's limit of such I/Os is reached (fs.aio-max-nr)",
        LinuxNative.ENOSYS => "this kernel has none",
        _ => $"{Marshal.GetPInvokeErrorMessage(error)} ({error})",
    };

    /// <summary>struct iocb of include/uapi/linux/aio_abi.h, little-endian, 64 bytes.</summary>
    [StructLayout(LayoutKind.Explicit, Size = 64)]
    private struct ControlBlock
    {
        public const ushort Read = 0, Write = 1, DataSync = 3;

        [FieldOffset(0)] public ulong Data;
        [FieldOffset(16)] public ushort Operation;
        [FieldOffset(20)] public uint Descriptor;
        [FieldOffset(24)] public byte* Buffer;
        [FieldOffset(32)] public ulong Length;
        [FieldOffset(40)] public long Offset;
    }

    /// <summary>struct aio_ring of fs/aio.c, mapped into every process that set up a context: other programs read it so too (libaio, fio's userspace_reap).</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Ring
    {
        public const uint KnownMagic = 0xa10a10a1;

        public uint Id;
        public uint Size;
        public uint Head;
        public uint Tail;
        public uint Magic;
        public uint CompatibleFeatures;
        public uint IncompatibleFeatures;
        public uint HeaderLength;
    }

    /// <summary>struct io_event, 32 bytes.</summary>
    [StructLayout(LayoutKind.Sequential)]
    private struct Event
    {
        public ulong Data;
        public ulong Block;
        public long Result;
        public long Result2;
    }
}
