using System.Globalization;

namespace IoBench.Engine;

/// <param name="Text">Description such as <c>class below normal, I/O low, memory low</c> or <c>nice 0, I/O normal</c>.</param>
/// <param name="IsLow">Whether a priority is below normal; null if the system does not report it.</param>
public sealed record ProcessPriority(string Text, bool? IsLow)
{
    public static string Advice =>
        OperatingSystem.IsWindows()
            ? "In Task Scheduler, set the priority of the task to 4 (the default of 7 is low)"
            : "Start IoBench without nice and ionice";

    public static ProcessPriority GetCurrent() =>
        OperatingSystem.IsWindows()
            ? new WindowsPriorityScope().Describe()
            : DescribeLinux(GetIOPriority(), KernelFile.ReadText("/proc/self/stat"));

    private const int ThisThread = 1,
        ClassShift = 13,
        BestEffort = 2,
        Idle = 3,
        NormalOfClass = 4,
        LowestOfClass = 7;

    /// <summary>
    /// Sets the priority of a thread's I/O (ioprio_set). The bfq and mq-deadline schedulers respect it, others ignore it. On Windows, the
    /// I/O priority belongs to the open file.
    /// </summary>
    internal static void SetIOPriority(IoPriority priority)
    {
        if (priority == IoPriority.Normal)
            return;
        var value = priority == IoPriority.Low ? BestEffort << ClassShift | LowestOfClass : Idle << ClassShift;
        // Every user can lower the priority. A kernel without I/O priorities ignores the call.
        _ = LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_set, ThisThread, 0, value, 0, 0, 0);
    }

    /// <summary>Returns the calling thread's I/O priority: the class starts at bit 13, the lower bits are the level.</summary>
    internal static int GetIOPriority() => (int)LinuxCalls.Syscall(LinuxCalls.SYS_ioprio_get, ThisThread, 0, 0, 0, 0, 0);

    internal static ProcessPriority DescribeLinux(int io, string? stat)
    {
        var ioClass = io >> ClassShift;
        var level = io & ((1 << ClassShift) - 1);
        var isLowIo = ioClass == Idle || ioClass == BestEffort && level > NormalOfClass;
        var ofIo = $"I/O {(isLowIo ? "low" : "normal")}";
        return ParseNice(stat) is { } nice
            ? new(string.Create(CultureInfo.InvariantCulture, $"nice {nice}, {ofIo}"), nice > 0 || isLowIo)
            : new($"nice unknown, {ofIo}", isLowIo ? true : null);
    }

    // The process name can contain spaces and parentheses, so count from the last parenthesis. Nice is field 19.
    private static int? ParseNice(string? stat)
    {
        const int place = 19 - 3;
        var fields = stat is null ? [] : stat[(stat.LastIndexOf(')') + 2)..].Split(' ');
        return
            fields.Length > place && int.TryParse(fields[place], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var nice)
            ? nice
            : null;
    }
}
