using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class LimitSearchTests
{
    private static IoTestSpecification Spec(int seconds = 60) =>
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
    private static double RateOf(double muPerSecond, double responseRatePerSecond)
    {
        var s = 1 - responseRatePerSecond / muPerSecond;
        return muPerSecond * (1 - s) / -Math.Log(s);
    }

    [Theory]
    [InlineData(20)]
    [InlineData(8)]
    public void The_99th_percentile_of_a_known_queue_is_kept_up_to_the_known_rate(double limit)
    {
        var truth = RateOf(1000, Math.Log(100) / limit * 1000);
        for (var seed = 1; seed <= 10; seed++)
        {
            var result = LimitSearch.Find(Spec(), new(LatencyStatistic.P99, limit), new QueueDevice(seed).Run);
            Assert.Equal(LimitOutcome.Found, result.Outcome);
            Assert.InRange(result.IOPS!.Value, truth * 0.97, truth * 1.03);
            Assert.InRange(result.IOPS.Value, result.ConfidenceLow!.Value, result.ConfidenceHigh!.Value);
        }
    }

    [Fact]
    public void The_average_of_a_known_queue_is_kept_up_to_the_known_rate()
    {
        var truth = RateOf(1000, 1000 / 4.0);
        for (var seed = 1; seed <= 10; seed++)
            Assert.InRange(
                LimitSearch.Find(Spec(), new(LatencyStatistic.Average, 4), new QueueDevice(seed).Run).IOPS!.Value,
                truth * 0.97,
                truth * 1.03
            );
    }

    [Fact]
    public void The_confidence_interval_holds_the_truth_as_often_as_it_says()
    {
        var truth = RateOf(1000, Math.Log(100) / 15 * 1000);
        var inside = Enumerable
            .Range(100, 40)
            .Count(seed =>
            {
                var result = LimitSearch.Find(Spec(30), new(LatencyStatistic.P99, 15), new QueueDevice(seed).Run);
                return truth >= result.ConfidenceLow && truth <= result.ConfidenceHigh;
            });
        // The expected count is 38 (95% of 40). Fewer than 34 occur by chance once in 70, and the seeds are fixed.
        Assert.InRange(inside, 34, 40);
    }

    // With even arrivals and a constant service time, latency is constant up to the rate of the device and unbounded above it.
    [Fact]
    public void A_wall_is_found_between_its_two_sides()
    {
        var result = LimitSearch.Find(
            Spec(),
            new(LatencyStatistic.P99, 5),
            new QueueDevice(1)
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
    public void A_limit_below_the_idle_latency_is_never_kept()
    {
        var result = LimitSearch.Find(Spec(), new(LatencyStatistic.Average, 0.5), new QueueDevice(1).Run);
        Assert.Equal(LimitOutcome.NeverKept, result.Outcome);
        Assert.Null(result.IOPS);
        Assert.Contains("no rate keeps average latency at most 0.5 ms", result.Summary);
    }

    [Fact]
    public void A_highest_rate_that_is_kept_is_said_to_be_no_limit()
    {
        var result = LimitSearch.Find(Spec(), new(LatencyStatistic.P99, 20), new QueueDevice(1).Run, new(MaxIops: 300));
        Assert.Equal(LimitOutcome.AlwaysKept, result.Outcome);
        Assert.Equal(300, result.IOPS);
        Assert.Contains("was not reached", result.Summary);
    }

    [Fact]
    public void A_cancelled_run_ends_the_search_with_what_is_known()
    {
        var device = new QueueDevice(1);
        var runs = 0;
        var result = LimitSearch.Find(
            Spec(),
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
    public void A_search_that_was_stopped_tells_what_is_known()
    {
        var limit = new LatencyLimit(LatencyStatistic.P99, 20);
        List<LimitProbe> probes = [];
        LimitSearch.Find(Spec(), limit, new QueueDevice(3).Run, report: probes.Add);
        Assert.Equal(
            "The search was stopped after 1 run: no rate is known to keep p99 at most 20 ms.",
            LimitSearch.Describe(limit, [.. probes.Take(1)])
        );
        Assert.Matches(
            @"^The search was stopped after 6 runs: \d+ IOPS keep p99 at most 20 ms, [\d,]+ IOPS do not\.$",
            LimitSearch.Describe(limit, [.. probes.Take(6)])
        );
    }

    [Fact]
    public void Runs_are_open_loops_and_repeats_are_numbered()
    {
        var result = LimitSearch.Find(Spec(), new(LatencyStatistic.P99, 20), new QueueDevice(3).Run);
        Assert.Null(result.Probes[0].TargetIops);
        Assert.All(result.Probes.Skip(1), p => Assert.Equal(IoLoadModel.Open, p.Result.LoadModel));
        Assert.Contains(result.Probes, p => p.Result.Repeat == 3);
        Assert.True(result.ProbeCount <= 60);
    }

    [Fact]
    public void Reads_of_a_mixed_run_are_judged_by_their_own_latency()
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
        double? Of(LatencyStatistic statistic, IoOperation? operation = null) => new LatencyLimit(statistic, 1, operation).Of(run);
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
    public void What_makes_no_sense_is_refused()
    {
        string Error(LatencyLimit limit, LimitOptions? options = null) =>
            Assert.Throws<IoBenchException>(() => LimitSearch.Find(Spec(), limit, _ => new(), options)).Message;
        Assert.Contains("above 0", Error(new(LatencyStatistic.P99, 0)));
        Assert.Contains("8KB random read has none", Error(new(LatencyStatistic.P99, 5, IoOperation.Write)));
        Assert.Contains("tolerance", Error(new(LatencyStatistic.P99, 5), new(TolerancePercent: 0)));
    }
}
