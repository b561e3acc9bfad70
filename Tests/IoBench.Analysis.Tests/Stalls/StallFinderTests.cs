using IoBench.Engine;
using IoBench.Engine.Tests;

namespace IoBench.Analysis.Tests;

public class StallFinderTests(Xunit.Abstractions.ITestOutputHelper output)
{
    [Theory]
    [InlineData(16, null)]
    [InlineData(64, null)]
    [InlineData(16, 200.0)]
    [InlineData(64, 1000.0)]
    public void Stalls_of_300_ms_every_7_s_are_found_with_their_period(int outstanding, double? rate)
    {
        // A single thread: several threads would advance the modeled clock past each other's I/Os whenever the computer delays one of them.
        foreach (var first in new[] { 1.3, 4.0, 6.6 })
        {
            var finding = Assert
                .Single(
                    StalledRun.Find([
                        RunOnDevice(
                            new NullDeviceModel(
                                4,
                                0.5,
                                NullServiceTime.Exponential,
                                StallAtSeconds: first,
                                StallSeconds: 0.3,
                                StallEverySeconds: 7
                            ),
                            30,
                            5,
                            s => (s.OutstandingIO, s.TargetIops, s.Arrivals) = (outstanding, rate, IoArrivals.Poisson)
                        ),
                    ])
                )
                .Findings[0];
            Assert.Equal(FindingCodes.StallPeriodic, finding.Code);
            Assert.StartsWith(
                "8KB random read: periodic stalls. Every 7 s, almost no I/O completes for about 0.3 s",
                finding.What,
                StringComparison.Ordinal
            );
            Assert.InRange(finding.Evidence.Single(figure => figure.Name == "Period").Value!.Value, 6.95, 7.05);
        }
    }

    [Fact]
    public void Random_arrivals_have_at_most_1_percent_false_stalls()
    {
        var named = 0;
        for (var seed = 1; seed <= 1000; seed++)
        {
            // Random arrivals at a device with random service times, from almost no load to almost saturation.
            var rate = 20 + seed % 10 * 18;
            named += StalledRun
                .Find([
                    RunOnDevice(
                        new NullDeviceModel(1, 5, NullServiceTime.Exponential),
                        60,
                        (ulong)seed,
                        s => (s.TargetIops, s.Arrivals) = (rate, IoArrivals.Poisson)
                    ),
                ])
                .Count;
        }
        output.WriteLine($"{named} of 1,000");
        Assert.InRange(named, 0, 10);
    }

    [Fact]
    public void Stalls_at_random_times_have_no_period()
    {
        var random = new Random(18);
        var (named, runs) = (0, 10_000);
        for (var i = 0; i < runs; i++)
        {
            var run = CreateSteadyRun(60);
            run.Stalls =
            [
                .. Enumerable
                    .Range(0, random.Next(3, 9))
                    .Select(_ => new IoStall { Seconds = random.NextDouble() * 60, LengthSeconds = 0.1 + random.NextDouble() * 0.3 })
                    .OrderBy(s => s.Seconds),
            ];
            named += StalledRun.Find([run]).Count;
        }
        output.WriteLine($"{named} of {runs}");
        Assert.InRange(named, 0, runs / 100);
    }

    [Fact]
    public void Period_is_found_despite_an_additional_stall()
    {
        var run = CreateSteadyRun(60);
        run.Stalls =
        [
            .. Enumerable
                .Range(1, 8)
                .Select(number => new IoStall { Seconds = number * 7, LengthSeconds = 0.3 })
                .Append(new() { Seconds = 12, LengthSeconds = 0.12 })
                .OrderBy(s => s.Seconds),
        ];
        Assert.Equal(7, Assert.Single(StalledRun.Find([run])).Pattern.PeriodSeconds!.Value, 1e-6);
    }

    [Fact]
    public void Single_stall_is_reported_from_half_a_second_on()
    {
        var run = CreateSteadyRun(60);
        run.Stalls = [new() { Seconds = 12.2, LengthSeconds = 0.4 }];
        Assert.Empty(StalledRun.Find([run]));
        run.Stalls = [new() { Seconds = 12.2, LengthSeconds = 0.6 }];
        Assert.Equal(
            "run: almost no I/O completed for 0.6 s, starting 12.2 s into the measurement.",
            Assert.Single(StalledRun.Find([run])).Findings[0].What
        );
        // A stall of one of several targets does not stop the run.
        run.Stalls[0].Target = 1;
        Assert.Empty(StalledRun.Find([run]));
    }

    [Fact]
    public void Slow_IOs_while_others_complete_are_not_a_stall()
    {
        var run = CreateSteadyRun(60);
        foreach (var second in new[] { 9, 19, 29, 39, 49 })
            run.Timeline[second].MaxLatencyMs = 800;
        var finding = Assert.Single(StalledRun.Find([run])).Findings[0];
        Assert.Equal(
            (
                FindingCodes.StallPeriodic,
                "run: periodic slow I/Os, but no stall. Every 10 s, some I/Os take up to 0.8 s while other I/Os complete."
            ),
            (finding.Code, finding.What)
        );
        run.Timeline[19].MaxLatencyMs = 1;
        Assert.Equal(
            (
                FindingCodes.StallSlow,
                "run: slow I/Os, but no stall. While other I/Os completed, some I/Os took up to 0.8 s (4 times, first at 9 s)."
            ),
            (StalledRun.Find([run])[0].Findings[0].Code, StalledRun.Find([run])[0].Findings[0].What)
        );
    }

    [Theory]
    [InlineData(499, null)]
    [InlineData(600, FindingSeverity.Info)]
    [InlineData(15_000, FindingSeverity.Critical)]
    public void Slowest_IO_has_a_finding_above_500_ms(double latency, FindingSeverity? severity)
    {
        var run = CreateSteadyRun(10);
        run.SlowestIOs =
        [
            new()
            {
                Seconds = 4.2,
                LatencyMs = latency,
                Kind = IoRequestKind.Write,
                Offset = 1 << 20,
                Size = 8192,
                InFlight = 31,
            },
        ];
        var finding = SlowestIO.Find([run]).SelectMany(found => found.Findings).SingleOrDefault();
        Assert.Equal(severity, finding?.Severity);
        if (severity == FindingSeverity.Info)
            Assert.Equal(
                "run: the slowest I/O, a write of 8 KB at 1,048,576: 600 ms, began 4.2 s into the measurement with 31 other outstanding I/Os.",
                finding!.What
            );
        run.SlowestIOs[0].InFlight = 1;
        Assert.All(
            SlowestIO.Find([run]).SelectMany(found => found.Findings),
            one => Assert.EndsWith("with 1 other outstanding I/O.", one.What)
        );
    }

    private static IoTestResult CreateSteadyRun(int seconds) =>
        new()
        {
            P50Ms = 1,
            Timeline =
            [
                .. Enumerable
                    .Range(1, seconds)
                    .Select(second => new IoTimelinePoint
                    {
                        Seconds = second,
                        IOPS = 1000,
                        MaxLatencyMs = 3,
                    }),
            ],
        };

    private static IoTestResult RunOnDevice(NullDeviceModel model, double seconds, ulong seed, Action<IoTestSpecification> change)
    {
        var specification = new IoTestSpecification
        {
            Targets = [new("modelled")],
            Backend = NullBackend.Name,
            NullDevice = model,
            ThreadCount = 1,
            OutstandingIO = 16,
            Seed = seed,
            WarmUp = TimeSpan.Zero,
            Duration = TimeSpan.FromSeconds(seconds),
        };
        change(specification);
        return ModeledRun.RunToEnd(specification);
    }
}
