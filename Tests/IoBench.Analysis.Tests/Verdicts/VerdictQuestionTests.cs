using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class VerdictQuestionTests
{
    private static IoTestResult Read(string workload, double kilobytes, int outstanding, int writePercent = 0) =>
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

    private static IEnumerable<string> Asked(params IoTestResult[] runs) =>
        Verdict.Of(runs, RuleSets.Find("flash")).Answers.Select(answer => answer.Question.Code);

    [Fact]
    public void A_page_read_is_8_KB_with_at_most_two_outstanding()
    {
        Assert.Contains("PageReadWait", Asked(Read("page-read-qd1", 8, 1)));
        Assert.Contains("PageReadWait", Asked(Read("page-read", 8, 2)));
        Assert.DoesNotContain("PageReadWait", Asked(Read("page-read", 8, 32)));
        Assert.DoesNotContain("PageReadWait", Asked(Read("small", 4, 1)));
        Assert.DoesNotContain("PageReadWait", Asked(Read("extent-read", 64, 1)));
    }

    [Fact]
    public void Tempdbs_64_KB_are_no_mixed_IO()
    {
        Assert.Contains("MixedRate", Asked(Read("oltp", 8, 32, writePercent: 30)));
        Assert.DoesNotContain("MixedRate", Asked(Read("tempdb", 64, 32, writePercent: 50)));
    }

    /// <summary>Response time counts from the scheduled start. If the rate is missed, the longest single I/O counts.</summary>
    [Theory]
    [InlineData(199.5, 20_000)]
    [InlineData(120, 90_000)]
    public void A_stall_of_an_open_loop_is_bad_above_15_s(double reached, double response)
    {
        var canary = Read("page-read-200iops", 8, 32);
        (canary.LoadModel, canary.TargetIops, canary.IOPS, canary.ResponseAverageMs, canary.ResponseMaxMs, canary.MaxLatencyMs) = (
            IoLoadModel.Open,
            200,
            reached,
            0.9,
            response,
            20_000
        );
        var verdict = Verdict.Of([canary], RuleSets.Find("flash"));

        var stall = verdict.Answers.Single(answer => answer.Question.Code == "LongestStall");
        Assert.Equal(
            (FindingSeverity.Bad, 20_000.0, "at most 15 s, a warning from 1,000 ms on"),
            (stall.Severity, stall.Measured, stall.Limit)
        );
        Assert.True(verdict.FailsRequirement);
        Assert.Contains("limit 15 s", stall.Reason, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(200, 199.5, true)]
    [InlineData(200, 120, false)]
    public void A_rate_that_was_asked_for_is_no_answer_to_how_much_is_possible(double asked, double reached, bool answersTheWait)
    {
        var canary = Read("canary", 8, 32);
        (canary.LoadModel, canary.TargetIops, canary.IOPS, canary.ResponseAverageMs, canary.ResponseP99Ms) = (
            IoLoadModel.Open,
            asked,
            reached,
            0.9,
            2
        );
        var codes = Asked(canary).ToList();
        Assert.DoesNotContain("PageReadRate", codes);
        Assert.Equal(answersTheWait, codes.Contains("PageReadWait"));
    }

    // Latency and response time of a test are two values. The metric uses response time, and the row names it.
    [Fact]
    public void The_response_time_of_a_paced_test_answers_and_not_its_service_time()
    {
        var canary = Read("canary", 8, 32);
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
            Verdict.Of([canary], RuleSets.Find("flash")).Answers.Single(answer => answer.Question.Code == "PageReadWait").Measured
        );
        Assert.Equal((true, "response"), (ShownLatency.Of(canary).IsResponse, ShownLatency.Of(canary).Word));
    }

    // A sentence that already contains the value states only the limit. Another value that decided is named.
    [Theory]
    [InlineData(0.4, 1, 2010, "Watch: longest stall 2,010 ms (limit 15 s, a warning from 1,000 ms on) (rule set hard-limits).")]
    [InlineData(
        6.2,
        8,
        40,
        "Watch: a page read waits 6.2 ms (limit 1 ms: above the all-flash target of 1 ms, within Microsoft's 15 ms (good)) (rule set flash)."
    )]
    [InlineData(0.9, 30, 40, "Watch: a page read waits 0.9 ms (99th percentile 30 ms, limit 5 ms) (rule set flash).")]
    public void A_sentence_says_a_figure_once(double average, double p99, double longest, string sentence)
    {
        var run = Read("page-read-qd1", 8, 1);
        (run.AverageLatencyMs, run.P99Ms, run.MaxLatencyMs) = (average, p99, longest);
        Assert.Equal(sentence, Verdict.Of([run], RuleSets.Find("flash")).Sentence);
    }
}
