using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>
/// Members run in the engine on modeled devices in modeled time and share the capacity of one array: each device provides what the array
/// leaves to its host while all hosts are active.
/// </summary>
public class FleetThroughTheEngineTests
{
    private const double Capacity = 3000,
        Own = 333.33;

    private static readonly SharedArray s_array = new(Capacity, Own) { Shares = { ["sql3"] = 0.5 } };

    private static string[] Names(int count) => [.. Enumerable.Range(1, count).Select(n => $"sql{n}")];

    private static IEnumerable<IoTestResult> Together(string group, string[] hosts) =>
        s_array
            .Split(hosts)
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
                    using var run = new TestRun(test, null, null, new VirtualClock());
                    run.Start();
                    run.Wait(Timeout.InfiniteTimeSpan);
                    var result = run.GetResult();
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
    public void The_sum_is_the_arrays_and_the_host_with_half_of_its_share_is_named()
    {
        var group = Assert.Single(FleetMerge.Find(Together("g/1", Names(16))));
        Assert.InRange(group.IOPS!.Value, Capacity * 0.98, Capacity * 1.02);
        Assert.Equal("sql3", Assert.Single(group.Outliers).Host);
        Assert.Equal(16, group.Hosts.Count);
    }

    [Fact]
    public void The_knee_is_within_one_host_and_each_loss_within_three_percent()
    {
        int[] sizes = [1, 2, 4, 8, 16];
        var results = sizes
            .SelectMany(size => Together($"r{size}/1", Names(size)))
            .Concat(Names(16).SelectMany(host => Together($"alone-{host}/1", [host])));
        var ramp = Assert.Single(FleetRamp.Find(FleetMerge.Find(results)));
        Assert.InRange(ramp.KneeHosts!.Value, 8, 10);
        var truth = s_array.Split(Names(16));
        Assert.Equal(16, ramp.Losses.Count);
        Assert.All(ramp.Losses, loss => Assert.InRange(loss.LossPercent - (1 - truth[loss.Host] / Own) * 100, -3, 3));
    }
}
