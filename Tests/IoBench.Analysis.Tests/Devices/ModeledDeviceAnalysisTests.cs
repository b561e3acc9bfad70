using IoBench.Engine;
using IoBench.Engine.Tests;

namespace IoBench.Analysis.Tests;

/// <summary>
/// Runs the engine on modeled devices whose results can be computed. The device advances the clock, so the results do not depend on the
/// speed of the computer. This clock requires a single thread.
/// </summary>
public class ModeledDeviceAnalysisTests
{
    private static IoTestResult RunOnDevice(IoTestSpecification specification, NullDeviceModel device, ulong seed)
    {
        var test = specification.Clone();
        test.Backend = NullBackend.Name;
        test.NullDevice = device;
        test.Seed = seed + (ulong)(test.Repeat ?? 0) * 1000 + (ulong)(test.TargetIops ?? 0);
        (test.ThreadCount, test.OutstandingIO) = (1, Math.Min(256, test.ThreadCount * test.OutstandingIO));
        return ModeledRun.RunToEnd(test);
    }

    [Theory]
    [InlineData(8, 1.0, 8)]
    [InlineData(16, 2.0, 16)]
    [InlineData(1, 0.5, 1)]
    public void Saturation_point_equals_the_number_of_servers(int servers, double meanMs, int knee)
    {
        int[] loads = [1, 2, 4, 8, 16, 32, 64];
        var sweep = loads.Select(load =>
            RunOnDevice(
                new()
                {
                    Targets = [new("D:\\")],
                    ThreadCount = 1,
                    OutstandingIO = load,
                    Duration = TimeSpan.FromSeconds(5),
                },
                new(servers, meanMs),
                1
            )
        );
        var result = Assert.Single(SaturationResult.Analyze(sweep));
        Assert.Equal(knee, result.KneeOutstanding);
        Assert.Equal(servers / meanMs * 1000, result.KneeIOPS!.Value, servers / meanMs * 5);
        Assert.Equal(meanMs, result.KneeLatencyMs!.Value, meanMs * 0.01);
        Assert.Empty(result.Warnings);
    }

    // D/M/1 as in LimitSearchTests: the p99 response time is 15 ms where s, the root of s = exp(-(1 - s) / load), is 1 - ln(100) / 15.
    [Fact]
    public void Latency_limit_is_found_within_3_percent()
    {
        var s = 1 - Math.Log(100) / 15;
        var truth = 1000 * (1 - s) / -Math.Log(s);
        for (ulong seed = 1; seed <= 5; seed++)
        {
            var specification = new IoTestSpecification
            {
                Targets = [new("D:\\")],
                ThreadCount = 1,
                OutstandingIO = 256,
                Duration = TimeSpan.FromSeconds(60),
            };
            var result = LimitSearch.Find(
                specification,
                new(LatencyStatistic.P99, 15),
                spec => RunOnDevice(spec, new(1, 1, NullServiceTime.Exponential), seed)
            );
            Assert.Equal(LimitOutcome.Found, result.Outcome);
            Assert.InRange(result.IOPS!.Value, truth * 0.97, truth * 1.03);
        }
    }

    // Random arrivals. A disk of 150 IOPS is M/M/1: the p99 response time is 100 ms at 150 - ln(100) / 0.1 IOPS.
    // A cloud disk with a limit of 500 IOPS is M/D/1 with 2 ms per I/O and 1 ms after that: 3 ms + load / (1 - load), so 5 ms on average at
    // two thirds of 500.
    [Theory]
    [InlineData(LatencyStatistic.P99, 100, 103.9)]
    [InlineData(LatencyStatistic.Average, 5, 333.3)]
    public void Confidence_interval_contains_the_true_rate_on_slow_disks(LatencyStatistic statistic, double limit, double truth)
    {
        var device =
            statistic == LatencyStatistic.P99
                ? new NullDeviceModel(1, 1000 / 150.0, NullServiceTime.Exponential)
                : new NullDeviceModel(0, 1, MaxIops: 500);
        var inside = 0;
        for (ulong seed = 1; seed <= 20; seed++)
        {
            var specification = new IoTestSpecification
            {
                Targets = [new("D:\\")],
                ThreadCount = 1,
                OutstandingIO = 256,
                Duration = TimeSpan.FromSeconds(10),
                Arrivals = IoArrivals.Poisson,
                Seed = seed,
            };
            var result = LimitSearch.Find(specification, new(statistic, limit), spec => RunOnDevice(spec, device, spec.Seed));
            Assert.Equal(LimitOutcome.Found, result.Outcome);
            Assert.InRange(result.IOPS!.Value, truth * 0.8, truth * 1.2);
            inside += result.ConfidenceLow <= truth && result.ConfidenceHigh >= truth ? 1 : 0;
        }
        Assert.InRange(inside, 18, 20);
    }

