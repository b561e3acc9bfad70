namespace IoBench.Engine;

/// <summary>Limits for this process; null if there is no limit or it is not reported.</summary>
public static unsafe class LinuxResourceLimits
{
    /// <summary>RLIMIT_NOFILE; .NET raises the soft limit to the hard limit at startup.</summary>
    public static long? GetMaxOpenFiles() => GetLimit(LinuxCalls.RLIMIT_NOFILE);

    /// <summary>RLIMIT_MEMLOCK in bytes.</summary>
    public static long? GetMaxLockedMemory() => GetLimit(LinuxCalls.RLIMIT_MEMLOCK);

    /// <summary>The lowest of the user's, the system's, and the container's limit.</summary>
    public static long? GetMaxThreads()
    {
        var limits = new[]
        {
            GetLimit(LinuxCalls.RLIMIT_NPROC),
            KernelFile.ReadNumber("/proc/sys/kernel/threads-max"),
            KernelFile.ReadNumber("/sys/fs/cgroup/pids.max"),
        };
        return limits.Where(l => l is not null).Min();
    }

    /// <summary>fs.aio-max-nr minus fs.aio-nr.</summary>
    public static long? GetFreeAioRequests() =>
        KernelFile.ReadNumber("/proc/sys/fs/aio-max-nr") - (KernelFile.ReadNumber("/proc/sys/fs/aio-nr") ?? 0);

    /// <summary>Bytes available without swapping, limited by the container.</summary>
    public static long? GetAvailableMemory()
    {
        var free = KernelFile.ReadMemInfo("MemAvailable") * 1024;
        var contained = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        return free is null ? contained : Math.Min(free.Value, contained);
    }

    private static long? GetLimit(int resource)
    {
        var limits = stackalloc ulong[2];
        return LinuxCalls.GetRlimit(resource, limits) == 0 && limits[0] < long.MaxValue ? (long)limits[0] : null;
    }
}
