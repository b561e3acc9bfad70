using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class CapResultTests
{
    private static readonly int[] s_loads = [1, 32, 128];

    private static IReadOnlyList<IoTestSpecification> CreateShortPlan(IReadOnlyList<string> paths, IoPathMode mode = IoPathMode.Each) =>
        CapPlan.Create(paths, mode, outstanding: s_loads, duration: TimeSpan.FromSeconds(12), warmUp: TimeSpan.FromSeconds(1));

    private static QueueDeviceModel CreateFastDevice(int seed, double? iops = null, double? bytes = null, double jitter = 0.5) =>
        new(seed)
        {
            Servers = 64,
            MeanMs = kb => 0.2 + kb / 1000,
            IopsCap = iops,
            BytesCap = bytes,
            CapJitter = jitter,
        };

    private static CapResult FindCap(QueueDeviceModel device, StorageSpecification? bought = null) =>
        Assert.Single(CapResult.Analyze(CreateShortPlan(["D:\\"]).Select(device.Run), bought));

    private static void RunForAllSeeds(Action<int> test)
    {
        for (var seed = 1; seed <= 20; seed++)
            test(seed);
    }

    [Fact]
    public void CapFinder_finds_an_IOPS_limit() =>
        RunForAllSeeds(seed =>
        {
            var cap = FindCap(CreateFastDevice(seed, iops: 2000));
            Assert.Equal(CapKind.Iops, cap.Kind);
            Assert.InRange(cap.IopsCap!.Value, 1980, 2020);
            Assert.Matches(
                @"^D:\\ stays at (1,99\d|2,00\d) IOPS with blocks of 8 KB, 64 KB, and 256 KB \(variation 0\.00\d\), while latency increases with queue depth. This is an IOPS limit of 2,000, not the speed of the disk\.$",
                cap.Summary
            );
        });

    [Fact]
    public void CapFinder_finds_a_throughput_limit() =>
        RunForAllSeeds(seed =>
        {
            var cap = FindCap(CreateFastDevice(seed, bytes: 20e6));
            Assert.Equal(CapKind.Throughput, cap.Kind);
            Assert.InRange(cap.ThroughputCapMBps!.Value, 20e6 / 1048576 * 0.99, 20e6 / 1048576 * 1.01);
            Assert.Matches(@"a throughput limit of 20 MB/s \((19|19\.[0-2]) MiB/s\)", cap.Summary);
        });

    [Fact]
    public void CapFinder_finds_IOPS_and_throughput_limits_together() =>
        RunForAllSeeds(seed =>
        {
            var cap = FindCap(CreateFastDevice(seed, iops: 2000, bytes: 60e6));
            Assert.Equal(CapKind.IopsAndThroughput, cap.Kind);
            Assert.InRange(cap.IopsCap!.Value, 1980, 2020);
            Assert.InRange(cap.ThroughputCapMBps!.Value, 60e6 / 1048576 * 0.99, 60e6 / 1048576 * 1.01);
        });

    [Fact]
    public void IOPS_limit_is_found_on_a_device_that_is_slower_for_large_blocks() =>
        RunForAllSeeds(seed =>
        {
            var cap = FindCap(
                new(seed)
                {
                    Servers = 16,
                    MeanMs = kb => 0.5 + kb / 6,
                    IopsCap = 2000,
                    CapJitter = 0.5,
                }
            );
            Assert.Equal(CapKind.Iops, cap.Kind);
            Assert.Contains("with blocks of 8 KB (variation", cap.Summary);
        });

    [Fact]
    public void Device_without_a_limit_is_reported_as_its_own_limit() =>
        RunForAllSeeds(seed =>
        {
            var cap = FindCap(new(seed) { Servers = 8, MeanMs = kb => 3 + kb / 20 });
            Assert.Equal(CapKind.Medium, cap.Kind);
            Assert.Null(cap.IopsCap);
            Assert.Contains("IoBench found no limit (8 KB: ", cap.Summary);
        });

    // By chance, the rate of a few seconds can be even. That must not be reported as a limit.
    [Fact]
    public void Device_without_a_limit_has_no_limit_for_any_of_100_seeds()
    {
        for (var seed = 1000; seed < 1100; seed++)
            Assert.Equal(CapKind.Medium, FindCap(new(seed) { Servers = 8, MeanMs = kb => 6 + kb / 10 }).Kind);
    }

    // 8 KB and 64 KB take about the same time on this disk, so equal IOPS alone do not show a limit.
    [Fact]
    public void Rotational_disk_has_no_IOPS_limit() =>
        RunForAllSeeds(seed => Assert.Equal(CapKind.Medium, FindCap(new(seed) { Servers = 1, MeanMs = kb => 5 + kb / 200 }).Kind));

    // The rates are as even as those of a limit, but each block size has its own service time.
    [Fact]
    public void Constant_service_time_is_not_reported_as_a_limit()
    {
        var cap = FindCap(
            new(1)
            {
                Servers = 8,
                MeanMs = kb => 3 + kb / 40,
                Exponential = false,
            }
        );
        Assert.Equal(CapKind.Medium, cap.Kind);
        Assert.Contains("neither IOPS nor throughput is the same for all block sizes", cap.Summary);
    }

    [Fact]
    public void Burst_end_within_a_run_is_found() =>
        RunForAllSeeds(seed =>
        {
            // The credit lasts for about 5.5 s of the last 8 KB runs with a high queue depth.
            var device = new QueueDeviceModel(seed)
            {
                Servers = 64,
                MeanMs = _ => 0.5,
                IopsCap = 1000,
                BurstIops = 2000,
                CapJitter = 0.5,
                BurstCredit = 1000 * (3 * 13 + 5.5),
            };
            var cap = FindCap(device);
            Assert.Equal(CapKind.BurstEnds, cap.Kind);
            Assert.InRange(cap.BurstIops!.Value, 1950, 2050);
            Assert.InRange(cap.IOPS!.Value, 980, 1020);
            Assert.Contains("the end of a burst", cap.Summary);
            Assert.Matches(@"(99\d|1,00\d) IOPS are sustained", cap.Summary);
        });

    [Fact]
    public void Burst_end_between_two_runs_is_found()
    {
        List<IoTestResult> runs = [];
        foreach (var (spec, index) in CreateShortPlan(["D:\\"]).Select((s, i) => (s, i)))
            runs.Add(CreateFastDevice(index + 1, iops: index < 5 ? 3500 : 2300).Run(spec));
        var cap = Assert.Single(CapResult.Analyze(runs));
        Assert.Equal(CapKind.BurstEnds, cap.Kind);
        Assert.Contains("between the first and the last run with the same settings", cap.Summary);
        Assert.InRange(cap.IOPS!.Value, 2277, 2323);
    }

    // The last run of a busy host is often a few percent slower.
    [Theory]
    [InlineData(0.94)]
    [InlineData(0.5)]
    public void Burst_end_between_short_runs_is_found(double lastRun)
    {
        List<IoTestResult> runs = [];
        foreach (
            var (spec, index) in CapPlan
                .Create(["D:\\"], duration: TimeSpan.FromSeconds(5), warmUp: TimeSpan.FromSeconds(1))
                .Select((s, i) => (s, i))
        )
            runs.Add(CreateFastDevice(index + 1, iops: index < 8 ? 5000 : 1000).Run(spec));
        runs[^1].IOPS *= lastRun;
        var cap = Assert.Single(CapResult.Analyze(runs));
        Assert.Equal(CapKind.BurstEnds, cap.Kind);
        Assert.InRange(cap.BurstIops!.Value, 4900, 5100);
    }

    [Fact]
    public void Rate_that_fell_without_a_new_limit_is_no_limit()
    {
        var runs = CapPlan
            .Create(["D:\\"], duration: TimeSpan.FromSeconds(5), warmUp: TimeSpan.FromSeconds(1))
            .Select(CreateFastDevice(1, iops: 5000).Run)
            .ToList();
        runs[^1].IOPS *= 0.4;
        runs[^2].IOPS *= 0.7;
        var cap = Assert.Single(CapResult.Analyze(runs));
        Assert.Null(cap.IopsCap);
        Assert.NotEqual(CapKind.BurstEnds, cap.Kind);
    }

    [Fact]
    public void Limit_is_not_reached_while_IOPS_still_grow()
    {
        var cap = FindCap(new(1) { Servers = 256, MeanMs = _ => 20 });
        Assert.Equal(CapKind.NotReached, cap.Kind);
        Assert.Contains("Throughput still increases at 128 outstanding I/Os", cap.Summary);
    }

    [Fact]
    public void IOPS_limit_is_found_despite_one_slow_interval()
    {
        var runs = CreateShortPlan(["D:\\"]).Select(CreateFastDevice(1, iops: 2000).Run).ToList();
        foreach (var run in runs)
            run.Timeline[4].IOPS *= 0.8;
        Assert.Equal(CapKind.Iops, Assert.Single(CapResult.Analyze(runs)).Kind);
    }

    // Alone, each path reaches what its device can do or what the host permits.
    private static List<CapResult> FindCapsOfTwoPaths(Func<int, QueueDeviceModel> one, Func<int, QueueDeviceModel>? shared, int seed) =>
        [
            .. CapResult.Analyze(
                CreateShortPlan(["D:\\", "E:\\"], IoPathMode.Both)
                    .Select(
                        (spec, i) =>
                            spec.Targets.Count == 1 ? one(seed * 100 + i).Run(spec)
                            : shared is not null ? shared(seed * 100 + i).Run(spec)
                            : RunBothDevices(one, spec, seed * 100 + i)
                    )
            ),
        ];

    private static IoTestResult RunBothDevices(Func<int, QueueDeviceModel> one, IoTestSpecification spec, int seed)
    {
        var (left, right) = (spec.Clone(), spec.Clone());
        left.Targets.RemoveAt(1);
        right.Targets.RemoveAt(0);
        var (a, b) = (one(seed).Run(left), one(seed + 50_000).Run(right));
        a.Path = "D:\\; E:\\";
        a.TargetCount = 2;
        a.TotalOutstanding += b.TotalOutstanding;
        a.IOPS += b.IOPS;
        a.BandwidthMBps += b.BandwidthMBps;
        for (var i = 0; i < a.Timeline.Count; i++)
            a.Timeline[i].IOPS += b.Timeline[i].IOPS;
        return a;
    }

    [Fact]
    public void Limit_shared_by_two_paths_is_found() =>
        RunForAllSeeds(seed =>
        {
            var together = FindCapsOfTwoPaths(s => CreateFastDevice(s, iops: 1000), s => CreateFastDevice(s, iops: 1000), seed)[^1];
            Assert.Equal(CapKind.HostOrPath, together.Kind);
            Assert.InRange(together.IopsCap!.Value, 990, 1010);
            Assert.Contains("The paths share an IOPS limit of 1,000", together.Summary);
        });

    [Fact]
    public void Shared_limit_above_the_limit_of_each_disk_is_found() =>
        RunForAllSeeds(seed =>
        {
            var all = FindCapsOfTwoPaths(s => CreateFastDevice(s, iops: 1000), s => CreateFastDevice(s, iops: 1500), seed);
            Assert.Equal([CapKind.Iops, CapKind.Iops, CapKind.HostOrPath], all.Select(c => c.Kind));
            Assert.Contains("The paths share an IOPS limit of 1,500", all[2].Summary);
        });

    [Fact]
    public void Paths_without_a_shared_limit_are_independent() =>
        RunForAllSeeds(seed =>
        {
            var all = FindCapsOfTwoPaths(s => CreateFastDevice(s, iops: 1000), null, seed);
            Assert.Equal(CapKind.Independent, all[2].Kind);
            Assert.Contains("the sum of the separate results of both paths", all[2].Summary);
        });

    [Fact]
    public void Two_paths_on_one_device_show_no_host_limit()
    {
        var runs = CreateShortPlan(["D:\\", "E:\\"], IoPathMode.Both)
            .Select((spec, i) => CreateFastDevice(i, iops: 2000).Run(spec))
            .ToList();
        foreach (var run in runs.Where(r => r.TargetCount == 2))
            run.Targets = [new() { Path = "D:\\", Device = "PhysicalDrive1" }, new() { Path = "E:\\", Device = "PhysicalDrive1" }];
        var together = CapResult.Analyze(runs)[^1];
        Assert.NotEqual(CapKind.HostOrPath, together.Kind);
        Assert.Contains("The paths share PhysicalDrive1", together.Summary);
    }

    [Theory]
    [InlineData(3000, null, CapKind.Independent, "the sum of the separate results of all paths, so these paths do not share a limit")]
    [InlineData(2000, "PhysicalDrive1", CapKind.Medium, "The paths share PhysicalDrive1")]
    public void Summary_of_three_paths_says_all_instead_of_both(double together, string? device, CapKind kind, string words)
    {
        string[] paths = ["D:\\", "E:\\", "F:\\"];
        var runs = CreateShortPlan(paths, IoPathMode.Both)
            .Select((spec, i) => CreateFastDevice(i, iops: spec.Targets.Count == 1 ? 1000 : together).Run(spec))
            .ToList();
        foreach (var run in runs.Where(r => r.TargetCount == 3))
            run.Targets = [.. paths.Select(path => new IoTargetResult { Path = path, Device = device })];
        var cap = CapResult.Analyze(runs)[^1];
        Assert.Equal(kind, cap.Kind);
        Assert.Contains(words, cap.Summary);
        Assert.DoesNotContain("both", cap.Summary);
    }

    [Fact]
    public void Provisioned_limits_are_compared_in_their_own_unit()
    {
        var cap = FindCap(
            CreateFastDevice(1, iops: 2000, bytes: 60e6),
            StorageSpecification.Parse("IOPS = 2000; Throughput = '60 MB/s'; LatencyMs = 0.1")
        );
        Assert.Equal(["IOPS", "Throughput", "LatencyMs"], cap.Checks.Select(c => c.Name));
        Assert.InRange(cap.Checks[1].Percent!.Value, 99, 101);
        Assert.Equal([true, true, false], cap.Checks.Select(c => c.IsMet!.Value));
        Assert.Contains("; provisioned ", cap.Summary);
        Assert.False(FindCap(CreateFastDevice(1, iops: 2000), StorageSpecification.Parse("IOPS = 2300")).Checks[0].IsMet);
    }

    [Fact]
    public void CapFinder_throws_without_cap_runs()
    {
        var error = Assert.Throws<IoBenchException>(() => CapResult.Analyze([CreateFastDevice(1).Run(CreateShortPlan(["D:\\"])[1])]));
        Assert.Equal("IoBench.NoCapRuns", error.ErrorId);
    }

    [Fact]
    public void Summary_omits_the_variation_of_a_single_interval()
    {
        var run = new CapRun
        {
            Result = new(),
            BlockKB = 8,
            Depth = 32,
            Iops = 1000,
            Variation = 0,
            LatencyMs = 1,
            BurstIops = null,
            BurstSeconds = null,
            Intervals = 1,
            IntervalSeconds = 1,
        };
        string Words(bool stands) =>
            new CapMessages("D:\\", [new CapSizeResult(8, run, stands, IsEven: true)], null, [run]).DescribeCap(CapKind.Medium, null);
        Assert.Contains(", because the IOPS still increase with the load.", Words(stands: false), StringComparison.Ordinal);
        Assert.Contains(
            ", because the IOPS are constant, but the runs are too short to exclude chance.",
            Words(stands: true),
            StringComparison.Ordinal
        );
    }
}
