namespace IoBench.Engine.Host.Priorities;

/// <summary>How the system treats this process beside others: figures sink where it is treated below normal.</summary>
/// <param name="Text">In words: <c>class below normal, I/O low, memory low</c>, or <c>nice 0, I/O normal</c>.</param>
/// <param name="IsLow">Whether one of them is below normal; null where the system does not say.</param>
internal sealed record ProcessPriority(string Text, bool? IsLow)
{
    /// <summary>What to do about it here.</summary>
    public static string Advice =>
        OperatingSystem.IsWindows()
            ? "In Task Scheduler, set the task's priority to 4: its default of 7 is low"
            : "Start IoBench without nice and ionice";

    /// <summary>As it is now.</summary>
    public static ProcessPriority Read() =>
        OperatingSystem.IsWindows() ? WindowsPriorities.Describe(new WindowsPriorityCalls()) : LinuxPriority.Describe();
}
