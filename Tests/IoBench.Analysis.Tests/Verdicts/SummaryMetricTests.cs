using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class SummaryMetricTests
{
    private static IoTestResult CreateRead(string workload, double kilobytes, int outstanding, int writePercent = 0) =>
        new()
        {
            Status = IoResultStatus.Complete,
            Workload = workload,
            IOPattern = workload,
            Operation = writePercent == 0 ? IoOperation.Read : IoOperation.Mixed,
            WritePercent = writePercent,
            AccessPattern = IoAccessPattern.Random,
            BlockSizeKB = kilobytes,
            ThreadCount = 1,
            OutstandingIO = outstanding,
            TotalOutstanding = outstanding,
            LoadModel = IoLoadModel.Closed,
            FileSizeMB = 20480,
            DurationSeconds = 30,
            IOPS = 1000,
            BandwidthMBps = 1000 * kilobytes / 1024,
            AverageLatencyMs = outstanding,
            P99Ms = outstanding * 3,
            MaxLatencyMs = 40,
        };

    private static IEnumerable<string> GetMetricCodes(params IoTestResult[] runs) =>
        Verdict.Create(runs, IoRuleSet.Find("flash")).Answers.Select(answer => answer.Question.Code);

    [Fact]
    public void Page_read_metric_requires_8_KB_and_at_most_QD2()
    {
        Assert.Contains("PageReadLatency", GetMetricCodes(CreateRead("page-read-qd1", 8, 1)));
        Assert.Contains("PageReadLatency", GetMetricCodes(CreateRead("page-read", 8, 2)));
        Assert.DoesNotContain("PageReadLatency", GetMetricCodes(CreateRead("page-read", 8, 32)));
        Assert.DoesNotContain("PageReadLatency", GetMetricCodes(CreateRead("small", 4, 1)));
        Assert.DoesNotContain("PageReadLatency", GetMetricCodes(CreateRead("extent-read", 64, 1)));
    }

    [Fact]
    public void Tempdb_64_KB_test_is_not_the_mixed_IO_metric()
    {
        Assert.Contains("MixedRate", GetMetricCodes(CreateRead("oltp", 8, 32, writePercent: 30)));
        Assert.DoesNotContain("MixedRate", GetMetricCodes(CreateRead("tempdb", 64, 32, writePercent: 50)));
    }

    /// <summary>Response time counts from the scheduled start. If the rate is missed, the longest single I/O counts.</summary>
    [Theory]
    [InlineData(199.5, 20_000)]
    [InlineData(120, 90_000)]
    public void Longest_IO_of_an_open_loop_fails_above_15_s(double reached, double response)
    {
        var canary = CreateRead("page-read-200iops", 8, 32);
        (canary.LoadModel, canary.TargetIops, canary.IOPS, canary.ResponseAverageMs, canary.ResponseMaxMs, canary.MaxLatencyMs) = (
            IoLoadModel.Open,
            200,
            reached,
            0.9,
            response,
            20_000
        );
        var verdict = Verdict.Create([canary], RuleSetChoice.ChooseFor([canary], StorageClass.Flash).Rules);

        var stall = verdict.Answers.Single(answer => answer.Question.Code == "LongestIO");
        Assert.Equal((FindingSeverity.Critical, 20_000.0, "at most 15 s, warning from 1 s"), (stall.Severity, stall.Measured, stall.Limit));
        Assert.True(verdict.FailsRequirement);
        Assert.Contains("limit of 15 s", stall.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(200, 199.5, true)]
    [InlineData(200, 120, false)]
    public void Target_rate_is_not_reported_as_maximum_IOPS(double asked, double reached, bool answersTheWait)
    {
        var canary = CreateRead("canary", 8, 32);
        (canary.LoadModel, canary.TargetIops, canary.IOPS, canary.ResponseAverageMs, canary.ResponseP99Ms) = (
            IoLoadModel.Open,
            asked,
            reached,
            0.9,
            2
        );
        var codes = GetMetricCodes(canary).ToList();
        Assert.DoesNotContain("PageReadRate", codes);
        Assert.Equal(answersTheWait, codes.Contains("PageReadLatency"));
    }

    // Latency and response time of a test are two values. The metric uses response time, and the row names it.
    [Fact]
    public void Open_loop_metric_uses_response_time_instead_of_latency()
    {
        var canary = CreateRead("canary", 8, 32);
        (canary.LoadModel, canary.TargetIops, canary.IOPS, canary.AverageLatencyMs, canary.ResponseAverageMs, canary.ResponseP99Ms) = (
            IoLoadModel.Open,
            200,
            200,
            0.2,
            0.9,
            2
        );
        Assert.Equal(
            0.9,
            Verdict.Create([canary], IoRuleSet.Find("flash")).Answers.Single(answer => answer.Question.Code == "PageReadLatency").Measured
        );
        Assert.Equal((true, "response"), (DisplayLatency.FromResult(canary).IsResponse, DisplayLatency.FromResult(canary).Word));
    }

    // A sentence that already contains the value states only the limit. Another value that decided is named.
    [Theory]
    [InlineData(
        0.4,
        1,
        2010,
        "PASS with a warning (rule sets flash, hard-limits): average page read latency 0.4 ms (QD1). Longest I/O 2.01 s reaches the warning threshold of 1 s; limit 15 s."
    )]
    [InlineData(
        6.2,
        8,
        40,
        "FAIL (warning; rule sets flash, hard-limits): average page read latency 6.2 ms (QD1); limit 1 ms (flash). The value is within Microsoft's 15 ms (good). P99 page read latency 8 ms (QD1) exceeds the IoBench limit of 5 ms."
    )]
    [InlineData(
        0.9,
        30,
        40,
        "PASS with a warning (rule sets flash, hard-limits): average page read latency 0.9 ms (QD1), longest I/O 40 ms. P99 page read latency 30 ms (QD1) exceeds the IoBench limit of 5 ms."
    )]
    public void Verdict_sentence_states_each_value_once(double average, double p99, double longest, string sentence)
    {
        var run = CreateRead("page-read-qd1", 8, 1);
        (run.AverageLatencyMs, run.P99Ms, run.MaxLatencyMs) = (average, p99, longest);
        Assert.Equal(sentence, Verdict.Create([run], RuleSetChoice.ChooseFor([run], StorageClass.Flash).Rules).Sentence);
    }
}
