namespace IoBench.Engine.Tests;

/// <summary>
/// Measures with the whole engine a device whose rate the kernel limits. The rates are far below those of any computer, and up to half a
/// second of work is queued, so the device stays busy while this program waits for a CPU. A test that waits longer, or that finds
/// completions of that time at its start, measures another rate and is repeated. A defect of the engine fails every attempt.
/// </summary>
[Collection(nameof(ThrottledDeviceTests))]
public class ThrottledDeviceTests
{
    private const int Attempts = 10;

    [ThrottledDeviceTheory]
    [InlineData(IoUringBackend.Name, 1000)]
    [InlineData(LinuxAioBackend.Name, 1000)]
    [InlineData(ThreadsBackend.Name, 1000)]
    [InlineData(BackendCatalog.Auto, 4000)]
    public void Measured_IOPS_match_the_limit_of_a_throttled_device(string backend, int iops)
    {
        using var device = ThrottledLoopDevice.CreateWithIopsLimit(iops);
        AssertMeasured(CreateSpecification(device, backend, 8192, iops), r => r.IOPS!.Value, iops);
    }

    [ThrottledDeviceTheory]
    [InlineData(65536, 8 << 20)]
    public void Measured_throughput_matches_the_limit_of_a_throttled_device(int block, long bytes)
    {
        using var device = ThrottledLoopDevice.CreateWithThroughputLimit(bytes);
        AssertMeasured(
            CreateSpecification(device, BackendCatalog.Auto, block, bytes / block),
            r => r.BandwidthMBps!.Value,
            bytes / 1048576.0
        );
    }

    [ThrottledDeviceTheory]
    [InlineData(8192, 1000)]
    [InlineData(65536, 200)]
    public void Device_counters_match_the_measured_bytes(int block, int iops)
    {
        using var device = ThrottledLoopDevice.CreateWithIopsLimit(iops);
        var result = TestTimeouts.RetryUntil(
            r => r.GetDeviceLatencyMs() is not null,
            () => TestRun.Run(CreateSpecification(device, BackendCatalog.Auto, block, iops)),
            Attempts
        );
        var load = result.Devices[0];
        Assert.False(load.IsComponent);
        Assert.InRange(load.ReadBytes / (result.BandwidthMBps!.Value * 1048576 * result.DurationSeconds!.Value), 0.9, 1.1);
        Assert.Equal(0, load.WriteCount);
        Assert.InRange(result.GetDeviceLatencyMs()!.Value, 0, result.AverageLatencyMs!.Value);
    }

    private static void AssertMeasured(IoTestSpecification specification, Func<IoTestResult, double> figure, double truth)
    {
        var result = TestTimeouts.RetryUntil(
            r => figure(r) > truth * 0.99 && figure(r) < truth * 1.01 && GetLittlesLawRatio(r) is > 0.98 and < 1.02,
            () => TestRun.Run(specification),
            Attempts
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.InRange(figure(result), truth * 0.99, truth * 1.01);
        Assert.InRange(GetLittlesLawRatio(result), 0.98, 1.02);
    }

    private static double GetLittlesLawRatio(IoTestResult result) => result.AverageLatencyMs!.Value / result.LittlesLawLatencyMs!.Value;

    private static IoTestSpecification CreateSpecification(ThrottledLoopDevice device, string backend, int block, double iops) =>
        new()
        {
            Targets = [new IoTargetSpecification(device.Path)],
            Backend = backend,
            BlockSize = block,
            // At a higher rate, the kernel's own queue would limit the outstanding I/Os.
            ThreadCount = iops > 1000 ? 2 : 8,
            OutstandingIO = (int)Math.Min(iops / 2 / 8, 64),
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(3),
        };
}

/// <summary>Tests of this collection do not run in parallel with other tests of this assembly.</summary>
[CollectionDefinition(nameof(ThrottledDeviceTests), DisableParallelization = true)]
public class ThrottledDeviceGroup;
