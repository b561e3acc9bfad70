using IoBench.Engine;

namespace IoBench.Tests;

/// <summary>
/// The whole engine against a device whose rate the kernel guarantees. The rates are far below what any computer reaches; yet one that is
/// busy with something else may leave the device idle for a moment. So a lower rate is measured again, a higher one is wrong at once.
/// </summary>
[Collection(nameof(ThrottledDeviceTests))]
public class ThrottledDeviceTests
{
    private const int Attempts = 5;

    [ThrottledDeviceTheory]
    [InlineData(IoBackendKind.IoUring, 1000)]
    [InlineData(IoBackendKind.LinuxAio, 1000)]
    [InlineData(IoBackendKind.Threads, 1000)]
    [InlineData(IoBackendKind.Auto, 5000)]
    public void A_device_held_to_a_rate_is_measured_at_that_rate(IoBackendKind backend, int iops)
    {
        using var device = ThrottledLoopDevice.OfIops(iops);
        var result = Measure(Specification(device, backend, 8192), r => r.IOPS!.Value, iops);
        AssertLittlesLaw(result);
    }

    [ThrottledDeviceTheory]
    [InlineData(65536, 8 << 20)]
    public void A_device_held_to_a_bandwidth_is_measured_at_that_bandwidth(int block, long bytes)
    {
        using var device = ThrottledLoopDevice.OfBytes(bytes);
        var result = Measure(Specification(device, IoBackendKind.Auto, block), r => r.BandwidthMBps!.Value, bytes / 1048576.0);
        AssertLittlesLaw(result);
    }

    private static IoTestResult Measure(IoTestSpecification specification, Func<IoTestResult, double> figure, double truth)
    {
        for (var attempt = 1; ; attempt++)
        {
            var result = TestRun.Run(specification);
            Assert.Equal(IoResultStatus.Complete, result.Status);
            if (figure(result) < truth * 0.99 && attempt < Attempts)
                continue;
            Assert.InRange(figure(result), truth * 0.99, truth * 1.01);
            return result;
        }
    }

    private static void AssertLittlesLaw(IoTestResult result)
        => Assert.InRange(result.AverageLatencyMs!.Value / result.LittlesLawLatencyMs!.Value, 0.98, 1.02);

    private static IoTestSpecification Specification(ThrottledLoopDevice device, IoBackendKind backend, int block) => new()
    {
        Targets = [new IoTargetSpecification(device.Path)],
        Backend = backend,
        BlockSize = block,
        ThreadCount = 2,
        // Enough in the queue that the device has work while this program waits for a processor.
        OutstandingIO = 64,
        WarmUp = TimeSpan.FromSeconds(1),
        Duration = TimeSpan.FromSeconds(4),
    };
}

/// <summary>Alone on the computer, as far as this program's tests go.</summary>
[CollectionDefinition(nameof(ThrottledDeviceTests), DisableParallelization = true)]
public class ThrottledDeviceGroup;
