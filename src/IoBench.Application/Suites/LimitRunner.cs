namespace IoBench.Application.Suites;

/// <summary>A search for the highest rate that keeps a limit, run by run.</summary>
public static class LimitRunner
{
    /// <summary>How long a search takes at most, the making of its file included.</summary>
    public static TestPlanEstimate Estimate(LimitPlan plan, SuiteApproval approval)
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(approval);
        return TestPlan.Estimate(Enumerable.Repeat(plan.Test, plan.Options.MaxProbes), approval.Targets.Sum(target => target.BytesToMake));
    }

    /// <summary>Searches. Each run is kept by the runner's sinks; what it shows is its observer's.</summary>
    /// <param name="plan">The test, the limit, and how it is searched.</param>
    /// <param name="approval">What the test may do.</param>
    /// <param name="runner">Runs the probes.</param>
    /// <param name="probed">Takes each run as it is judged.</param>
    /// <param name="cancelled">Ends the search: the answer is what was found so far.</param>
    /// <exception cref="IoBenchException">A run gave nothing.</exception>
    public static LimitResult Find(
        LimitPlan plan,
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
                var place = new SuitePlace(++number, plan.Options.MaxProbes, Name: $"probe of {test.Workload ?? PatternText.Of(test)}");
                var result = runner.RunOne(test, approval.OptionsFor(test), place, cancelled);
                runner.Save(result);
                return result;
            },
            plan.Options,
            probed
        );
        runner.Sinks.Flush();
        return found;
    }
}
