using IoBench.Engine;
using IoBench.Engine.Tests;

namespace IoBench.Analysis.Tests;

public class ModeledCapTests
{
    private static readonly int[] s_loads = [1, 32, 128];

    private static NullDeviceModel CreateFastDevice(double iops = 0, double bytes = 0) =>
        new(64, 0.3, NullServiceTime.Exponential, MsPerKB: 0.001, MaxIops: iops, MaxBytesPerSecond: bytes);

    private static List<CapResult> FindCaps(
        int seed,
        IoPathMode mode,
        Func<IoTestSpecification, NullDeviceModel> device,
        (double Duration, double WarmUp)? seconds = null,
        Action<IoTestResult, Random>? disturb = null
    )
    {
        var random = new Random(seed);
        return
        [
            .. CapResult.Analyze(
                CapPlan
                    .Create(
                        mode == IoPathMode.Each ? ["D:\\"] : ["D:\\", "E:\\"],
                        mode,
                        outstanding: seconds is null ? s_loads : null,
                        duration: TimeSpan.FromSeconds(seconds?.Duration ?? 10),
                        warmUp: TimeSpan.FromSeconds(seconds?.WarmUp ?? 1)
                    )
                    .Select(
                        (spec, i) =>
                        {
                            var result = ModeledRun.RunOnOneWorker(spec, device(spec), (ulong)(seed * 1000 + i));
                            disturb?.Invoke(result, random);
                            return result;
                        }
                    )
            ),
        ];
    }

    /// <summary>Pauses of a busy host: each run loses up to a fifth of its time.</summary>
    private static void DisturbRun(IoTestResult result, Random random)
    {
        var lost = 0.2 * random.NextDouble();
        (result.IOPS, result.BandwidthMBps) = (result.IOPS * (1 - lost), result.BandwidthMBps * (1 - lost));
        result.ProcessorWaitPercent = 100 * lost;
    }

    [Theory]
    [InlineData(1, false)]
    [InlineData(1, true)]
    [InlineData(5, false)]
    [InlineData(5, true)]
    public void Short_runs_of_a_device_without_a_limit_show_no_limit(double seconds, bool isBusy)
    {
        for (var seed = 1; seed <= 30; seed++)
        {
            var cap = Assert.Single(
                FindCaps(
                    seed,
                    IoPathMode.Each,
                    _ => new(8, 2, NullServiceTime.Exponential, MsPerKB: 0.01),
                    (seconds, 0.2),
                    isBusy ? DisturbRun : null
                )
            );
            Assert.True(cap.Kind is CapKind.Medium or CapKind.NotReached or CapKind.Unknown, $"seed {seed}: {cap.Summary}");
            Assert.Equal((null, null), (cap.IopsCap, cap.ThroughputCapMBps));
        }
    }

    [Theory]
    [InlineData(1)]
    [InlineData(5)]
    public void Short_runs_of_a_throttled_device_show_its_limit_or_none(double seconds)
    {
        var named = 0;
        for (var seed = 1; seed <= 30; seed++)
        {
            var cap = Assert.Single(FindCaps(seed, IoPathMode.Each, _ => CreateFastDevice(iops: 2000), (seconds, 0.2)));
            if (cap.IopsCap is { } limit)
                Assert.InRange(limit, 1940, 2060);
            Assert.Null(cap.ThroughputCapMBps);
            named += cap.IopsCap is null ? 0 : 1;
        }
        Assert.InRange(named, 21, 30);
    }

    private static void AssertForTwentySeeds(NullDeviceModel device, CapKind kind, Action<CapResult>? check = null)
    {
        for (var seed = 1; seed <= 20; seed++)
        {
            var cap = Assert.Single(FindCaps(seed, IoPathMode.Each, _ => device));
            Assert.True(kind == cap.Kind, $"seed {seed}: {cap.Summary}");
            check?.Invoke(cap);
        }
    }

    [Fact]
    public void IOPS_limit_is_found_in_engine_runs() =>
        AssertForTwentySeeds(CreateFastDevice(iops: 1000), CapKind.Iops, cap => Assert.InRange(cap.IopsCap!.Value, 990, 1010));

    [Fact]
    public void Throughput_limit_is_found_in_engine_runs() =>
        AssertForTwentySeeds(
            CreateFastDevice(bytes: 20e6),
            CapKind.Throughput,
            cap => Assert.InRange(cap.ThroughputCapMBps!.Value * 1.048576, 19.8, 20.2)
        );

    [Fact]
    public void IOPS_and_throughput_limits_are_found_in_engine_runs() =>
        AssertForTwentySeeds(
            CreateFastDevice(iops: 1000, bytes: 30e6),
            CapKind.IopsAndThroughput,
            cap =>
            {
                Assert.InRange(cap.IopsCap!.Value, 990, 1010);
                Assert.InRange(cap.ThroughputCapMBps!.Value * 1.048576, 29.7, 30.3);
            }
        );

    [Fact]
    public void Burst_end_is_found_in_engine_runs() =>
        AssertForTwentySeeds(
            CreateFastDevice(iops: 500) with
            {
                BurstIops = 1000,
                BurstCredit = 2500,
            },
            CapKind.BurstEnds,
            cap =>
            {
                Assert.InRange(cap.BurstIops!.Value, 980, 1020);
                Assert.InRange(cap.IOPS!.Value, 490, 510);
            }
        );

    [Fact]
    public void Device_without_a_limit_is_recognized_in_engine_runs() =>
        AssertForTwentySeeds(new(8, 6, NullServiceTime.Exponential), CapKind.Medium, cap => Assert.Null(cap.IopsCap));

    [Fact]
    public void Limit_that_is_not_reached_is_recognized_in_engine_runs() =>
        AssertForTwentySeeds(new(0, 100, NullServiceTime.Exponential), CapKind.NotReached);

    [Fact]
    public void Limit_shared_by_two_paths_is_found_in_engine_runs()
    {
        for (var seed = 1; seed <= 20; seed++)
        {
            // The model applies to all targets of a run, so a target alone and both together have the same limit.
            var all = FindCaps(seed, IoPathMode.Both, _ => CreateFastDevice(iops: 500));
            Assert.Equal([CapKind.Iops, CapKind.Iops, CapKind.HostOrPath], all.Select(c => c.Kind));
            Assert.InRange(all[2].IopsCap!.Value, 495, 505);
            Assert.Equal(
                CapKind.Independent,
                FindCaps(seed, IoPathMode.Both, test => CreateFastDevice(iops: 500 * test.Targets.Count))[2].Kind
            );
        }
    }
}
