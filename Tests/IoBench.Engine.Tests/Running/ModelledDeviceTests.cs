using static IoBench.Engine.Tests.ModelledRun;

namespace IoBench.Engine.Tests;

/// <summary>
/// Measures devices whose results can be computed. The device advances a virtual clock, so the tests take no time and do not depend on the
/// speed of the computer.
/// </summary>
public class ModelledDeviceTests
{
    [Theory]
    [InlineData(4, 1.0, 1, 1000, 1)]
    [InlineData(4, 1.0, 8, 4000, 2)]
    [InlineData(0, 0.5, 16, 32000, 0.5)]
    [InlineData(1, 0.25, 32, 4000, 8)]
    public void Constant_service_time(int servers, double mean, int outstanding, double iops, double latency)
    {
        var result = Run(new NullDeviceModel(servers, mean), outstanding);
        Close(iops, result.IOPS, 0.002);
        Close(latency, result.AverageLatencyMs, 0.002);
        Close(latency, result.P99Ms, 0.01);
        Close(result.LittlesLawLatencyMs!.Value, result.AverageLatencyMs, 0.002);
        Assert.InRange(result.IopsStdDev!.Value, 0, iops * 0.005);
    }

    [Fact]
    public void Exponential_service_time()
    {
        // Without a queue the latency is the service time: mean m, percentile p at -m ln(1 - p).
        var result = Run(new NullDeviceModel(0, 2, NullServiceTime.Exponential), outstanding: 32, seconds: 100);
        Close(16_000, result.IOPS, 0.01);
        Close(2, result.AverageLatencyMs, 0.01);
        Close(2, result.LatencyStdDevMs, 0.01);
        Close(2 * Math.Log(2), result.P50Ms, 0.015);
        Close(2 * Math.Log(100), result.P99Ms, 0.015);
        Close(2 * Math.Log(1000), result.P999Ms, 0.02);
    }

    [Fact]
    public void Bimodal_service_time()
    {
        var result = Run(new NullDeviceModel(0, 1, NullServiceTime.Bimodal, SlowMs: 20, SlowPercent: 5), outstanding: 8, seconds: 100);
        Close(0.95 + 0.05 * 20, result.AverageLatencyMs, 0.02);
        Close(1, result.P50Ms, 0.01);
        Close(1, result.P90Ms, 0.01);
        Close(20, result.P99Ms, 0.01);
        Assert.Equal(1, result.MinLatencyMs);
        Assert.Equal(20, result.MaxLatencyMs);
    }

    [Fact]
    public void A_rate_limit_is_kept_within_half_a_percent()
    {
        var result = Run(new NullDeviceModel(0, 0.1), outstanding: 8, change: s => s.MaxIopsPerThread = 777);
        Close(777, result.IOPS, 0.005);
        Assert.Null(result.LittlesLawLatencyMs);
        result = Run(new NullDeviceModel(0, 0.1), outstanding: 8, change: s => s.MaxBytesPerSecondPerThread = 8192 * 500.0);
        Close(500, result.IOPS, 0.005);
        Close(500 / 128.0, result.BandwidthMBps, 0.005);
    }

    [Fact]
    public void A_limit_above_what_the_device_does_changes_nothing() =>
        Close(4000, Run(new NullDeviceModel(4, 1), outstanding: 8, change: s => s.MaxIopsPerThread = 1e6).IOPS, 0.005);

    [Fact]
    public void Bursts_rest_between()
    {
        // 10 consecutive I/Os take 10 ms. The think time of 40 ms counts from the start of the last one, so 10 I/Os take 49 ms.
        var result = Run(new NullDeviceModel(1, 1), outstanding: 1, change: s => (s.BurstSize, s.ThinkTimeMs) = (10, 40));
        Close(10 / 0.049, result.IOPS, 0.03);
    }

    [Fact]
    public void An_open_loop_keeps_its_rate_and_tells_service_and_response()
    {
        var result = Run(new NullDeviceModel(1, 0.5), outstanding: 32, change: s => s.TargetIops = 1000);
        Assert.Equal(IoLoadModel.Open, result.LoadModel);
        Assert.Equal(1000, result.TargetIops);
        Close(1000, result.IOPS, 0.002);
        Close(0.5, result.AverageLatencyMs, 0.01);
        Close(0.5, result.ResponseAverageMs, 0.01);
        Assert.Null(result.LittlesLawLatencyMs);
    }

