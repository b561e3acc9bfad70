using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class RuleEvaluatorTests
{
    private static IoTestResult CreateLogCommit(double average, double p99 = 1) =>
        new()
        {
            Workload = "log-commit",
            IOPattern = "4KB sequential write",
            Operation = IoOperation.Write,
            WritePercent = 100,
            AccessPattern = IoAccessPattern.Sequential,
            BlockSizeKB = 4,
            ThreadCount = 1,
            OutstandingIO = 1,
            TotalOutstanding = 1,
            LoadModel = IoLoadModel.Closed,
            IOPS = 1000 / average,
            AverageLatencyMs = average,
            P99Ms = p99,
            MaxLatencyMs = 20,
        };

    [Fact]
    public void Rule_is_formatted_as_one_line_with_its_limits() =>
        Assert.Equal(
            "LogCommit: average at most 1.5 ms, p99 at most 3 ms",
            new IoRule
            {
                Kind = IoRuleKind.LogCommit,
                MaxAverageLatencyMs = 1.5,
                MaxP99Ms = 3,
            }.ToString()
        );

    [Theory]
    [InlineData(IoOperation.Read, RuleOutcome.NotRated)]
    [InlineData(IoOperation.Write, RuleOutcome.Pass)]
    public void Reads_of_parts_that_were_never_written_are_not_rated(IoOperation operation, RuleOutcome expected)
    {
        var result = CreateLogCommit(0.1);
        result.Operation = operation;
        result.DurationSeconds = 60;
        result.FileSizeMB = 20480;
        var set = new IoRuleSet { Name = "own", Rules = [new IoRule { Kind = IoRuleKind.Any, MinIOPS = 100 }] };
        Assert.Equal(RuleOutcome.Pass, Assert.Single(RuleEvaluator.Evaluate([result], set)).Outcome);
        result.AddWarning(new IoWarning(WarningCodes.Holes, $"parts were never written"));
        Assert.Equal(expected, Assert.Single(RuleEvaluator.Evaluate([result], set)).Outcome);
    }

    [Fact]
    public void Every_built_in_rule_set_has_a_source_and_rules()
    {
        Assert.Equal(
            [
                "flash",
                "hdd",
                "cloud",
                "ms-css",
                "ms-file-stats",
                "ms-2005",
                "ms-2012",
                "berry",
                "dbatools",
                "sqlskills",
                "sp-blitz",
                "vmware",
                "ag-sync",
                "hard-limits",
                "steady",
            ],
            RuleSets.All.Select(s => s.Name)
        );
        Assert.All(RuleSets.All, s => Assert.False(string.IsNullOrWhiteSpace(s.Source)));
        Assert.All(RuleSets.All, s => Assert.NotEmpty(s.Rules));
        Assert.All(
            RuleSets.All,
            s =>
                Assert.False(
                    string.IsNullOrWhiteSpace(s.Author) || string.IsNullOrWhiteSpace(s.RestsOn) || string.IsNullOrWhiteSpace(s.DateRead),
                    s.Name
                )
        );
        // A source that is only quoted says so instead of an address, and an address names a page, not a site.
        Assert.All(RuleSets.All.Select(s => s.Url).OfType<string>(), url => Assert.True(new Uri(url).AbsolutePath.Length > 1, url));
        Assert.All(
            RuleSets.All,
            s =>
                Assert.True(
                    s.Url?.StartsWith("http", StringComparison.Ordinal) ?? s.Author!.Contains("as quoted", StringComparison.Ordinal),
                    s.Name
                )
        );
    }

    [Fact]
    public void Rules_document_matches_the_rule_sets() =>
        Assert.Equal(
            RuleSetDocument.CreateMarkdown(),
            File.ReadAllText(Path.Combine(IoBench.Tests.SampleFiles.RepositoryRoot, "docs", "rules.md")).ReplaceLineEndings("\n")
        );

    [Theory]
    [InlineData(0.9, RuleOutcome.Pass, FindingSeverity.Good, "average latency 0.9 ms, limit 1 ms")]
    [InlineData(
        2.05,
        RuleOutcome.Fail,
        FindingSeverity.Watch,
        "average latency 2.05 ms, limit 1 ms: above the all-flash target of 1 ms, within Microsoft's 5 ms (very good)"
    )]
    [InlineData(
        8,
        RuleOutcome.Fail,
        FindingSeverity.Bad,
        "average latency 8 ms, limit 1 ms: above the 5 ms for logs that are quoted of Microsoft, within its 15 ms for any file"
    )]
    [InlineData(20, RuleOutcome.Fail, FindingSeverity.Bad, "average latency 20 ms, limit 1 ms: above Microsoft's 15 ms")]
    public void Limit_of_a_single_vendor_is_not_critical(double average, RuleOutcome outcome, FindingSeverity severity, string reason)
    {
        var verdict = RuleEvaluator.Evaluate([CreateLogCommit(average)], RuleSets.Find("flash"))[0];
        Assert.Equal((outcome, severity, reason), (verdict.Outcome, verdict.Findings[0].Severity, verdict.Reason));
    }

    [Fact]
    public void Storage_class_is_specified_or_detected()
    {
        var run = CreateLogCommit(4);
        Assert.Equal((StorageClass.Flash, "flash, assumed"), Known(null));
        run.Host["Virtual machine"] = "Amazon EC2";
        Assert.Equal((StorageClass.Cloud, "cloud, detected: Amazon EC2"), Known(null));
        // The information of a hypervisor about its disks is ignored.
        run.Host["Rotational"] = "yes";
        Assert.Equal((StorageClass.Cloud, "cloud, detected: Amazon EC2"), Known(null));
        run.Host.Remove("Virtual machine");
        Assert.Equal((StorageClass.Hdd, "hdd, detected: the disk is rotational"), Known(null));
        Assert.Equal((StorageClass.Flash, "flash"), Known(StorageClass.Flash));
        run.Host["Rotational"] = "no";
        Assert.Equal((StorageClass.Flash, "flash, detected: the disk does not rotate"), Known(null));
        run.Host["Virtual machine"] = "VMware";
        Assert.Equal((StorageClass.Flash, "flash, assumed"), Known(null));

        (StorageClass, string) Known(StorageClass? asked) =>
            (RuleSetChoice.ChooseFor([run], asked).Storage, RuleSetChoice.ChooseFor([run], asked).Words);
    }

    [Fact]
    public void Missed_target_rate_is_not_rated()
    {
        var run = CreateLogCommit(1);
        (run.LoadModel, run.TargetIops, run.IOPS, run.ResponseAverageMs) = (IoLoadModel.Open, 2000, 929, 1157.9);
        var verdict = Verdict.Create([run], RuleSets.Find("flash"));
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.DoesNotContain(verdict.Answers, answer => answer.Question.Code == "CommitWait");
        Assert.StartsWith(
            "Not rated: log-commit: asked for 2,000 IOPS, reached 929: the storage cannot keep this rate",
            verdict.Sentence,
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Preliminary_test_can_fail_a_rule_but_not_pass_it()
    {
        var (kept, missed) = (CreateLogCommit(0.5), CreateLogCommit(30));
        kept.FileSizeMB = missed.FileSizeMB = 1024;
        var verdict = Verdict.Create([kept], RuleSets.Find("flash"));
        Assert.Equal((VerdictOutcome.Provisional, false), (verdict.Outcome, verdict.FailsRequirement));
        Assert.Contains("kept, as far as a quick look can tell", verdict.Sentence);
        Assert.Equal(VerdictOutcome.Missed, Verdict.Create([missed], RuleSets.Find("flash")).Outcome);
    }

    // Without a known cache size, the threshold is 20 GB. With a cache size, the threshold is four times that size.
    [Theory]
    [InlineData(6.8, null, true)]
    [InlineData(6.8, 0.0, false)]
    [InlineData(6.8, 1.0, false)]
    [InlineData(6.8, 2.0, true)]
    [InlineData(20.0, null, false)]
    [InlineData(20.0, 512.0, true)]
    [InlineData(0.2, 0.0, true)]
    public void Storage_cache_size_decides_whether_a_test_is_preliminary(double sizeGB, double? cacheGB, bool isQuick)
    {
        var run = CreateLogCommit(0.5);
        run.FileSizeMB = sizeGB * 1024;
        run.Specification = new() { StorageCacheSize = cacheGB is { } cache ? (long)(cache * (1L << 30)) : null };
        Assert.Equal(isQuick, RatingEligibility.IsPreliminary(run));
    }

    [Fact]
    public void Longest_IO_above_15_s_fails_regardless_of_load_and_rules()
    {
        var (calm, stalled) = (CreateLogCommit(0.5), CreateLogCommit(0.5));
        (stalled.TotalOutstanding, stalled.MaxLatencyMs) = (64, 113_060);
        var verdict = Verdict.Create([calm, stalled], RuleSets.Find("flash"));
        Assert.Equal(
            (VerdictOutcome.Missed, 113_060),
            (verdict.Outcome, verdict.Answers.Single(answer => answer.Question.Code == "LongestStall").Measured)
        );
        Assert.StartsWith("Bad: longest stall 113", verdict.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Summary_uses_mean_of_repeats_latest_day_or_median_of_rounds()
    {
        List<IoTestResult> nights =
        [
            .. Enumerable
                .Range(0, 14)
                .Select(day =>
                {
                    var run = CreateLogCommit(0.4 + day * 0.02);
                    run.StartTime = new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.Zero).AddDays(day);
                    return run;
                }),
        ];
        Assert.Equal((0.66, "latest of 14 days, first 0.4 ms"), Answer(nights));
        nights.ForEach(run => run.StartTime = null);
        Assert.Equal((0.53, "mean of 14"), Answer(nights));
        foreach (var (run, round) in nights.Take(8).Select((run, i) => (run, i)))
        {
            run.Specification = new() { SteadyStateRounds = 8 };
            (run.Repeat, run.IOPS) = (round + 1, 1000 * (round + 1));
        }
        Assert.Equal((0.5, "never steady in 8 rounds, median of the last 5"), Answer([.. nights.Take(8)]));

        static (double, string?) Answer(List<IoTestResult> runs) =>
            Verdict.Create(runs, RuleSets.Find("flash")).Answers[0] is var answer
                ? (Math.Round(answer.Measured, 6), answer.Basis)
                : default;
    }

    [Fact]
    public void Failed_rule_names_the_metric_the_value_and_the_limit()
    {
        var verdict = RuleEvaluator.Evaluate([CreateLogCommit(6.2)], RuleSets.Find("ms-2005")).Single();
        Assert.Equal(RuleOutcome.Fail, verdict.Outcome);
        Assert.Equal("average latency 6.2 ms, limit 5 ms", verdict.Reason);
        Assert.Equal(RuleOutcome.Pass, RuleEvaluator.Evaluate([CreateLogCommit(4.9)], RuleSets.Find("ms-2005")).Single().Outcome);
    }

    [Fact]
    public void Saturation_test_is_not_rated_by_latency()
    {
        var run = CreateLogCommit(6.2);
        run.Operation = IoOperation.Read;
        run.WritePercent = 0;
        run.AccessPattern = IoAccessPattern.Random;
        run.TotalOutstanding = 32;
        var verdict = RuleEvaluator.Evaluate([run], RuleSets.Find("ms-css")).Single();
        Assert.Equal(RuleOutcome.NotRated, verdict.Outcome);
        Assert.Contains("latency not rated", verdict.Reason);
        run.LoadModel = IoLoadModel.Open;
        Assert.Equal(RuleOutcome.Pass, RuleEvaluator.Evaluate([run], RuleSets.Find("ms-css")).Single().Outcome);
    }

    [Theory]
    [InlineData(0.5, "excellent")]
    [InlineData(1.0, "very good")]
    [InlineData(9.99, "good")]
    [InlineData(600, "WOW!")]
    public void Bands_of_a_rule_set_have_names(double average, string band) =>
        Assert.Equal(band, RuleEvaluator.Evaluate([CreateLogCommit(average)], RuleSets.Find("sqlskills")).Single().Band);

    [Fact]
    public void Missing_values_are_not_rated()
    {
        var run = CreateLogCommit(1);
        run.MaxLatencyMs = null;
        Assert.Equal(RuleOutcome.NotRated, RuleEvaluator.Evaluate([run], RuleSets.Find("hard-limits")).Single().Outcome);
        run.Status = IoResultStatus.Cancelled;
        Assert.All(RuleEvaluator.Evaluate([run], RuleSets.Find("flash")), v => Assert.Equal(RuleOutcome.NotRated, v.Outcome));
    }

    [Fact]
    public void Longest_IO_warns_from_1_s_and_fails_above_15_s()
    {
        var run = CreateLogCommit(1);
        RuleVerdict Verdict(double longest)
        {
            run.MaxLatencyMs = longest;
            return RuleEvaluator.Evaluate([run], RuleSets.Find("hard-limits")).Single();
        }
        Assert.Equal(RuleOutcome.Pass, Verdict(999).Outcome);
        Assert.Equal(RuleOutcome.Warn, Verdict(1000).Outcome);
        Assert.Equal("longest I/O 1,000 ms, limit 15 s, a warning from 1,000 ms on", Verdict(1000).Reason);
        Assert.Equal(RuleOutcome.Warn, Verdict(15_000).Outcome);
        Assert.Equal(RuleOutcome.Fail, Verdict(15_001).Outcome);
    }

    [Fact]
    public void Rule_for_a_workload_that_did_not_run_is_not_rated()
    {
        var verdict = RuleEvaluator
            .Evaluate([CreateLogCommit(1)], new IoRuleSet { Name = "own", Rules = [new() { Workload = "log-stream", MinMBps = 100 }] })
            .Single();
        Assert.Equal(RuleOutcome.NotRated, verdict.Outcome);
        Assert.Equal("no result is of the workload log-stream", verdict.Reason);
    }

    [Fact]
    public void Mixed_test_is_rated_by_its_read_and_write_latency()
    {
        var run = CreateLogCommit(3);
        run.Operation = IoOperation.Mixed;
        run.ReadAverageLatencyMs = 250;
        run.WriteAverageLatencyMs = 50;
        Assert.Equal([RuleOutcome.Fail, RuleOutcome.Pass], RuleEvaluator.Evaluate([run], RuleSets.Find("sp-blitz")).Select(v => v.Outcome));
    }

    [Fact]
    public void Rule_set_is_read_from_a_file()
    {
        var path = Path.Combine(Path.GetTempPath(), Guid.NewGuid() + ".json");
        try
        {
            File.WriteAllText(
                path,
                """{ "name": "our-san", "rules": [ { "workload": "log-*", "maxAverageLatencyMs": 1, "minIOPS": 2000 } ] }"""
            );
            var verdicts = RuleEvaluator.Evaluate([CreateLogCommit(2)], RuleSets.Find(path));
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
