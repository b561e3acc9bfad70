using System.Globalization;

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
        var limits = new[] { Limit(LinuxCalls.RLIMIT_NPROC), Number("/proc/sys/kernel/threads-max"), Number("/sys/fs/cgroup/pids.max") };
        return limits.Where(l => l is not null).Min();
    }

    /// <summary>Requests of native asynchronous I/O that are left (fs.aio-max-nr less fs.aio-nr).</summary>
    public static long? AioRequests() => Number("/proc/sys/fs/aio-max-nr") - (Number("/proc/sys/fs/aio-nr") ?? 0);

    /// <summary>Memory that can be had without swapping, in bytes; within a container, what its limit leaves.</summary>
    public static long? AvailableMemory()
    {
        var free = MemoryInfo("MemAvailable") * 1024;
        var contained = GC.GetGCMemoryInfo().TotalAvailableMemoryBytes;
        return free is null ? contained : Math.Min(free.Value, contained);
    }

    /// <summary>A figure of /proc/meminfo in its own unit (kB, or pages); null when the kernel does not report it.</summary>
    public static long? MemoryInfo(string name)
    {
        var line = File.ReadLines("/proc/meminfo").FirstOrDefault(l => l.StartsWith(name + ":", StringComparison.Ordinal));
        return line is not null && long.TryParse(line.AsSpan(name.Length + 1).Trim().TrimEnd("kB").Trim(), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;
    }

    /// <summary>A number in a file of the kernel; null when it is not there or may not be read.</summary>
    public static long? Number(string path) => long.TryParse(Text(path), NumberStyles.None, CultureInfo.InvariantCulture, out var value) ? value : null;

    /// <summary>The text of a file of the kernel, without blanks around it; null when it is not there or may not be read.</summary>
    public static string? Text(string path)
    {
        try
        {
            return File.Exists(path) ? File.ReadAllText(path).Trim() : null;
        }
        catch (Exception e) when (e is IOException or UnauthorizedAccessException)
        {
            // Not every container shows it.
            return null;
        }
    }

    private static long? Limit(int resource)
    {
        var limits = stackalloc ulong[2];
        return LinuxCalls.GetRlimit(resource, limits) == 0 && limits[0] < long.MaxValue ? (long)limits[0] : null;
    }
}
