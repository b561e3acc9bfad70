using System.Runtime.InteropServices;

namespace IoBench.Engine;

/// <summary>
/// The memory that a worker's buffers are cut from, aligned to a page. Taken by the worker's own thread after it was bound to its processors, and
/// touched first by it: so it lies on that thread's NUMA node.
/// </summary>
internal sealed unsafe class BufferMemory
{
    private const int PageSize = 4096;
    private const int HugePageSize = 2 << 20;
    private nuint _mapped;
    private byte* _mapping;

    /// <summary>So many bytes.</summary>
    /// <param name="bytes">Bytes.</param>
    /// <param name="large">In large pages, which the system keeps in memory; else in whatever pages it likes.</param>
    /// <exception cref="IoBenchException"><c>IoBench.NotEnoughMemory</c>, <c>IoBench.NoLargePages</c>: the system has not that much.</exception>
    public BufferMemory(long bytes, bool large)
    {
        if (OperatingSystem.IsLinux())
            Map(bytes, large);
        else if (OperatingSystem.IsWindows() && large)
            AllocateLarge(bytes);
        else
            Allocate(bytes);
    }

    /// <summary>The first byte.</summary>
    public byte* Start { get; private set; }

    /// <summary>Gives it back. Only when no I/O is outstanding.</summary>
    public void Free()
    {
        if (_mapping == null)
            NativeMemory.AlignedFree(Start);
        else if (OperatingSystem.IsWindows())
            _ = WindowsNative.VirtualFree(_mapping, 0, WindowsNative.MEM_RELEASE);
        else
            _ = LinuxNative.Munmap(_mapping, _mapped);
        _mapping = null;
        Start = null;
    }

    private void Map(long bytes, bool large)
    {
        // In huge pages an I/O of 512 KB is one piece of memory and not 128: a fifth of the kernel's time for it. Wished for where nobody insists.
        var unit = large ? LargePages.Size : bytes >= HugePageSize ? HugePageSize : 0;
        _mapped = large ? (nuint)LargePages.RoundUp(bytes) : (nuint)(bytes + unit);
        var flags = LinuxNative.MAP_PRIVATE | LinuxNative.MAP_ANONYMOUS | (large ? LinuxNative.MAP_HUGETLB : 0);
        _mapping = LinuxNative.Mmap(null, _mapped, LinuxNative.PROT_READ | LinuxNative.PROT_WRITE, flags, -1, 0);
        if ((nint)_mapping == -1)
        {
            _mapping = null;
            throw large ? LargePages.TooFew(bytes) : NotEnough(bytes);
        }
        Start = large || unit == 0 ? _mapping : (byte*)(((nuint)_mapping + HugePageSize - 1) / HugePageSize * HugePageSize);
        if (!large && unit > 0)
            _ = LinuxNative.Madvise(Start, (nuint)bytes, LinuxNative.MADV_HUGEPAGE);
    }

    private void AllocateLarge(long bytes)
    {
        LargePages.CheckMayBeUsed();
        const uint type = WindowsNative.MEM_COMMIT | WindowsNative.MEM_RESERVE | WindowsNative.MEM_LARGE_PAGES;
        _mapping = WindowsNative.VirtualAlloc(null, (nuint)LargePages.RoundUp(bytes), type, WindowsNative.PAGE_READWRITE);
        if (_mapping == null)
            throw LargePages.TooFew(bytes);
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
            throw NotEnough(bytes);
        }
        NativeMemory.Clear(Start, (nuint)bytes);
    }

    private static IoBenchException NotEnough(long bytes) => IoBenchException.Failure("IoBench.NotEnoughMemory",
        $"the system has no {new IoSize(bytes).ToDisplayString()} of memory for a thread's buffers. Use fewer threads, fewer outstanding I/Os or smaller blocks.");
}
