using System.Diagnostics;
using System.Globalization;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

/// <summary>
/// Faults of a FUSE file system at random times of a drill, and periodic stalls of a test. IOBENCH_FUSE_WINDOWS sets their number.
/// </summary>
public sealed class FaultyDiskDetectionTests(Xunit.Abstractions.ITestOutputHelper output)
{
    private static readonly int s_faultCount = int.Parse(
        Environment.GetEnvironmentVariable("IOBENCH_FUSE_WINDOWS") ?? "3",
        CultureInfo.InvariantCulture
    );

    [FuseTheory]
    [InlineData("stall-for-ms", OutageKind.Stall)]
    [InlineData("error-for-ms", OutageKind.Errors)]
    public void Hangs_and_errors_at_random_times_are_found(string rule, OutageKind kind)
    {
        using var disk = new FaultyDisk();
        var plan = DrillPlan.Create(disk.GetPath("d.dat"), new OptionValues(OptionTables.Drill));
        plan = plan with { Test = plan.Test.Clone() };
        (plan.Test.FileSize, plan.Test.Duration) = (8 << 20, TimeSpan.FromHours(1));
        var (truth, next) = (new List<(double Begin, double Seconds)>(), 1.0);
        var clock = new Stopwatch();
        var result = DrillRunner.Run(
            plan,
            new TestRunOptions(),
            (_, _) => { },
            happened =>
            {
                if (happened.Event == DrillEventKind.Begin)
                    clock.Start();
            },
            () =>
            {
                if (!clock.IsRunning || clock.Elapsed.TotalSeconds < next)
                    return false;
                if (truth.Count == s_faultCount)
                    return true;
                var length = Random.Shared.Next(250, 1000);
                disk.SetRules($"{rule} {length}");
                truth.Add((clock.Elapsed.TotalSeconds, length / 1e3));
                next = truth[^1].Begin + truth[^1].Seconds + 0.5 + Random.Shared.NextDouble();
                return false;
            },
            default
        );

        // A busy computer causes outages of its own and makes those of the disk longer.
        bool Is(Outage outage, (double Begin, double Seconds) window) =>
            outage.Kind == kind
            && Math.Abs(outage.Begin - window.Begin) < 0.25
            && outage.Seconds > window.Seconds - 0.1
            && outage.Seconds < window.Seconds + 0.5;
        var missed = truth.Where(window => result.Outages.Count(outage => Is(outage, window)) != 1).ToList();
        var others = result.Outages.Where(outage => !truth.Exists(window => Is(outage, window))).ToList();
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{rule}: {truth.Count} windows, {truth.Count - missed.Count} named rightly, {missed.Count} missed, {others.Count} others ({string.Join(", ", others)}); {result.Summary} {result.ErrorCount} I/Os failed"
            )
        );
        // Other load on the computer can change the kind of an outage, but not of most of them.
        Assert.True(
            missed.Count <= s_faultCount / 10 + others.Count,
            string.Join(", ", missed) + " of " + string.Join(", ", result.Outages)
        );
        Assert.Equal(0, result.Integrity!.ErrorCount);
        Assert.Equal(kind == OutageKind.Errors, result.Errors.Any(error => error.Code == 5));
    }

    [FuseFact]
    public void Periodic_stalls_are_counted_and_their_period_is_found()
    {
        const double every = 1.5;
        var stalls = Math.Max(5, s_faultCount);
        using var disk = new FaultyDisk();
        var specification = new IoTestSpecification
        {
            Targets = [new IoTargetSpecification(disk.GetPath("t.dat"))],
            FileSize = 8 << 20,
            ThreadCount = 1,
            OutstandingIO = 4,
            WritePercent = 30,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(every * (stalls + 0.7)),
            Buffering = IoBuffering.Both,
            Verify = true,
        };
        var result = TestTimeouts.RetryUntil(
            run => StalledRun.Find([run]) is [{ Pattern: { PeriodSeconds: > 1.45 and < 1.55 } pattern }] && pattern.Count == stalls,
            () =>
            {
                using var run = new TestRun(specification, new TestRunOptions())
                {
                    EventHook = moment =>
                    {
                        if (moment == TestRunEvent.Opened)
                            disk.SetRules("stall-for-ms 300", "stall-every-ms 1500");
                    },
                };
                run.Start();
                Assert.True(run.Wait(TimeSpan.FromMinutes(10)));
                disk.SetRules();
                return run.GetResult();
            },
            attempts: s_faultCount > 20 ? 2 : 6
        );
        var found = Assert.Single(StalledRun.Find([result]));
        output.WriteLine(
            string.Create(
                CultureInfo.InvariantCulture,
                $"{stalls} stalls of 300 ms each {every} s: {found.Pattern.Count} found, {found.Pattern.Describe("the test")}"
            )
        );
        Assert.Equal(stalls, found.Pattern.Count);
        Assert.InRange(found.Pattern.PeriodSeconds!.Value, 1.45, 1.55);
        Assert.Equal(0, result.Integrity!.ErrorCount);
    }
}
