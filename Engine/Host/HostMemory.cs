namespace IoBench.Engine;

internal static unsafe class HostMemory
{
    private static readonly Lazy<long> s_total = new(Read);

    public static long TotalBytes => s_total.Value;

    private static long Read() =>
        (OperatingSystem.IsWindows() ? ReadWindows() : KernelFile.ReadMemInfo("MemTotal") * 1024)
        ?? GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;

    private static long? ReadWindows()
    {
        var status = new WindowsCalls.MemoryStatus { Length = (uint)sizeof(WindowsCalls.MemoryStatus) };
        return WindowsCalls.GlobalMemoryStatusEx(&status) ? (long)status.TotalPhysical : null;
    }
}
