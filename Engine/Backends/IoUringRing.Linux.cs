using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>A ring: the kernel's two queues, mapped into this process. Made and used by one thread (SINGLE_ISSUER demands it).</summary>
internal sealed unsafe class IoUringRing : IDisposable
{
    /// <summary>From the cheapest way of completing I/O (kernel 6.1) down to what every kernel knows; the first one that is taken is used.</summary>
    private static readonly (uint Flags, string Name)[] s_ladder =
    [
        (SETUP_SUBMIT_ALL | SETUP_SINGLE_ISSUER | SETUP_DEFER_TASKRUN, "defer_taskrun"),
        (SETUP_SUBMIT_ALL | SETUP_COOP_TASKRUN, "coop_taskrun"),
        (0, "plain"),
    ];

    private readonly int _descriptor;
    private readonly byte* _rings;
    private readonly nuint _ringsLength;
    private readonly nuint _entriesLength;
    private readonly int _enterDescriptor;
    private readonly uint _enterFlags = ENTER_GETEVENTS;

    /// <summary>The submission entries; entry i of the ring is always entry i here.</summary>
    public readonly Submission* Entries;
    /// <summary>The completions.</summary>
    public readonly Completion* Completions;
    public readonly uint* SqTail, CqHead, CqTail;
    public readonly uint SqMask, SqEntries, CqMask;

    private IoUringRing(int descriptor, in Parameters p, string mode)
    {
        _descriptor = descriptor;
        Mode = mode;
        _ringsLength = Math.Max(p.Sq.Array + p.SqEntries * sizeof(uint), p.Cq.Cqes + p.CqEntries * (uint)sizeof(Completion));
        _entriesLength = p.SqEntries * (uint)sizeof(Submission);
        _rings = Map(_ringsLength, OFF_SQ_RING);
        Entries = (Submission*)Map(_entriesLength, OFF_SQES);

        SqTail = (uint*)(_rings + p.Sq.Tail);
        SqMask = *(uint*)(_rings + p.Sq.RingMask);
        SqEntries = p.SqEntries;
        CqHead = (uint*)(_rings + p.Cq.Head);
        CqTail = (uint*)(_rings + p.Cq.Tail);
        CqMask = *(uint*)(_rings + p.Cq.RingMask);
        Completions = (Completion*)(_rings + p.Cq.Cqes);
        var array = (uint*)(_rings + p.Sq.Array);
        for (uint i = 0; i < p.SqEntries; i++)
            array[i] = i;

        // A registered ring descriptor saves a reference count on every call (kernel 5.18); without it nothing else changes.
        var update = new ResourceUpdate { Offset = uint.MaxValue, Data = (ulong)descriptor };
        _enterDescriptor = descriptor;
        if (Register(REGISTER_RING_FDS, &update, 1) == 1)
        {
            _enterDescriptor = (int)update.Offset;
            _enterFlags |= ENTER_REGISTERED_RING;
        }
    }

    /// <summary>How completions reach us: the rung of the ladder that was taken.</summary>
    public string Mode { get; }

    /// <summary>Makes a ring; null, with the system's error number, when the system has none for us.</summary>
    public static IoUringRing? Create(uint entries, out int error)
    {
        error = 0;
        foreach (var (flags, name) in s_ladder)
        {
            var parameters = new Parameters { Flags = flags | SETUP_CLAMP };
            var descriptor = (int)LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_setup, (nint)entries, (nint)(&parameters), 0, 0, 0, 0);
            if (descriptor >= 0)
            {
                const uint needed = FEAT_SINGLE_MMAP | FEAT_NODROP | FEAT_EXT_ARG;
                if ((parameters.Features & needed) == needed)
                    return new IoUringRing(descriptor, parameters, name);
                _ = LinuxCalls.Close(descriptor);
                error = Errno.ENOSYS;
                return null;
            }
            error = Marshal.GetLastSystemError();
            if (error != Errno.EINVAL)
                return null;
        }
        return null;
    }

    /// <summary>io_uring_register; the result, or the negated error number.</summary>
    public int Register(int operation, void* argument, uint count)
    {
        var result = (int)LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_register, _descriptor, operation, (nint)argument, (nint)count, 0, 0);
        return result >= 0 ? result : -Marshal.GetLastSystemError();
    }

    /// <summary>io_uring_enter for submission alone. Returns how many were submitted, or the negated error number.</summary>
    public int Submit(uint count)
    {
        var result = LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_enter, _enterDescriptor, (nint)count, 0, (nint)(_enterFlags & ~ENTER_GETEVENTS), 0, 0);
        return result >= 0 ? (int)result : -Marshal.GetLastSystemError();
    }

    /// <summary>
    /// io_uring_enter: submits, runs deferred completions, and waits for <paramref name="minimum"/> of them, but not beyond
    /// <paramref name="until"/>. Returns how many were submitted, or the negated error number.
    /// </summary>
    public int Enter(uint submit, uint minimum, long until)
    {
        nint result;
        if (until == long.MaxValue || minimum == 0)
        {
            result = LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_enter, _enterDescriptor, (nint)submit, (nint)minimum, (nint)_enterFlags, 0, 0);
        }
        else
        {
            var timeout = LinuxCalls.Timespec.Until(until);
            var argument = new EnterArgument { SignalMaskSize = 8, Timeout = &timeout };
            result = LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_enter, _enterDescriptor, (nint)submit, (nint)minimum,
                (nint)(_enterFlags | ENTER_EXT_ARG), (nint)(&argument), sizeof(EnterArgument));
        }
        return result >= 0 ? (int)result : -Marshal.GetLastSystemError();
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _ = LinuxCalls.Munmap(Entries, _entriesLength);
        _ = LinuxCalls.Munmap(_rings, _ringsLength);
        _ = LinuxCalls.Close(_descriptor);
    }

    private byte* Map(nuint length, nint offset)
    {
        var address = LinuxCalls.Mmap(null, length, LinuxCalls.PROT_READ | LinuxCalls.PROT_WRITE,
            LinuxCalls.MAP_SHARED | LinuxCalls.MAP_POPULATE, _descriptor, offset);
        if ((nint)address != -1)
            return address;
        var error = Marshal.GetLastSystemError();
        throw IoBenchException.Failure("IoBench.NoIoUring", $"io_uring's rings could not be mapped: {Marshal.GetPInvokeErrorMessage(error)} ({error}). Use {Opt.Backend.With(IoBackendKind.LinuxAio)}.");
    }
}
