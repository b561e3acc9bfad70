using IoBench.Engine;
using IoBench.Formats;

namespace IoBench.Analysis.Tests;

public class ComparisonResultTests
{
    private static IoTestResult CreateRun(
        double iops,
        string? label = null,
        double size = 20480,
        int outstanding = 8,
        double block = 8,
        string source = IoTestResult.OwnSource,
        string path = "T:\\iobench.dat",
        string? workload = "page-read"
    ) =>
        new()
        {
            Source = source,
            Label = label,
            Workload = workload,
            IOPattern = $"{block}KB random read",
            BlockSizeKB = block,
            AccessPattern = IoAccessPattern.Random,
            WritePercent = 0,
            Operation = IoOperation.Read,
            ThreadCount = 4,
            OutstandingIO = outstanding,
            TotalOutstanding = 4 * outstanding,
            FileSizeMB = size,
            Path = path,
            LoadModel = IoLoadModel.Closed,
            Buffering = IoBuffering.None,
            IOPS = iops,
            BandwidthMBps = iops * block / 1024,
            AverageLatencyMs = 4 * outstanding / iops * 1000,
            LittlesLawLatencyMs = 4 * outstanding / iops * 1000,
            P99Ms = 3 * 4 * outstanding / iops * 1000,
        };

    /// <summary>Three equal runs, because single runs of one test have no verdict.</summary>
    private static IoTestResult[] Repeat(Func<IoTestResult> create) => [create(), create(), create()];

    [Fact]
    public void Single_runs_of_few_tests_are_inconclusive()
    {
        var row = Assert.Single(ComparisonResult.Compare([CreateRun(1000)], [CreateRun(500)]).Rows);
        Assert.Equal(ComparisonVerdict.Inconclusive, row.Verdict);
        Assert.Equal((1000, 500, "IOPS"), (row.Before!.Value, row.After!.Value, row.Unit));
        Assert.Equal(-50, row.ChangePercent!.Value, 6);
        Assert.Equal(
            "page-read: inconclusive compared with the baseline: IOPS -50%; with only one baseline run and one current run, IoBench cannot distinguish this change from chance, so repeat each test 3 times",
            row.Findings[0].What
        );
    }

    [Theory]
    [InlineData(99.5, "99.5")]
    [InlineData(705.667, "706")]
    [InlineData(4004.4, "4,004")]
    public void Rate_of_100_or_more_has_no_decimals(double iops, string text)
    {
        var row = Assert.Single(ComparisonResult.Compare([CreateRun(iops)], [CreateRun(50)]).Rows);
        Assert.Equal(text, row.FormatValue(row.Before));
    }

    [Fact]
    public void Before_and_after_are_the_means_of_which_the_change_is_calculated()
    {
        var row = ComparisonResult
            .Compare([CreateRun(1000), CreateRun(1100), CreateRun(1020)], [CreateRun(700), CreateRun(750), CreateRun(760)])
            .Rows[0];
        Assert.Equal((1040, 2210 / 3.0), (row.Before!.Value, row.After!.Value));
        Assert.Equal((row.After!.Value / row.Before!.Value - 1) * 100, row.ChangePercent!.Value, 6);
        Assert.Equal(row.Before, RepeatSummary.Summarize([CreateRun(1000), CreateRun(1100), CreateRun(1020)])[0].IOPS);
    }

    [Fact]
    public void Interval_of_very_different_runs_is_finite()
    {
        var row = ComparisonResult.Compare([CreateRun(1), CreateRun(1e9)], [CreateRun(5), CreateRun(1e12)]).Rows[0];
        Assert.Equal(ComparisonVerdict.Inconclusive, row.Verdict);
        Assert.True(double.IsFinite(row.ChangeLowPercent!.Value) && double.IsFinite(row.ChangeHighPercent!.Value));
    }

