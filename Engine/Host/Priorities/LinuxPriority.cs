using System.Globalization;

namespace IoBench.Engine.Host.Priorities;

/// <summary>
/// Priorities on Linux: of the process (nice), and of a thread's I/O (ioprio_set), which schedulers heed, bfq and mq-deadline, and others pass over. On Windows
/// that is a property of the open file.
/// </summary>
internal static class LinuxPriority
{
    private const int ThisThread = 1,
        ClassShift = 13,
        BestEffort = 2,
        Idle = 3,
        NormalOfClass = 4,
        LowestOfClass = 7;

    /// <summary>Sets the calling thread's priority; normal leaves it as it is.</summary>
    public static void Set(IoPriority priority)
    {
        if (priority == IoPriority.Normal)
            return;
        var value = priority == IoPriority.Low ? BestEffort << ClassShift | LowestOfClass : Idle << ClassShift;
        // Lower is allowed to everybody; a kernel without priorities has nothing that could be disturbed by theirs.
        _ = LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_set, ThisThread, 0, value, 0, 0, 0);
    }

    /// <summary>The calling thread's I/O priority: its class from bit 13 on, its place in the class below.</summary>
    public static int Get() => (int)LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_get, ThisThread, 0, 0, 0, 0, 0);

    /// <summary>The process's nice value and the calling thread's I/O priority.</summary>
    public static ProcessPriority Describe() => Describe(Get(), KernelFile.Text("/proc/self/stat"));

    /// <summary>The same of what the kernel answers.</summary>
    /// <param name="io">The I/O priority: its class from bit 13 on, its place in the class below.</param>
    /// <param name="stat">The process's line of /proc/self/stat; null where there is none.</param>
    internal static ProcessPriority Describe(int io, string? stat)
    {
        var (ioClass, level) = (io >> ClassShift, io & ((1 << ClassShift) - 1));
        var isLowIo = ioClass == Idle || ioClass == BestEffort && level > NormalOfClass;
        var ofIo = $"I/O {(isLowIo ? "low" : "normal")}";
        return Nice(stat) is { } nice
            ? new(string.Create(CultureInfo.InvariantCulture, $"nice {nice}, {ofIo}"), nice > 0 || isLowIo)
            : new($"nice unknown, {ofIo}", isLowIo ? true : null);
    }

    // The name may hold blanks and brackets, so it is counted from the last bracket behind it; nice is the 19th field.
    private static int? Nice(string? stat)
    {
        const int place = 19 - 3;
        var fields = stat is null ? [] : stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return
            fields.Length > place && int.TryParse(fields[place], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var nice)
            ? nice
            : null;
    }
}
