using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of the process and its host: priority (a job scheduler can start processes with low priority, which lowers the results), limits
/// of the operating system,
/// CPU affinity, and on Windows how the process was started.
/// </summary>
internal static class HostChecks
{
    private const string PriorityCode = "Priority",
        PrioritySubject = "Priority";

    public static IEnumerable<SelfTestCheck> CheckPriority(SelfTestContext context)
    {
        var priority = ProcessPriority.GetCurrent();
        yield return priority.IsLow switch
        {
            true => SelfTestCheck.Fail(
                PriorityCode,
                PrioritySubject,
                priority.Text + ". Figures are lower than those of a test at normal priority.",
                ProcessPriority.Advice
            ),
            false => SelfTestCheck.Pass(PriorityCode, PrioritySubject, priority.Text + "."),
            null => SelfTestCheck.CannotTell(PriorityCode, PrioritySubject, priority.Text + "."),
        };
    }
}
