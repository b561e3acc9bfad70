using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>Page-aligned memory, allocated by its worker's thread after binding, so that it is on its NUMA node.</summary>
internal sealed unsafe class BufferMemory
{
    private const int PageSize = 4096;
    private const int HugePageSize = 2 << 20;
    private nuint _mapped;
    private byte* _mapping;

    /// <param name="large">In large pages, which the system keeps in memory; otherwise in any pages.</param>
    public BufferMemory(long bytes, bool large)
    {
        if (OperatingSystem.IsLinux())
            Map(bytes, large);
        else if (OperatingSystem.IsWindows() && large)
            AllocateLarge(bytes);
        else
            Allocate(bytes);
    }

    public byte* Start { get; private set; }

    /// <summary>Frees the memory. No I/O may be outstanding.</summary>
    public void Free()
    {
        if (_mapping == null)
            NativeMemory.AlignedFree(Start);
        else if (OperatingSystem.IsWindows())
            _ = WindowsCalls.VirtualFree(_mapping, 0, WindowsCalls.MEM_RELEASE);
        else
            _ = LinuxCalls.Munmap(_mapping, _mapped);
        _mapping = null;
        Start = null;
    }

    private void Map(long bytes, bool large)
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
        Start = large || unit == 0 ? _mapping : (byte*)(((nuint)_mapping + HugePageSize - 1) / HugePageSize * HugePageSize);
        if (!large && unit > 0)
            _ = LinuxCalls.Madvise(Start, (nuint)bytes, LinuxCalls.MADV_HUGEPAGE);
    }

    private void AllocateLarge(long bytes)
    {
        LargePages.CheckAvailable();
        const uint type = WindowsCalls.MEM_COMMIT | WindowsCalls.MEM_RESERVE | WindowsCalls.MEM_LARGE_PAGES;
        _mapping = WindowsCalls.VirtualAlloc(null, (nuint)LargePages.RoundUp(bytes), type, WindowsCalls.PAGE_READWRITE);
        if (_mapping == null)
            throw LargePages.CreateTooFewError(bytes);
        Start = _mapping;
    }

    private void Allocate(long bytes)
    {
        try
        {
            Start = (byte*)NativeMemory.AlignedAlloc((nuint)bytes, PageSize);
        }
        catch (OutOfMemoryException)
        {
            throw CreateOutOfMemoryError(bytes);
        }
        NativeMemory.Clear(Start, (nuint)bytes);
    }

    private static IoBenchException CreateOutOfMemoryError(long bytes) =>
        IoBenchException.Failure(
            ErrorIds.NotEnoughMemory,
            $"the system does not have {new IoSize(bytes).ToDisplayString()} of memory for a thread's buffers.",
            advice: "Use fewer threads, fewer outstanding I/Os or smaller blocks."
        );
}
