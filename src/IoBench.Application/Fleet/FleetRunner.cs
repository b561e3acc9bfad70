namespace IoBench.Application.Fleet;

/// <summary>What a call of a fleet gave: each step of its ramp, or the one.</summary>
/// <param name="Results">All results.</param>
/// <param name="Failures">Every host and test without one.</param>
/// <param name="Groups">The answer of each step and test.</param>
/// <param name="Ramps">What the steps come to; empty without a ramp.</param>
/// <param name="IsCancelled">Somebody ended it.</param>
/// <param name="IsSaved">Every sink has every result.</param>
public sealed record FleetAnswer(
    IReadOnlyList<IoTestResult> Results,
    IReadOnlyList<FleetFailure> Failures,
    IReadOnlyList<FleetGroup> Groups,
    IReadOnlyList<FleetRamp> Ramps,
    bool IsCancelled,
    bool IsSaved
)
{
    /// <summary>The failures as results without figures, as they are saved: the file then says who is missing and why.</summary>
    public IReadOnlyList<IoTestResult> Unmeasured { get; init; } = [];

    /// <summary>All results with all they hold, each read when it is asked for. Of more than <see cref="FleetFiles.KeptWhole"/> those of <see cref="Results"/> are slim, and cannot be saved.</summary>
    public IEnumerable<IoTestResult> Whole { get; init; } = Results;

    /// <summary>All is there: every host gave each test completely, or with a quorum enough hosts did.</summary>
    /// <param name="minHosts">Hosts that are enough; null = all.</param>
    public bool IsEnough(int? minHosts) =>
        !IsCancelled
        && IsSaved
        && Groups.Count > 0
        && (
            minHosts is { } count
                ? Groups.All(group => group.Hosts.Count >= Math.Min(count, group.AskedHosts))
                : Failures.Count == 0 && Groups.All(group => group.Failures.Count == 0)
        );
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

    /// <summary>Where results go as they come.</summary>
    public required FleetSpool Spool { get; init; }

    /// <summary>Up to so many results are kept with all they hold; of more only what the answer needs is.</summary>
    public int KeptWhole { get; init; } = FleetFiles.KeptWhole;

    /// <summary>Where results are kept.</summary>
    public IReadOnlyList<IResultSink> Sinks { get; init; } = [];

    /// <summary>Members may use files that IoBench did not make.</summary>
    public bool Force { get; init; }

    /// <summary>What is run one after the other.</summary>
    public required FleetSteps Steps { get; init; }

    /// <summary>Runs a plan.</summary>
    public FleetAnswer Run(FleetPlan plan, CancellationToken cancelled)
    {
        ArgumentNullException.ThrowIfNull(plan);
        var outcomes = new List<FleetOutcome>();
        var steps = Steps.Left(plan);
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
            outcomes.Add(
                new FleetController(options, Transport, Observer)
                {
                    Sinks = Sinks,
                    Force = Force,
                    Spool = Spool,
                    IsSlim = isSlim,
                }.Run(step.Plan.Work, cancelled)
            );
        }
        List<FleetGroup> groups = [.. FleetMerge.Find(Steps.Kept).Concat(outcomes.SelectMany(outcome => outcome.Groups))];
        List<IoTestResult> results = [.. Steps.Kept, .. outcomes.SelectMany(outcome => outcome.Results)];
        return new FleetAnswer(
            results,
            [.. outcomes.SelectMany(outcome => outcome.Failures)],
            groups,
            FleetRamp.Find(groups),
            cancelled.IsCancellationRequested,
            outcomes.TrueForAll(outcome => outcome.IsSaved)
        )
        {
            Unmeasured = [.. outcomes.SelectMany(outcome => outcome.Unmeasured)],
            Whole = isSlim ? new WholeResults(results, Spool) : results,
        };
    }
}
