namespace IoBench.Application.Fleet;

/// <summary>What a fleet is to do: its hosts with their tests, and what that comes to in a sentence that somebody says yes to.</summary>
public sealed class FleetPlan
{
    private FleetPlan(IReadOnlyList<FleetWork> work) => Work = work;

    /// <summary>Hosts and their tests.</summary>
    public IReadOnlyList<FleetWork> Work { get; }

    /// <summary>Makes the tests of each host: as the call says, with the host's own path, size, rate and workload in their place.</summary>
    /// <param name="path">What is tested where a host says nothing; null = each says it.</param>
    /// <param name="request">A new request of the call, for each host.</param>
    /// <exception cref="IoBenchException">A host has no path, or the call contradicts itself.</exception>
    public static FleetPlan Create(IReadOnlyList<FleetHost> hosts, string? path, Func<PlanRequest> request)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(request);
        return new FleetPlan([.. hosts.Select(host => new FleetWork(host, TestsOf(host, path, request())))]);
    }

    /// <summary>The same for a part of the hosts, the first ones.</summary>
    public FleetPlan First(int hosts) => new([.. Work.Take(hosts)]);

    /// <summary>The same for one host.</summary>
    public FleetPlan Only(string host) => new([.. Work.Where(work => work.Host.Name == host)]);

    /// <summary>The same hosts with other tests; a host without any is left out.</summary>
    public FleetPlan With(Func<FleetWork, IReadOnlyList<IoTestSpecification>> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        return new([.. Work.Select(work => work with { Tests = tests(work) }).Where(work => work.Tests.Count > 0)]);
    }

    /// <summary><c>40 hosts, 2 arrays, 9 tests each, writes, test files of 800 GB in all, about 6 minutes</c>.</summary>
    public override string ToString()
    {
        var arrays = Work.Select(work => work.Host.Tags.GetValueOrDefault("array"))
            .OfType<string>()
            .Distinct(StringComparer.OrdinalIgnoreCase)
            .Count();
        var writes = Work.Any(work => work.Tests.Any(test => test.Targets.Exists(target => test.PatternOf(target).WritePercent > 0)));
        var sizes = Work.Select(work => work.Tests.Max(test => test.Targets.Sum(target => target.FileSize ?? test.FileSize ?? 0))).ToList();
        var isModelled = Work.All(work => work.Tests.All(test => BackendCatalog.IsModelled(test.Backend)));
        var files =
            isModelled ? "no test files"
            : sizes.TrueForAll(size => size > 0) ? $"test files of {new IoSize(sizes.Sum()).ToDisplayString()} in all"
            : "test files of up to 20 GB each";
        var longest = Work.MaxBy(work => work.Tests.Count)!.Tests;
        return $"{Figures.Counted(Work.Count, "host")}, {(arrays > 0 ? Figures.Counted(arrays, "array") + ", " : "")}{Figures.Counted(longest.Count, "test")} each, {(writes ? "with writes" : "reads only")}, {files}, {TestPlan.Estimate(longest)}";
    }

    private static IReadOnlyList<IoTestSpecification> TestsOf(FleetHost host, string? path, PlanRequest request)
    {
        var place = host.Path ?? path;
        if (place is null && request.Specifications.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.NoPath",
                $"{host} has no path: give one for all behind the inventory, or a column path in it.",
                host.Name
            );
        if (place is not null)
            request.Paths = [place];
        try
        {
            if (host.Workload is not null)
                request.Workloads = [.. host.Workload.Split([',', ' '], StringSplitOptions.RemoveEmptyEntries)];
            if (host.Size is not null)
                request.Set("FileSize", host.Size);
            if (host.Rate is not null)
                request.Set("TargetIops", host.Rate);
            return TestPlanner.Create(request).Tests;
        }
        catch (IoBenchException error) when (host is not { Workload: null, Size: null, Rate: null })
        {
            throw error.About($"{host}", host.Name);
        }
    }
}
