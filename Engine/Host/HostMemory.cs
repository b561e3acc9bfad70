namespace IoBench.Engine.Host;

/// <summary>How much memory the computer has: what its file cache could hold.</summary>
internal static unsafe class HostMemory
{
    private static readonly Lazy<long> s_total = new(Read);

    /// <summary>Bytes of memory.</summary>
    public static long TotalBytes => s_total.Value;

    private static long Read() =>
        (OperatingSystem.IsWindows() ? ReadWindows() : KernelFile.MemoryFigure("MemTotal") * 1024)
        ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    private static long? ReadWindows()
    {
        var status = new WindowsCalls.MemoryStatus { Length = (uint)sizeof(WindowsCalls.MemoryStatus) };
        return WindowsCalls.GlobalMemoryStatusEx(&status) ? (long)status.TotalPhysical : null;
    }
}
