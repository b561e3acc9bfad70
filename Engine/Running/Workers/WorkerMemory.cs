using System.Runtime.InteropServices;

namespace IoBench.Engine.Running.Workers;

/// <summary>A worker's native memory: slots, batches, and page-aligned buffers. Never moves; freed by the worker once the kernel is done with it.</summary>
internal sealed unsafe class WorkerMemory
{
    private readonly BufferMemory? _buffers;
    private readonly long _checkBytes;
    private byte* _checks;

    /// <summary>Memory for so many slots and bytes of buffers.</summary>
    /// <param name="bufferBytes">Bytes of all slots' buffers together.</param>
    /// <param name="largePages">In large pages.</param>
    /// <param name="checkBytes">Bytes per slot for the checks of its I/O; 0 without checks.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughMemory</c>, <c>IoBench.NoLargePages</c>: the system has not that much.</exception>
    public WorkerMemory(int slots, long bufferBytes, bool largePages, long checkBytes = 0)
    {
        (SlotCount, BufferBytes, _checkBytes) = (slots, bufferBytes, checkBytes);
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

    /// <summary>How many.</summary>
    public int SlotCount { get; }

    /// <summary>Room for the indexes of one batch.</summary>
    public int* Batch { get; private set; }

    /// <summary>Room for the indexes of I/Os that the system sent back as busy.</summary>
    public int* Retries { get; private set; }

    /// <summary>Room for a completion per slot.</summary>
    public IoCompletion* Completions { get; private set; }

    /// <summary>The buffers, aligned to a page.</summary>
    public byte* Buffers => _buffers!.Start;

    /// <summary>Their size in bytes.</summary>
    public long BufferBytes { get; }

    /// <summary>Where the checks of a slot's I/O are noted.</summary>
    public MapEntry* ChecksOf(int slot) => (MapEntry*)(_checks + slot * _checkBytes);

    /// <summary>Gives all back. Only when no I/O is outstanding.</summary>
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
