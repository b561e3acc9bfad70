using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class LimitSearchTests
{
    private static IoTestSpecification CreateSpecification(int seconds = 60) =>
        new()
        {
            Targets = [new("T:\\iobench.dat")],
            Duration = TimeSpan.FromSeconds(seconds),
            WarmUp = TimeSpan.FromSeconds(1),
            ThreadCount = 4,
            OutstandingIO = 8,
        };

    // D/M/1, even arrivals: with s the root of s = exp(-(1 - s) / load), response time is exponential with the rate mu (1 - s).
    // Source: L. Kleinrock, Queueing Systems I, G/M/1.
    private static double GetRate(double muPerSecond, double responseRatePerSecond)
    {
        var s = 1 - responseRatePerSecond / muPerSecond;
        return muPerSecond * (1 - s) / -Math.Log(s);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(8)]
    public void P99_limit_of_a_known_queue_is_found_within_3_percent(double limit)
    {
        var truth = GetRate(1000, Math.Log(100) / limit * 1000);
        for (var seed = 1; seed <= 10; seed++)
        {
            var result = LimitSearch.Find(CreateSpecification(), new(LatencyStatistic.P99, limit), new QueueDeviceModel(seed).Run);
            Assert.Equal(LimitOutcome.Found, result.Outcome);
            Assert.InRange(result.IOPS!.Value, truth * 0.97, truth * 1.03);
            Assert.InRange(result.IOPS.Value, result.ConfidenceLow!.Value, result.ConfidenceHigh!.Value);
        }
    }

    [Fact]
    public void Average_limit_of_a_known_queue_is_found_within_3_percent()
    {
        var truth = GetRate(1000, 1000 / 4.0);
        for (var seed = 1; seed <= 10; seed++)
            Assert.InRange(
                LimitSearch.Find(CreateSpecification(), new(LatencyStatistic.Average, 4), new QueueDeviceModel(seed).Run).IOPS!.Value,
                truth * 0.97,
                truth * 1.03
            );
    }

    [Fact]
    public void Confidence_interval_contains_the_true_rate_as_often_as_stated()
    {
        var truth = GetRate(1000, Math.Log(100) / 15 * 1000);
        var inside = Enumerable
            .Range(100, 40)
            .Count(seed =>
            {
                var result = LimitSearch.Find(CreateSpecification(30), new(LatencyStatistic.P99, 15), new QueueDeviceModel(seed).Run);
                return truth >= result.ConfidenceLow && truth <= result.ConfidenceHigh;
            });
        // The expected count is 38 (95% of 40). Fewer than 34 occur by chance once in 70, and the seeds are fixed.
        Assert.InRange(inside, 34, 40);
    }

    // M/M/1 with random arrivals: response time is exponential with the rate mu - lambda. The speed of the device spreads by 5% between runs.
    [Theory]
    [InlineData(1, LatencyStatistic.P99, 15)]
    [InlineData(1, LatencyStatistic.Average, 1.2)]
    [InlineData(10, LatencyStatistic.P99, 8)]
    [InlineData(10, LatencyStatistic.Average, 4)]
    public void Interval_covers_the_truth_when_runs_spread(int seconds, LatencyStatistic statistic, double limit)
    {
        var truth = 1000 - (statistic == LatencyStatistic.P99 ? Math.Log(100) : 1) / limit * 1000;
        var covered = Enumerable
            .Range(1, 50)
            .Count(seed =>
            {
                var result = LimitSearch.Find(CreateSpecification(seconds), new(statistic, limit), CreateSpreadingDevice(seed));
                return result.Outcome == LimitOutcome.Found && truth >= result.ConfidenceLow && truth <= result.ConfidenceHigh;
            });
        Assert.InRange(covered, 47, 50);
    }

    [Theory]
    [InlineData(LatencyStatistic.P99, 15)]
    [InlineData(LatencyStatistic.Average, 4)]
    public void Paused_host_gives_no_wrong_interval(LatencyStatistic statistic, double limit)
    {
        var truth = 1000 - (statistic == LatencyStatistic.P99 ? Math.Log(100) : 1) / limit * 1000;
        for (var seed = 1; seed <= 30; seed++)
        {
            var run = CreateSpreadingDevice(seed);
            var result = LimitSearch.Find(
                CreateSpecification(10),
                new(statistic, limit),
                test =>
                {
                    // The host stops IoBench for 6% of the run, which raises every latency.
                    var result = run(test);
                    result.HostPauses = [new() { Seconds = 2, LengthSeconds = result.DurationSeconds!.Value * 0.06 }];
                    result.ResponseAverageMs += 20;
                    result.ResponseP99Ms += 300;
                    return result;
                }
            );
            if (result.Outcome is LimitOutcome.Unknown or LimitOutcome.AlwaysMet)
                continue;
            Assert.Equal(LimitOutcome.Found, result.Outcome);
            Assert.InRange(truth, result.ConfidenceLow!.Value, result.ConfidenceHigh!.Value);
        }
    }

    [Fact]
    public void Rates_that_only_fail_while_workers_wait_are_unknown()
    {
        var device = new QueueDeviceModel(1);
        var result = LimitSearch.Find(
            CreateSpecification(),
            new(LatencyStatistic.Average, 0.5),
            test =>
            {
                var run = device.Run(test);
                run.ProcessorWaitPercent = 40;
                return run;
            }
        );
        Assert.Equal(LimitOutcome.Unknown, result.Outcome);
        Assert.Null(result.IOPS);
        Assert.Contains("is unknown", result.Summary);
        Assert.Contains("worker threads waited 40% of the time for a CPU", result.Summary);
        Assert.All(result.Probes.Where(p => p.TargetIops is not null), p => Assert.True(p.IsDoubtful));
        var finding = Assert.Single(result.Findings);
        Assert.Equal((FindingCodes.LimitUnknown, VerdictOutcome.NotRated), (finding.Code, finding.Outcome));
    }

    [Fact]
    public void Search_that_ends_above_the_lowest_rates_is_unknown()
    {
        var result = LimitSearch.Find(CreateSpecification(1), new(LatencyStatistic.P99, 4.7), CreateSpreadingDevice(1), new(MaxProbes: 5));
        Assert.Equal(LimitOutcome.Unknown, result.Outcome);
        Assert.Contains("The search stopped", result.Summary);
    }

    private static Func<IoTestSpecification, IoTestResult> CreateSpreadingDevice(int seed)
    {
        var random = new Random(seed);
        return test =>
        {
            var normal = Math.Sqrt(-2 * Math.Log(1 - random.NextDouble())) * Math.Cos(2 * Math.PI * random.NextDouble());
            var mean = Math.Exp(0.05 * normal);
            return new QueueDeviceModel(random.Next()) { Poisson = true, MeanMs = _ => mean }.Run(test);
        };
    }

    // With even arrivals and a constant service time, latency is constant up to the rate of the device and unbounded above it.
    [Fact]
    public void Sudden_saturation_is_found_within_3_percent()
    {
        var result = LimitSearch.Find(
            CreateSpecification(),
            new(LatencyStatistic.P99, 5),
            new QueueDeviceModel(1)
            {
                Servers = 4,
                MeanMs = _ => 2,
                Exponential = false,
            }.Run
        );
        Assert.InRange(result.IOPS!.Value, 2000 * 0.97, 2000 * 1.03);
        Assert.True(result.ConfidenceLow <= 2000 && result.ConfidenceHigh >= 2000 * 0.99);
        Assert.Equal(2, result.IdleLatencyMs!.Value, 6);
        Assert.Equal(result.IOPS.Value / 128, result.MBps!.Value, 6);
    }

    [Fact]
    public void Limit_below_the_idle_latency_is_never_met()
    {
        var result = LimitSearch.Find(CreateSpecification(), new(LatencyStatistic.Average, 0.5), new QueueDeviceModel(1).Run);
        Assert.Equal(LimitOutcome.NeverMet, result.Outcome);
        Assert.Null(result.IOPS);
        Assert.Contains("no rate meets the limit (average latency at most 0.5 ms)", result.Summary);
        Assert.True(result.Probes.Min(p => p.TargetIops) <= 0.04 * result.Probes.Max(p => p.IOPS));
    }

    [Fact]
    public void Limit_is_not_reached_if_the_highest_rate_meets_it()
    {
        var result = LimitSearch.Find(CreateSpecification(), new(LatencyStatistic.P99, 20), new QueueDeviceModel(1).Run, new(MaxIops: 300));
        Assert.Equal(LimitOutcome.AlwaysMet, result.Outcome);
        Assert.Equal(300, result.IOPS);
        Assert.Contains("every rate up to 300 IOPS meets the limit", result.Summary);
    }

    [Fact]
    public void Canceled_run_ends_the_search_with_partial_results()
    {
        var device = new QueueDeviceModel(1);
        var runs = 0;
        var result = LimitSearch.Find(
            CreateSpecification(),
            new(LatencyStatistic.P99, 20),
            spec =>
            {
                var run = device.Run(spec);
                if (++runs == 4)
                    run.Status = IoResultStatus.Cancelled;
                return run;
            }
        );
        Assert.Equal(LimitOutcome.Interrupted, result.Outcome);
        Assert.Equal(4, result.ProbeCount);
        Assert.Contains("cancelled", result.Summary);
    }

    [Fact]
    public void Description_of_a_stopped_search_contains_partial_results()
    {
        var limit = new LatencyLimit(LatencyStatistic.P99, 20);
        List<LimitProbe> probes = [];
        LimitSearch.Find(CreateSpecification(), limit, new QueueDeviceModel(3).Run, report: probes.Add);
        Assert.Equal(
            "The search was stopped after 1 run. No tested rate meets the limit (p99 at most 20 ms).",
            LimitSearch.DescribeInterrupted(limit, [.. probes.Take(1)])
        );
        Assert.Matches(
            @"^The search was stopped after 6 runs\. \d+ IOPS meet the limit \(p99 at most 20 ms\)\. [\d,]+ IOPS exceed the limit\.$",
            LimitSearch.DescribeInterrupted(limit, [.. probes.Take(6)])
        );
    }

    [Fact]
    public void Search_runs_open_loops_and_numbers_repeats()
    {
        var result = LimitSearch.Find(CreateSpecification(), new(LatencyStatistic.P99, 20), new QueueDeviceModel(3).Run);
        Assert.Null(result.Probes[0].TargetIops);
        Assert.All(result.Probes.Skip(1), p => Assert.Equal(IoLoadModel.Open, p.Result.LoadModel));
        Assert.Contains(result.Probes, p => p.Result.Repeat == 3);
        Assert.True(result.ProbeCount <= 60);
    }

    [Fact]
    public void Reads_of_a_mixed_test_are_limited_by_read_latency()
    {
        var run = new IoTestResult
        {
            Operation = IoOperation.Mixed,
            LoadModel = IoLoadModel.Open,
            AverageLatencyMs = 3,
            ResponseAverageMs = 4,
            ReadAverageLatencyMs = 2,
            WriteAverageLatencyMs = 5,
            P99Ms = 10,
            ResponseP99Ms = 10,
            ReadP99Ms = 8,
            Totals = new()
            {
                Read = new() { ResponseAverageMs = 2.5, ResponseP99Ms = 9 },
                Write = new() { ResponseAverageMs = 7 },
            },
        };
        double? Of(LatencyStatistic statistic, IoOperation? operation = null) => new LatencyLimit(statistic, 1, operation).GetLatency(run);
        Assert.Equal(
            [2.5, 7, 4, 9, 10, null],
            new[]
            {
                Of(LatencyStatistic.Average, IoOperation.Read),
                Of(LatencyStatistic.Average, IoOperation.Write),
                Of(LatencyStatistic.Average),
                Of(LatencyStatistic.P99, IoOperation.Read),
                Of(LatencyStatistic.P99),
                Of(LatencyStatistic.P99, IoOperation.Write),
            }
        );
        run.LoadModel = IoLoadModel.Closed;
        Assert.Equal(
            [2, 5, 8, null],
            new[]
            {
                Of(LatencyStatistic.Average, IoOperation.Read),
                Of(LatencyStatistic.Average, IoOperation.Write),
                Of(LatencyStatistic.P99, IoOperation.Read),
                Of(LatencyStatistic.P99, IoOperation.Write),
            }
        );
    }

    [Fact]
    public void Invalid_limit_or_options_throw()
    {
        string Error(LatencyLimit limit, LimitOptions? options = null) =>
            Assert.Throws<IoBenchException>(() => LimitSearch.Find(CreateSpecification(), limit, _ => new(), options)).Message;
        Assert.Contains("greater than 0", Error(new(LatencyStatistic.P99, 0)));
        Assert.Contains("8KB random read does not include such I/Os", Error(new(LatencyStatistic.P99, 5, IoOperation.Write)));
        Assert.Contains("tolerance", Error(new(LatencyStatistic.P99, 5), new(TolerancePercent: 0)));
    }
}