    [Fact]
    public void Two_busy_runs_per_side_are_inconclusive()
    {
        IoTestResult Busy(double iops)
        {
            var run = CreateRun(iops);
            run.ProcessorWaitPercent = 8;
            return run;
        }
        var row = ComparisonResult.Compare([Busy(1000), Busy(1000)], [Busy(500), Busy(500)]).Rows[0];
        Assert.Equal(
            (ComparisonVerdict.Inconclusive, "worker threads waited for a CPU, so repeat each test 3 times"),
            (row.Verdict, row.Reason)
        );
        Assert.Equal(ComparisonVerdict.Worse, ComparisonResult.Compare(Repeat(() => Busy(1000)), Repeat(() => Busy(500))).Rows[0].Verdict);
    }

    [Fact]
    public void Metric_that_does_not_decide_has_no_verdict()
    {
        var row = Assert.Single(ComparisonResult.Compare([CreateRun(1000)], [CreateRun(800)]).Rows);
        Assert.All(
            row.Metrics.Where(metric => metric.Metric is "BandwidthMBps" or "AverageLatencyMs"),
            metric => Assert.Equal(ComparisonVerdict.Inconclusive, metric.Verdict)
        );
        Assert.Equal(-20, row.Metrics.Single(metric => metric.Metric == "BandwidthMBps").ChangePercent!.Value, 6);
    }

    [Fact]
    public void Repeats_show_a_change_only_above_5_percent()
    {
        IoTestResult[] Around(double centre) => [.. Enumerable.Range(-2, 5).Select(i => CreateRun(centre + i))];
        Assert.Equal(ComparisonVerdict.Worse, ComparisonResult.Compare(Around(1000), Around(930)).Rows[0].Verdict);
        Assert.Equal(ComparisonVerdict.NoDetectableChange, ComparisonResult.Compare(Around(1000), Around(960)).Rows[0].Verdict);
    }

    [Fact]
    public void Tests_without_a_counterpart_are_listed()
    {
        var result = ComparisonResult.Compare([CreateRun(1000), CreateRun(500, block: 64, workload: "extent-read")], [CreateRun(1000)]);
        Assert.Single(result.Rows);
        Assert.Contains("extent-read", Assert.Single(result.Unmatched));
        Assert.Equal(
            "IoBench.NothingToCompare",
            Assert.Throws<IoBenchException>(() => ComparisonResult.Compare([CreateRun(1000)], [CreateRun(1000, outstanding: 1)])).ErrorId
        );
        Assert.Equal(
            "IoBench.NothingToCompare",
            Assert.Throws<IoBenchException>(() => ComparisonResult.Compare([], [CreateRun(1000)])).ErrorId
        );
    }

    [Fact]
    public void Tests_without_a_counterpart_are_listed_in_one_line_per_reason()
    {
        IoTestResult Run(string workload, double block) =>
            new()
            {
                Status = IoResultStatus.Complete,
                Workload = workload,
                IOPattern = $"{block}KB random read",
                BlockSizeKB = block,
                ThreadCount = 1,
                OutstandingIO = 1,
                IOPS = 100,
            };
        var result = ComparisonResult.Compare(
            [Run("a", 8), Run("b", 16), Run("c", 32), Run("d", 64), Run("e", 128)],
            [Run("a", 8), Run("f", 4)],
            "old",
            "new"
        );
        Assert.Equal(["4 tests are only in old (b, c, d and 1 more)", "f: 4KB random read, 1 thread x 1 is only in new"], result.Unmatched);
    }

    [Fact]
    public void File_size_sweep_is_matched_by_file_size()
    {
        var result = ComparisonResult.Compare(
            [CreateRun(2000, size: 256), CreateRun(1000, size: 2048)],
            [CreateRun(1000, size: 2048), CreateRun(2000, size: 256)]
        );
        Assert.Equal(2, result.Rows.Count);
        Assert.All(result.Rows, row => Assert.Equal(0, row.IopsChangePercent));
        Assert.Empty(result.Warnings);
    }

    [Fact]
    public void Different_file_sizes_and_tools_have_warnings()
    {
        var warnings = ComparisonResult
            .Compare([CreateRun(1000, source: SqlioFormat.Source, workload: null)], [CreateRun(4000, size: 256)])
            .Warnings;
        Assert.Contains(warnings, w => w.Contains("file sizes differ", StringComparison.Ordinal));
        Assert.Contains(warnings, w => w.Contains("tools differ", StringComparison.Ordinal));
        Assert.Contains(warnings, w => w.Contains("Little's law", StringComparison.Ordinal));
    }

