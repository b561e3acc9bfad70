using System.Diagnostics;

namespace IoBench.Engine.Tests;

/// <summary>
/// Stalls of a file system or of the kernel, measured with the real clock. A busy computer can disturb one attempt; an error of the engine
/// shows in every attempt.
/// </summary>
[Collection(nameof(ThrottledDeviceTests))]
public class RealStallTests
{
    private const int Attempts = 6;

    [FuseFact]
    public void Stall_at_the_end_of_the_run_counts_in_full()
    {
        const double rate = 200,
            window = 4,
            length = 2.5;
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        File.WriteAllBytes(path, new byte[4 << 20]);
        AssertStallMeasured(
            window,
            () =>
            {
                disk.SetRules("read-delay-ms 1");
                // The stall starts with the first I/O after the rule is set and ends after the measured time.
                return RunWithStall(
                    CreateOpenLoop(path, rate, window),
                    window - 1,
                    () => disk.SetRules("read-delay-ms 1", "stall-ms 2500"),
                    TimeSpan.Zero,
                    () => { }
                ) with
                {
                    StallSeconds = length,
                };
            },
            run => new ExpectedStallLatency(rate, window, length, run.Result.DueNotDone!.Value / rate)
        );
    }

    [FuseFact]
    public void Stall_of_a_file_system_raises_closed_loop_maximum_latency()
    {
        using var disk = new FaultyDisk();
        var path = disk.GetPath("t.dat");
        File.WriteAllBytes(path, new byte[4 << 20]);
        foreach (var at in new[] { 0.2, 0.7, 1.9 })
        {
            var run = TestTimeouts.RetryUntil(
                r => r.Result.MaxLatencyMs is > 950 and < 1300,
                () =>
                {
                    disk.SetRules("read-delay-ms 1");
                    return RunWithStall(
                        CreateClosedLoop(path, 2),
                        at,
                        () => disk.SetRules("read-delay-ms 1", "stall-ms 1000"),
                        TimeSpan.Zero,
                        () => { }
                    );
                },
                Attempts
            );
            Assert.InRange(run.Result.MaxLatencyMs!.Value, 950, 1300);
        }
    }

    [ThrottledDeviceTheory]
    [InlineData(0.5)]
    [InlineData(2)]
    public void Stall_of_a_throttled_device_raises_response_times(double at)
    {
        const double rate = 200,
            window = 5;
        const int drain = 1000;
        using var device = ThrottledLoopDevice.CreateWithIopsLimit(drain);
        AssertStallMeasured(
            window,
            () =>
            {
                device.SetIopsLimit(drain);
                // One read per second is the lowest limit of the I/O controller.
                return RunWithStall(
                    CreateOpenLoop(device.Path, rate, window),
                    at,
                    () => device.SetIopsLimit(1),
                    TimeSpan.FromSeconds(1.5),
                    () => device.SetIopsLimit(drain)
                );
            },
            run => new ExpectedStallLatency(rate, window, run.StallSeconds, run.StallSeconds, drain)
        );
    }

    // A few I/Os complete during a stall that the kernel causes, and a busy computer delays all of them, so the limits are wider than for
    // the modeled device.
    private static void AssertStallMeasured(double window, Func<StallAttempt> attempt, Func<StallAttempt, ExpectedStallLatency> truthOf)
    {
        var run = TestTimeouts.RetryUntil(IsTrue, attempt, Attempts);
        var truth = truthOf(run);
        Assert.True(
            IsTrue(run),
            $"average {run.Result.ResponseAverageMs} of {truth.AverageMs} ms, p99 {run.Result.ResponseP99Ms} of {truth.P99Ms} ms (window {window} s), longest {run.Result.ResponseMaxMs} of {truth.MaxMs} ms"
        );

        bool IsTrue(StallAttempt seen)
        {
            var expected = truthOf(seen);
            // A percentile with fewer than ten I/Os beyond it is null.
            return IsNear(seen.Result.ResponseAverageMs, expected.AverageMs)
                && (seen.Result.ResponseP99Ms is not { } p99 || IsNear(p99, expected.P99Ms))
                && IsNear(seen.Result.ResponseMaxMs, expected.MaxMs);
        }

        static bool IsNear(double? actual, double expected) => actual >= 0.88 * expected && actual <= 1.12 * expected + 40;
    }

    private static StallAttempt RunWithStall(IoTestSpecification specification, double at, Action begin, TimeSpan length, Action end)
    {
        using var run = new TestRun(specification, AllPermissions.For(specification));
        run.Start();
        while (run.GetProgress().Phase is not (RunPhase.Measuring or RunPhase.Done))
            Thread.Sleep(2);
        Thread.Sleep(TimeSpan.FromSeconds(at));
        var stalled = Stopwatch.StartNew();
        begin();
        Thread.Sleep(length);
        end();
        var seconds = stalled.Elapsed.TotalSeconds;
        Assert.True(run.Wait(TimeSpan.FromSeconds(60)));
        return new(run.GetResult(), seconds);
    }

    private static IoTestSpecification CreateOpenLoop(string path, double rate, double window) =>
        new()
        {
            Targets = [new IoTargetSpecification(path)],
            TargetIops = rate,
            ThreadCount = 1,
            OutstandingIO = 64,
            WarmUp = TimeSpan.FromSeconds(0.5),
            Duration = TimeSpan.FromSeconds(window),
            Buffering = path.StartsWith("/dev/", StringComparison.Ordinal) ? IoBuffering.None : IoBuffering.Both,
        };

    private static IoTestSpecification CreateClosedLoop(string path, double window)
    {
        var specification = CreateOpenLoop(path, 1, window);
        (specification.TargetIops, specification.OutstandingIO) = (null, 4);
        return specification;
    }

    private sealed record StallAttempt(IoTestResult Result, double StallSeconds);
}
