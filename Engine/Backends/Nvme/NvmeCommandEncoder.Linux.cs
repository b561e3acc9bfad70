using System.Runtime.CompilerServices;
using static IoBench.Engine.IoUringAbi;
using static IoBench.Engine.LinuxCalls;

namespace IoBench.Engine;

/// <summary>Encodes I/Os as NVMe commands for the character device of a namespace (<c>uring_cmd</c>, kernel 5.19).</summary>
internal unsafe struct NvmeCommandEncoder : IUringRequestEncoder
{
    private const byte Flush = 0x00,
        Write = 0x01,
        Read = 0x02;
    private const uint ForceUnitAccess = 1u << 30;

    // A submission and a completion take the room of two entries each.
    private const int Double = 2;

    private IoSlot* _slots;
    private int[] _descriptors;
    private NvmeTarget[] _targets;
    private bool _registeredFiles;
    private bool _registeredBuffers;

    public static uint RingFlags => SETUP_SQE128 | SETUP_CQE32;

    public void Initialize(BackendSetup setup, int[] descriptors)
    {
        _slots = setup.Slots;
        _descriptors = descriptors;
        _targets = Array.ConvertAll(
            setup.Targets,
            t => t.Nvme ?? throw new InvalidOperationException($"{t.Path} was not opened for commands.")
        );
    }

    public void SetRegistration(bool registeredFiles, bool registeredBuffers)
    {
        _registeredFiles = registeredFiles;
        _registeredBuffers = registeredBuffers;
    }

    public void QueueRequests(IoUringRing ring, int* ready, int count)
    {
        var tail = *ring.SqTail;
        var mask = ring.SqMask;
        for (var i = 0; i < count; i++)
        {
            var index = ready[i];
            var slot = _slots + index;
            var entry = ring.Entries + Double * (nint)(tail++ & mask);
            var isFixed = _registeredBuffers && slot->Operation != IoRequestKind.Flush;
            entry->Opcode = OP_URING_CMD;
            entry->Flags = _registeredFiles ? SQE_FIXED_FILE : (byte)0;
            entry->Descriptor = _registeredFiles ? slot->HandleIndex : _descriptors[slot->HandleIndex];
            // The offset field contains the command code of the driver.
            entry->Offset = NVME_URING_CMD_IO;
            entry->Address = null;
            entry->Length = 0;
            entry->OperationFlags = isFixed ? URING_CMD_FIXED : 0;
            entry->UserData = (ulong)index;
            entry->BufferIndex = isFixed ? slot->RegisteredBuffer : (ushort)0;
            *GetCommand(entry) = CreateCommand(_targets[slot->HandleIndex], slot);
        }
        Volatile.Write(ref *ring.SqTail, tail);
    }

    [MethodImpl(MethodImplOptions.AggressiveInlining)]
    public readonly int Reap(IoUringRing ring, IoCompletion* completions)
    {
        var head = *ring.CqHead;
        var tail = Volatile.Read(ref *ring.CqTail);
        var mask = ring.CqMask;
        var got = 0;
        for (; head != tail; head++)
        {
            var entry = ring.Completions + Double * (nint)(head & mask);
            completions[got].Slot = (int)entry->UserData;
            completions[got].Result = ToResult(entry->Result, _slots[entry->UserData].Length);
            got++;
        }
        Volatile.Write(ref *ring.CqHead, head);
        return got;
    }

    /// <exception cref="IoBenchException">The I/O is not aligned to logical blocks and would access other bytes.</exception>
    public static NvmeCommand CreateCommand(NvmeTarget target, IoSlot* slot)
    {
        if (slot->Operation == IoRequestKind.Flush)
            return new NvmeCommand { Opcode = Flush, Namespace = target.Namespace };
        var shift = target.SectorShift;
        if (((slot->Offset | (uint)slot->Length) & ((1L << shift) - 1)) != 0 || slot->Length <= 0)
            throw CreateMisalignedError(target, slot);
        var block = (ulong)slot->Offset >> shift;
        var isWrite = slot->Operation == IoRequestKind.Write;
        return new NvmeCommand
        {
            Opcode = isWrite ? Write : Read,
            Namespace = target.Namespace,
            Address = (ulong)slot->Buffer,
            DataLength = (uint)slot->Length,
            Word10 = (uint)block,
            Word11 = (uint)(block >> 32),
            // NVMe stores the number of blocks minus one.
            Word12 = (uint)(slot->Length >> shift) - 1 | (isWrite && target.IsWriteThrough ? ForceUnitAccess : 0),
        };
    }

    /// <summary>Returns the bytes of a successful command, the negated error, or an <see cref="NvmeStatus"/> result.</summary>
    public static int ToResult(int answer, int length)
    {
        if (answer == 0)
            return length;
        return answer < 0 ? answer : NvmeStatus.ToResult(answer);
    }

    /// <summary>Reads the first logical block, so that missing support is detected before the test.</summary>
    /// <param name="ring">The ring of the worker, which must be idle.</param>
    /// <param name="isFixed">Requests a missing registered buffer: kernel 6.1 and later returns EFAULT, older ones EINVAL.</param>
    public static int TryRead(IoUringRing ring, int descriptor, NvmeTarget target, byte* buffer, bool isFixed)
    {
        var slot = new IoSlot
        {
            Operation = IoRequestKind.Read,
            Length = 1 << target.SectorShift,
            Buffer = buffer,
        };
        var entry = ring.Entries + Double * (nint)(*ring.SqTail & ring.SqMask);
        *entry = new Submission
        {
            Opcode = OP_URING_CMD,
            Descriptor = descriptor,
            Offset = NVME_URING_CMD_IO,
            OperationFlags = isFixed ? URING_CMD_FIXED : 0,
            BufferIndex = isFixed ? ushort.MaxValue : (ushort)0,
        };
        *GetCommand(entry) = CreateCommand(target, &slot);
        Volatile.Write(ref *ring.SqTail, *ring.SqTail + 1);
        var left = 1u;
        while (*ring.CqHead == Volatile.Read(ref *ring.CqTail))
        {
            var taken = ring.Enter(left, 1, long.MaxValue);
            if (taken >= 0)
                left -= (uint)taken;
            else if (taken is not (-Errno.EINTR or -Errno.EAGAIN or -Errno.EBUSY))
                return taken;
        }
        var answer = ring.Completions[Double * (nint)(*ring.CqHead & ring.CqMask)].Result;
        Volatile.Write(ref *ring.CqHead, *ring.CqHead + 1);
        return answer;
    }

    private static NvmeCommand* GetCommand(Submission* entry) => (NvmeCommand*)((byte*)entry + SQE_COMMAND);

    [MethodImpl(MethodImplOptions.NoInlining)]
    private static IoBenchException CreateMisalignedError(NvmeTarget target, IoSlot* slot) =>
        IoBenchException.Failure(
            "IoBench.IoFailed",
            $"{slot->Operation} of {slot->Length} bytes at offset {slot->Offset} of {target.Name} does not begin and end with logical "
                + $"blocks of {1 << target.SectorShift} bytes: nothing was sent."
        );
}