    [Fact]
    public void SQLIO_latency_is_compared_by_Littles_law()
    {
        var old = CreateRun(1000, source: SqlioFormat.Source);
        old.AverageLatencyMs = 30; // cut; 32 by Little's law
        var row = ComparisonResult.Compare([old], [CreateRun(1000)]).Rows[0];
        Assert.Equal(0, row.LatencyChangePercent!.Value, 9);
        Assert.DoesNotContain(row.Metrics, m => m.Metric is "AverageLatencyMs" or "P99Ms");
    }

    [Fact]
    public void Results_are_compared_by_label()
    {
        var sides = ComparisonResult.CompareBy(
            [CreateRun(1000, "Old"), CreateRun(2000, "New"), CreateRun(3000, "Newer")],
            r => r.Label,
            "Label",
            "old"
        );
        Assert.Equal(["New", "Newer"], sides.Select(s => s.Label));
        Assert.Contains(
            "Old, New",
            Assert
                .Throws<IoBenchException>(() =>
                    ComparisonResult.CompareBy([CreateRun(1, "Old"), CreateRun(2, "New")], r => r.Label, "Label", "none")
                )
                .Message
        );
    }

    [Fact]
    public void Results_are_compared_by_any_property()
    {
        var sides = ComparisonResult.CompareBy([CreateRun(1000, path: "E:\\f"), CreateRun(2000, path: "F:\\f")], r => r.Path, "Path");
        Assert.Equal("E:\\f", Assert.Single(sides).BaselineLabel);
        Assert.Contains(
            "A comparison requires at least two different values",
            Assert
                .Throws<IoBenchException>(() => ComparisonResult.CompareBy([CreateRun(1000), CreateRun(1001)], r => r.Path, "Path"))
                .Message
        );
        Assert.Equal(
            "IoBench.NothingToCompare",
            Assert.Throws<IoBenchException>(() => ComparisonResult.CompareBy([], r => r.Path, "Path")).ErrorId
        );
    }

    [Theory]
    [InlineData("2.0.21a", "2.2", 8, true)]
    [InlineData("2.1.0", "2.2", 8, true)]
    [InlineData("2.2", "2.10", 8, false)]
    [InlineData("2.0.21a", "2.2", 1, false)]
    [InlineData(null, "2.2", 8, false)]
    public void DiskSpd_2_2_compared_with_older_versions_has_a_warning_above_QD1(string? older, string newer, int outstanding, bool warned)
    {
        var (a, b) = (
            CreateRun(1000, source: DiskSpdFormat.Source, outstanding: outstanding),
            CreateRun(1000, source: DiskSpdFormat.XmlSource, outstanding: outstanding)
        );
        (a.ToolVersion, b.ToolVersion) = (older, newer);
        Assert.Equal(warned, ComparisonResult.Compare([a], [b]).Warnings.Any(w => w.Contains("DiskSpd 2.2", StringComparison.Ordinal)));
    }

    [Fact]
    public void Comparability_warning_covers_later_repeats()
    {
        var (a, b, c) = (CreateRun(1000), CreateRun(1001), CreateRun(1002));
        a.WritePercent = b.WritePercent = c.WritePercent = 100;
        (a.Backend, b.Backend, c.Backend) = ("IoUring", "IoUring", "Overlapped");
        Assert.StartsWith("writes on Windows", Assert.Single(ComparisonResult.Compare([a], [b, c]).Warnings), StringComparison.Ordinal);
    }

