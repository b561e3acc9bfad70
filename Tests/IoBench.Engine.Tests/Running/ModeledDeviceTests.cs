using static IoBench.Engine.Tests.ModeledRun;

namespace IoBench.Engine.Tests;

/// <summary>
/// Measures devices whose results can be computed. The device advances a virtual clock, so the tests take no time and do not depend on the
/// speed of the computer.
/// </summary>
public class ModeledDeviceTests
{
    [Theory]
    [InlineData(4, 1.0, 1, 1000, 1)]
    [InlineData(4, 1.0, 8, 4000, 2)]
    [InlineData(0, 0.5, 16, 32000, 0.5)]
    [InlineData(1, 0.25, 32, 4000, 8)]
    public void Results_match_theory_for_a_constant_service_time(int servers, double mean, int outstanding, double iops, double latency)
    {
        var result = Run(new NullDeviceModel(servers, mean), outstanding);
        AssertClose(iops, result.IOPS, 0.002);
        AssertClose(latency, result.AverageLatencyMs, 0.002);
        AssertClose(latency, result.P99Ms, 0.01);
        AssertClose(result.LittlesLawLatencyMs!.Value, result.AverageLatencyMs, 0.002);
        Assert.InRange(result.IopsStdDev!.Value, 0, iops * 0.005);
    }

    [Fact]
    public void Results_match_theory_for_an_exponential_service_time()
    {
        // Without a queue the latency is the service time: mean m, percentile p at -m ln(1 - p).
        var result = Run(new NullDeviceModel(0, 2, NullServiceTime.Exponential), outstanding: 32, seconds: 100);
        AssertClose(16_000, result.IOPS, 0.01);
        AssertClose(2, result.AverageLatencyMs, 0.01);
        AssertClose(2, result.LatencyStdDevMs, 0.01);
        AssertClose(2 * Math.Log(2), result.P50Ms, 0.015);
        AssertClose(2 * Math.Log(100), result.P99Ms, 0.015);
        AssertClose(2 * Math.Log(1000), result.P999Ms, 0.02);
    }

    [Fact]
    public void Results_match_theory_for_a_bimodal_service_time()
    {
        var result = Run(new NullDeviceModel(0, 1, NullServiceTime.Bimodal, SlowMs: 20, SlowPercent: 5), outstanding: 8, seconds: 100);
        AssertClose(0.95 + 0.05 * 20, result.AverageLatencyMs, 0.02);
        AssertClose(1, result.P50Ms, 0.01);
        AssertClose(1, result.P90Ms, 0.01);
        AssertClose(20, result.P99Ms, 0.01);
        Assert.Equal(1, result.MinLatencyMs);
        Assert.Equal(20, result.MaxLatencyMs);
    }

    [Fact]
    public void Rate_limit_is_accurate_to_half_a_percent()
    {
        var result = Run(new NullDeviceModel(0, 0.1), outstanding: 8, change: s => s.MaxIopsPerThread = 777);
        AssertClose(777, result.IOPS, 0.005);
        Assert.Null(result.LittlesLawLatencyMs);
        result = Run(new NullDeviceModel(0, 0.1), outstanding: 8, change: s => s.MaxBytesPerSecondPerThread = 8192 * 500.0);
        AssertClose(500, result.IOPS, 0.005);
        AssertClose(500 / 128.0, result.BandwidthMBps, 0.005);
    }

    [Fact]
    public void Rate_limit_above_the_device_rate_has_no_effect() =>
        AssertClose(4000, Run(new NullDeviceModel(4, 1), outstanding: 8, change: s => s.MaxIopsPerThread = 1e6).IOPS, 0.005);

    [Fact]
    public void Think_time_separates_bursts()
    {
        // 10 consecutive I/Os take 10 ms. The think time of 40 ms counts from the start of the last one, so 10 I/Os take 49 ms.
        var result = Run(new NullDeviceModel(1, 1), outstanding: 1, change: s => (s.BurstSize, s.ThinkTimeMs) = (10, 40));
        AssertClose(10 / 0.049, result.IOPS, 0.03);
    }

    [Fact]
    public void Open_loop_reports_latency_and_response_time_at_its_rate()
    {
        var result = Run(new NullDeviceModel(1, 0.5), outstanding: 32, change: s => s.TargetIops = 1000);
        Assert.Equal(IoLoadModel.Open, result.LoadModel);
        Assert.Equal(1000, result.TargetIops);
        AssertClose(1000, result.IOPS, 0.002);
        AssertClose(0.5, result.AverageLatencyMs, 0.01);
        AssertClose(0.5, result.ResponseAverageMs, 0.01);
        Assert.Null(result.LittlesLawLatencyMs);
    }

    [Fact]
    public void Overloaded_open_loop_shows_the_queue_in_response_times_only()
    {
        // Target 2,000 IOPS, possible 1,000: after t seconds the response time is t / 2. The latency stays that of a queue of 4.
        var result = Run(new NullDeviceModel(1, 1), outstanding: 4, change: s => s.TargetIops = 2000);
        AssertClose(1000, result.IOPS, 0.01);
        AssertClose(4, result.AverageLatencyMs, 0.01);
        // Measured from second 1 to second 11, so second 6 is the average.
        AssertClose(3000, result.ResponseAverageMs, 0.01);
    }

