namespace IoBench.Application.Fleet;

/// <summary>What a fleet runs one after the other: each host alone, growing numbers of hosts, or all at once; without what an earlier part has given.</summary>
public sealed class FleetSteps
{
    private readonly FleetEarlier _earlier;

    /// <summary>Takes what an interrupted part has given.</summary>
    /// <param name="earlier">Its results, others among them.</param>
    /// <param name="minHosts">Hosts that are enough for a test; null = all.</param>
    public FleetSteps(IEnumerable<IoTestResult> earlier, int? minHosts) => _earlier = new FleetEarlier(earlier, minHosts);

    /// <summary>Hosts of each step, the first ones of the plan; empty = all at once.</summary>
    public IReadOnlyList<int> Ramp { get; init; } = [];

    /// <summary>Each host runs alone too, before the steps.</summary>
    public bool IsAlone { get; init; }

    /// <summary>A rate that the hosts of a test share.</summary>
    public FleetRate Rate { get; init; } = new();

    /// <summary>How an interrupted fleet is gone on with.</summary>
    public FleetResume Resume { get; init; }

    /// <summary>Results of the earlier part that stand for tests of the plan; known once <see cref="Left"/> was asked.</summary>
    public IReadOnlyList<IoTestResult> Kept => _earlier.Kept;

    /// <summary>What is left of a plan.</summary>
    public IReadOnlyList<FleetStep> Left(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return [.. All(plan).SelectMany(step => _earlier.Left(step, Resume))];
    }

    /// <summary>How many tests of a plan there are in all steps, and how many of them are left.</summary>
    public (int Count, int Left) Look(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        return (All(plan).Sum(TestsOf), Left(plan).Sum(TestsOf));

        static int TestsOf(FleetStep step) => step.Plan.Work.Max(work => work.Tests.Count);
    }

    /// <summary>The steps, each with the rate that its hosts share.</summary>
    private IEnumerable<FleetStep> All(FleetPlan plan)
    {
        if (IsAlone)
            foreach (var work in plan.Work)
                yield return new FleetStep($"-alone-{work.Host.Name}", Rate.Split(plan.Only(work.Host.Name)));
        if (Ramp.Count == 0)
            yield return new FleetStep("", Rate.Split(plan));
        // The first host alone was measured already.
        foreach (
            var hosts in Ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !IsAlone)
        )
            yield return new FleetStep(FormattableString.Invariant($"-{hosts}"), Rate.Split(plan.First(hosts)));
    }
}