    public static TheoryData<string, Action<IoTestResult>, Action<IoTestResult>> Unfair =>
        new()
        {
            { "file sizes differ (20480 and 256 MB)", _ => { }, b => b.FileSizeMB = 256 },
            { "buffering differs (None and Software)", _ => { }, b => b.Buffering = IoBuffering.Software },
            { "load models differ (Closed and Open loop)", _ => { }, b => b.LoadModel = IoLoadModel.Open },
            {
                "target rates differ (200 and 400 IOPS)",
                a => (a.LoadModel, a.TargetIops) = (IoLoadModel.Open, 200),
                b => (b.LoadModel, b.TargetIops) = (IoLoadModel.Open, 400)
            },
            { "computers differ (SQL1 and SQL2)", a => a.ComputerName = "SQL1", b => b.ComputerName = "SQL2" },
            { "durations differ (30 and 5 s)", a => a.DurationSeconds = 30, b => b.DurationSeconds = 5 },
            {
                "storage cache sizes differ (8GB and 64GB)",
                a => a.Specification = new() { StorageCacheSize = 8L << 30 },
                b => b.Specification = new() { StorageCacheSize = 64L << 30 }
            },
            {
                "changed between baseline and current results: Kernel: 6.1 -> 6.12",
                a => a.Host["Kernel"] = "6.1",
                b => b.Host["Kernel"] = "6.12"
            },
            { "tools differ (DiskSpd and IoBench)", a => a.Source = DiskSpdFormat.XmlSource, _ => { } },
            { "SQLIO truncates its average latency", a => a.Source = SqlioFormat.Source, b => b.Source = SqlioFormat.Source },
            {
                "writes on Windows (write-through) and on Linux",
                a => (a.WritePercent, a.Backend) = (30, "Overlapped"),
                b => (b.WritePercent, b.Backend) = (30, "IoUring")
            },
            {
                "writes on Windows (write-through) and on Linux",
                a =>
                {
                    a.WritePercent = 30;
                    a.Host["Operating system"] = "Microsoft Windows 10.0.26100";
                },
                b =>
                {
                    b.WritePercent = 30;
                    b.Host["Operating system"] = "Debian GNU/Linux 12";
                }
            },
        };

    [Theory]
    [MemberData(nameof(Unfair))]
    public void Comparability_warning_names_the_difference(string warning, Action<IoTestResult> baseline, Action<IoTestResult> current)
    {
        var (a, b) = (CreateRun(1000), CreateRun(1000));
        baseline(a);
        current(b);
        Assert.StartsWith(warning, Assert.Single(ComparisonResult.Compare([a], [b]).Warnings), StringComparison.Ordinal);
        Assert.Empty(ComparisonResult.Compare([CreateRun(1000)], [CreateRun(1000)]).Warnings);
    }

    [Fact]
    public void Runs_without_results_are_listed_as_left_out()
    {
        var (empty, cancelled) = (CreateRun(1000, block: 64), CreateRun(1000, block: 4));
        empty.IOPS = null;
        cancelled.Status = IoResultStatus.Cancelled;
        var result = ComparisonResult.Compare([CreateRun(1000), empty], [CreateRun(1000), cancelled]);
        Assert.Equal(["64KB random read is ignored: it has no IOPS", "4KB random read is ignored: Cancelled"], result.Unmatched);
    }

    [Fact]
    public void Open_loop_is_compared_by_response_time()
    {
        var (a, b) = (CreateRun(200), CreateRun(200));
        a.LoadModel = b.LoadModel = IoLoadModel.Open;
        (a.ResponseP99Ms, b.ResponseP99Ms) = (5, 50);
        var row = ComparisonResult.Compare([a, a, a], [b, b, b]).Rows[0];
        Assert.Equal(ComparisonVerdict.Worse, row.Verdict);
        Assert.Equal(900, row.Metrics.Single(m => m.Metric == "ResponseP99Ms").ChangePercent!.Value, 6);
    }

    [Fact]
    public void Deciding_metric_has_its_change_and_confidence_interval()
    {
        var row = ComparisonResult.Compare(Repeat(() => CreateRun(1000)), Repeat(() => CreateRun(800)), "before").Rows[0];
        Assert.Equal("IOPS", row.DecidingMetric);
        Assert.Equal(-20, row.ChangePercent!.Value, 6);
        Assert.InRange(row.ChangeLowPercent!.Value, -35, -21);
        Assert.InRange(row.ChangeHighPercent!.Value, -15, -1);
        Assert.StartsWith("page-read: worse than before: IOPS -20% (-", row.Findings[0].What, StringComparison.Ordinal);
    }

