using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Runs a search for the highest rate that meets a limit.</summary>
public static class LimitSearchPlan
{
    /// <summary>Estimates the maximum duration of a search, including the creation of its file.</summary>
    public static TestPlanEstimate EstimateTime(LimitSearchPlan plan, SuiteApproval approval)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(approval);
        return TestPlan.Estimate(Enumerable.Repeat(plan.Test, plan.Options.MaxProbes), approval.Targets.Sum(target => target.BytesToMake));
    }

    /// <summary>Runs the search. Results go to the sinks of the runner, progress to its observer.</summary>
    /// <param name="plan">Test, limit, and options.</param>
    /// <param name="approval">Approved targets.</param>
    /// <param name="runner">Runs the probes.</param>
    /// <param name="probed">Receives each rated probe.</param>
    /// <param name="cancelled">Ends the search. The result then contains the probes so far.</param>
    /// <exception cref="IoBenchException">A run returned no result.</exception>
    public static LimitResult FindLimit(
        LimitSearchPlan plan,
        SuiteApproval approval,
        SuiteRunner runner,
        Action<LimitProbe> probed,
        CancellationToken cancelled
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(approval);
        ArgumentNullException.ThrowIfNull(runner);
        var number = 0;
        var found = LimitSearch.Find(
            plan.Test,
            plan.Limit,
            test =>
            {
                var place = new TestPosition(
                    ++number,
                    plan.Options.MaxProbes,
                    Name: $"probe of {test.Workload ?? PatternText.Describe(test)}"
                );
                var result = runner.RunTest(test, approval.GetOptions(test), place, cancelled);
                runner.SaveResult(result);
                return result;
            },
            plan.Options,
            probed
        );
        runner.Sinks.Flush();
        return found;
    }
}
