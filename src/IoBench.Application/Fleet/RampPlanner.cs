using IoBench.Engine;

namespace IoBench.Application;

/// <summary>Creates the steps of a fleet and leaves out tests that an interrupted run has finished.</summary>
public sealed class RampPlanner
{
    private readonly FleetResumeState _resumeState;

    /// <param name="earlier">Results; those of other runs are ignored.</param>
    /// <param name="minHosts">Number of hosts that are enough for a test; null for all hosts.</param>
    public RampPlanner(IEnumerable<IoTestResult> earlier, int? minHosts) => _resumeState = new FleetResumeState(earlier, minHosts);

    /// <summary>Number of hosts in each step, always the first hosts of the plan; empty to run all hosts at once.</summary>
    public IReadOnlyList<int> Ramp { get; init; } = [];

    /// <summary>Whether each host also runs alone before the steps.</summary>
    public bool IsAlone { get; init; }

    public GroupRate Rate { get; init; } = new();

    public FleetResumeMode Resume { get; init; }

    /// <summary>Results of the interrupted run that count for this plan; known after a call of <see cref="GetRemaining"/>.</summary>
    public IReadOnlyList<IoTestResult> Kept => _resumeState.Kept;

    public IReadOnlyList<RampStep> GetRemaining(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return [.. CreateSteps(plan).SelectMany(step => _resumeState.GetRemaining(step, Resume))];
    }

    public (int Count, int Left) CountTests(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return (CreateSteps(plan).Sum(TestsOf), GetRemaining(plan).Sum(TestsOf));

        static int TestsOf(RampStep step) => step.Plan.Work.Max(work => work.Tests.Count);
    }

    private IEnumerable<RampStep> CreateSteps(FleetPlan plan)
    {
        if (IsAlone)
            foreach (var work in plan.Work)
                yield return new RampStep($"-alone-{work.Host.Name}", Rate.ApplyTo(plan.SelectHost(work.Host.Name)));
        if (Ramp.Count == 0)
            yield return new RampStep("", Rate.ApplyTo(plan));
        // If hosts run alone, the first host alone is already measured.
        foreach (
            var hosts in Ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !IsAlone)
        )
            yield return new RampStep(FormattableString.Invariant($"-{hosts}"), Rate.ApplyTo(plan.SelectFirst(hosts)));
    }
}