    [Fact]
    public void Slower_p99_decides_only_beyond_its_own_error()
    {
        IoTestResult Tail(double iops, double factor)
        {
            var run = CreateRun(iops);
            run.P99Ms *= factor;
            return run;
        }
        Assert.Equal(
            ("P99Ms", ComparisonVerdict.Worse),
            Decided(ComparisonResult.Compare(Repeat(() => CreateRun(1000)), Repeat(() => Tail(1200, 5))))
        );
        // With consistent repeats, 40% is enough.
        Assert.Equal(
            ("P99Ms", ComparisonVerdict.Worse),
            Decided(
                ComparisonResult.Compare(
                    [CreateRun(1000), CreateRun(1001), CreateRun(999)],
                    [Tail(1000, 1.4), Tail(1001, 1.42), Tail(1002, 1.38)]
                )
            )
        );

        static (string?, ComparisonVerdict) Decided(ComparisonResult result) => (result.Rows[0].DecidingMetric, result.Rows[0].Verdict);
    }

    [Fact]
    public void Error_of_a_p99_is_computed_from_its_histogram()
    {
        var run = CreateRun(100);
        run.DurationSeconds = 10;
        run.Histogram = new()
        {
            Buckets =
            [
                new()
                {
                    FromMs = 0.9,
                    ToMs = 1,
                    Percent = 98.5,
                },
                new()
                {
                    FromMs = 10,
                    ToMs = 100,
                    Percent = 1.5,
                },
            ],
        };
        // 1,000 I/Os: one standard error of the rank is 0.31%, from 98.69% to 99.31%, which is 21 ms to 59 ms.
        Assert.Equal(Math.Log(58.9 / 21.1) / 2, Math.Sqrt(PatternChange.EstimateP99Variance(run)), 1);
        run.Histogram = null;
        Assert.Equal(0, PatternChange.EstimateP99Variance(run));
    }

    [Fact]
    public void Missed_target_rate_is_compared_by_the_achieved_rate()
    {
        var (a, b) = (CreateRun(2000), CreateRun(929));
        (a.LoadModel, b.LoadModel) = (IoLoadModel.Open, IoLoadModel.Open);
        (a.TargetIops, b.TargetIops, a.ResponseAverageMs, b.ResponseAverageMs) = (2000, 2000, 0.5, 1157);
        (a.ResponseP99Ms, b.ResponseP99Ms) = (1, 2000);
        foreach (var (left, right, side) in new[] { (a, b, "the current results"), (b, a, "the baseline") })
        {
            var row = ComparisonResult.Compare([left], [right]).Rows[0];
            Assert.Equal("IOPS", row.DecidingMetric);
            Assert.Contains(
                $"{side} did not reach the target rate (the achieved rate was 929 of 2,000 IOPS), so IoBench compares the IOPS, but not the latency",
                row.Warnings
            );
        }
        b.IOPS = 1990;
        b.ResponseAverageMs = 0.8;
        Assert.Equal("ResponseAverageMs", ComparisonResult.Compare([a], [b]).Rows[0].DecidingMetric);
    }

    [Theory]
    [InlineData("nofile.json", null, "The file 'nofile.json' does not exist, and no result has a Label. Check the name of the file.")]
    [InlineData(
        "old/night",
        "A",
        "The file 'old/night' does not exist, and no result has the Label 'old/night' (existing values: A). Check the name of the file."
    )]
    [InlineData("old", null, "No result has a Label.")]
    [InlineData("old", "A", "No result has the Label 'old' (existing values: A).")]
    public void Error_for_an_unknown_baseline_mentions_a_file_if_it_looks_like_one(string name, string? label, string message)
    {
        var run = CreateRun(1000);
        run.Label = label;
        Assert.Equal(
            message,
            Assert.Throws<IoBenchException>(() => ComparisonResult.CompareBy([run], r => r.Label, "Label", name)).Message
        );
    }
}
