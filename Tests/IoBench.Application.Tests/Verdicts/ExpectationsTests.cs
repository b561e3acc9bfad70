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
    [InlineData(1, false, "2 tests, 1 rule missed: ")]
    [InlineData(2, false, "2 tests, 2 rules missed:")]
    [InlineData(0, true, "2 tests, 1 result missed: ")]
    [InlineData(2, true, "2 tests, 3 rules or results missed:")]
    public void Summary_counts_failed_expectations_in_singular_and_plural(int rules, bool baseline, string sentence)
    {
        var set = rules == 0 ? null : new IoRuleSet { Name = s_rules.Name, Rules = [.. s_rules.Rules.Take(rules)] };
        var judgement = new Expectations(
            set,
            baseline ? [CreateResult("page-read", 100_000, 0.05)] : null,
            baseline ? "old.json" : null
        ).Evaluate([CreateResult("page-read", 1000, 5), CreateResult("index-seek", 1000, 5)])!;
        Assert.StartsWith(sentence, judgement.Sentence, StringComparison.Ordinal);
    }

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
