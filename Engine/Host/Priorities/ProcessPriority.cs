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
        OperatingSystem.IsWindows() ? WindowsPriorityScope.Describe(new WindowsPriorityCalls()) : LinuxPriority.Describe();
}
