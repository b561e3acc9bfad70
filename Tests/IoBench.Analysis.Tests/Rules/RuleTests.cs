using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RuleTests
{
    private static IoTestResult LogCommit(double average, double p99 = 1) => new()
    {
        Workload = "log-commit", IOPattern = "4KB sequential write", Operation = IoOperation.Write, WritePercent = 100, AccessPattern = IoAccessPattern.Sequential,
        BlockSizeKB = 4, ThreadCount = 1, OutstandingIO = 1, TotalOutstanding = 1, LoadModel = IoLoadModel.Closed, IOPS = 1000 / average, AverageLatencyMs = average, P99Ms = p99, MaxLatencyMs = 20,
    };

    [Fact]
    public void Every_shipped_set_has_a_source_and_rules()
    {
        Assert.Equal(["flash", "ms-css", "ms-2005", "ms-2012", "dbatools", "sqlskills", "sp-blitz", "ag-sync", "hard-limits", "steady"], RuleSets.All.Select(s => s.Name));
        Assert.All(RuleSets.All, s => Assert.False(string.IsNullOrWhiteSpace(s.Source)));
        Assert.All(RuleSets.All, s => Assert.NotEmpty(s.Rules));
    }

    [Fact]
    public void A_missed_rule_says_what_and_how_much()
    {
        var verdict = RuleJudge.Judge([LogCommit(6.2)], RuleSets.Find("ms-2005")).Single();
        Assert.Equal(RuleOutcome.Fail, verdict.Outcome);
        Assert.Equal("average latency 6.2 ms, limit 5 ms", verdict.Reason);
        Assert.Equal(RuleOutcome.Pass, RuleJudge.Judge([LogCommit(4.9)], RuleSets.Find("ms-2005")).Single().Outcome);
    }

    [Fact]
    public void A_saturating_run_is_not_rated_by_latency()
    {
        var run = LogCommit(6.2);
        run.Operation = IoOperation.Read;
        run.WritePercent = 0;
        run.AccessPattern = IoAccessPattern.Random;
        run.TotalOutstanding = 32;
        var verdict = RuleJudge.Judge([run], RuleSets.Find("ms-css")).Single();
        Assert.Equal(RuleOutcome.NotRated, verdict.Outcome);
        Assert.Contains("latency not rated", verdict.Reason);
        run.LoadModel = IoLoadModel.Open;
        Assert.Equal(RuleOutcome.Pass, RuleJudge.Judge([run], RuleSets.Find("ms-css")).Single().Outcome);
    }

    [Theory]
    [InlineData(0.5, "excellent")]
    [InlineData(1.0, "very good")]
    [InlineData(9.99, "good")]
    [InlineData(600, "beyond shocking")]
    public void Bands_have_names(double average, string band)
        => Assert.Equal(band, RuleJudge.Judge([LogCommit(average)], RuleSets.Find("sqlskills")).Single().Band);

    [Fact]
    public void Missing_figures_are_not_rated()
    {
        var run = LogCommit(1);
        run.MaxLatencyMs = null;
        Assert.Equal(RuleOutcome.NotRated, RuleJudge.Judge([run], RuleSets.Find("hard-limits")).Single().Outcome);
        run.Status = IoResultStatus.Cancelled;
        Assert.All(RuleJudge.Judge([run], RuleSets.Find("flash")), v => Assert.Equal(RuleOutcome.NotRated, v.Outcome));
    }

    [Fact]
    public void A_stall_of_a_second_warns_and_one_of_15_fails()
    {
        var run = LogCommit(1);
        RuleVerdict Verdict(double longest)
        {
            run.MaxLatencyMs = longest;
            return RuleJudge.Judge([run], RuleSets.Find("hard-limits")).Single();
        }
        Assert.Equal(RuleOutcome.Pass, Verdict(999).Outcome);
        Assert.Equal(RuleOutcome.Warn, Verdict(1000).Outcome);
        Assert.Equal("longest I/O 1,000 ms, limit 15,000 ms, a warning from 1,000 ms on", Verdict(1000).Reason);
        Assert.Equal(RuleOutcome.Warn, Verdict(15_000).Outcome);
        Assert.Equal(RuleOutcome.Fail, Verdict(15_001).Outcome);
    }

    [Fact]
    public void A_rule_for_a_workload_that_was_not_run_is_not_kept_in_silence()
    {
        var verdict = RuleJudge.Judge([LogCommit(1)], new IoRuleSet { Name = "own", Rules = [new() { Workload = "log-stream", MinMBps = 100 }] }).Single();
        Assert.Equal(RuleOutcome.NotRated, verdict.Outcome);
        Assert.Equal("no result is of the workload log-stream", verdict.Reason);
    }

    [Fact]
    public void A_mixed_run_is_judged_by_its_reads()
    {
        var run = LogCommit(3);
        run.Operation = IoOperation.Mixed;
        run.ReadAverageLatencyMs = 250;
        run.WriteAverageLatencyMs = 50;
        Assert.Equal([RuleOutcome.Fail, RuleOutcome.Pass], RuleJudge.Judge([run], RuleSets.Find("sp-blitz")).Select(v => v.Outcome));
    }

    [Fact]
    public void Rules_come_from_a_file()
    {
        var path = Path.Combine(Path.GetTempPath(), Guid.NewGuid() + ".json");
        try
        {
            File.WriteAllText(path, """{ "name": "our-san", "rules": [ { "workload": "log-*", "maxAverageLatencyMs": 1, "minIOPS": 2000 } ] }""");
            var verdicts = RuleJudge.Judge([LogCommit(2)], RuleSets.Find(path));
            Assert.Equal(["IOPS", "AverageLatencyMs"], verdicts.Select(v => v.Metric));
            Assert.All(verdicts, v => Assert.Equal(RuleOutcome.Fail, v.Outcome));

            File.WriteAllText(path, """{ "rules": [ { "workload": "log-*", "maxAvgLatency": 1 } ] }""");
            Assert.Contains("maxAvgLatency", Assert.Throws<IoBenchException>(() => RuleSets.Find(path)).Message);
            File.WriteAllText(path, """{ "rules": [ { "workload": "log-*" } ] }""");
            Assert.Contains("no limit", Assert.Throws<IoBenchException>(() => RuleSets.Find(path)).Message);
        }
        finally
        {
            File.Delete(path);
        }
        Assert.Equal("IoBench.UnknownRuleSet", Assert.Throws<IoBenchException>(() => RuleSets.Find("no-such")).ErrorId);
    }
}
