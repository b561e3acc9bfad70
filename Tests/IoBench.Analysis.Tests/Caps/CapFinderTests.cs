using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class CapFinderTests
{
    private static readonly CapPlanOptions s_short = new(
        Outstanding: [1, 32, 128],
        Duration: TimeSpan.FromSeconds(12),
        WarmUp: TimeSpan.FromSeconds(1)
    );

    private static QueueDevice Fast(int seed, double? iops = null, double? bytes = null, double jitter = 0.5) =>
        new(seed)
        {
            Servers = 64,
            MeanMs = kb => 0.2 + kb / 1000,
            IopsCap = iops,
            BytesCap = bytes,
            CapJitter = jitter,
        };

    private static CapResult Find(QueueDevice device, StorageSpecification? bought = null) =>
        Assert.Single(CapFinder.Judge(CapPlan.Of(["D:\\"], IoPathMode.Each, s_short).Select(device.Run), bought));

    private static void All(Action<int> test)
    {
        for (var seed = 1; seed <= 20; seed++)
            test(seed);
    }

    [Fact]
    public void A_limit_on_IOPS() =>
        All(seed =>
        {
            var cap = Find(Fast(seed, iops: 2000));
            Assert.Equal(CapKind.Iops, cap.Kind);
            Assert.InRange(cap.IopsCap!.Value, 1980, 2020);
            Assert.Matches(
                @"^D:\\ is flat at (1,99\d|2,00\d) IOPS \(variation 0\.00\d\) at 8 KB, 64 KB and 256 KB while latency follows queue depth: an IOPS limit of 2,000, not the speed of the disk\.$",
                cap.Summary
            );
        });

    [Fact]
    public void A_limit_on_throughput() =>
        All(seed =>
        {
            var cap = Find(Fast(seed, bytes: 20e6));
            Assert.Equal(CapKind.Throughput, cap.Kind);
            Assert.InRange(cap.ThroughputCapMBps!.Value, 20e6 / 1048576 * 0.99, 20e6 / 1048576 * 1.01);
            Assert.Matches(@"a throughput limit of 20 MB/s \((19|19\.[0-2]) MiB/s\)", cap.Summary);
        });

    [Fact]
    public void Both_limits() =>
        All(seed =>
        {
            var cap = Find(Fast(seed, iops: 2000, bytes: 60e6));
            Assert.Equal(CapKind.IopsAndThroughput, cap.Kind);
            Assert.InRange(cap.IopsCap!.Value, 1980, 2020);
            Assert.InRange(cap.ThroughputCapMBps!.Value, 60e6 / 1048576 * 0.99, 60e6 / 1048576 * 1.01);
        });

    [Fact]
    public void A_limit_on_IOPS_of_a_medium_that_is_slower_for_large_blocks() =>
        All(seed =>
        {
            var cap = Find(
                new(seed)
                {
                    Servers = 16,
                    MeanMs = kb => 0.5 + kb / 6,
                    IopsCap = 2000,
                    CapJitter = 0.5,
                }
            );
            Assert.Equal(CapKind.Iops, cap.Kind);
            Assert.Contains("at 8 KB while", cap.Summary);
        });

    [Fact]
    public void The_medium() =>
        All(seed =>
        {
            var cap = Find(new(seed) { Servers = 8, MeanMs = kb => 3 + kb / 20 });
            Assert.Equal(CapKind.Medium, cap.Kind);
            Assert.Null(cap.IopsCap);
            Assert.Contains("gives what its medium can (8 KB: ", cap.Summary);
        });

    // By chance, the rate of a few seconds can be even. That must not be reported as a limit.
    [Fact]
    public void The_medium_stays_the_medium_however_often_it_is_asked()
    {
        for (var seed = 1000; seed < 1100; seed++)
            Assert.Equal(CapKind.Medium, Find(new(seed) { Servers = 8, MeanMs = kb => 6 + kb / 10 }).Kind);
    }

    // 8 KB and 64 KB take about the same time on this disk, so equal IOPS alone do not show a limit.
    [Fact]
    public void A_spinning_disk_is_a_medium() =>
        All(seed => Assert.Equal(CapKind.Medium, Find(new(seed) { Servers = 1, MeanMs = kb => 5 + kb / 200 }).Kind));

    // The rates are as even as those of a limit, but each block size has its own service time.
    [Fact]
    public void A_medium_without_noise_is_no_limit()
    {
        var cap = Find(
            new(1)
            {
                Servers = 8,
                MeanMs = kb => 3 + kb / 40,
                Exponential = false,
            }
        );
        Assert.Equal(CapKind.Medium, cap.Kind);
        Assert.Contains("neither I/Os nor bytes per second are the same at all sizes", cap.Summary);
    }

    [Fact]
    public void The_end_of_a_burst_within_a_run() =>
        All(seed =>
        {
            // The credit lasts for about 5.5 s of the last 8 KB runs with a high queue depth.
            var device = new QueueDevice(seed)
            {
                Servers = 64,
                MeanMs = _ => 0.5,
                IopsCap = 1000,
                BurstIops = 2000,
                CapJitter = 0.5,
                BurstCredit = 1000 * (3 * 13 + 5.5),
            };
            var cap = Find(device);
            Assert.Equal(CapKind.BurstEnds, cap.Kind);
            Assert.InRange(cap.BurstIops!.Value, 1950, 2050);
            Assert.InRange(cap.IOPS!.Value, 980, 1020);
            Assert.Contains("the end of a burst", cap.Summary);
            Assert.Matches(@"(99\d|1,00\d) IOPS are what lasts", cap.Summary);
        });

    [Fact]
    public void The_end_of_a_burst_between_two_runs()
    {
        List<IoTestResult> runs = [];
        foreach (var (spec, index) in CapPlan.Of(["D:\\"], IoPathMode.Each, s_short).Select((s, i) => (s, i)))
            runs.Add(Fast(index + 1, iops: index < 5 ? 3500 : 2300).Run(spec));
        var cap = Assert.Single(CapFinder.Judge(runs));
        Assert.Equal(CapKind.BurstEnds, cap.Kind);
        Assert.Contains("between the first and the last of two equal runs", cap.Summary);
        Assert.InRange(cap.IOPS!.Value, 2277, 2323);
    }

    [Fact]
    public void What_still_grows_is_not_limited()
    {
        var cap = Find(new(1) { Servers = 256, MeanMs = _ => 20 });
        Assert.Equal(CapKind.NotReached, cap.Kind);
        Assert.Contains("still grows at 128 outstanding", cap.Summary);
    }

    [Fact]
    public void One_slow_interval_does_not_hide_a_limit()
    {
        var runs = CapPlan.Of(["D:\\"], IoPathMode.Each, s_short).Select(Fast(1, iops: 2000).Run).ToList();
        foreach (var run in runs)
            run.Timeline[4].IOPS *= 0.8;
        Assert.Equal(CapKind.Iops, Assert.Single(CapFinder.Judge(runs)).Kind);
    }

    // Alone, each path reaches what its device can do or what the host permits.
    private static List<CapResult> TwoPaths(Func<int, QueueDevice> one, Func<int, QueueDevice>? shared, int seed) =>
        [
            .. CapFinder.Judge(
                CapPlan
                    .Of(["D:\\", "E:\\"], IoPathMode.Both, s_short)
                    .Select(
                        (spec, i) =>
                            spec.Targets.Count == 1 ? one(seed * 100 + i).Run(spec)
                            : shared is not null ? shared(seed * 100 + i).Run(spec)
                            : Sum(one, spec, seed * 100 + i)
                    )
            ),
        ];

    private static IoTestResult Sum(Func<int, QueueDevice> one, IoTestSpecification spec, int seed)
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
    public void A_limit_of_host_or_path() =>
        All(seed =>
        {
            var together = TwoPaths(s => Fast(s, iops: 1000), s => Fast(s, iops: 1000), seed)[^1];
            Assert.Equal(CapKind.HostOrPath, together.Kind);
            Assert.InRange(together.IopsCap!.Value, 990, 1010);
            Assert.Contains("an IOPS limit of 1,000 that they share", together.Summary);
        });

    [Fact]
    public void A_limit_of_the_host_above_that_of_each_disk() =>
        All(seed =>
        {
            var all = TwoPaths(s => Fast(s, iops: 1000), s => Fast(s, iops: 1500), seed);
            Assert.Equal([CapKind.Iops, CapKind.Iops, CapKind.HostOrPath], all.Select(c => c.Kind));
            Assert.Contains("an IOPS limit of 1,500 that they share", all[2].Summary);
        });

    [Fact]
    public void Paths_that_share_nothing() =>
        All(seed =>
        {
            var all = TwoPaths(s => Fast(s, iops: 1000), null, seed);
            Assert.Equal(CapKind.Independent, all[2].Kind);
            Assert.Contains("the sum of both", all[2].Summary);
        });

    [Fact]
    public void Two_paths_on_one_device_say_nothing_of_the_host()
    {
        var runs = CapPlan.Of(["D:\\", "E:\\"], IoPathMode.Both, s_short).Select((spec, i) => Fast(i, iops: 2000).Run(spec)).ToList();
        foreach (var run in runs.Where(r => r.TargetCount == 2))
            run.Targets = [new() { Path = "D:\\", Device = "PhysicalDrive1" }, new() { Path = "E:\\", Device = "PhysicalDrive1" }];
        var together = CapFinder.Judge(runs)[^1];
        Assert.NotEqual(CapKind.HostOrPath, together.Kind);
        Assert.Contains("both are on PhysicalDrive1", together.Summary);
    }

    [Theory]
    [InlineData(3000, null, CapKind.Independent, "the sum of all, so they share no limit")]
    [InlineData(2000, "PhysicalDrive1", CapKind.Medium, "all are on PhysicalDrive1, which they share")]
    public void Three_paths_are_not_called_both(double together, string? device, CapKind kind, string words)
    {
        string[] paths = ["D:\\", "E:\\", "F:\\"];
        var runs = CapPlan
            .Of(paths, IoPathMode.Both, s_short)
            .Select((spec, i) => Fast(i, iops: spec.Targets.Count == 1 ? 1000 : together).Run(spec))
            .ToList();
        foreach (var run in runs.Where(r => r.TargetCount == 3))
            run.Targets = [.. paths.Select(path => new IoTargetResult { Path = path, Device = device })];
        var cap = CapFinder.Judge(runs)[^1];
        Assert.Equal(kind, cap.Kind);
        Assert.Contains(words, cap.Summary);
        Assert.DoesNotContain("both", cap.Summary);
    }

    [Fact]
    public void What_was_bought_is_compared_in_its_unit()
    {
        var cap = Find(
            Fast(1, iops: 2000, bytes: 60e6),
            StorageSpecification.Parse("IOPS = 2000; Throughput = '60 MB/s'; LatencyMs = 0.1")
        );
        Assert.Equal(["IOPS", "Throughput", "LatencyMs"], cap.Checks.Select(c => c.Name));
        Assert.InRange(cap.Checks[1].Percent!.Value, 99, 101);
        Assert.Equal([true, true, false], cap.Checks.Select(c => c.Kept!.Value));
        Assert.Contains("IOPS that were bought are there (", cap.Summary);
        Assert.False(Find(Fast(1, iops: 2000), StorageSpecification.Parse("IOPS = 2300")).Checks[0].Kept);
    }

    [Fact]
    public void Other_results_say_what_is_needed()
    {
        var error = Assert.Throws<IoBenchException>(() =>
            CapFinder.Judge([Fast(1).Run(CapPlan.Of(["D:\\"], IoPathMode.Each, s_short)[1])])
        );
        Assert.Equal("IoBench.NoCapRuns", error.ErrorId);
    }

    [Fact]
    public void A_rate_that_does_not_vary_is_not_said_to()
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
            new CapText("D:\\", [new CapSize(8, run, stands, Even: true)], null, [run]).Sentence(CapKind.Medium, null);
        Assert.Contains(
            ": the rate does not stand still as the load rises, so no limit is set below it.",
            Words(stands: false),
            StringComparison.Ordinal
        );
        Assert.Contains(
            ": the rate is even, but the runs are so short that it may be so by chance, so no limit",
            Words(stands: true),
            StringComparison.Ordinal
        );
    }
}