    [Fact]
    public void Open_loop_reports_response_times_per_operation_and_target()
    {
        var result = Run(new NullDeviceModel(1, 1), outstanding: 4, change: s => (s.TargetIops, s.WritePercent) = (2000, 50));
        foreach (var kind in new[] { result.Totals!.Read, result.Totals.Write, result.Targets[0].Read, result.Targets[0].Write })
        {
            AssertClose(4, kind.AverageLatencyMs, 0.01);
            AssertClose(3000, kind.ResponseAverageMs, 0.02);
            AssertClose(5450, kind.ResponseP99Ms, 0.02);
        }
        AssertClose(result.ResponseP99Ms!.Value, result.Targets[0].Total.ResponseP99Ms, 1e-9);
        var reads = Run(new NullDeviceModel(1, 0.5), outstanding: 4, change: s => s.TargetIops = 1000).Totals!;
        Assert.Equal(reads.Total.ResponseP99Ms, reads.Read.ResponseP99Ms);
        Assert.Null(reads.Write.ResponseAverageMs);
        Assert.Null(Run(new NullDeviceModel(1, 1), outstanding: 4).Totals!.Read.ResponseAverageMs);
    }

    [Fact]
    public void Pattern_text_lists_or_counts_the_patterns_of_targets()
    {
        IoTargetSpecification Target(int kilobytes) =>
            new("second")
            {
                Pattern = new IoPattern { BlockSize = kilobytes * 1024, ThreadCount = 1 },
            };
        IoTestResult Of(params int[] sizes) =>
            Run(
                new NullDeviceModel(0, 1),
                outstanding: 1,
                seconds: 0.1,
                change: s =>
                {
                    s.SharedThreadPool = true;
                    s.Targets = [.. sizes.Select(Target)];
                }
            );
        Assert.Equal("64KB random read", Of(64, 64).IOPattern);
        Assert.Equal("64KB random read; 8KB random read", Of(64, 8).IOPattern);
        Assert.Equal("3 concurrent patterns", Of(64, 8, 16, 8).IOPattern);
        Assert.Equal(["64KB random read", "8KB random read"], Of(64, 8).Targets.Select(t => t.IOPattern));
    }

    [Fact]
    public void Stall_raises_closed_loop_maximum_and_open_loop_percentiles()
    {
        // About one I/O in ten thousand occupies the only server for a second.
        var stall = new NullDeviceModel(1, 0.5, NullServiceTime.Bimodal, SlowMs: 1000, SlowPercent: 0.01);
        var closed = Run(stall, outstanding: 1, seconds: 60);
        Assert.InRange(closed.MaxLatencyMs!.Value, 1000, 1000.001);
        AssertClose(0.5, closed.P999Ms, 0.01);
        var open = Run(stall, outstanding: 1, seconds: 60, change: s => s.TargetIops = 500);
        Assert.True(open.ResponseP99Ms > 100, $"response p99 {open.ResponseP99Ms} ms");
        AssertClose(0.5, open.P99Ms, 0.01);
    }

    [Fact]
    public void Warm_up_and_cool_down_are_not_counted()
    {
        var result = Run(
            new NullDeviceModel(1, 1),
            outstanding: 1,
            change: s => (s.WarmUp, s.CoolDown) = (TimeSpan.FromSeconds(3), TimeSpan.FromSeconds(2))
        );
        Assert.Equal(10, result.DurationSeconds);
        Assert.InRange(result.IOCount!.Value, 9999, 10_001);
        Assert.Equal(10, result.Timeline.Count);
        Assert.All(result.Timeline, t => Assert.Equal(1000, t.IOPS!.Value, 1.1));
        Assert.Equal(10, result.Timeline[^1].Seconds);
    }

    [Fact]
    public void Write_percentage_is_met()
    {
        var result = Run(new NullDeviceModel(0, 0.1), outstanding: 10, change: s => s.WritePercent = 30);
        AssertClose(0.3, result.WriteIOPS / result.IOPS, 0.01);
        Assert.Equal(IoOperation.Mixed, result.Operation);
    }

    [Fact]
    public void Shared_pool_distributes_outstanding_IOs_by_weight()
    {
        var result = Run(
            new NullDeviceModel(0, 1),
            outstanding: 2,
            change: s =>
            {
                s.SharedThreadPool = true;
                s.PoolOutstandingIO = 6;
                s.Targets.Add(
                    new IoTargetSpecification("second")
                    {
                        Pattern = new IoPattern { Weight = 3, BlockSize = 65536 },
                    }
                );
            }
        );
        Assert.Equal(6, result.TotalOutstanding);
        Assert.Equal(1, result.ThreadCount);
        AssertClose(6000, result.IOPS, 0.002);
        AssertClose(0.75, (double?)result.Targets[1].Total.IOCount / result.IOCount, 0.02);
        Assert.Equal(result.Targets[1].Total.IOCount * 65536, result.Targets[1].Total.ByteCount);
    }

    [Fact]
    public void Shared_pool_keeps_the_queue_depth_of_each_target()
    {
        var result = Run(
            new NullDeviceModel(0, 1),
            outstanding: 2,
            change: s =>
            {
                s.SharedThreadPool = true;
                s.Targets.Add(new IoTargetSpecification("second"));
            }
        );
        Assert.Equal(4, result.TotalOutstanding);
        AssertClose(2000, result.Targets[0].Total.IOPS, 0.002);
        AssertClose(2000, result.Targets[1].Total.IOPS, 0.002);
    }

    private static IoTestResult Run(NullDeviceModel model, int outstanding, double seconds = 10, Action<IoTestSpecification>? change = null)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = outstanding,
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(seconds),
        };
        change?.Invoke(specification);
        return ModeledRun.RunToEnd(specification);
    }
}
