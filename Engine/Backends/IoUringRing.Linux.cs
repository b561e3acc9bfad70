using System.Runtime.InteropServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

/// <summary>An io_uring ring. Created and used by one thread, which SINGLE_ISSUER requires.</summary>
internal sealed unsafe class IoUringRing : IDisposable
{
    // Time without submissions after which the kernel's polling thread sleeps.
    private const uint SqIdleMs = 1000;

    /// <summary>From the cheapest mode (kernels 6.6 and 6.1) to the one that every kernel supports.</summary>
    private static readonly (uint Flags, string Name)[] s_modes =
    [
        (SETUP_SUBMIT_ALL | SETUP_SINGLE_ISSUER | SETUP_DEFER_TASKRUN | SETUP_NO_SQARRAY, "defer_taskrun, no_sqarray"),
        (SETUP_SUBMIT_ALL | SETUP_SINGLE_ISSUER | SETUP_DEFER_TASKRUN, "defer_taskrun"),
        (SETUP_SUBMIT_ALL | SETUP_COOP_TASKRUN, "coop_taskrun"),
        (0, "plain"),
    ];

    /// <summary>The kernel's own thread submits and completes I/O, so nothing is deferred to the worker.</summary>
    private static readonly (uint Flags, string Name)[] s_sqPollModes =
    [
        (SETUP_SQPOLL | SETUP_SUBMIT_ALL | SETUP_NO_SQARRAY, "sqpoll, no_sqarray"),
        (SETUP_SQPOLL, "sqpoll"),
    ];

    // The kernel tears down a closed ring asynchronously, and only then releases its locked memory.
    private static readonly long s_retryTime = Clock.Second;
    private static long s_lastClosed = long.MinValue / 2;

    private readonly IoPolling _polling;
    private readonly uint* _sqFlags;
    private readonly int _descriptor;
    private readonly byte* _rings;
    private readonly nuint _ringsLength;
    private readonly nuint _entriesLength;
    private int _enterDescriptor;
    private uint _enterFlags = ENTER_GETEVENTS;

    public readonly Submission* Entries;
    public readonly Completion* Completions;
    public readonly uint* SqTail,
        CqHead,
        CqTail;
    public readonly uint SqMask,
        SqEntries,
        CqMask;

    private IoUringRing(int descriptor, in Parameters p, string mode, byte* rings, Submission* entries)
    {
        if ((p.Flags & SETUP_SQPOLL) != 0)
            _polling = IoPolling.Submission;
        else
            _polling = (p.Flags & SETUP_IOPOLL) != 0 ? IoPolling.Completion : IoPolling.None;
        _sqFlags = (uint*)(rings + p.Sq.Flags);
        _descriptor = descriptor;
        _enterDescriptor = descriptor;
        CompletionMode = mode;
        (_ringsLength, _entriesLength) = GetMappingLengths(p);
        _rings = rings;
        Entries = entries;

        SqTail = (uint*)(_rings + p.Sq.Tail);
        SqMask = *(uint*)(_rings + p.Sq.RingMask);
        SqEntries = p.SqEntries;
        CqHead = (uint*)(_rings + p.Cq.Head);
        CqTail = (uint*)(_rings + p.Cq.Tail);
        CqMask = *(uint*)(_rings + p.Cq.RingMask);
        Completions = (Completion*)(_rings + p.Cq.Cqes);
        var array = (uint*)(_rings + p.Sq.Array);
        for (uint i = 0; i < p.SqEntries && (p.Flags & SETUP_NO_SQARRAY) == 0; i++)
            array[i] = i;
    }

    public string CompletionMode { get; }

    public long LockedBytes => RoundUpToPages(_ringsLength) + RoundUpToPages(_entriesLength);

