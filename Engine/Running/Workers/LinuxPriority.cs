namespace IoBench.Engine;

/// <summary>
/// I/O priority of a worker's thread on Linux (ioprio_set): which schedulers heed, bfq and mq-deadline, and others pass over. On Windows it is a property of
/// the open file.
/// </summary>
internal static class LinuxPriority
{
    private const int ThisThread = 1, ClassShift = 13, BestEffort = 2, Idle = 3, LowestOfClass = 7;

    /// <summary>Sets the calling thread's priority; normal leaves it as it is.</summary>
    public static void Set(IoPriority priority)
    {
        if (priority == IoPriority.Normal)
            return;
        var value = priority == IoPriority.Low ? BestEffort << ClassShift | LowestOfClass : Idle << ClassShift;
        // Lower is allowed to everybody; a kernel without priorities has nothing that could be disturbed by theirs.
        _ = LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_set, ThisThread, 0, value, 0, 0, 0);
    }

    /// <summary>The calling thread's priority: its class from bit 13 on, its place in the class below.</summary>
    public static int Get() => (int)LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_get, ThisThread, 0, 0, 0, 0, 0);
}
