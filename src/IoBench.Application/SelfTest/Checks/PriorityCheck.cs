using IoBench.Engine;

namespace IoBench.Application;

/// <summary>
/// Checks of the process and its host: priority (a job scheduler can start processes with low priority, which lowers the results), limits
/// of the operating system,
/// CPU affinity, and on Windows how the process was started.
/// </summary>
internal static class PriorityCheck
{
    private const string Code = "Priority",
        Subject = "Priority";

    public static IEnumerable<SelfTestCheck> Make(SelfTestContext context)
    {
        var priority = ProcessPriority.Read();
        yield return priority.IsLow switch
        {
            true => SelfTestCheck.Fail(
                Code,
                Subject,
                priority.Text + ". Figures are lower than those of a test at normal priority.",
                ProcessPriority.Advice
            ),
            false => SelfTestCheck.Pass(Code, Subject, priority.Text + "."),
            null => SelfTestCheck.CannotTell(Code, Subject, priority.Text + "."),
        };
    }
}
