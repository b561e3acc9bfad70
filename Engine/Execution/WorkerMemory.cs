using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>A worker's native memory: slots, batches, and page-aligned buffers. Never moves; freed by the worker once the kernel is done with it.</summary>
internal sealed unsafe class WorkerMemory
{
    private const int PageSize = 4096;
    private const int HugePageSize = 2 << 20;
    private readonly nuint _mapped;
    private byte* _mapping;

    /// <summary>Memory for so many slots and bytes of buffers.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughMemory</c>: the system has not that much.</exception>
    public WorkerMemory(int slots, long bufferBytes)
    {
        SlotCount = slots;
        BufferBytes = bufferBytes;
        Slots = (IoSlot*)NativeMemory.AllocZeroed((nuint)slots, (nuint)sizeof(IoSlot));
        Batch = (int*)NativeMemory.AllocZeroed((nuint)slots, sizeof(int));
        Completions = (IoCompletion*)NativeMemory.AllocZeroed((nuint)slots, (nuint)sizeof(IoCompletion));
        if (OperatingSystem.IsLinux())
        {
            // In huge pages an I/O of 512 KB is one piece of memory and not 128: a fifth of the kernel's time for it.
            var huge = bufferBytes >= HugePageSize;
            _mapped = (nuint)(bufferBytes + (huge ? HugePageSize : 0));
            _mapping = LinuxNative.Mmap(null, _mapped, LinuxNative.PROT_READ | LinuxNative.PROT_WRITE, LinuxNative.MAP_PRIVATE | LinuxNative.MAP_ANONYMOUS, -1, 0);
            if ((nint)_mapping == -1)
            {
                _mapping = null;
                Free();
                throw IoBenchException.Failure("IoBench.NotEnoughMemory",
                    $"the system has no {new IoSize(bufferBytes).ToDisplayString()} of memory for a thread's buffers. Use fewer threads, fewer outstanding I/Os or smaller blocks.");
            }
            Buffers = huge ? (byte*)(((nuint)_mapping + HugePageSize - 1) / HugePageSize * HugePageSize) : _mapping;
            if (huge)
                _ = LinuxNative.Madvise(Buffers, (nuint)bufferBytes, LinuxNative.MADV_HUGEPAGE);
        }
        else
        {
            Buffers = (byte*)NativeMemory.AlignedAlloc((nuint)bufferBytes, PageSize);
            NativeMemory.Clear(Buffers, (nuint)bufferBytes);
        }
    }

    /// <summary>The slots.</summary>
    public IoSlot* Slots { get; private set; }
    /// <summary>How many.</summary>
    public int SlotCount { get; }
    /// <summary>Room for the indexes of one batch.</summary>
    public int* Batch { get; private set; }
    /// <summary>Room for a completion a slot.</summary>
    public IoCompletion* Completions { get; private set; }
    /// <summary>The buffers, aligned to a page.</summary>
    public byte* Buffers { get; private set; }
    /// <summary>Their size in bytes.</summary>
    public long BufferBytes { get; }

    /// <summary>Bytes that a buffer for a block takes: whole pages, so that each is aligned.</summary>
    public static long Padded(long blockSize) => (blockSize + PageSize - 1) / PageSize * PageSize;

    /// <summary>Gives all back. Only when no I/O is outstanding.</summary>
    public void Free()
    {
        NativeMemory.Free(Slots);
        NativeMemory.Free(Batch);
        NativeMemory.Free(Completions);
        if (_mapping != null)
            _ = LinuxNative.Munmap(_mapping, _mapped);
        else if (Buffers != null)
            NativeMemory.AlignedFree(Buffers);
        _mapping = null;
        Slots = null;
        Batch = null;
        Completions = null;
        Buffers = null;
    }
}