    [Fact]
    public void Latency_limit_that_a_slow_disk_meets_only_at_low_rates_is_found()
    {
        // A p99 of 60 ms is reached at 150 - ln(100) / 0.06 = 73 IOPS, where 10 s have too few I/Os for a p99.
        var specification = new IoTestSpecification
        {
            Targets = [new("D:\\")],
            ThreadCount = 1,
            OutstandingIO = 256,
            Duration = TimeSpan.FromSeconds(10),
            Arrivals = IoArrivals.Poisson,
            Seed = 1,
        };
        var result = LimitSearch.Find(
            specification,
            new(LatencyStatistic.P99, 60),
            spec => RunOnDevice(spec, new(1, 1000 / 150.0, NullServiceTime.Exponential), spec.Seed)
        );
        Assert.Equal(LimitOutcome.Found, result.Outcome);
        Assert.InRange(result.IOPS!.Value, 60, 86);
        // One probe of an almost idle disk can be too short for the value, and is then ignored.
        Assert.InRange(result.Probes.Skip(1).Count(probe => probe.LatencyMs is null), 0, 1);
        Assert.True(result.ConfidenceLow > 0, $"{result.ConfidenceLow}: {result.Tried}");
        Assert.Contains("of 3 runs within the limit", result.Tried, StringComparison.Ordinal);
    }

    // An idle disk of 150 IOPS takes 6.7 ms on average, 4.6 ms at the median, and 30.7 ms at p99.
    [Theory]
    [InlineData(LatencyStatistic.P99, 2, 90)]
    [InlineData(LatencyStatistic.Average, 1, 90)]
    [InlineData(LatencyStatistic.P99, 20, 915)]
    [InlineData(LatencyStatistic.Average, 5, 915)]
    public void Latency_limit_that_no_rate_meets_is_recognized_in_bounded_time(LatencyStatistic statistic, double limit, double mostSeconds)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("D:\\")],
            ThreadCount = 1,
            OutstandingIO = 256,
            Duration = TimeSpan.FromSeconds(10),
            Arrivals = IoArrivals.Poisson,
            Seed = 1,
        };
        var seconds = 0.0;
        var result = LimitSearch.Find(
            specification,
            new(statistic, limit),
            spec =>
            {
                seconds += (spec.WarmUp + spec.Duration).TotalSeconds;
                return RunOnDevice(spec, new(1, 1000 / 150.0, NullServiceTime.Exponential), spec.Seed);
            }
        );
        Assert.True(result.Outcome == LimitOutcome.NeverMet, result.Summary);
        Assert.InRange(seconds, 0, mostSeconds);
        Assert.Contains(mostSeconds == 90 ? "half of the I/Os take " : " IOPS, the ", result.Summary, StringComparison.Ordinal);
        Assert.Contains(" IOPS: 0 of ", result.Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Limit_search_reports_that_its_time_is_used_up()
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("D:\\")],
            ThreadCount = 1,
            OutstandingIO = 256,
            Duration = TimeSpan.FromSeconds(10),
            Arrivals = IoArrivals.Poisson,
            Seed = 1,
        };
        var options = new LimitOptions(MaxProbes: 8);
        var seconds = 0.0;
        var result = LimitSearch.Find(
            specification,
            new(LatencyStatistic.P99, 60),
            spec =>
            {
                seconds += (spec.WarmUp + spec.Duration).TotalSeconds;
                return RunOnDevice(spec, new(1, 1000 / 150.0, NullServiceTime.Exponential), spec.Seed);
            },
            options
        );
        Assert.InRange(
            seconds,
            0,
            (LimitSearch.GetMaxTime(specification, options) + specification.WarmUp + specification.Duration).TotalSeconds
        );
        Assert.Contains("The search stopped after 120 s, the time that ", result.Summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Limit_of_2000_IOPS_is_found_within_1_percent()
    {
        var cap = Assert.Single(CapResult.Analyze(CapPlan.Create(["D:\\"]).Select(s => RunOnDevice(s, new(1, 0.5), 1))));
        Assert.Equal(CapKind.Iops, cap.Kind);
        Assert.InRange(cap.IopsCap!.Value, 1980, 2020);
        Assert.Contains("with blocks of 8 KB, 64 KB, and 256 KB", cap.Summary);
        Assert.Contains("while latency increases with queue depth. This is an IOPS limit of 2,000", cap.Summary);
    }

    [Fact]
    public void Varying_service_time_is_not_reported_as_a_limit()
    {
        for (ulong seed = 1; seed <= 5; seed++)
            Assert.Equal(
                CapKind.Medium,
                Assert
                    .Single(
                        CapResult.Analyze(
                            CapPlan
                                .Create(["D:\\"])
                                .Select(s => RunOnDevice(s, new(4, 2, NullServiceTime.Exponential), seed + (ulong)s.BlockSize))
                        )
                    )
                    .Kind
            );
    }

    [Fact]
    public void File_roles_run_alone_and_concurrently_with_one_target_each()
    {
        var plan = RoleTestPlan.Create(new("D:\\", "L:\\"), new Dictionary<string, string[]> { ["data"] = ["page-read-qd1"] });
        foreach (var test in plan)
            test.Duration = TimeSpan.FromSeconds(5);
        // Each run has one thread per target. More threads would require the real clock.
        var alone = plan.SkipLast(1).Select(s => RunOnDevice(s, new(2, 1), 1)).ToList();
        Assert.Equal(["data", "log"], alone.Select(r => r.Targets[0].Role));
        var together = plan[^1].Clone();
        together.Backend = NullBackend.Name;
        (together.Duration, together.WarmUp) = (TimeSpan.FromMilliseconds(200), TimeSpan.Zero);
        var result = TestRun.Run(together);
        Assert.Equal(["data", "log"], result.Targets.Select(t => t.Role));
        Assert.Equal(["8KB random read", alone[1].IOPattern], result.Targets.Select(t => t.IOPattern));
        Assert.Equal(["data", "log"], RoleInterference.Analyze([.. alone, result]).Select(r => r.Role));
    }
}
