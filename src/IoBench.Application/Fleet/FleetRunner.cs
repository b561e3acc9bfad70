using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <summary>What a call of a fleet gave: each step of its ramp, or the one.</summary>
/// <param name="Results">All results.</param>
/// <param name="Failures">Every host and test without one.</param>
/// <param name="Groups">The answer of each step and test.</param>
/// <param name="Ramps">What the steps come to; empty without a ramp.</param>
/// <param name="IsCancelled">Somebody ended it.</param>
/// <param name="IsSaved">Every sink has every result.</param>
public sealed record FleetAnswer(IReadOnlyList<IoTestResult> Results, IReadOnlyList<FleetFailure> Failures, IReadOnlyList<FleetGroup> Groups, IReadOnlyList<FleetRamp> Ramps, bool IsCancelled, bool IsSaved)
{
    /// <summary>The failures as results without figures, as they are saved: the file then says who is missing and why.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];

    /// <summary>All is there: every host gave each test completely, or with a quorum enough hosts did.</summary>
    /// <param name="least">Hosts that are enough; null = all.</param>
    public bool IsEnough(int? least) => !IsCancelled && IsSaved && Groups.Count > 0 && (least is { } count ? Groups.All(group => group.Hosts.Count >= Math.Min(count, group.AskedHosts)) : Failures.Count == 0 && Groups.All(group => group.Failures.Count == 0));
}

/// <summary>Runs a fleet, once or in growing steps.</summary>
public sealed class FleetRunner
{
    /// <summary>How hosts are led; its group is the first part of each step's.</summary>
    public required FleetOptions Options { get; init; }
    /// <summary>The way to the hosts.</summary>
    public required IFleetTransport Transport { get; init; }
    /// <summary>Hears what happens.</summary>
    public required IFleetObserver Observer { get; init; }
    /// <summary>Where results are kept.</summary>
    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];
    /// <summary>Hosts of each step, the first ones of the plan; empty = all at once.</summary>
    public IReadOnlyList<int> Ramp { get; init; } = [];
    /// <summary>Each host runs alone too, before the steps.</summary>
    public bool IsAlone { get; init; }
    /// <summary>Members may use files that IoBench did not make.</summary>
    public bool Force { get; init; }
    /// <summary>A rate that the hosts of a test share.</summary>
    public FleetRate Rate { get; init; } = new();
    /// <summary>How an interrupted fleet is gone on with.</summary>
    public FleetResume Resume { get; init; }
    /// <summary>Results of its earlier part.</summary>
    public IReadOnlyList<IoTestResult> Earlier { get; init; } = [];

    /// <summary>Runs a plan.</summary>
    public FleetAnswer Run(FleetPlan plan, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var outcomes = new List<FleetOutcome>();
        var earlier = new FleetEarlier(Earlier, Options.MinHosts);
        foreach (var step in Steps(plan).SelectMany(step => earlier.Left(step, Resume)).ToList())
        {
            if (cancelled.IsCancellationRequested)
                break;
            var options = Options with { Group = Options.Group + step.Name, Mark = step.Mark, MinHosts = Options.MinHosts is { } least ? Math.Min(least, step.Plan.Work.Count) : null };
            outcomes.Add(new FleetController(options, Transport, Observer) { Sinks = Sinks, Force = Force }.Run(step.Plan.Work, cancelled));
        }
        List<FleetGroup> groups = [.. FleetMerge.Find(earlier.Kept).Concat(outcomes.SelectMany(outcome => outcome.Groups))];
        return new FleetAnswer([.. earlier.Kept, .. outcomes.SelectMany(outcome => outcome.Results)], [.. outcomes.SelectMany(outcome => outcome.Failures)], groups, FleetRamp.Find(groups), cancelled.IsCancellationRequested, outcomes.TrueForAll(outcome => outcome.IsSaved))
        {
            Unmeasured = [.. outcomes.SelectMany(outcome => outcome.Unmeasured)],
        };
    }

    /// <summary>How many tests of a plan there are in all steps, and how many an earlier part has given.</summary>
    public (int Count, int Left) Look(FleetPlan plan)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var earlier = new FleetEarlier(Earlier, Options.MinHosts);
        var steps = Steps(plan).ToList();
        return (steps.Sum(TestsOf), steps.SelectMany(step => earlier.Left(step, Resume)).Sum(TestsOf));

        static int TestsOf(FleetStep step) => step.Plan.Work.Max(work => work.Tests.Count);
    }

    /// <summary>The steps, each with the rate that its hosts share.</summary>
    private IEnumerable<FleetStep> Steps(FleetPlan plan)
    {
        if (IsAlone)
            foreach (var work in plan.Work)
                yield return new FleetStep($"-alone-{work.Host.Name}", Rate.Split(plan.Only(work.Host.Name)));
        if (Ramp.Count == 0)
            yield return new FleetStep("", Rate.Split(plan));
        // The first host alone was measured already.
        foreach (var hosts in Ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !IsAlone))
            yield return new FleetStep(FormattableString.Invariant($"-{hosts}"), Rate.Split(plan.First(hosts)));
    }
}
