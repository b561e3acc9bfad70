using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application;

/// <param name="Ramps">Scaling curves of the steps; empty without a ramp.</param>
/// <param name="IsSaved">Whether every output has every result.</param>
public sealed record FleetResult(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    IReadOnlyList<ScalingCurve> Ramps,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>Failures as results without values, as they are saved. They show which hosts are missing and why.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];

    /// <summary>All results with all their details, each read on access. <see cref="Results"/> are trimmed if there are very
    /// many.</summary>
    public IEnumerable<IoTestResult> Whole { get; init; } = Results;

    /// <summary>True if every host, or at least <paramref name="minHosts"/> hosts, have a complete result for each test.</summary>
    public bool IsSufficient(int? minHosts) =>
        !IsCancelled
        && IsSaved
        && Groups.Count > 0
        && (
            minHosts is { } count
                ? Groups.All(group => group.Hosts.Count >= Math.Min(count, group.AskedHosts))
                : Failures.Count == 0 && Groups.All(group => group.Failures.Count == 0)
        );
}

/// <summary>Runs a fleet in one step or in growing steps.</summary>
public sealed class FleetRunner
{
    /// <summary>Options of the fleet. The group id of each step starts with the group id of these options.</summary>
    public required FleetOptions Options { get; init; }

    public required IFleetTransport Transport { get; init; }

    public required IFleetObserver Observer { get; init; }

    public required ResultSpool Spool { get; init; }

    /// <summary>Number of results above which only the parts that the summary needs stay in memory.</summary>
    public int KeptWhole { get; init; } = MemberOutputReader.MaxCompleteResults;

    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    public required RampPlanner Steps { get; init; }

    public FleetResult Run(FleetPlan plan, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var outcomes = new List<FleetResult>();
        var steps = Steps.GetRemaining(plan);
        var isSlim = steps.Sum(step => step.Plan.Work.Sum(work => work.Tests.Count)) > KeptWhole;
        foreach (var step in steps)
        {
            if (cancelled.IsCancellationRequested)
                break;
            var options = Options with
            {
                Group = Options.Group + step.Name,
                Mark = step.Mark,
                MinHosts = Options.MinHosts is { } min ? Math.Min(min, step.Plan.Work.Count) : null,
            };
            var recorder = new FleetResultRecorder(options.Group, Observer, Sinks, Spool, isSlim, step.Plan.Work);
            new FleetController(options, Transport, recorder) { Spool = Spool }.Run(step.Plan.Work, cancelled);
            outcomes.Add(recorder.Finish(cancelled.IsCancellationRequested));
        }
        List<FleetGroup> groups = [.. FleetMerge.FindGroups(Steps.Kept).Concat(outcomes.SelectMany(outcome => outcome.Groups))];
        List<IoTestResult> results = [.. Steps.Kept, .. outcomes.SelectMany(outcome => outcome.Results)];
        return new FleetResult(
            results,
            [.. outcomes.SelectMany(outcome => outcome.Failures)],
            groups,
            ScalingCurve.Find(groups),
            cancelled.IsCancellationRequested,
            outcomes.TrueForAll(outcome => outcome.IsSaved)
        )
        {
            Unmeasured = [.. outcomes.SelectMany(outcome => outcome.Unmeasured)],
            Whole = isSlim ? new SpooledResults(results, Spool) : results,
        };
    }
}
