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

    /// <summary>Runs a plan.</summary>
    public FleetAnswer Run(FleetPlan plan, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var outcomes = new List<FleetOutcome>();
        foreach (var (name, step) in Steps(plan))
        {
            if (cancelled.IsCancellationRequested)
                break;
            outcomes.Add(new FleetController(Options with { Group = Options.Group + name, MinHosts = Options.MinHosts is { } least ? Math.Min(least, step.Work.Count) : null }, Transport, Observer) { Sinks = Sinks, Force = Force }.Run(step.Work, cancelled));
        }
        List<FleetGroup> groups = [.. outcomes.SelectMany(outcome => outcome.Groups)];
        return new FleetAnswer([.. outcomes.SelectMany(outcome => outcome.Results)], [.. outcomes.SelectMany(outcome => outcome.Failures)], groups, FleetRamp.Find(groups), cancelled.IsCancellationRequested, outcomes.TrueForAll(outcome => outcome.IsSaved));
    }

    private IEnumerable<(string Name, FleetPlan Plan)> Steps(FleetPlan plan)
    {
        if (IsAlone)
            foreach (var work in plan.Work)
                yield return ($"-alone-{work.Host.Name}", plan.Only(work.Host.Name));
        if (Ramp.Count == 0)
            yield return ("", plan);
        // The first host alone was measured already.
        foreach (var hosts in Ramp.Select(hosts => Math.Min(hosts, plan.Work.Count)).Distinct().Order().Where(hosts => hosts > 1 || !IsAlone))
            yield return (FormattableString.Invariant($"-{hosts}"), plan.First(hosts));
    }
}
