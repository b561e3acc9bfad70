using IoBench.Engine;

namespace IoBench.Tests;

/// <summary>The whole engine against a device whose rate the kernel guarantees. The rates are far below what any computer reaches.</summary>
public class ThrottledDeviceTests
{
    [ThrottledDeviceTheory]
    [InlineData(IoBackendKind.IoUring, 1000)]
    [InlineData(IoBackendKind.LinuxAio, 1000)]
    [InlineData(IoBackendKind.Threads, 1000)]
    [InlineData(IoBackendKind.Auto, 5000)]
    public void A_device_held_to_a_rate_is_measured_at_that_rate(IoBackendKind backend, int iops)
    {
        using var device = ThrottledLoopDevice.OfIops(iops);
        var result = TestRun.Run(Specification(device, backend, 8192));
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.InRange(result.IOPS!.Value, iops * 0.99, iops * 1.01);
        AssertLittlesLaw(result);
    }

    [ThrottledDeviceTheory]
    [InlineData(65536, 8 << 20)]
    public void A_device_held_to_a_bandwidth_is_measured_at_that_bandwidth(int block, long bytes)
    {
        using var device = ThrottledLoopDevice.OfBytes(bytes);
        var result = TestRun.Run(Specification(device, IoBackendKind.Auto, block));
        Assert.InRange(result.BandwidthMBps!.Value, bytes / 1048576.0 * 0.99, bytes / 1048576.0 * 1.01);
        AssertLittlesLaw(result);
    }

    private static void AssertLittlesLaw(IoTestResult result)
        => Assert.InRange(result.AverageLatencyMs!.Value / result.LittlesLawLatencyMs!.Value, 0.98, 1.02);

    private static IoTestSpecification Specification(ThrottledLoopDevice device, IoBackendKind backend, int block) => new()
    {
        Targets = [new IoTargetSpecification(device.Path)],
        Backend = backend,
        BlockSize = block,
        ThreadCount = 2,
        OutstandingIO = 8,
        WarmUp = TimeSpan.FromSeconds(1),
        Duration = TimeSpan.FromSeconds(5),
    };
}
