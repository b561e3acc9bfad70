using System.Runtime.CompilerServices;
using static IoBench.Engine.IoUringAbi;

namespace IoBench.Engine;

internal unsafe struct FileRequestEncoder : IUringRequestEncoder
{
    private IoSlot* _slots;
    private int[] _descriptors;
    private bool _registeredFiles;
    private bool _registeredBuffers;

    public static uint RingFlags => 0;

    public void Initialize(BackendSetup setup, int[] descriptors)
    {
        _slots = setup.Slots;
        _descriptors = descriptors;
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
        var entries = ring.Entries;
        var slots = _slots;
        var registeredFiles = _registeredFiles;
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
            entry->Descriptor = registeredFiles ? slot->HandleIndex : _descriptors[slot->HandleIndex];
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
    public readonly int Reap(IoUringRing ring, IoCompletion* completions)
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
}