    /// <summary>Returns null, with the error number, if the system refuses.</summary>
    /// <param name="form">Flags for larger entries; the pointers still have the type of the normal size.</param>
    public static IoUringRing? Create(uint entries, out int error, IoPolling polling = IoPolling.None, uint form = 0)
    {
        while (true)
        {
            if (TryCreate(entries, polling, form, out error) is { } ring)
                return ring;
            // The memory of another ring that this process has just closed is available again soon.
            if (error != LinuxCalls.ENOMEM || Clock.Now - Volatile.Read(ref s_lastClosed) > s_retryTime)
                return null;
            Thread.Sleep(5);
        }
    }

    /// <summary>Saves a reference count per call (kernel 5.18). Must run on the thread that created the ring.</summary>
    public void RegisterDescriptor()
    {
        var update = new ResourceUpdate { Offset = uint.MaxValue, Data = (ulong)_descriptor };
        if (Register(REGISTER_RING_FDS, &update, 1) != 1)
            return;
        _enterDescriptor = (int)update.Offset;
        _enterFlags |= ENTER_REGISTERED_RING;
    }

    private static (uint Flags, string Name)[] GetSetupCandidates(IoPolling polling) =>
        polling switch
        {
            IoPolling.Submission => s_sqPollModes,
            IoPolling.Completion => [.. s_modes.Select(mode => (mode.Flags | SETUP_IOPOLL, "iopoll, " + mode.Name))],
            IoPolling.Hybrid =>
            [
                .. s_modes.Select(mode => (mode.Flags | SETUP_IOPOLL | SETUP_HYBRID_IOPOLL, "hybrid_iopoll, " + mode.Name)),
            ],
            _ => s_modes,
        };

