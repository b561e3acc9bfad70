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

    // 5% of waiting for a CPU moves an average by about 12%, and 30% of it by any factor.
    [Theory]
    [InlineData(20, 0, VerdictOutcome.Fail)]
    [InlineData(1.3, 6, VerdictOutcome.NotRated)]
    [InlineData(20, 6, VerdictOutcome.Fail)]
    [InlineData(20, 30, VerdictOutcome.NotRated)]
    [InlineData(0.5, 30, VerdictOutcome.Pass)]
    public void Limit_that_waiting_for_a_CPU_can_explain_is_not_rated(double average, double wait, VerdictOutcome expected)
    {
        var result = CreateLogCommit(average);
        result.DurationSeconds = 60;
        result.FileSizeMB = 20480;
        result.ProcessorWaitPercent = wait;
        var other = CreateLogCommit(0.2);
        other.DurationSeconds = 60;
        other.FileSizeMB = 20480;
        other.Workload = "other";
        var set = new IoRuleSet { Name = "own", Rules = [new IoRule { Kind = IoRuleKind.LogCommit, MaxAverageLatencyMs = 1 }] };
        var verdict = Verdict.Create([other, result], set);
        Assert.Equal(expected, verdict.Rules[1].Outcome);
        // The other test passes, and the set does not.
        Assert.Equal(expected, verdict.Outcome);
        Assert.Equal(expected == VerdictOutcome.NotRated, verdict.FailsRequirement && verdict.Outcome == VerdictOutcome.NotRated);
        if (expected == VerdictOutcome.NotRated)
            Assert.Contains($"but worker threads waited {wait}% of the time for a CPU. Repeat", verdict.Sentence, StringComparison.Ordinal);
    }

    // The device's own average is evidence about the storage, however long the worker threads waited.
    [Theory]
    [InlineData(1.2, VerdictOutcome.Fail)]
    [InlineData(0.8, VerdictOutcome.NotRated)]
    public void Average_fails_if_the_device_alone_exceeds_its_limit(double deviceMs, VerdictOutcome expected)
    {
        var result = CreateLogCommit(2);
        (result.DurationSeconds, result.FileSizeMB, result.ProcessorWaitPercent) = (60, 20480, 40);
        (result.IOCount, result.BandwidthMBps) = (10_000, 10_000 * 4096 / 60.0 / 1048576);
        result.Devices =
        [
            new()
            {
                Device = "sda",
                WriteCount = 10_000,
                WriteBytes = 10_000 * 4096,
                WriteMs = 10_000 * deviceMs,
            },
        ];
        var set = new IoRuleSet { Name = "own", Rules = [new IoRule { Kind = IoRuleKind.LogCommit, MaxAverageLatencyMs = 1 }] };
        Assert.Equal(expected, Assert.Single(RuleEvaluator.Evaluate([result], set)).Outcome);
    }

    [Theory]
    [InlineData(IoOperation.Read, VerdictOutcome.NotRated)]
    [InlineData(IoOperation.Write, VerdictOutcome.Pass)]
    public void Reads_of_parts_that_were_never_written_are_not_rated(IoOperation operation, VerdictOutcome expected)
    {
        var result = CreateLogCommit(0.1);
        result.Operation = operation;
        result.DurationSeconds = 60;
        result.FileSizeMB = 20480;
        var set = new IoRuleSet { Name = "own", Rules = [new IoRule { Kind = IoRuleKind.Any, MinIOPS = 100 }] };
        Assert.Equal(VerdictOutcome.Pass, Assert.Single(RuleEvaluator.Evaluate([result], set)).Outcome);
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
            IoRuleSet.All.Select(s => s.Name)
        );
        Assert.All(IoRuleSet.All, s => Assert.False(string.IsNullOrWhiteSpace(s.Source)));
        Assert.All(IoRuleSet.All, s => Assert.NotEmpty(s.Rules));
        Assert.All(
            IoRuleSet.All,
            s =>
                Assert.False(
                    string.IsNullOrWhiteSpace(s.Author) || string.IsNullOrWhiteSpace(s.BasedOn) || string.IsNullOrWhiteSpace(s.DateRead),
                    s.Name
                )
        );
        // A source that is only quoted says so instead of an address, and an address names a page, not a site.
        Assert.All(IoRuleSet.All.Select(s => s.Url).OfType<string>(), url => Assert.True(new Uri(url).AbsolutePath.Length > 1, url));
        Assert.All(
            IoRuleSet.All,
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
            IoRuleSet.CreateMarkdown(),
            File.ReadAllText(Path.Combine(IoBench.Tests.SampleFiles.RepositoryRoot, "docs", "reference", "rules.md"))
                .ReplaceLineEndings("\n")
        );

    [Theory]
    [InlineData(0.9, VerdictOutcome.Pass, FindingSeverity.Info, "average latency 0.9 ms meets the limit of 1 ms")]
    [InlineData(
        2.05,
        VerdictOutcome.Fail,
        FindingSeverity.Warning,
        "average latency 2.05 ms exceeds the limit of 1 ms (within Microsoft's 5 ms (very good))"
    )]
    [InlineData(
        8,
        VerdictOutcome.Fail,
        FindingSeverity.Critical,
        "average latency 8 ms exceeds the limit of 1 ms (above Microsoft's 5 ms for logs, within its 15 ms for any file)"
    )]
    [InlineData(
        20,
        VerdictOutcome.Fail,
        FindingSeverity.Critical,
        "average latency 20 ms exceeds the limit of 1 ms (above Microsoft's 15 ms)"
    )]
    public void Limit_of_a_single_vendor_is_not_critical(double average, VerdictOutcome outcome, FindingSeverity severity, string reason)
    {
        var verdict = RuleEvaluator.Evaluate([CreateLogCommit(average)], IoRuleSet.Find("flash"))[0];
        Assert.Equal((outcome, severity, reason), (verdict.Outcome, verdict.Severity, verdict.Reason));
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
        var verdict = Verdict.Create([run], IoRuleSet.Find("flash"));
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.DoesNotContain(verdict.Answers, answer => answer.Question.Code == "LogWriteLatency");
        Assert.StartsWith("NOT RATED: log-commit: the achieved rate was 929 of 2,000 IOPS.", verdict.Sentence, StringComparison.Ordinal);
        run.AddWarning(new IoWarning(WarningCodes.WaitedForProcessors, $"worker threads waited"));
        Assert.StartsWith(
            "NOT RATED: log-commit: the achieved rate was 929 of 2,000 IOPS; the CPUs were busy, so this computer can be the bottleneck.",
            Verdict.Create([run], IoRuleSet.Find("flash")).Sentence,
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData("average", 1L, VerdictOutcome.NotRated)]
    [InlineData("average", 99L, VerdictOutcome.NotRated)]
    [InlineData("average", 100L, VerdictOutcome.Pass)]
    [InlineData("p99", 999L, VerdictOutcome.NotRated)]
    [InlineData("p99", 1000L, VerdictOutcome.Pass)]
    [InlineData("longest", 99L, VerdictOutcome.NotRated)]
    [InlineData("longest", 100L, VerdictOutcome.Pass)]
    public void Latency_passes_only_from_enough_IOs(string limit, long count, VerdictOutcome expected)
    {
        var run = CreateQualifyingRun();
        run.IOCount = count;
        var rule = limit switch
        {
            "average" => new IoRule { Kind = IoRuleKind.Any, MaxAverageLatencyMs = 1 },
            "p99" => new IoRule { Kind = IoRuleKind.Any, MaxP99Ms = 1 },
            _ => new IoRule { Kind = IoRuleKind.Any, MaxLatencyMs = 20 },
        };
        var verdict = Assert.Single(RuleEvaluator.Evaluate([run], new IoRuleSet { Name = "own", Rules = [rule] }));
        Assert.Equal(expected, verdict.Outcome);
        Assert.Equal(expected == VerdictOutcome.NotRated, verdict.Reason.Contains("a rating of the", StringComparison.Ordinal));
    }

    [Theory]
    [InlineData(9, VerdictOutcome.NotRated)]
    [InlineData(10, VerdictOutcome.Fail)]
    public void Average_of_few_IOs_can_fail(long count, VerdictOutcome expected)
    {
        var run = CreateQualifyingRun();
        (run.IOCount, run.AverageLatencyMs, run.P99Ms) = (count, 1158, null);
        Assert.Equal(expected, Verdict.Create([run], IoRuleSet.Find("flash")).Outcome);
    }

    [Fact]
    public void One_IO_is_enough_to_exceed_the_limit_of_the_longest_IO()
    {
        var run = CreateQualifyingRun();
        (run.IOCount, run.MaxLatencyMs) = (1, 15_001);
        Assert.Equal(VerdictOutcome.Fail, Verdict.Create([run], IoRuleSet.Find("hard-limits")).Outcome);
    }

    [Fact]
    public void Number_of_IOs_of_an_imported_result_follows_from_rate_and_duration()
    {
        var run = CreateQualifyingRun();
        (run.IOPS, run.DurationSeconds) = (3, 30);
        var rules = new IoRuleSet { Name = "own", Rules = [new IoRule { Kind = IoRuleKind.Any, MaxAverageLatencyMs = 1 }] };
        Assert.Equal(VerdictOutcome.NotRated, Assert.Single(RuleEvaluator.Evaluate([run], rules)).Outcome);
        run.DurationSeconds = 40;
        Assert.Equal(VerdictOutcome.Pass, Assert.Single(RuleEvaluator.Evaluate([run], rules)).Outcome);
    }

    [Theory]
    [InlineData(1.0004, "average log write latency 1.0004 ms")]
    [InlineData(1.004, "average log write latency 1.004 ms")]
    [InlineData(1.04, "average log write latency 1.04 ms")]
    public void Digits_that_decide_are_shown(double average, string expected)
    {
        var run = CreateQualifyingRun();
        run.AverageLatencyMs = average;
        var verdict = Verdict.Create([run], IoRuleSet.Find("flash"));
        Assert.Equal(VerdictOutcome.Fail, verdict.Outcome);
        Assert.Contains(expected, verdict.Sentence, StringComparison.OrdinalIgnoreCase);
        var rule = verdict.Rules.First(rule => rule.Outcome == VerdictOutcome.Fail);
        Assert.Equal(FormattableString.Invariant($"{average} ms"), rule.MeasuredText);
    }

    [Theory]
    [InlineData(IoResultStatus.Failed, "NOT RATED: not all tests completed: oltp (failed); ")]
    [InlineData(IoResultStatus.Cancelled, "NOT RATED: not all tests completed: oltp (canceled); ")]
    public void Set_with_an_unfinished_run_never_passes(IoResultStatus status, string expected)
    {
        var other = CreateQualifyingRun();
        (other.Workload, other.Status) = ("oltp", status);
        var verdict = Verdict.Create([CreateQualifyingRun(), other], IoRuleSet.Find("flash"));
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.True(verdict.FailsRequirement);
        Assert.StartsWith(expected, verdict.Sentence, StringComparison.Ordinal);

        var slow = CreateQualifyingRun();
        slow.AverageLatencyMs = 20;
        Assert.Equal(VerdictOutcome.Fail, Verdict.Create([slow, other], IoRuleSet.Find("flash")).Outcome);
    }

    [Fact]
    public void Unfinished_run_without_a_pattern_is_named_by_its_file()
    {
        var failed = new IoTestResult
        {
            Status = IoResultStatus.Failed,
            IOPattern = "",
            SourceFile = "/old/diskspd-1.txt",
        };
        var verdict = Verdict.Create([CreateQualifyingRun(), failed], IoRuleSet.Find("flash"));
        Assert.StartsWith("NOT RATED: not all tests completed: diskspd-1.txt (failed); ", verdict.Sentence, StringComparison.Ordinal);
    }

    [Fact]
    public void Value_at_the_limit_is_in_the_band_that_ends_there()
    {
        var run = CreateQualifyingRun();
        run.MaxLatencyMs = 15_000;
        var verdict = Verdict.Create([run], IoRuleSet.Find("hard-limits")).Rules.First(rule => rule.Metric == "MaxLatencyMs");
        Assert.Equal((VerdictOutcome.Pass, "from 1 to 15 s"), (verdict.Outcome, verdict.Band));
    }

    private static IoTestResult CreateQualifyingRun()
    {
        var run = CreateLogCommit(0.4);
        (run.DurationSeconds, run.FileSizeMB, run.IOPS) = (60, 40_960, 2500);
        return run;
    }

    [Fact]
    public void Preliminary_test_can_fail_a_rule_but_not_pass_it()
    {
        var (kept, missed) = (CreateLogCommit(0.5), CreateLogCommit(30));
        kept.FileSizeMB = missed.FileSizeMB = 1024;
        var verdict = Verdict.Create([kept], IoRuleSet.Find("flash"));
        Assert.Equal((VerdictOutcome.PreliminaryPass, false), (verdict.Outcome, verdict.FailsRequirement));
        Assert.StartsWith(
            "PRELIMINARY PASS (rule set flash): average log write latency 0.5 ms (QD1). The test file is small or the runs are short.",
            verdict.Sentence,
            StringComparison.Ordinal
        );
        Assert.Equal(VerdictOutcome.Fail, Verdict.Create([missed], IoRuleSet.Find("flash")).Outcome);
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
        Assert.Equal(isQuick, RuleEvaluator.IsPreliminary(run));
    }

    [Fact]
    public void Longest_IO_above_15_s_fails_the_default_rules_at_any_load()
    {
        var (calm, stalled) = (CreateLogCommit(0.5), CreateLogCommit(0.5));
        (stalled.TotalOutstanding, stalled.MaxLatencyMs) = (64, 113_060);
        var verdict = Verdict.Create([calm, stalled], RuleSetChoice.ChooseFor([calm], StorageClass.Flash).Rules);
        Assert.Equal(
            (VerdictOutcome.Fail, 113_060),
            (verdict.Outcome, verdict.Answers.Single(answer => answer.Question.Code == "LongestIO").Measured)
        );
        Assert.Equal("FAIL (critical; rule sets flash, hard-limits): longest I/O 113.06 s; limit 15 s (hard-limits).", verdict.Sentence);
        // A rule set that was named replaces the default rules.
        Assert.Equal(VerdictOutcome.Pass, Verdict.Create([calm, stalled], IoRuleSet.Find("flash")).Outcome);
    }

    [Fact]
    public void Summary_uses_mean_of_repeats_or_rounds_or_the_latest_day()
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
        Assert.Equal((0.66, "latest value in a history of 14 days, first value 0.4 ms"), Answer(nights));
        nights.ForEach(run => run.StartTime = null);
        Assert.Equal((0.53, "mean of 14 runs"), Answer(nights));
        foreach (var (run, round) in nights.Take(8).Select((run, i) => (run, i)))
        {
            run.Specification = new() { SteadyStateRounds = 8 };
            (run.Repeat, run.IOPS) = (round + 1, 1000 * (round + 1));
        }
        Assert.Equal((0.5, "not steady in 8 rounds, mean of the last 5 rounds"), Answer([.. nights.Take(8)]));

        static (double, string?) Answer(List<IoTestResult> runs) =>
            Verdict.Create(runs, IoRuleSet.Find("flash")).Answers[0] is var answer
                ? (Math.Round(answer.Measured, 6), answer.Basis)
                : default;
    }

    [Fact]
    public void Failed_rule_names_the_metric_the_value_and_the_limit()
    {
        var verdict = RuleEvaluator.Evaluate([CreateLogCommit(6.2)], IoRuleSet.Find("ms-2005")).Single();
        Assert.Equal(VerdictOutcome.Fail, verdict.Outcome);
        Assert.Equal("average latency 6.2 ms exceeds the limit of 5 ms", verdict.Reason);
        Assert.Equal(VerdictOutcome.Pass, RuleEvaluator.Evaluate([CreateLogCommit(4.9)], IoRuleSet.Find("ms-2005")).Single().Outcome);
    }

    [Fact]
    public void Saturation_test_is_not_rated_by_latency()
    {
        var run = CreateLogCommit(6.2);
        run.Operation = IoOperation.Read;
        run.WritePercent = 0;
        run.AccessPattern = IoAccessPattern.Random;
        run.TotalOutstanding = 32;
        var verdict = RuleEvaluator.Evaluate([run], IoRuleSet.Find("ms-css")).Single();
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.Equal("this is a saturation test (32 outstanding I/Os), so latency is not rated", verdict.Reason);
        run.LoadModel = IoLoadModel.Open;
        Assert.Equal(VerdictOutcome.Pass, RuleEvaluator.Evaluate([run], IoRuleSet.Find("ms-css")).Single().Outcome);
    }

    [Theory]
    [InlineData(0.5, "excellent")]
    [InlineData(1.0, "very good")]
    [InlineData(9.99, "good")]
    [InlineData(600, "WOW!")]
    public void Bands_of_a_rule_set_have_names(double average, string band) =>
        Assert.Equal(band, RuleEvaluator.Evaluate([CreateLogCommit(average)], IoRuleSet.Find("sqlskills")).Single().Band);

    [Fact]
    public void Missing_values_are_not_rated()
    {
        var run = CreateLogCommit(1);
        run.MaxLatencyMs = null;
        Assert.Equal(VerdictOutcome.NotRated, RuleEvaluator.Evaluate([run], IoRuleSet.Find("hard-limits")).Single().Outcome);
        run.Status = IoResultStatus.Cancelled;
        Assert.All(RuleEvaluator.Evaluate([run], IoRuleSet.Find("flash")), v => Assert.Equal(VerdictOutcome.NotRated, v.Outcome));
    }

    [Fact]
    public void Longest_IO_warns_from_1_s_and_fails_above_15_s()
    {
        var run = CreateLogCommit(1);
        RuleVerdict Verdict(double longest)
        {
            run.MaxLatencyMs = longest;
            return RuleEvaluator.Evaluate([run], IoRuleSet.Find("hard-limits")).Single();
        }
        Assert.Equal(VerdictOutcome.Pass, Verdict(999).Outcome);
        Assert.Equal((VerdictOutcome.Pass, FindingSeverity.Warning), (Verdict(1000).Outcome, Verdict(1000).Severity));
        Assert.Equal("longest I/O 1 s reaches the warning threshold of 1 s (limit 15 s)", Verdict(1000).Reason);
        Assert.Equal((VerdictOutcome.Pass, FindingSeverity.Warning), (Verdict(15_000).Outcome, Verdict(15_000).Severity));
        Assert.Equal(VerdictOutcome.Fail, Verdict(15_001).Outcome);
    }

    [Fact]
    public void Rule_for_a_workload_that_did_not_run_is_not_rated()
    {
        var verdict = RuleEvaluator
            .Evaluate([CreateLogCommit(1)], new IoRuleSet { Name = "own", Rules = [new() { Workload = "log-stream", MinMBps = 100 }] })
            .Single();
        Assert.Equal(VerdictOutcome.NotRated, verdict.Outcome);
        Assert.Equal("no result is from the workload log-stream", verdict.Reason);
    }

    [Fact]
    public void Mixed_test_is_rated_by_its_read_and_write_latency()
    {
        var run = CreateLogCommit(3);
        run.Operation = IoOperation.Mixed;
        run.ReadAverageLatencyMs = 250;
        run.WriteAverageLatencyMs = 50;
        Assert.Equal(
            [VerdictOutcome.Fail, VerdictOutcome.Pass],
            RuleEvaluator.Evaluate([run], IoRuleSet.Find("sp-blitz")).Select(v => v.Outcome)
        );
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
            var verdicts = RuleEvaluator.Evaluate([CreateLogCommit(2)], IoRuleSet.Find(path));
            Assert.Equal(["IOPS", "AverageLatencyMs"], verdicts.Select(v => v.Metric));
            Assert.All(verdicts, v => Assert.Equal(VerdictOutcome.Fail, v.Outcome));

            File.WriteAllText(path, """{ "rules": [ { "workload": "log-*", "maxAvgLatency": 1 } ] }""");
            Assert.Contains("maxAvgLatency", Assert.Throws<IoBenchException>(() => IoRuleSet.Find(path)).Message);
            File.WriteAllText(path, """{ "rules": [ { "workload": "log-*" } ] }""");
            Assert.Contains("no limit", Assert.Throws<IoBenchException>(() => IoRuleSet.Find(path)).Message);
        }
        finally
        {
            File.Delete(path);
        }
        Assert.Equal("IoBench.UnknownRuleSet", Assert.Throws<IoBenchException>(() => IoRuleSet.Find("no-such")).ErrorId);
    }

    [Fact]
    public void Result_above_an_IoBench_limit_passes_with_a_warning()
    {
        var run = CreateLogCommit(0.5, p99: 4.2);
        var verdict = Verdict.Create([run], IoRuleSet.Find("flash"));
        Assert.Equal((VerdictOutcome.Pass, FindingSeverity.Warning, false), (verdict.Outcome, verdict.Severity, verdict.FailsRequirement));
        Assert.Equal(
            "PASS with a warning (rule set flash): average log write latency 0.5 ms (QD1). P99 log write latency 4.2 ms (QD1) exceeds the IoBench limit of 3 ms.",
            verdict.Sentence
        );
        var rule = verdict.Rules.Single(rule => rule.Metric == "P99Ms");
        Assert.Equal(
            ("p99 latency 4.2 ms exceeds the IoBench limit of 3 ms", "pass (warning)", "4.2 ms", "ms"),
            (rule.Reason, rule.Word, rule.MeasuredText, rule.Unit)
        );
    }

    [Fact]
    public void Preliminary_and_qualified_passes_are_a_preliminary_pass()
    {
        var (large, small) = (CreateLogCommit(0.5), CreateLogCommit(0.5));
        (large.FileSizeMB, large.DurationSeconds, small.FileSizeMB) = (20480, 30, 1024);
        Assert.Equal(VerdictOutcome.Pass, Verdict.Create([large], IoRuleSet.Find("flash")).Outcome);
        Assert.Equal(VerdictOutcome.PreliminaryPass, Verdict.Create([large, small], IoRuleSet.Find("flash")).Outcome);
    }

    [Fact]
    public void Saturation_test_with_a_short_longest_IO_is_not_rated()
    {
        var run = CreateLogCommit(0.5);
        run.TotalOutstanding = 64;
        var rules = RuleSetChoice.ChooseFor([run], StorageClass.Flash).Rules;
        Assert.Equal(VerdictOutcome.NotRated, Verdict.Create([run], rules).Outcome);
        run.MaxLatencyMs = 2010;
        var warned = Verdict.Create([run], rules);
        Assert.Equal((VerdictOutcome.NotRated, FindingSeverity.Warning), (warned.Outcome, warned.Severity));
        Assert.Equal(
            "NOT RATED: this is a saturation test, so latency is not rated. Longest I/O 2.01 s reaches the warning threshold of 1 s; limit 15 s.",
            warned.Sentence
        );
    }

    [Fact]
    public void Measured_value_and_limit_have_the_same_unit()
    {
        var run = CreateLogCommit(0.5);
        run.MaxLatencyMs = 12.78;
        var rule = RuleEvaluator.Evaluate([run], IoRuleSet.Find("hard-limits"))[0];
        Assert.Equal(("longest I/O at most 15,000 ms", "12.8 ms", "ms"), (rule.Rule, rule.MeasuredText, rule.Unit));
        Assert.Equal("longest I/O 12.8 ms meets the limit of 15,000 ms", rule.Reason);
    }
}
