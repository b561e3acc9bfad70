using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Native memory of a worker, which never moves. The worker frees it when the kernel no longer uses it.</summary>
internal sealed unsafe class WorkerMemory
{
    private readonly BufferMemory? _buffers;
    private readonly long _checkBytes;
    private byte* _checks;

    /// <param name="checkBytes">Bytes per slot for the verification of its I/O; 0 without verification.</param>
    public WorkerMemory(int slots, long bufferBytes, bool largePages, long checkBytes = 0)
    {
        SlotCount = slots;
        BufferBytes = bufferBytes;
        _checkBytes = checkBytes;
        try
        {
            Slots = (IoSlot*)NativeMemory.AlignedAlloc((nuint)slots * (nuint)sizeof(IoSlot), IoSlot.CacheLine);
            NativeMemory.Clear(Slots, (nuint)slots * (nuint)sizeof(IoSlot));
            Batch = (int*)NativeMemory.AllocZeroed((nuint)slots, sizeof(int));
            Retries = (int*)NativeMemory.AllocZeroed((nuint)slots, sizeof(int));
            Completions = (IoCompletion*)NativeMemory.AllocZeroed((nuint)slots, (nuint)sizeof(IoCompletion));
            _checks = checkBytes == 0 ? null : (byte*)NativeMemory.AllocZeroed((nuint)slots, (nuint)checkBytes);
            _buffers = new BufferMemory(bufferBytes, largePages);
        }
        catch
        {
            Free();
            throw;
        }
    }

    public IoSlot* Slots { get; private set; }

    public int SlotCount { get; }

    public int* Batch { get; private set; }

    public int* Retries { get; private set; }

    public IoCompletion* Completions { get; private set; }

    public byte* Buffers => _buffers!.Start;

    public long BufferBytes { get; }

    public ChecksumMapEntry* GetChecks(int slot) => (ChecksumMapEntry*)(_checks + slot * _checkBytes);

    /// <summary>Frees all memory. No I/O may be outstanding.</summary>
    public void Free()
    {
        NativeMemory.AlignedFree(Slots);
        NativeMemory.Free(Batch);
        NativeMemory.Free(Retries);
        NativeMemory.Free(Completions);
        NativeMemory.Free(_checks);
        _checks = null;
        _buffers?.Free();
        Slots = null;
        Batch = null;
        Retries = null;
        Completions = null;
    }
}
