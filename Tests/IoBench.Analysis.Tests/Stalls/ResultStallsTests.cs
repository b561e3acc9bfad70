using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class ResultStallsTests
{
    private static IoTestResult Run(Func<int, double> iops, int seconds = 60) =>
        new()
        {
            Workload = "log-commit",
            Timeline = [.. Enumerable.Range(1, seconds).Select(second => new IoTimelinePoint { Seconds = second, IOPS = iops(second) })],
        };

    [Fact]
    public void Stalls_with_a_period_are_told_with_it()
    {
        var stalls = Assert.Single(ResultStalls.Find([Run(second => second % 7 is 5 or 6 ? 0 : 4000)]));
        var finding = Assert.Single(stalls.Findings);
        Assert.Equal((FindingCodes.StallPeriodic, FindingSeverity.Watch, "log-commit"), (finding.Code, finding.Severity, finding.Subject));
        Assert.Equal("log-commit: every 7 s hardly any I/O ends for about 2 s: a stall with a period.", finding.What);
        Assert.Contains("every 7 s", finding.WhatToDo, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(3, FindingSeverity.Watch)]
    [InlineData(16, FindingSeverity.Bad)]
    public void A_single_one_is_told_with_its_moment_and_is_bad_from_what_SQL_Server_reports(int length, FindingSeverity severity)
    {
        var finding = Assert.Single(
            Assert.Single(ResultStalls.Find([Run(second => second > 20 && second <= 20 + length ? 100 : 4000)])).Findings
        );
        Assert.Equal((FindingCodes.StallSeen, severity), (finding.Code, finding.Severity));
        Assert.Equal($"log-commit: hardly any I/O ended once, for {length} s at most (first at 20 s).", finding.What);
    }

    [Fact]
    public void Steady_runs_few_IOs_and_planned_rests_are_none()
    {
        var rests = Run(second => second % 2 == 0 ? 0 : 4000);
        rests.Specification = new() { BurstSize = 8, ThinkTimeMs = 1000 };
        var unknown = Run(_ => 1);
        unknown.Timeline[3].IOPS = null;
        Assert.Empty(ResultStalls.Find([Run(second => 4000 - second), Run(second => second % 3 == 0 ? 0 : 5), rests, unknown, new()]));
    }
}
