using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Application.Tests;

public class ExpectationsTests
{
    private static readonly IoRuleSet s_rules = new()
    {
        Name = "mine",
        Rules = [new IoRule { Workload = "page-read", MinIOPS = 1e9 }, new IoRule { Workload = "index-seek", MinIOPS = 1e9 }],
    };

    [Theory]
    [InlineData(1, false, "FAIL (critical; rule set mine): page reads 1,000 IOPS; limit at least 1,000,000,000 IOPS.")]
    [InlineData(0, true, "FAIL (baseline old.json): 1 of 1 test is worse.")]
    public void First_line_states_the_requirement_that_failed(int rules, bool baseline, string sentence)
    {
        var set = rules == 0 ? null : new IoRuleSet { Name = s_rules.Name, Rules = [.. s_rules.Rules.Take(rules)] };
        var rated = new Expectations(set, baseline ? Repeat("page-read", 100_000, 0.05) : null, baseline ? "old.json" : null).Evaluate([
            .. baseline ? Repeat("page-read", 1000, 5) : [CreateResult("page-read", 1000, 5)],
            CreateResult("index-seek", 1000, 5),
        ])!;
        Assert.Equal((true, sentence), (rated.IsFailed, rated.Lines[0]));
    }

    [Fact]
    public void Failed_baseline_comes_before_a_rule_set_that_passes()
    {
        var rules = new IoRuleSet { Name = "mine", Rules = [new() { MinIOPS = 100 }] };
        var rated = new Expectations(rules, Repeat("page-read", 100_000, 0.05), "old.json").Evaluate(Repeat("page-read", 1000, 5))!;
        Assert.True(rated.IsFailed);
        Assert.StartsWith("FAIL (baseline old.json): ", rated.Lines[0], StringComparison.Ordinal);
        Assert.StartsWith("PASS (rule set mine): ", rated.Lines[^1], StringComparison.Ordinal);
    }

    [Fact]
    public void Baseline_with_inconclusive_tests_only_is_not_rated_and_fails()
    {
        var rules = new IoRuleSet { Name = "mine", Rules = [new() { MinIOPS = 100 }] };
        var rated = new Expectations(rules, [CreateResult("page-read", 100_000, 0.05)], "old.json").Evaluate([
            CreateResult("page-read", 99_000, 0.05),
        ])!;
        Assert.True(rated.IsFailed);
        Assert.Equal(
            "NOT RATED (baseline old.json): 1 test compared, 1 is inconclusive, because with only one baseline run and one current run, IoBench cannot distinguish this change from chance, so repeat each test 3 times.",
            rated.Lines[0]
        );
        var steady = new Expectations(null, Repeat("page-read", 100_000, 0.05), "old.json").Evaluate(Repeat("page-read", 99_900, 0.05))!;
        Assert.Equal((false, "PASS (baseline old.json): 1 test compared, none is worse."), (steady.IsFailed, steady.Lines[0]));
    }

    private static IoTestResult[] Repeat(string workload, double iops, double milliseconds) =>
        [
            .. Enumerable
                .Range(1, 5)
                .Select(repeat =>
                {
                    var run = CreateResult(workload, iops, milliseconds);
                    run.Repeat = repeat;
                    return run;
                }),
        ];

    private static IoTestResult CreateResult(string workload, double iops, double milliseconds) =>
        new()
        {
            Source = IoTestResult.OwnSource,
            Status = IoResultStatus.Complete,
            Workload = workload,
            BlockSizeKB = 8,
            Operation = IoOperation.Read,
            AccessPattern = IoAccessPattern.Random,
            IOPattern = "8KB random read",
            ThreadCount = 4,
            OutstandingIO = 8,
            TotalOutstanding = 32,
            DurationSeconds = 60,
            IOPS = iops,
            BandwidthMBps = iops / 128,
            AverageLatencyMs = milliseconds,
            P99Ms = milliseconds * 2,
            MaxLatencyMs = milliseconds * 4,
            IOCount = (long)(iops * 60),
            IopsStdDev = iops / 100,
        };
}
