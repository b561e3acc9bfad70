using IoBench.Engine;
using IoBench.Engine.Tests;

namespace IoBench.Analysis.Tests;

/// <summary>
/// Members run in the engine on modeled devices in modeled time and share the capacity of one array: each device provides what the array
/// leaves to its host while all hosts are active.
/// </summary>
public class FleetMergeEngineTests
{
    private const double Capacity = 3000,
        Own = 333.33;

    private static readonly SharedArrayModel s_array = new(Capacity, Own) { Shares = { ["sql3"] = 0.5 } };

    private static string[] GetHostNames(int count) => [.. Enumerable.Range(1, count).Select(n => $"sql{n}")];

    private static IEnumerable<IoTestResult> RunGroup(string group, string[] hosts) =>
        s_array
            .GetHostIops(hosts)
            .Select(
                (host, i) =>
                {
                    var test = new IoTestSpecification
                    {
                        Targets = [new("T:\\iobench.dat")],
                        FileSize = 1L << 30,
                        BlockSize = 8192,
                        ThreadCount = 1,
                        OutstandingIO = 16,
                        Workload = "oltp",
                        Seed = (ulong)i + 1,
                        WarmUp = TimeSpan.FromSeconds(1),
                        Duration = TimeSpan.FromSeconds(20),
                        Backend = NullBackend.Name,
                        NullDevice = new(32, 0.5, NullServiceTime.Exponential, MaxIops: host.Value),
                    };
                    var result = ModeledRun.RunToEnd(test);
                    (result.GroupId, result.Member, result.ComputerName, result.GroupHosts, result.StartOffsetSeconds, result.Workload) = (
                        group,
                        host.Key,
                        host.Key,
                        hosts.Length,
                        0,
                        "oltp"
                    );
                    return result;
                }
            );

    [Fact]
    public void Sum_and_outlier_are_found_in_engine_runs()
    {
        var group = Assert.Single(FleetMerge.FindGroups(RunGroup("g/1", GetHostNames(16))));
        Assert.InRange(group.IOPS!.Value, Capacity * 0.98, Capacity * 1.02);
        Assert.Equal("sql3", Assert.Single(group.Outliers).Host);
        Assert.Equal(16, group.Hosts.Count);
    }

    [Fact]
    public void Knee_and_scaling_losses_are_found_in_engine_runs()
    {
        int[] sizes = [1, 2, 4, 8, 16];
        var results = sizes
            .SelectMany(size => RunGroup($"r{size}/1", GetHostNames(size)))
            .Concat(GetHostNames(16).SelectMany(host => RunGroup($"alone-{host}/1", [host])));
        var ramp = Assert.Single(ScalingCurve.Find(FleetMerge.FindGroups(results)));
        Assert.InRange(ramp.KneeHosts!.Value, 8, 10);
        var truth = s_array.GetHostIops(GetHostNames(16));
        Assert.Equal(16, ramp.Losses.Count);
        Assert.All(ramp.Losses, loss => Assert.InRange(loss.LossPercent - (1 - truth[loss.Host] / Own) * 100, -3, 3));
    }
}