    private static IoUringRing? TryCreate(uint entries, IoPolling polling, uint form, out int error)
    {
        error = 0;
        foreach (var (flags, name) in GetSetupCandidates(polling))
        {
            var parameters = new Parameters
            {
                Flags = flags | form | SETUP_CLAMP,
                SqThreadIdle = polling == IoPolling.Submission ? SqIdleMs : 0,
            };
            var descriptor = (int)LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_setup, (nint)entries, (nint)(&parameters), 0, 0, 0, 0);
            if (descriptor >= 0)
            {
                const uint needed = FEAT_SINGLE_MMAP | FEAT_NODROP | FEAT_EXT_ARG;
                if ((parameters.Features & needed) == needed)
                    return MapRing(descriptor, parameters, name, out error);
                _ = LinuxCalls.Close(descriptor);
                error = LinuxCalls.ENOSYS;
                return null;
            }
            error = Marshal.GetLastSystemError();
            if (error != LinuxCalls.EINVAL)
                return null;
        }
        return null;
    }

    public int Register(int operation, void* argument, uint count)
    {
        var result = (int)LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_register, _descriptor, operation, (nint)argument, (nint)count, 0, 0);
        return result >= 0 ? result : -Marshal.GetLastSystemError();
    }

    public int Submit(uint count)
    {
        if (_polling == IoPolling.Submission && !NeedsWakeup())
            return (int)count;
        var result = LinuxCalls.Syscall(
            LinuxCalls.SYS_io_uring_enter,
            _enterDescriptor,
            (nint)count,
            0,
            (nint)((_enterFlags & ~ENTER_GETEVENTS) | (_polling == IoPolling.Submission ? ENTER_SQ_WAKEUP : 0)),
            0,
            0
        );
        return result >= 0 ? (int)result : -Marshal.GetLastSystemError();
    }

    /// <summary>Returns the number of submitted entries or the negated error number.</summary>
    public int Enter(uint submit, uint minimum, long until)
    {
        nint result;
        var flags = _enterFlags;
        if (_polling != IoPolling.None)
        {
            // The kernel's thread takes the submissions, so a check for completions needs no system call.
            if (_polling == IoPolling.Submission && NeedsWakeup())
                flags |= ENTER_SQ_WAKEUP;
            else if (_polling == IoPolling.Submission && minimum == 0)
                return (int)submit;
            // A call that polls the device ignores the time limit, so it polls once, and the worker checks the clock.
            else if (_polling == IoPolling.Completion && until != long.MaxValue)
                minimum = 0;
        }
        if (until == long.MaxValue || minimum == 0)
        {
            result = LinuxCalls.Syscall(LinuxCalls.SYS_io_uring_enter, _enterDescriptor, (nint)submit, (nint)minimum, (nint)flags, 0, 0);
        }
        else
        {
            var timeout = LinuxCalls.Timespec.FromNowTo(until);
            var argument = new EnterArgument { SignalMaskSize = 8, Timeout = &timeout };
            result = LinuxCalls.Syscall(
                LinuxCalls.SYS_io_uring_enter,
                _enterDescriptor,
                (nint)submit,
                (nint)minimum,
                (nint)(flags | ENTER_EXT_ARG),
                (nint)(&argument),
                sizeof(EnterArgument)
            );
        }
        return result >= 0 ? (int)result : -Marshal.GetLastSystemError();
    }

    private bool NeedsWakeup()
    {
        // The submissions must be visible before the wakeup flag is read. Otherwise, the kernel's thread and the worker deadlock.
        Interlocked.MemoryBarrier();
        return (Volatile.Read(ref *_sqFlags) & SQ_NEED_WAKEUP) != 0;
    }

    public void Dispose()
    {
        if ((_enterFlags & ENTER_REGISTERED_RING) != 0)
        {
            // Otherwise the registration remains until its thread ends. Only that thread can remove it.
            var update = new ResourceUpdate { Offset = (uint)_enterDescriptor };
            _ = Register(UNREGISTER_RING_FDS, &update, 1);
        }
        _ = LinuxCalls.Munmap(Entries, _entriesLength);
        _ = LinuxCalls.Munmap(_rings, _ringsLength);
        _ = LinuxCalls.Close(_descriptor);
        Volatile.Write(ref s_lastClosed, Clock.Now);
    }

    private static IoUringRing? MapRing(int descriptor, in Parameters p, string mode, out int error)
    {
        var (ringsLength, entriesLength) = GetMappingLengths(p);
        var rings = Map(descriptor, ringsLength, OFF_SQ_RING, out error);
        var entries = rings is null ? null : Map(descriptor, entriesLength, OFF_SQES, out error);
        if (entries is not null)
            return new IoUringRing(descriptor, p, mode, rings, (Submission*)entries);
        if (rings is not null)
            _ = LinuxCalls.Munmap(rings, ringsLength);
        _ = LinuxCalls.Close(descriptor);
        return null;
    }

    private static (nuint Rings, nuint Entries) GetMappingLengths(in Parameters p)
    {
        var completions = p.Cq.Cqes + p.CqEntries * (uint)sizeof(Completion) * ((p.Flags & SETUP_CQE32) != 0 ? 2u : 1);
        // The index array, if the ring has one, follows the completions.
        var array = (p.Flags & SETUP_NO_SQARRAY) != 0 ? 0 : p.Sq.Array + p.SqEntries * sizeof(uint);
        return (Math.Max(array, completions), p.SqEntries * (uint)sizeof(Submission) * ((p.Flags & SETUP_SQE128) != 0 ? 2u : 1));
    }

    private static long RoundUpToPages(nuint bytes) =>
        ((long)bytes + Environment.SystemPageSize - 1) / Environment.SystemPageSize * Environment.SystemPageSize;

    private static byte* Map(int descriptor, nuint length, nint offset, out int error)
    {
        var address = LinuxCalls.Mmap(
            null,
            length,
            LinuxCalls.PROT_READ | LinuxCalls.PROT_WRITE,
            LinuxCalls.MAP_SHARED | LinuxCalls.MAP_POPULATE,
            descriptor,
            offset
        );
        var failed = (nint)address == -1;
        error = failed ? Marshal.GetLastSystemError() : 0;
        return failed ? null : address;
    }
}
