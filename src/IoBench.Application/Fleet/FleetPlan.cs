using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Application;

public sealed class FleetPlan
{
    private FleetPlan(IReadOnlyList<HostWorkload> work) => Work = work;

    public IReadOnlyList<HostWorkload> Work { get; }

    /// <summary>Creates the tests of each host. The path, size, rate, and workload of a host replace those of the request.</summary>
    /// <param name="path">Path to test on hosts that have none; null if every host has its own.</param>
    public static FleetPlan Create(IReadOnlyList<FleetHost> hosts, string? path, Func<PlanRequest> request)
    {
        ArgumentNullException.ThrowIfNull(hosts);
        ArgumentNullException.ThrowIfNull(request);
        if (path is not null)
            InventoryNames.CheckPath(path);
        return new FleetPlan([.. hosts.Select(host => new HostWorkload(host, CreateTests(host, path, request())))]);
    }

    public static string CreateGroupId(DateTimeOffset now) =>
        FormattableString.Invariant($"{now:yyyyMMdd-HHmmss}-{Guid.NewGuid().ToString("N")[..4]}");

    /// <summary>All results of a synchronized start have the same id.</summary>
    public static string GetGroupId(string group, int test) => FormattableString.Invariant($"{group}/{test}");

    public FleetPlan SelectFirst(int hosts) => new([.. Work.Take(hosts)]);

    public FleetPlan SelectHost(string host) => new([.. Work.Where(work => work.Host.Name == host)]);

    /// <summary>Returns a plan with other tests, without the hosts that then have no tests.</summary>
    public FleetPlan WithTests(Func<HostWorkload, IReadOnlyList<IoTestSpecification>> tests)
    {
        ArgumentNullException.ThrowIfNull(tests);
        return new([.. Work.Select(work => work with { Tests = tests(work) }).Where(work => work.Tests.Count > 0)]);
    }

    /// <summary><c>40 hosts, 2 arrays, 9 tests each, with writes, test files of 800 GB in all, about 6 minutes</c>.</summary>
    public override string ToString()
    {
        var arrays = Work.Select(work => work.Host.Tags.GetValueOrDefault("array"))
            .OfType<string>()
            .Distinct(StringComparer.OrdinalIgnoreCase)
            .Count();
        var writes = Work.Any(work => work.Tests.Any(test => test.Targets.Exists(target => test.GetPattern(target).WritePercent > 0)));
        var sizes = Work.Select(work => work.Tests.Max(test => test.Targets.Sum(target => target.FileSize ?? test.FileSize ?? 0))).ToList();
        var isModelled = Work.All(work => work.Tests.All(test => BackendCatalog.IsModeled(test.Backend)));
        var files =
            isModelled ? "no test files"
            : sizes.TrueForAll(size => size > 0) ? $"test files of {IoSize.Format(sizes.Sum())} in total"
            : "test files of up to 20 GB each";
        var longest = Work.MaxBy(work => work.Tests.Count)!.Tests;
        var hosts = NumberFormat.Pluralize(Work.Count, "host");
        if (arrays > 0)
            hosts += ", " + NumberFormat.Pluralize(arrays, "array");
        var tests = NumberFormat.Pluralize(longest.Count, "test");
        return $"{hosts}, {tests} each, {(writes ? "with writes" : "reads only")}, {files}, {TestPlanEstimate.Create(longest)}";
    }

    private static IReadOnlyList<IoTestSpecification> CreateTests(FleetHost host, string? path, PlanRequest request)
    {
        var place = host.Path ?? path;
        if (place is null && request.Specifications.Count == 0)
            throw IoBenchException.Usage(
                "IoBench.NoPath",
                $"{host} has no path. Specify one path after the inventory, or add a column named 'path' to the inventory.",
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
            throw error.WithSubject($"{host}", host.Name);
        }
    }
}

/// <summary>A host and its tests.</summary>
/// <param name="Tests">Tests of the host. The n-th test of every host starts at the same time.</param>
public sealed record HostWorkload(FleetHost Host, IReadOnlyList<IoTestSpecification> Tests)
{
    /// <summary>Numbers of the tests that the host does not run, because it completed them in an earlier run, starting at 1.</summary>
    public IReadOnlyList<int> CompletedTests { get; init; } = [];

    /// <summary>Results of the host in an earlier run. Steady state rounds and rate-limited mixes depend on all results of a
    /// host.</summary>
    public IReadOnlyList<IoTestResult> EarlierResults { get; init; } = [];

    /// <summary>Creates the work of each host: the whole plan, and the results that the host already has.</summary>
    /// <param name="hosts">Hosts with the computer names that they report. Two hosts can have the same name, such as two sessions to one
    /// computer.</param>
    /// <param name="earlier">Results of an earlier part of the plan, of these and other hosts.</param>
    /// <exception cref="IoBenchException"><c>IoBench.ResumeDiffers</c>: the earlier part had another duration.</exception>
    public static IReadOnlyList<HostWorkload> CreateForSuite(
        IReadOnlyList<IoTestSpecification> plan,
        IReadOnlyList<(FleetHost Host, string Computer)> hosts,
        IReadOnlyList<IoTestResult> earlier
    )
    {
        ArgumentNullException.ThrowIfNull(plan);
        ArgumentNullException.ThrowIfNull(hosts);
        return
        [
            .. hosts.Select(host =>
            {
                // Hosts with the same name cannot be distinguished: each gets an equal share of the results of each test.
                var alike = hosts.Where(other => other.Computer == host.Computer).ToList();
                var place = alike.IndexOf(host);
                List<IoTestResult> known =
                [
                    .. earlier
                        .Where(result =>
                            result.ComputerName == host.Computer && result is { Status: IoResultStatus.Complete, Specification: not null }
                        )
                        .GroupBy(result => ResumePlan.GetTestKey(result.Specification!))
                        .SelectMany(group => group.Where((_, index) => index % alike.Count == place)),
                ];
                var remaining = ResumePlan.GetRemainingTests(plan, known, host.Computer);
                return new HostWorkload(host.Host, plan)
                {
                    EarlierResults = known,
                    CompletedTests = [.. Enumerable.Range(1, plan.Count).Where(number => !remaining.Contains(plan[number - 1]))],
                };
            }),
        ];
    }
}
