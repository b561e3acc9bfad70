using System.Diagnostics;
using System.Globalization;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Whether this process runs and does I/O at normal priority: schedulers of jobs often start what they start lower, and figures sink with it.</summary>
internal static class PriorityCheck
{
    private const string Code = "Priority", Subject = "Priority";
    private const int ClassShift = 13, IdleClass = 3, BestEffortClass = 2, NormalLevel = 4;

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
        => [OperatingSystem.IsWindows() ? OfWindows() : OfLinux()];

    private static SelfTestCheck OfLinux()
    {
        var io = LinuxPriority.Get();
        var (ioClass, level) = (io >> ClassShift, io & ((1 << ClassShift) - 1));
        var lowIo = ioClass == IdleClass || (ioClass == BestEffortClass && level > NormalLevel);
        if (Nice() is not { } nice)
            return SelfTestCheck.CannotTell(Code, Subject, "the kernel does not show the priority of this process.");
        var what = string.Create(CultureInfo.InvariantCulture, $"nice {nice}, I/O {(lowIo ? "low" : "normal")}.");
        return nice > 0 || lowIo
            ? SelfTestCheck.Fail(Code, Subject, what + " Figures are lower than those of a test at normal priority.", "Start IoBench without nice and ionice")
            : SelfTestCheck.Pass(Code, Subject, what);
    }

    // /proc/self/stat: the name may hold blanks, so it is counted from the bracket behind it; nice is the 19th field.
    private static int? Nice()
    {
        const int place = 19 - 3;
        var fields = LinuxLimits.Text("/proc/self/stat") is { } text ? text[(text.LastIndexOf(')') + 2)..].Split(' ') : [];
        return fields.Length > place && int.TryParse(fields[place], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out var nice) ? nice : null;
    }

    private static SelfTestCheck OfWindows()
    {
        using var process = Process.GetCurrentProcess();
        var priority = process.PriorityClass;
        var (io, memory) = (IoPriority(), MemoryPriority());
        var what = $"class {priority}, I/O {(io is { } i ? Level(i, WindowsCalls.IoPriorityNormal) : "unknown")}, memory {(memory is { } m ? Level(m, WindowsCalls.MEMORY_PRIORITY_NORMAL) : "unknown")}.";
        if (priority is ProcessPriorityClass.Idle or ProcessPriorityClass.BelowNormal || io < WindowsCalls.IoPriorityNormal || memory < WindowsCalls.MEMORY_PRIORITY_NORMAL)
            return SelfTestCheck.Fail(Code, Subject, what + " Figures are lower than those of a test at normal priority.", "In Task Scheduler, set the task's priority to 4: its default of 7 is low");
        return io is null || memory is null ? SelfTestCheck.CannotTell(Code, Subject, what) : SelfTestCheck.Pass(Code, Subject, what);
    }

    private static unsafe int? IoPriority()
    {
        int priority;
        return WindowsCalls.NtQueryInformationProcess(WindowsCalls.GetCurrentProcess(), WindowsCalls.ProcessIoPriority, &priority, sizeof(int), null) == 0 ? priority : null;
    }

    private static unsafe int? MemoryPriority()
    {
        int priority;
        try
        {
            return WindowsCalls.GetProcessInformation(WindowsCalls.GetCurrentProcess(), WindowsCalls.ProcessMemoryPriority, &priority, sizeof(int)) ? priority : null;
        }
        catch (EntryPointNotFoundException)
        {
            // Wine has no such function.
            return null;
        }
    }

    private static string Level(int value, int normal) => value < normal ? "low" : "normal";
}
