using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal sealed class HostProgress<THost>
    where THost : class, ISuiteComputer
{
    private HostProgress(THost host, IReadOnlyList<int> tests, IEnumerable<IoTestResult> earlier)
    {
        Host = host;
        AssignedTests = tests;
        KnownResults.AddRange(earlier);
    }

    public THost Host { get; }

    public IReadOnlyList<int> AssignedTests { get; }

    public HashSet<int> ReadyTests { get; } = [];

    /// <summary>Includes an earlier part of the run, because steady state rounds and rate-limited mixes depend on all results of the
    /// host.</summary>
    public List<IoTestResult> KnownResults { get; } = [];

    public List<IoTestResult> NewResults { get; } = [];

    public static IReadOnlyList<HostProgress<THost>> CreateAll(
        IReadOnlyList<IoTestSpecification> plan,
        IReadOnlyList<THost> hosts,
        IReadOnlyList<IoTestResult> earlier
    ) =>
        [
            .. hosts.Select(host =>
            {
                var done = GetEarlierResults(host, hosts, earlier);
                return new HostProgress<THost>(
                    host,
                    GetTestNumbers(plan, ResumePlan.GetRemainingTests(plan, done, host.ComputerName)),
                    done
                );
            }),
        ];

    /// <summary>Hosts with the same name cannot be distinguished: each gets an equal share of the results of each test.</summary>
    private static List<IoTestResult> GetEarlierResults(THost host, IReadOnlyList<THost> hosts, IReadOnlyList<IoTestResult> earlier)
    {
        var alike = hosts.Where(other => other.ComputerName == host.ComputerName).ToList();
        var place = alike.IndexOf(host);
        return
        [
            .. earlier
                .Where(result =>
                    result.ComputerName == host.ComputerName && result is { Status: IoResultStatus.Complete, Specification: not null }
                )
                .GroupBy(result => ResumePlan.GetTestKey(result.Specification!))
                .SelectMany(group => group.Where((_, index) => index % alike.Count == place)),
        ];
    }

    // The remaining tests are in the order of the plan.
    private static List<int> GetTestNumbers(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<IoTestSpecification> left)
    {
        List<int> numbers = [];
        for (var number = 0; number < plan.Count; number++)
            if (numbers.Count < left.Count && ReferenceEquals(plan[number], left[numbers.Count]))
                numbers.Add(number);
        return numbers;
    }
}
