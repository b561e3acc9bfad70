namespace IoBench.Engine.Planning;

/// <summary>What Linux allows this process; null where it does not say or sets no limit.</summary>
internal static unsafe class LinuxLimits
{
    /// <summary>Open files (RLIMIT_NOFILE; .NET raises the soft limit to the hard one at start).</summary>
    public static long? OpenFiles() => Limit(LinuxCalls.RLIMIT_NOFILE);

    /// <summary>Memory that may be locked in bytes (RLIMIT_MEMLOCK).</summary>
    public static long? LockedMemory() => Limit(LinuxCalls.RLIMIT_MEMLOCK);

    /// <summary>Threads: the lowest of the user's, the system's and the container's limit.</summary>
    public static long? Threads()
    {
        var limits = new[]
        {
            Limit(LinuxCalls.RLIMIT_NPROC),
            KernelFile.Number("/proc/sys/kernel/threads-max"),
            KernelFile.Number("/sys/fs/cgroup/pids.max"),
        };
        return limits.Where(l => l is not null).Min();
    }

    /// <summary>Requests of native asynchronous I/O that are left (fs.aio-max-nr less fs.aio-nr).</summary>
    public static long? AioRequests() => KernelFile.Number("/proc/sys/fs/aio-max-nr") - (KernelFile.Number("/proc/sys/fs/aio-nr") ?? 0);

    /// <summary>Memory that can be had without swapping, in bytes; within a container, what its limit leaves.</summary>
    public static long? AvailableMemory()
    {
        var free = KernelFile.MemoryFigure("MemAvailable") * 1024;
        var contained = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        return free is null ? contained : Math.Min(free.Value, contained);
    }

    private static long? Limit(int resource)
    {
        var limits = stackalloc ulong[2];
        return LinuxCalls.GetRlimit(resource, limits) == 0 && limits[0] < long.MaxValue ? (long)limits[0] : null;
    }
}
