using IoBench.Engine;

namespace IoBench.Analysis.Tests;

/// <summary>
/// Analyses of devices with a kernel throttle (blkio, io.max) and of a FUSE file system with four parallel servers. A busy computer can
/// leave a device idle for a moment, and I/Os from before the run can complete at its start, so a run with a wrong rate is repeated. An
/// error in the program would occur in every attempt.
/// </summary>
[Collection(nameof(KernelThrottleTests))]
public class KernelThrottleTests
{
    private const int Attempts = 8;

    private static IoTestResult RunOnIdleComputer(IoTestSpecification specification, Func<IoTestResult, bool> isBusy) =>
        TestTimeouts.RetryUntil(r => !isBusy(r), () => TestRun.Run(specification), Attempts);

    private static CapResult FindCap(string path, double iops, double bytes)
    {
        var plan = CapPlan.Create(
            [path],
            blockSizes: [8192, 65536],
            outstanding: [16, 64],
            duration: TimeSpan.FromSeconds(2),
            warmUp: TimeSpan.FromSeconds(0.5),
            template: new() { TimelineInterval = TimeSpan.FromSeconds(0.5) }
        );
        return Assert.Single(
            CapResult.Analyze(
                plan.Select(s =>
                    RunOnIdleComputer(
                        s,
                        r => r.IOPS / Math.Min(iops, bytes / s.BlockSize) is not (> 0.995 and < 1.009) || r.IopsStdDev > 0.009 * r.IOPS
                    )
                )
            )
        );
    }

    [ThrottledDeviceTheory]
    [InlineData(2000)]
    public void Kernel_IOPS_limit_is_found_within_1_percent(int iops)
    {
        using var device = ThrottledLoopDevice.CreateWithIopsLimit(iops);
        var cap = FindCap(device.Path, iops, double.PositiveInfinity);
        Assert.True(cap.Kind == CapKind.Iops, cap.Summary);
        Assert.InRange(cap.IopsCap!.Value, iops * 0.99, iops * 1.01);
    }

    [ThrottledDeviceTheory]
    [InlineData(16 << 20)]
    public void Kernel_throughput_limit_is_found_within_1_percent(long bytes)
    {
        using var device = ThrottledLoopDevice.CreateWithThroughputLimit(bytes);
        var cap = FindCap(device.Path, double.PositiveInfinity, bytes);
        Assert.True(cap.Kind == CapKind.Throughput, cap.Summary);
        Assert.InRange(cap.ThroughputCapMBps!.Value, bytes / 1048576.0 * 0.99, bytes / 1048576.0 * 1.01);
    }

    [ThrottledDeviceTheory]
    [InlineData(2000)]
    public void Latency_limit_is_found_at_the_kernel_limit_within_3_percent(int iops)
    {
        using var device = ThrottledLoopDevice.CreateWithIopsLimit(iops);
        var specification = new IoTestSpecification
        {
            Targets = [new(device.Path)],
            ThreadCount = 1,
            OutstandingIO = 64,
            WarmUp = TimeSpan.FromSeconds(0.25),
            Duration = TimeSpan.FromSeconds(1),
            TimelineInterval = TimeSpan.FromSeconds(0.25),
        };
        for (var attempt = 1; ; attempt++)
        {
            // Below its rate the throttle adds little, above it the queue grows as long as the run lasts: 5 ms on average of 1 s is about
            // 1% too much.
            var limit = LimitSearch.Find(specification, new(LatencyStatistic.Average, 5), s => TestRun.Run(s));
            if (attempt < Attempts && !(limit.IOPS >= iops * 0.97 && limit.IOPS <= iops * 1.03))
                continue;
            // A busy computer hides the rate, and the search must say so.
            if (limit.Outcome == LimitOutcome.Unknown && limit.Probes.Any(p => p.IsDoubtful))
                return;
            Assert.Equal(LimitOutcome.Found, limit.Outcome);
            Assert.InRange(limit.IOPS!.Value, iops * 0.97, iops * 1.03);
            return;
        }
    }

    [FuseFact]
    public void Saturation_point_equals_the_servers_of_a_FUSE_file_system()
    {
        using var disk = new FaultyDisk();
        var file = disk.GetPath("knee.dat");
        IoTestSpecification Load(int outstanding) =>
            new()
            {
                Targets = [new(file)],
                FileSize = 1 << 20,
                BlockSize = 4096,
                // One thread per I/O, because FUSE blocks a thread while it submits the next I/O.
                Backend = ThreadsBackend.Name,
                ThreadCount = outstanding,
                OutstandingIO = 1,
                WarmUp = TimeSpan.FromSeconds(0.4),
                Duration = TimeSpan.FromSeconds(3),
            };
        TestRun.Run(Load(1));
        // The delay is long enough that the few milliseconds until a busy computer delivers a reply hardly count.
        disk.SetRules("read-delay-ms 100", "servers 4");
        int[] loads = [1, 2, 4, 8];
        var sweep = loads.Select(load => RunOnIdleComputer(Load(load), r => r.IOPS < 0.96 * Math.Min(load, 4) / 0.1)).ToList();
        var result = Assert.Single(SaturationResult.Analyze(sweep));
        Assert.True(result.KneeOutstanding == 4, $"{result.Summary} {string.Join(", ", result.Points.Select(p => p.IOPS))}");
        Assert.InRange(result.KneeIOPS!.Value, 36, 42);
        Assert.DoesNotContain(result.Warnings, w => w.Contains("contradict", StringComparison.Ordinal));
    }
}

[CollectionDefinition(nameof(KernelThrottleTests), DisableParallelization = true)]
public class KernelThrottleTestGroup;
