namespace IoBench.Application.Suites.Hosts;

/// <summary>A host's place in a suite: what it has to run, and what it has measured.</summary>
internal sealed class HostSeat<THost>
    where THost : class, ISuiteHost
{
    private HostSeat(THost host, IReadOnlyList<int> tests, IEnumerable<IoTestResult> earlier)
    {
        Share = new HostShare<THost>(host, tests);
        Known.AddRange(earlier);
    }

    public THost Host => Share.Host;

    /// <summary>All of the plan, less what it gave before.</summary>
    public HostShare<THost> Share { get; }

    /// <summary>Numbers of the tests whose files are ready.</summary>
    public HashSet<int> Ready { get; } = [];

    /// <summary>What it has measured, in an earlier part of the run too: its rounds end when they are steady there, and its paced mixes are shares of its own rates.</summary>
    public List<IoTestResult> Known { get; } = [];

    /// <summary>What it has measured in this part of the run.</summary>
    public List<IoTestResult> Measured { get; } = [];

    /// <summary>Gives each host its tests.</summary>
    /// <exception cref="IoBenchException"><c>IoBench.ResumeDiffers</c>, as <see cref="ResumePlan.Remaining"/> has it.</exception>
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

    /// <summary>What a host gave in an earlier part. Of hosts with one name nobody knows which gave what: they get equal shares of each test's results, the first one first.</summary>
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

    // What is left is in the plan's order.
    private static List<int> NumbersOf(IReadOnlyList<IoTestSpecification> plan, IReadOnlyList<IoTestSpecification> left)
    {
        List<int> numbers = [];
        for (var number = 0; number < plan.Count; number++)
            if (numbers.Count < left.Count && ReferenceEquals(plan[number], left[numbers.Count]))
                numbers.Add(number);
        return numbers;
    }
}
