using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

internal sealed class HostSeat<THost>
    where THost : class, ISuiteHost
{
    private HostSeat(THost host, IReadOnlyList<int> tests, IEnumerable<IoTestResult> earlier)
    {
        Share = new HostShare<THost>(host, tests);
        Known.AddRange(earlier);
    }

    public THost Host => Share.Host;

    public HostShare<THost> Share { get; }

    public HashSet<int> Ready { get; } = [];

    /// <summary>
    /// Includes results of an earlier part of the run: the number of steady state rounds and the rates of a rate-limited mix depend on all
    /// results of the host.
    /// </summary>
    public List<IoTestResult> Known { get; } = [];

    public List<IoTestResult> Measured { get; } = [];

    public static IReadOnlyList<HostSeat<THost>> Of(
        IReadOnlyList<IoTestSpecification> plan,
        IReadOnlyList<THost> hosts,
        IReadOnlyList<IoTestResult> earlier
    ) =>
        [
            .. hosts.Select(host =>
            {
                var done = EarlierOf(host, hosts, earlier);
                return new HostSeat<THost>(host, NumbersOf(plan, ResumePlan.Remaining(plan, done)), done);
            }),
        ];

    /// <summary>Hosts with the same name cannot be distinguished: each gets an equal share of the results of each test.</summary>
    private static List<IoTestResult> EarlierOf(THost host, IReadOnlyList<THost> hosts, IReadOnlyList<IoTestResult> earlier)
    {
        var alike = hosts.Where(other => other.ComputerName == host.ComputerName).ToList();
        var place = alike.IndexOf(host);
        return
        [
            .. earlier
                .Where(result =>
                    result.ComputerName == host.ComputerName && result is { Status: IoResultStatus.Complete, Specification: not null }
                )
                .GroupBy(result => ResumePlan.KeyOf(result.Specification!))
                .SelectMany(group => group.Where((_, index) => index % alike.Count == place)),
        ];
    }

    // The remaining tests are in the order of the plan.
    private static List<int> NumbersOf(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<IoTestSpecification> left)
    {
        List<int> numbers = [];
        for (var number = 0; number < plan.Count; number++)
            if (numbers.Count < left.Count && ReferenceEquals(plan[number], left[numbers.Count]))
                numbers.Add(number);
        return numbers;
    }
}
