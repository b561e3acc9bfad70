namespace IoBench.Engine.Tests;

/// <summary>
/// The whole engine against a device whose rate the kernel guarantees. The rates are far below what any computer reaches, and up to half a second of
/// work is queued, so that the device stays busy while this program waits for a processor. Should it wait longer, or find at the beginning what
/// completed while it waited, another rate is measured again; what is wrong in the engine is wrong every time.
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
    public void A_device_held_to_a_rate_is_measured_at_that_rate(string backend, int iops)
    {
        using var device = ThrottledLoopDevice.OfIops(iops);
        Measure(Specification(device, backend, 8192, iops), r => r.IOPS!.Value, iops);
    }

    [ThrottledDeviceTheory]
    [InlineData(65536, 8 << 20)]
    public void A_device_held_to_a_bandwidth_is_measured_at_that_bandwidth(int block, long bytes)
    {
        using var device = ThrottledLoopDevice.OfBytes(bytes);
        Measure(Specification(device, BackendCatalog.Auto, block, bytes / block), r => r.BandwidthMBps!.Value, bytes / 1048576.0);
    }

    private static void Measure(IoTestSpecification specification, Func<IoTestResult, double> figure, double truth)
    {
        var result = Patience.Until(
            r => figure(r) > truth * 0.99 && figure(r) < truth * 1.01 && LittlesLaw(r) is > 0.98 and < 1.02,
            () => TestRun.Run(specification),
            Attempts
        );
        Assert.Equal(IoResultStatus.Complete, result.Status);
        Assert.InRange(figure(result), truth * 0.99, truth * 1.01);
        Assert.InRange(LittlesLaw(result), 0.98, 1.02);
    }

    private static double LittlesLaw(IoTestResult result) => result.AverageLatencyMs!.Value / result.LittlesLawLatencyMs!.Value;

    private static IoTestSpecification Specification(ThrottledLoopDevice device, string backend, int block, double iops) =>
        new()
        {
            Targets = [new IoTargetSpecification(device.Path)],
            Backend = backend,
            BlockSize = block,
            // Under a higher rate the kernel's own queue would limit what is outstanding.
            ThreadCount = iops > 1000 ? 2 : 8,
            OutstandingIO = (int)Math.Min(iops / 2 / 8, 64),
            WarmUp = TimeSpan.FromSeconds(1),
            Duration = TimeSpan.FromSeconds(3),
        };
}

/// <summary>Alone on the computer, as far as this program's tests go.</summary>
[CollectionDefinition(nameof(ThrottledDeviceTests), DisableParallelization = true)]
public class ThrottledDeviceGroup;
