using IoBench.Analysis;
using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

public enum FleetResumeMode
{
    None,

    /// <summary>Run a test again on all its hosts if some hosts have no result.</summary>
    Together,

    /// <summary>Run only the missing hosts, and mark their results.</summary>
    Alone,
}

/// <param name="Name">Suffix that the step adds to the group id.</param>
/// <param name="Mark">Text that results carry if some hosts of the group did not run with them; null if all hosts ran.</param>
public sealed record RampStep(string Name, FleetPlan Plan, string? Mark = null);

/// <summary>Results of an interrupted fleet. A test is complete if enough hosts ran it together; single results do not count.</summary>
public sealed class FleetResumeState
{
    // Length of 20261122-201500-ab12, as FleetPlan.CreateGroupId returns it. The name of the step follows.
    private const int GroupLength = 20;

    private readonly List<List<IoTestResult>> _groups;
    private readonly int? _minHosts;

    /// <param name="results">Results; those of other runs are ignored.</param>
    /// <param name="minHosts">Number of hosts that are enough for a test; null for all hosts.</param>
    public FleetResumeState(IEnumerable<IoTestResult> results, int? minHosts)
    {
        ArgumentNullException.ThrowIfNull(results);
        _minHosts = minHosts;
        _groups =
        [
            .. results
                .Where(result =>
                    result is { GroupId: not null, Member: not null, Status: IoResultStatus.Complete, Specification: not null }
                    && !result.Host.ContainsKey(FleetMerge.ResumedAloneFact)
                )
                .GroupBy(result => result.GroupId!, StringComparer.Ordinal)
                .Select(group => group.DistinctBy(result => result.Member).ToList()),
        ];
    }

    public List<IoTestResult> Kept { get; } = [];

    /// <summary>Returns what still has to run of a step.</summary>
    public IEnumerable<RampStep> GetRemaining(RampStep step, FleetResumeMode way)
    {
        ArgumentNullException.ThrowIfNull(step);
        if (way == FleetResumeMode.None || _groups.Count == 0)
            return [step];
        var again = new HashSet<int>();
        var alone = new List<RampStep>();
        for (var number = 0; number < step.Plan.Work.Max(work => work.Tests.Count); number++)
        {
            var hosts = step.Plan.Work.Where(work => work.Tests.Count > number).ToList();
            var (group, found) = FindBestGroup(step.Name, hosts, number);
            if (found.Count >= Math.Min(_minHosts ?? hosts.Count, hosts.Count))
                ReuseResults(group!, found);
            else if (way == FleetResumeMode.Together || found.Count == 0)
                again.Add(number);
            else
            {
                ReuseResults(group!, found);
                alone.Add(CreateAloneStep(step, number, hosts, [.. found.Select(result => result.Member!)]));
            }
        }
        var together = step.Plan.WithTests(work => [.. work.Tests.Where((_, number) => again.Contains(number))]);
        return together.Work.Count == 0 ? alone : alone.Prepend(step with { Plan = together });
    }

    private static RampStep CreateAloneStep(RampStep step, int number, List<HostWorkload> hosts, HashSet<string> there)
    {
        // Create one step per test: different hosts can miss different tests, and hosts that start together must run the same test.
        var plan = step.Plan.WithTests(work => work.Tests.Count > number && !there.Contains(work.Host.Name) ? [work.Tests[number]] : []);
        return new RampStep(
            FormattableString.Invariant($"{step.Name}-alone{number + 1}"),
            plan,
            FormattableString.Invariant($"{plan.Work.Count} of {hosts.Count} hosts, without the other {there.Count}")
        );
    }

    private void ReuseResults(List<IoTestResult> group, List<IoTestResult> found)
    {
        _groups.Remove(group);
        Kept.AddRange(found);
    }

    private (List<IoTestResult>? Group, List<IoTestResult> Found) FindBestGroup(string name, List<HostWorkload> hosts, int number)
    {
        var keys = hosts.ToDictionary(work => work.Host.Name, work => GetTestKey(work.Tests[number]), StringComparer.Ordinal);
        (List<IoTestResult>? Group, List<IoTestResult> Found) best = (null, []);
        foreach (var group in _groups.Where(group => GetStepName(group[0].GroupId!) == name))
        {
            var found = group.FindAll(result => keys.TryGetValue(result.Member!, out var key) && key == GetTestKey(result.Specification!));
            if (found.Count > best.Found.Count)
                best = (group, found);
        }
        return best;
    }

    private static string GetStepName(string id) => id.LastIndexOf('/') is >= GroupLength and var end ? id[GroupLength..end] : "";

    /// <summary>Returns a key of the test without its paths, because a host can replace a folder by the file in it.</summary>
    private static string GetTestKey(IoTestSpecification test)
    {
        var key = test.Clone();
        key.Targets.ForEach(target => target.Path = "");
        return ResumePlan.GetTestKey(key);
    }
}
