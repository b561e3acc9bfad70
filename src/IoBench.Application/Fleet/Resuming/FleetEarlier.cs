namespace IoBench.Application.Fleet.Resuming;

/// <summary>How an interrupted fleet is gone on with.</summary>
public enum FleetResume
{
    /// <summary>It is not: all is run.</summary>
    None,

    /// <summary>A test that not all of its hosts gave is run again by all of them.</summary>
    Together,

    /// <summary>The missing hosts run alone, and their results are marked.</summary>
    Alone,
}

/// <summary>A step of a fleet that is still to be run.</summary>
/// <param name="Name">What the step adds to the name of its group.</param>
/// <param name="Plan">Hosts and their tests.</param>
/// <param name="Mark">What the results say of hosts that did not run with them; null = all ran that belong to it.</param>
public sealed record FleetStep(string Name, FleetPlan Plan, string? Mark = null);

/// <summary>What an interrupted fleet has given: whole tests stay, the others are run again. A test counts by its hosts that ran at one moment, never by single results.</summary>
public sealed class FleetEarlier
{
    /// <summary>The fact of a result that says who did not run with it.</summary>
    public const string MarkName = FleetMerge.AloneMark;

    // 20261122-201500-ab12, as FleetIds makes it: what follows names the step.
    private const int GroupLength = 20;

    private readonly List<List<IoTestResult>> _groups;
    private readonly int? _minHosts;

    /// <summary>Takes results of an earlier part.</summary>
    /// <param name="results">The results, others among them.</param>
    /// <param name="minHosts">Hosts that are enough for a test; null = all.</param>
    public FleetEarlier(IEnumerable<IoTestResult> results, int? minHosts)
    {
        ArgumentNullException.ThrowIfNull(results);
        _minHosts = minHosts;
        _groups =
        [
            .. results
                .Where(result =>
                    result is { GroupId: not null, Member: not null, Status: IoResultStatus.Complete, Specification: not null }
                    && !result.Host.ContainsKey(MarkName)
                )
                .GroupBy(result => result.GroupId!, StringComparer.Ordinal)
                .Select(group => group.DistinctBy(result => result.Member).ToList()),
        ];
    }

    /// <summary>Results that stand for tests of this plan: they are part of its answer.</summary>
    public List<IoTestResult> Kept { get; } = [];

    /// <summary>What is left of a step.</summary>
    /// <param name="step">The step as it would be run at first.</param>
    /// <param name="way">How it is gone on with.</param>
    public IEnumerable<FleetStep> Left(FleetStep step, FleetResume way)
    {
        ArgumentNullException.ThrowIfNull(step);
        if (way == FleetResume.None || _groups.Count == 0)
            return [step];
        var (again, alone) = (new HashSet<int>(), new List<FleetStep>());
        for (var number = 0; number < step.Plan.Work.Max(work => work.Tests.Count); number++)
        {
            var hosts = step.Plan.Work.Where(work => work.Tests.Count > number).ToList();
            var (group, found) = Best(step.Name, hosts, number);
            if (found.Count >= Math.Min(_minHosts ?? hosts.Count, hosts.Count))
                Keep(group!, found);
            else if (way == FleetResume.Together || found.Count == 0)
                again.Add(number);
            else
            {
                Keep(group!, found);
                alone.Add(Alone(step, number, hosts, [.. found.Select(result => result.Member!)]));
            }
        }
        var whole = step.Plan.With(work => [.. work.Tests.Where((_, number) => again.Contains(number))]);
        return whole.Work.Count == 0 ? alone : alone.Prepend(step with { Plan = whole });
    }

    private static FleetStep Alone(FleetStep step, int number, List<FleetWork> hosts, HashSet<string> there)
    {
        // A step for each test: who misses the one need not miss the next, and what begins together must be one test.
        var plan = step.Plan.With(work => work.Tests.Count > number && !there.Contains(work.Host.Name) ? [work.Tests[number]] : []);
        return new FleetStep(
            FormattableString.Invariant($"{step.Name}-alone{number + 1}"),
            plan,
            FormattableString.Invariant($"{plan.Work.Count} of {hosts.Count} hosts, without the other {there.Count}")
        );
    }

    private void Keep(List<IoTestResult> group, List<IoTestResult> found)
    {
        _groups.Remove(group);
        Kept.AddRange(found);
    }

    /// <summary>The group that holds most of the hosts' results of a test.</summary>
    private (List<IoTestResult>? Group, List<IoTestResult> Found) Best(string name, List<FleetWork> hosts, int number)
    {
        var keys = hosts.ToDictionary(work => work.Host.Name, work => KeyOf(work.Tests[number]), StringComparer.Ordinal);
        (List<IoTestResult>? Group, List<IoTestResult> Found) best = (null, []);
        foreach (var group in _groups.Where(group => StepOf(group[0].GroupId!) == name))
        {
            var found = group.FindAll(result => keys.TryGetValue(result.Member!, out var key) && key == KeyOf(result.Specification!));
            if (found.Count > best.Found.Count)
                best = (group, found);
        }
        return best;
    }

    private static string StepOf(string id) => id.LastIndexOf('/') is >= GroupLength and var end ? id[GroupLength..end] : "";

    /// <summary>What a test asks, wherever its files lie: a host turns a folder into the file in it.</summary>
    private static string KeyOf(IoTestSpecification test)
    {
        var key = test.Clone();
        key.Targets.ForEach(target => target.Path = "");
        return ResumePlan.KeyOf(key);
    }
}
