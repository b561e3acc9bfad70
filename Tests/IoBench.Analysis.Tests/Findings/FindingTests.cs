using IoBench.Engine;

namespace IoBench.Analysis.Tests;

public class FindingTests
{
    private static IoTestResult CreateRun(
        int outstanding,
        double iops,
        string? label = null,
        int? repeat = null,
        DateTimeOffset? time = null
    ) =>
        new()
        {
            Workload = "page-read",
            IOPattern = "8KB random read",
            BlockSizeKB = 8,
            AccessPattern = IoAccessPattern.Random,
            Operation = IoOperation.Read,
            WritePercent = 0,
            Path = "T:\\iobench.dat",
            ThreadCount = 1,
            OutstandingIO = outstanding,
            TotalOutstanding = outstanding,
            LoadModel = IoLoadModel.Closed,
            FileSizeMB = 20480,
            DurationSeconds = 30,
            Label = label,
            Repeat = repeat,
            StartTime = time,
            IOPS = iops,
            BandwidthMBps = iops / 128,
            AverageLatencyMs = outstanding / iops * 1000,
            P99Ms = 2 * outstanding / iops * 1000,
        };

    private static Finding GetSingleFinding(IHasFindings answer) => Assert.Single(answer.Findings);

    private static double? GetEvidenceValue(Finding finding, string name) =>
        Assert.Single(finding.Evidence, figure => figure.Name == name).Value;

    [Fact]
    public void Comparison_findings_name_the_change_and_the_action()
    {
        var rows = ComparisonResult.Compare(
            [.. Enumerable.Range(0, 3).SelectMany(_ => new[] { CreateRun(1, 1000), CreateRun(2, 1000), CreateRun(4, 1000) })],
            [.. Enumerable.Range(0, 3).SelectMany(_ => new[] { CreateRun(1, 800), CreateRun(2, 1300), CreateRun(4, 1010) })],
            "old",
            "new"
        );
        Assert.Equal(
            [FindingCodes.ComparisonWorse, FindingCodes.ComparisonBetter, FindingCodes.ComparisonNoDetectableChange],
            rows.Findings.Select(f => f.Code)
        );
        Assert.Equal([FindingSeverity.Critical, FindingSeverity.Info, FindingSeverity.Info], rows.Findings.Select(f => f.Severity));
        Assert.Equal([VerdictOutcome.Fail, VerdictOutcome.Pass, null], rows.Findings.Select(f => f.Outcome));
        var worse = rows.Findings[0];
        Assert.Matches(@"^page-read: worse than old: IOPS -20% \(-\d+ to -\d+%\)$", worse.What);
        Assert.Equal(("page-read", "Check what changed", "new"), (worse.Subject, worse.WhatToDo, worse.Values["Label"]));
        Assert.Equal(
            (1000, 800, -20),
            (GetEvidenceValue(worse, "IOPS baseline"), GetEvidenceValue(worse, "IOPS"), GetEvidenceValue(worse, "IOPS change"))
        );
        Assert.Null(rows.Findings[1].WhatToDo);
        Assert.Equal(rows.Findings.Select(f => f.What), rows.Rows.Select(row => GetSingleFinding(row).What));
    }

    [Theory]
    [InlineData(0.5, null, false, "own", FindingCodes.RulePassed, FindingSeverity.Info)]
    [InlineData(0.9, 0.8, false, "own", FindingCodes.RuleWarning, FindingSeverity.Warning)]
    [InlineData(2, null, false, "own", FindingCodes.RuleFailed, FindingSeverity.Critical)]
    [InlineData(2, null, true, "own", FindingCodes.RuleWarning, FindingSeverity.Warning)]
    public void Rule_finding_passes_warns_or_fails(
        double milliseconds,
        double? warnFrom,
        bool house,
        string set,
        string code,
        FindingSeverity severity
    )
    {
        var run = CreateRun(1, 1000);
        run.AverageLatencyMs = milliseconds;
        var verdict = Assert.Single(
            RuleEvaluator.Evaluate(
                [run],
                new()
                {
                    Name = set,
                    Rules =
                    [
                        new()
                        {
                            MaxAverageLatencyMs = 1,
                            WarnFrom = warnFrom,
                            IsIoBenchLimit = house,
                        },
                    ],
                }
            )
        );
        var finding = GetSingleFinding(verdict);
        Assert.Equal((code, severity, "page-read"), (finding.Code, finding.Severity, finding.Subject));
        Assert.Equal($"page-read: {verdict.Reason} (rule set {set})", finding.What);
        Assert.Equal(
            [new FindingEvidence("AverageLatencyMs", milliseconds, "ms"), new FindingEvidence("Limit", 1, "ms")],
            finding.Evidence
        );
        Assert.Equal(set, finding.Values["RuleSet"]);
    }

