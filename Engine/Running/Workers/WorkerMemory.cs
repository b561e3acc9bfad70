using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Native memory of a worker, which never moves. The worker frees it when the kernel no longer uses it.</summary>
internal sealed unsafe class WorkerMemory
{
    private const int PageSize = 4096;
    private const int HugePageSize = 2 << 20;
    private byte* _buffers;
    private nuint _mapped;
    private byte* _mapping;
    private readonly long _checkBytes;
    private byte* _checks;

    /// <param name="largePages">In large pages, which the system keeps in memory; otherwise in any pages.</param>
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
            AllocateBuffers(bufferBytes, largePages);
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

    /// <summary>Page-aligned, and allocated by the worker's thread after binding, so that they are on its NUMA node.</summary>
    public byte* Buffers => _buffers;

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
        FreeBuffers();
        Slots = null;
        Batch = null;
        Retries = null;
        Completions = null;
    }

    private void AllocateBuffers(long bytes, bool large)
    {
        if (OperatingSystem.IsLinux())
            MapBuffers(bytes, large);
        else if (OperatingSystem.IsWindows() && large)
            AllocateLargeBuffers(bytes);
        else
            AllocatePlainBuffers(bytes);
    }

    private void FreeBuffers()
    {
        if (_mapping == null)
            NativeMemory.AlignedFree(_buffers);
        else if (OperatingSystem.IsWindows())
            _ = WindowsCalls.VirtualFree(_mapping, 0, WindowsCalls.MEM_RELEASE);
        else
            _ = LinuxCalls.Munmap(_mapping, _mapped);
        _mapping = null;
        _buffers = null;
    }

    private void MapBuffers(long bytes, bool large)
    {
        // Huge pages make an I/O of 512 KB 1 segment instead of 128. If they are not required, the system only gets a hint.
        var unit = large ? LargePages.Size : 0;
        if (!large && bytes >= HugePageSize)
            unit = HugePageSize;
        _mapped = large ? (nuint)LargePages.RoundUp(bytes) : (nuint)(bytes + unit);
        var flags = LinuxCalls.MAP_PRIVATE | LinuxCalls.MAP_ANONYMOUS | (large ? LinuxCalls.MAP_HUGETLB : 0);
        _mapping = LinuxCalls.Mmap(null, _mapped, LinuxCalls.PROT_READ | LinuxCalls.PROT_WRITE, flags, -1, 0);
        if ((nint)_mapping == -1)
        {
            _mapping = null;
            throw large ? LargePages.CreateTooFewError(bytes) : CreateOutOfMemoryError(bytes);
        }
        _buffers = large || unit == 0 ? _mapping : (byte*)(((nuint)_mapping + HugePageSize - 1) / HugePageSize * HugePageSize);
        if (!large && unit > 0)
            _ = LinuxCalls.Madvise(_buffers, (nuint)bytes, LinuxCalls.MADV_HUGEPAGE);
    }

    private void AllocateLargeBuffers(long bytes)
    {
        LargePages.CheckAvailable();
        const uint type = WindowsCalls.MEM_COMMIT | WindowsCalls.MEM_RESERVE | WindowsCalls.MEM_LARGE_PAGES;
        _mapping = WindowsCalls.VirtualAlloc(null, (nuint)LargePages.RoundUp(bytes), type, WindowsCalls.PAGE_READWRITE);
        if (_mapping == null)
            throw LargePages.CreateTooFewError(bytes);
        _buffers = _mapping;
    }

    private void AllocatePlainBuffers(long bytes)
    {
        try
        {
            _buffers = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, PageSize);
        }
        catch (OutOfMemoryException)
        {
            throw CreateOutOfMemoryError(bytes);
        }
        NativeMemory.Clear(_buffers, (nuint)bytes);
    }

    private static IoBenchException CreateOutOfMemoryError(long bytes) =>
        IoBenchException.Failure(
            ErrorIds.NotEnoughMemory,
            $"The system does not have the {IoSize.Format(bytes)} of memory that a thread needs for its buffers.",
            advice: "Use fewer threads, fewer outstanding I/Os, or smaller blocks."
        );
}