    [Fact]
    public void An_open_loop_beyond_what_the_device_does_shows_the_queue_in_the_response_only()
    {
        // Target 2,000 IOPS, possible 1,000: after t seconds the response time is t / 2. The latency stays that of a queue of 4.
        var result = Run(new NullDeviceModel(1, 1), outstanding: 4, change: s => s.TargetIops = 2000);
        Close(1000, result.IOPS, 0.01);
        Close(4, result.AverageLatencyMs, 0.01);
        // Measured from second 1 to second 11, so second 6 is the average.
        Close(3000, result.ResponseAverageMs, 0.01);
    }

    [Fact]
    public void An_open_loop_tells_the_response_of_reads_and_of_writes_and_of_each_target()
    {
        var result = Run(new NullDeviceModel(1, 1), outstanding: 4, change: s => (s.TargetIops, s.WritePercent) = (2000, 50));
        foreach (var kind in new[] { result.Totals!.Read, result.Totals.Write, result.Targets[0].Read, result.Targets[0].Write })
        {
            Close(4, kind.AverageLatencyMs, 0.01);
            Close(3000, kind.ResponseAverageMs, 0.02);
            Close(5450, kind.ResponseP99Ms, 0.02);
        }
        Close(result.ResponseP99Ms!.Value, result.Targets[0].Total.ResponseP99Ms, 1e-9);
        var reads = Run(new NullDeviceModel(1, 0.5), outstanding: 4, change: s => s.TargetIops = 1000).Totals!;
        Assert.Equal(reads.Total.ResponseP99Ms, reads.Read.ResponseP99Ms);
        Assert.Null(reads.Write.ResponseAverageMs);
        Assert.Null(Run(new NullDeviceModel(1, 1), outstanding: 4).Totals!.Read.ResponseAverageMs);
    }

    [Fact]
    public void Targets_with_patterns_of_their_own_are_told_or_counted()
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
        Assert.Equal("3 patterns at once", Of(64, 8, 16, 8).IOPattern);
        Assert.Equal(["64KB random read", "8KB random read"], Of(64, 8).Targets.Select(t => t.IOPattern));
    }

    [Fact]
    public void A_stall_shows_in_the_maximum_of_a_closed_loop_and_in_the_percentiles_of_an_open_one()
    {
        // About one I/O in ten thousand occupies the only server for a second.
        var stall = new NullDeviceModel(1, 0.5, NullServiceTime.Bimodal, SlowMs: 1000, SlowPercent: 0.01);
        var closed = Run(stall, outstanding: 1, seconds: 60);
        Assert.InRange(closed.MaxLatencyMs!.Value, 1000, 1000.001);
        Close(0.5, closed.P999Ms, 0.01);
        var open = Run(stall, outstanding: 1, seconds: 60, change: s => s.TargetIops = 500);
        Assert.True(open.ResponseP99Ms > 100, $"response p99 {open.ResponseP99Ms} ms");
        Close(0.5, open.P99Ms, 0.01);
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
    public void Writes_come_in_the_share_asked_for()
    {
        var result = Run(new NullDeviceModel(0, 0.1), outstanding: 10, change: s => s.WritePercent = 30);
        Close(0.3, result.WriteIOPS / result.IOPS, 0.01);
        Assert.Equal(IoOperation.Mixed, result.Operation);
    }

    [Fact]
    public void A_shared_pool_spreads_its_outstanding_by_weight()
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
        Close(6000, result.IOPS, 0.002);
        Close(0.75, (double?)result.Targets[1].Total.IOCount / result.IOCount, 0.02);
        Assert.Equal(result.Targets[1].Total.IOCount * 65536, result.Targets[1].Total.ByteCount);
    }

    [Fact]
    public void A_shared_pool_keeps_so_many_outstanding_on_each_target()
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
        Close(2000, result.Targets[0].Total.IOPS, 0.002);
        Close(2000, result.Targets[1].Total.IOPS, 0.002);
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
        return ModelledRun.Of(specification);
    }
}