    [Fact]
    public void Rule_that_was_not_rated_has_a_finding_without_severity()
    {
        var verdict = Assert.Single(
            RuleEvaluator.Evaluate([CreateRun(32, 1000)], new() { Name = "own", Rules = [new() { MaxAverageLatencyMs = 1 }] })
        );
        Assert.Equal(
            (FindingCodes.RuleNotRated, VerdictOutcome.NotRated, FindingSeverity.Info),
            (GetSingleFinding(verdict).Code, GetSingleFinding(verdict).Outcome, GetSingleFinding(verdict).Severity)
        );
    }

    [Fact]
    public void Saturation_finding_comes_before_its_caveats()
    {
        var contradiction = CreateRun(8, 4000);
        contradiction.AverageLatencyMs = 9;
        var findings = Assert.Single(SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(4, 4000), contradiction])).Findings;
        Assert.Equal(
            [FindingCodes.SaturationKnee, FindingCodes.SaturationContradiction, FindingCodes.SaturationFewLoads],
            findings.Select(f => f.Code)
        );
        Assert.Equal([FindingSeverity.Info, FindingSeverity.Warning, FindingSeverity.Info], findings.Select(f => f.Severity));
        Assert.Equal((4, 4000), (GetEvidenceValue(findings[0], "KneeOutstanding"), GetEvidenceValue(findings[0], "IOPS")));

        var growing = Assert
            .Single(SaturationResult.Analyze([CreateRun(1, 1000), CreateRun(2, 2000), CreateRun(4, 4000), CreateRun(8, 8000)]))
            .Findings;
        Assert.Equal((FindingCodes.SaturationNoPlateau, "Test higher loads"), (Assert.Single(growing).Code, growing[0].WhatToDo));
        Assert.Empty(SaturationResult.Find([CreateRun(1, 1000)]));
    }

    [Fact]
    public void Worsening_trend_is_critical_and_a_short_one_is_not_rated()
    {
        var start = new DateTimeOffset(2026, 1, 10, 2, 0, 0, TimeSpan.Zero);
        var falling = HistoryTrend.Analyze(
            Enumerable.Range(0, 10).Select(day => CreateRun(1, 1000 - 50 * day, time: start.AddDays(day))),
            ["IOPS"]
        );
        Assert.Equal(
            (FindingCodes.TrendWorse, FindingSeverity.Critical, "Check the free space, the wear of the drives, and the growth of the data"),
            (GetSingleFinding(falling[0]).Code, GetSingleFinding(falling[0]).Severity, GetSingleFinding(falling[0]).WhatToDo)
        );
        Assert.Equal(falling[0].Summary, GetSingleFinding(falling[0]).What);
        var few = HistoryTrend.Analyze([CreateRun(1, 1000, time: start)], ["IOPS"]);
        Assert.Equal(
            (FindingCodes.TrendTooFew, VerdictOutcome.NotRated),
            (GetSingleFinding(few[0]).Code, GetSingleFinding(few[0]).Outcome)
        );
        Assert.Empty(HistoryTrend.Find([CreateRun(1, 1000, time: start)]));
    }

    [Theory]
    [InlineData(LimitOutcome.Found, FindingCodes.LimitFound, FindingSeverity.Info)]
    [InlineData(LimitOutcome.NeverMet, FindingCodes.LimitNeverMet, FindingSeverity.Critical)]
    [InlineData(LimitOutcome.Unknown, FindingCodes.LimitUnknown, FindingSeverity.Info)]
    [InlineData(LimitOutcome.AlwaysMet, FindingCodes.LimitAlwaysMet, FindingSeverity.Info)]
    [InlineData(LimitOutcome.Interrupted, FindingCodes.LimitInterrupted, FindingSeverity.Info)]
    public void Limit_finding_names_the_outcome_of_the_search(LimitOutcome outcome, string code, FindingSeverity severity)
    {
        var finding = GetSingleFinding(
            new LimitResult
            {
                Outcome = outcome,
                IOPS = 900,
                Confidence = "the last bracket",
                Limit = "p99 at most 5 ms",
                IOPattern = "8KB random read",
                Summary = "S.",
                Probes = [],
            }
        );
        Assert.Equal((code, severity, "S.", "p99 at most 5 ms"), (finding.Code, finding.Severity, finding.What, finding.Values["Limit"]));
        Assert.Equal(900, GetEvidenceValue(finding, "IOPS"));
    }

    [Fact]
    public void Cap_finding_is_followed_by_provisioned_limits_and_caveats()
    {
        var findings = new CapResult
        {
            Path = "T:\\",
            Kind = CapKind.Iops,
            IopsCap = 2300,
            Summary = "S.",
            Results = [],
            Warnings = ["Few sizes."],
            Checks =
            [
                new("IOPS", 3000, 2300, 76.7, false, "2,300 of 3,000"),
                new("Throughput", 100, 100, 100, true, "all"),
                new("LatencyMs", 1, null, null, null, "no run"),
            ],
        }.Findings;
        Assert.Equal(
            [
                "Cap.Iops",
                FindingCodes.CapSpecificationNotMet,
                FindingCodes.CapSpecificationMet,
                FindingCodes.CapSpecificationUnknown,
                FindingCodes.CapDoubt,
            ],
            findings.Select(f => f.Code)
        );
        Assert.Equal(
            [null, VerdictOutcome.Fail, VerdictOutcome.Pass, VerdictOutcome.NotRated, VerdictOutcome.NotRated],
            findings.Select(f => f.Outcome)
        );
        Assert.Equal((2300, 3000), (GetEvidenceValue(findings[1], "IOPS"), GetEvidenceValue(findings[1], "IOPS bought")));
    }

    [Theory]
    [InlineData("log", 3.0, FindingSeverity.Warning)]
    [InlineData("log", 1.5, FindingSeverity.Info)]
    [InlineData("data", 3.0, FindingSeverity.Info)]
    public void Doubled_log_latency_under_contention_is_a_warning(string role, double factor, FindingSeverity severity)
    {
        var finding = GetSingleFinding(
            new RoleInterference
            {
                Role = role,
                LatencyFactor = factor,
                Summary = "S.",
            }
        );
        Assert.Equal(
            (FindingCodes.RoleInterference, severity, severity == FindingSeverity.Warning),
            (finding.Code, finding.Severity, finding.WhatToDo is not null)
        );
    }

    [Theory]
    [InlineData(
        1,
        "all reads returned the expected data. 1 read (8 KB) was checked, 1 write was acknowledged, and the file was not read again at the end of the test."
    )]
    [InlineData(
        17_452,
        "all reads returned the expected data. 17,452 reads (8 KB) were checked, 17,452 writes were acknowledged, and the file was not read again at the end of the test."
    )]
    public void Integrity_finding_uses_singular_and_plural(long count, string words) =>
        Assert.Equal(
            "NOT RATED: T:\\f.dat: " + words,
            GetSingleFinding(
                new IntegrityResult(
                    new() { Path = "T:\\f.dat" },
                    new()
                    {
                        ReadCount = count,
                        ReadBytes = 8192,
                        WriteCount = count,
                    }
                )
            ).What
        );

    [Theory]
    [InlineData(
        1,
        "1 acknowledged write. 1 of them had to survive a power loss, because it was through. IoBench checked 1 of them, which was not overwritten later",
        " 1 of the checked writes is missing, although later acknowledged writes are present."
    )]
    [InlineData(
        1200,
        "1,200 acknowledged writes. 1,200 of them had to survive a power loss, because it was through. IoBench checked 1,200 of them, which were not overwritten later",
        " 1,200 of the checked writes are missing, although later acknowledged writes are present."
    )]
    public void Crash_verification_finding_uses_singular_and_plural(long count, string words, string order)
    {
        var crash = new IoCrashCheck
        {
            WriteCount = count,
            PromisedCount = count,
            CheckedCount = count,
            OutOfOrderCount = count,
            Promise = "it was through",
        };
        var summary = new IntegrityResult(new() { Path = "T:\\f.dat" }, new() { Crash = crash }).Summary;
        Assert.Contains($"T:\\f.dat: {words}: ", summary, StringComparison.Ordinal);
        Assert.EndsWith(order, summary);
    }

    [Theory]
    [InlineData(0, "0 I/Os failed.")]
    [InlineData(1, "1 I/O failed.")]
    [InlineData(1500, "1,500 I/Os failed.")]
    public void Drill_summary_counts_failed_IOs(long errors, string words) =>
        Assert.Contains(
            $"The longest I/O took 0.00 s, and {words} ",
            new DrillResult
            {
                Path = "T:\\f.dat",
                StartTime = default,
                DurationSeconds = 30,
                TargetIops = 100,
                ErrorCount = errors,
                Outages = [new(1, 2, OutageKind.Errors, (int)errors)],
            }.Summary
        );

    [Theory]
    [InlineData(0.5, VerdictOutcome.NotRated, FindingCodes.DrillNotRated)]
    [InlineData(20, VerdictOutcome.Fail, FindingCodes.DrillFailed)]
    public void Canceled_drill_never_passes(double outageSeconds, VerdictOutcome outcome, string code)
    {
        var result = new DrillResult
        {
            Path = "T:\\f.dat",
            StartTime = default,
            DurationSeconds = 40,
            CanceledOfSeconds = 300,
            TargetIops = 100,
            Outages = [new(1, outageSeconds, OutageKind.Errors, 1)],
        };
        Assert.Equal((outcome, code), (result.Outcome, result.Findings[0].Code));
        Assert.StartsWith("The drill was canceled after 40 of 300 s. ", result.Summary, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(ObservedLatencyVerdict.CannotCarry, FindingSeverity.Critical)]
    [InlineData(ObservedLatencyVerdict.Slower, FindingSeverity.Critical)]
    [InlineData(ObservedLatencyVerdict.WaitElsewhere, FindingSeverity.Warning)]
    [InlineData(ObservedLatencyVerdict.Storage, FindingSeverity.Info)]
    [InlineData(ObservedLatencyVerdict.Unknown, FindingSeverity.Info)]
    public void Captured_workload_finding_is_critical_for_slower_storage(ObservedLatencyVerdict verdict, FindingSeverity severity)
    {
        var finding = GetSingleFinding(
            new ObservedLatencyComparison
            {
                Workload = "own-log-write",
                ObservedMs = 2,
                MeasuredMs = 5,
                Verdict = verdict,
                Summary = "S.",
            }
        );
        Assert.Equal(
            ($"CapturedWorkload.{verdict}", severity, severity == FindingSeverity.Critical),
            (finding.Code, finding.Severity, finding.WhatToDo is not null)
        );
    }

    [Fact]
    public void Repeat_finding_contains_the_mean()
    {
        List<IoTestResult> results =
        [
            CreateRun(1, 1000, repeat: 1),
            CreateRun(1, 1010, repeat: 2),
            CreateRun(4, 3900, repeat: 1),
            CreateRun(8, 4000, repeat: 1),
            CreateRun(16, 4010, repeat: 1),
        ];
        var repeats = GetSingleFinding(RepeatSummary.Summarize(results)[0]);
        Assert.Equal(
            (FindingCodes.RepeatSpread, FindingSeverity.Info, 1005),
            (repeats.Code, repeats.Severity, GetEvidenceValue(repeats, "IOPS mean")!.Value)
        );
    }

    [Fact]
    public void Every_finding_code_is_documented()
    {
        var page = File.ReadAllText(Path.Combine(IoBench.Tests.SampleFiles.RepositoryRoot, "docs", "concepts", "reading-results.md"));
        var codes = page[page.IndexOf("\n## Findings", StringComparison.Ordinal)..];
        foreach (
            var code in typeof(FindingCodes)
                .GetFields()
                .Select(field => (string)field.GetRawConstantValue()!)
                .Where(code => code != FindingCodes.SummaryPrefix)
        )
            Assert.True(
                codes.Contains($"`{code}`", StringComparison.Ordinal)
                    || codes
                        .Split('\n')
                        .Any(line =>
                            line.StartsWith($"| `{code[..code.IndexOf('.', StringComparison.Ordinal)]}.", StringComparison.Ordinal)
                            && line.Contains($"`{code[code.IndexOf('.', StringComparison.Ordinal)..]}`", StringComparison.Ordinal)
                        )
                    || code.EndsWith('.') && codes.Contains($"`{code}` with ", StringComparison.Ordinal),
                code + " is not in docs/concepts/reading-results.md."
            );
        Assert.All(
            Enum.GetNames<CapKind>().Concat(Enum.GetNames<ObservedLatencyVerdict>()),
            name => Assert.Contains(name, codes, StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Finding_text_is_the_same_on_every_surface()
    {
        var finding = new Finding
        {
            Code = "X.Y",
            Subject = "log-commit",
            What = "log-commit is slower.",
            Severity = FindingSeverity.Critical,
            WhatToDo = "Check what changed",
        };
        Assert.Equal("critical", VerdictWords.Describe(finding));
        Assert.Equal("fail (critical)", VerdictWords.Describe(finding with { Outcome = VerdictOutcome.Fail }));
        Assert.Equal("Check what changed: log-commit is slower.", Finding.DescribeAdvice(finding));
        Assert.Equal("log-commit is slower.", Finding.DescribeAdvice(finding with { WhatToDo = null }));
        Assert.Equal("log-commit is slower.", finding.ToString());
    }
}
