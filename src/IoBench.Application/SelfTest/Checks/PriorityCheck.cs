namespace IoBench.Application.SelfTest.Checks;

/// <summary>Whether this process runs and does I/O at normal priority: schedulers of jobs often start what they start lower, and figures sink with it.</summary>
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
