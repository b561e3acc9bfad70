using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class StalledRunTests
{
    private static IoTestResult CreateRun(Func<int, double> iops, int seconds = 60) =>
        new()
        {
            Workload = "log-commit",
            Timeline = [.. Enumerable.Range(1, seconds).Select(second => new IoTimelinePoint { Seconds = second, IOPS = iops(second) })],
        };

    [Fact]
    public void Periodic_stalls_are_reported_with_their_period()
    {
        var stalls = Assert.Single(StalledRun.Find([CreateRun(second => second % 7 is 5 or 6 ? 0 : 4000)]));
        var finding = Assert.Single(stalls.Findings);
        Assert.Equal(
            (FindingCodes.StallPeriodic, FindingSeverity.Warning, "log-commit"),
            (finding.Code, finding.Severity, finding.Subject)
        );
        Assert.Equal("log-commit: periodic stalls. Every 7 s, almost no I/O completes for about 2 s.", finding.What);
        Assert.Contains("every 7 s", finding.WhatToDo, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3, FindingSeverity.Warning)]
    [InlineData(16, FindingSeverity.Critical)]
    public void Single_stall_is_critical_from_15_s_on(int length, FindingSeverity severity)
    {
        var finding = Assert.Single(
            Assert.Single(StalledRun.Find([CreateRun(second => second > 20 && second <= 20 + length ? 100 : 4000)])).Findings
        );
        Assert.Equal((FindingCodes.StallSeen, severity), (finding.Code, finding.Severity));
        Assert.Equal($"log-commit: almost no I/O completed for {length} s, starting 20 s into the measurement.", finding.What);
    }

    [Theory]
    [InlineData(2.0, 0.5, false)]
    [InlineData(2.0, 0.8, true)]
    [InlineData(0.6, 0, false)]
    public void Recorded_stall_is_of_the_storage_unless_pauses_are_as_long(double stall, double pause, bool canBeHost)
    {
        var run = CreateRun(_ => 4000);
        run.P50Ms = 1;
        run.ProcessorWaitPercent = 44;
        run.Stalls = [new() { Seconds = 10, LengthSeconds = stall }];
        run.HostPauses = pause > 0 ? [new() { Seconds = 30, LengthSeconds = pause }] : [];
        run.SlowestIOs = [new() { Seconds = 10, LatencyMs = stall * 1000 }];
        var findings = StalledRun
            .Find([run])
            .SelectMany(r => r.Findings)
            .Concat(SlowestIO.Find([run]).SelectMany(r => r.Findings))
            .ToList();
        Assert.Equal(2, findings.Count);
        Assert.All(
            findings,
            finding => Assert.Equal(canBeHost, finding.What.Contains("this computer can be the cause", StringComparison.Ordinal))
        );
    }

    [Fact]
    public void Steady_runs_few_IOs_and_think_time_have_no_stalls()
    {
        var rests = CreateRun(second => second % 2 == 0 ? 0 : 4000);
        rests.Specification = new() { BurstSize = 8, ThinkTimeMs = 1000 };
        var unknown = CreateRun(_ => 1);
        unknown.Timeline[3].IOPS = null;
        Assert.Empty(
            StalledRun.Find([CreateRun(second => 4000 - second), CreateRun(second => second % 3 == 0 ? 0 : 5), rests, unknown, new()])
        );
    }
}
