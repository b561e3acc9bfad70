namespace IoBench.Engine.Tests;

public class IntervalLatencyTests
{
    private static IoTestResult Run(NullDeviceModel model, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = 8,
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(10),
        };
        change?.Invoke(specification);
        return ModeledRun.RunToEnd(specification);
    }

    [Fact]
    public void Closed_loop_has_percentiles_for_each_second()
    {
        var result = Run(new NullDeviceModel(0, 1, NullServiceTime.Bimodal, SlowMs: 20, SlowPercent: 5), s => s.WritePercent = 30);
        Assert.Equal(10, result.Timeline.Count);
        foreach (var point in result.Timeline)
        {
            var latencies = point.Latencies!;
            Assert.Equal((point.Seconds - 1, false), (latencies.FromSeconds, latencies.IsResponse));
            Assert.InRange(latencies.P50Ms!.Value, 1 * 0.937, 1 * 1.063);
            Assert.InRange(latencies.P99Ms!.Value, 20 * 0.937, 20);
            Assert.InRange(latencies.ReadP99Ms!.Value, 20 * 0.937, 20);
            Assert.Equal(point.MaxLatencyMs, latencies.MaxMs);
            // About 4,000 I/Os per second, so only four are beyond the 99.9th percentile.
            Assert.Null(latencies.P999Ms);
            var buckets = latencies.ToHistogram().Buckets;
            Assert.Equal(Math.Round(point.ReadIOPS!.Value), buckets.Sum(b => b.ReadCount!.Value));
            Assert.Equal(Math.Round(point.WriteIOPS!.Value), buckets.Sum(b => b.WriteCount!.Value));
            Assert.Contains(buckets, b => b.FromMs <= 1 && b.ToMs > 1);
            Assert.Contains(buckets, b => b.FromMs <= 20 && b.ToMs > 20);
            Assert.All(buckets, b => Assert.InRange(b.ToMs!.Value / b.FromMs, 1.06, 1.13));
        }
        // All intervals together are the distribution of the run.
        Assert.Equal(result.IOCount, result.Timeline.Sum(p => p.Latencies!.ToHistogram().Buckets.Sum(b => b.ReadCount + b.WriteCount)));
    }

    [Fact]
    public void Closed_loop_stall_is_an_empty_interval_before_a_high_maximum()
    {
        var result = Run(new NullDeviceModel(4, 0.5, StallAtSeconds: 4, StallSeconds: 2.5));
        // The stall lasts from 3 s to 5.5 s of the measured time.
        Assert.Null(result.Timeline[4].Latencies);
        Assert.InRange(result.Timeline[5].Latencies!.MaxMs!.Value, 2500, 2502);
        Assert.InRange(result.Timeline[5].Latencies!.ToHistogram().Buckets[^1].FromMs, 2200, 2501);
        Assert.InRange(result.Timeline[6].Latencies!.MaxMs!.Value, 0.5, 2);
    }

    [Theory]
    [InlineData(IoArrivals.Even)]
    [InlineData(IoArrivals.Poisson)]
    public void Open_loop_counts_responses_in_the_second_they_were_due(IoArrivals arrivals)
    {
        var result = Run(
            new NullDeviceModel(4, 0.5, StallAtSeconds: 4, StallSeconds: 2.5),
            s => (s.TargetIops, s.Arrivals, s.WritePercent) = (2000, arrivals, 25)
        );
        Assert.All(result.Timeline, point => Assert.True(point.Latencies!.IsResponse));
        // An I/O due at 3 s + x completes from 5.5 s on. Its response time is 2.5 s - x plus the time in the queue.
        foreach (var (second, lowest, highest) in new[] { (3, 1.4, 2.8), (4, 0.4, 1.9) })
        {
            var latencies = result.Timeline[second].Latencies!;
            Assert.InRange(latencies.P50Ms!.Value, lowest * 1000, highest * 1000);
            Assert.InRange(latencies.ToHistogram().Buckets.Sum(b => b.ReadCount!.Value + b.WriteCount!.Value), 1800, 2200);
        }
        Assert.InRange(result.Timeline[0].Latencies!.P99Ms!.Value, 0.4, 2);
        Assert.Equal(result.ResponseMaxMs!.Value, result.Timeline.Max(p => p.Latencies!.MaxMs!.Value), 1e-6);
        Assert.Equal(
            result.ResponseHistogram!.Buckets.Sum(b => b.ReadCount + b.WriteCount),
            result.Timeline.Sum(p => p.Latencies!.ToHistogram().Buckets.Sum(b => b.ReadCount + b.WriteCount))
        );
    }

    [Fact]
    public void IOs_that_never_complete_count_with_their_age()
    {
        // The stall starts at 4 s of the measured time and continues after its end.
        var result = Run(new NullDeviceModel(4, 0.5, StallAtSeconds: 5, StallSeconds: 8), s => s.TargetIops = 1000);
        for (var second = 5; second < 10; second++)
        {
            var latencies = result.Timeline[second].Latencies!;
            Assert.InRange(latencies.ToHistogram().Buckets.Sum(b => b.ReadCount!.Value), 990, 1010);
            Assert.InRange(latencies.P50Ms!.Value, (12 - second - 0.5) * 1000 * 0.85, (12 - second - 0.5) * 1000 * 1.15);
        }
    }

    [Fact]
    public void Long_run_merges_interval_latencies_without_loss()
    {
        var result = Run(new NullDeviceModel(0, 100), s => s.Duration = TimeSpan.FromSeconds(5000));
        Assert.Equal(5000, result.Timeline.Count);
        var held = result.Timeline.Where(p => p.Latencies is not null).ToList();
        // 8 s per merged interval, because intervals of 4 s would be more than 1,024.
        Assert.Equal(625, held.Count);
        Assert.All(held, p => Assert.Equal(8, p.Seconds - p.Latencies!.FromSeconds));
        Assert.All(held, p => Assert.InRange(p.Latencies!.ToHistogram().Buckets.Sum(b => b.ReadCount!.Value), 632, 648));
        Assert.Equal(result.IOCount, held.Sum(p => p.Latencies!.ToHistogram().Buckets.Sum(b => b.ReadCount!.Value)));
    }

    [Fact]
    public void Canceled_run_includes_its_last_interval()
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = new NullDeviceModel(0, 1),
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromHours(1),
        };
        using var run = new TestRun(specification, null);
        run.Start();
        Assert.True(SpinWait.SpinUntil(() => run.GetProgress().Phase == RunPhase.Measuring, TimeSpan.FromMinutes(1)));
        run.Cancel();
        Assert.True(run.Wait(TimeSpan.FromMinutes(1)));
        var result = run.GetResult();
        Assert.Equal(IoResultStatus.Cancelled, result.Status);
        // An incomplete interval at the end has no point.
        var shown = result.Timeline.Sum(p => p.Latencies?.ToHistogram().Buckets.Sum(b => b.ReadCount!.Value) ?? 0);
        Assert.InRange(shown, result.Timeline.Count > 0 ? result.IOCount!.Value * 0.9 : 0, result.IOCount!.Value);
    }
}
