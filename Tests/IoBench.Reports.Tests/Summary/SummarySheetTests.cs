using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SummarySheetTests
{
    [Fact]
    public void Suite_is_rated_by_its_low_load_tests_and_names_the_rule_set()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        var text = book.GetText("Summary");

        Assert.Equal("Summary", book.GetSheetNames()[0]);
        Assert.Contains(
            "PASS (rule sets flash, hard-limits): average log write latency 0.238 ms (QD1), average page read latency 0.082 ms (QD1)",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "Average log write latency | 0.238 ms | average at most 1 ms; p99 at most 3 ms (IoBench) | ✔ pass | flash | log-commit",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains("Mixed I/O | 112,640 IOPS | - | no limit | -", text, StringComparison.Ordinal);
        Assert.Contains("Scan throughput | 6,220 MiB/s", text, StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Failed_percentile_is_shown_next_to_the_passed_average()
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").P99Ms = 4.2;
        using var book = new Workbook(runs);
        Assert.Contains(
            "Average log write latency | 0.238 ms, p99 4.2 ms | average at most 1 ms; p99 at most 3 ms (IoBench) | ! pass (warning) | ",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Summary_metrics_have_a_row_only_when_tested()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        var text = book.GetText("Summary");

        Assert.Contains("Tempdb | 46,402 IOPS | - | no limit | - | tempdb, 4 threads x 8", text, StringComparison.Ordinal);
        Assert.Contains("Log throughput | 1,210 MiB/s", text, StringComparison.Ordinal);
        Assert.Contains("Checkpoint writes | 403 MiB/s", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Backup reads", text, StringComparison.Ordinal);
        using var without = new Workbook(ReportSamples.CreateSqlServerSuite()[..3]);
        Assert.DoesNotContain("Tempdb", without.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Scan_result_estimates_backup_and_CHECKDB_times()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        Assert.Contains(
            "At the measured read throughput, a backup reads 1 TB in about 3 minutes (at 6,220 MiB/s) and CHECKDB reads 1 TB in about 3 minutes, if nothing else limits the reads",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );

        using var quick = new Workbook(ReportSamples.CreateSqlServerSuite(sizeMB: 256));
        Assert.DoesNotContain("1 TB", quick.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Summary_charts_show_latencies_with_limits_MBps_and_IOPS()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        var charts = book.GetCharts().Take(3).ToList();

        Assert.Equal(["Latency at low load", "Large blocks", "Small blocks"], charts.Select(chart => chart.GetTitle()));
        Assert.Equal(["log write, average", "log write, p99", "page read, average", "page read, p99"], charts[0].GetCategories());
        Assert.Equal([0.238, 0.655, 0.082, 0.14], charts[0].GetValues());
        // The limits are separate dashes above the columns.
        Assert.Single(charts[0].Descendants(ChartReader.ChartNs + "barChart"));
        Assert.Single(charts[0].Descendants(ChartReader.ChartNs + "lineChart"));
        Assert.Equal([1, 3], charts[0].GetValues(1).Take(2));
        Assert.Contains("read-ahead", charts[1].GetCategories());
        Assert.DoesNotContain("log-commit", charts[1].GetCategories());
        Assert.Contains("log-commit", charts[2].GetCategories());
    }

    [Fact]
    public void Latency_of_a_saturation_test_is_not_rated()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles());
        var text = book.GetText("Summary");

        // The longest I/O is rated at any load, because SQL Server reports I/Os of 15 s or more.
        Assert.Contains("FAIL (critical; rule set hard-limits): longest I/O 58.82 s; limit 15 s.", text, StringComparison.Ordinal);
        Assert.Contains("Longest I/O | 58.82 s | at most 15 s, warning from 1 s | ✘ fail (critical)", text, StringComparison.Ordinal);
        Assert.DoesNotContain("waits", text, StringComparison.Ordinal);
        Assert.Contains("SQLIO truncates average latency", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(256, 30)]
    [InlineData(20480, 3)]
    public void Preliminary_test_gets_only_a_preliminary_verdict(double sizeMB, double seconds)
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(sizeMB: sizeMB, seconds: seconds));
        var text = book.GetText("Summary");

        Assert.StartsWith("PRELIMINARY PASS (rule sets flash, hard-limits): ", text.Split('\n')[1], StringComparison.Ordinal);
        Assert.DoesNotContain("✔ pass", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Preliminary_test_warning_makes_the_verdict_preliminary()
    {
        var results = ReportSamples.CreateSqlServerSuite();
        results.ForEach(run =>
            run.AddWarning(new IoWarning(WarningCodes.QuickLook, "T:\\iobench.dat is 20 GB because of the free space."))
        );
        using var book = new Workbook(results);

        Assert.StartsWith(
            "PRELIMINARY PASS (rule sets flash, hard-limits): ",
            book.GetText("Summary").Split('\n')[1],
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Slow_log_fails_with_advice()
    {
        var results = ReportSamples.CreateSqlServerSuite();
        results.Single(run => run.Workload == "log-commit").AverageLatencyMs = 6.2;
        using var book = new Workbook(results);
        var text = book.GetText("Summary");

        Assert.Contains(
            "FAIL (critical; rule sets flash, hard-limits): average log write latency 6.2 ms (QD1); limit 1 ms (flash). The value is above Microsoft's 5 ms for logs, within its 15 ms for any file.",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains("check the write cache of the log volume", text, StringComparison.Ordinal);
    }

    [Fact]
    public void Failed_IoBench_limit_is_a_warning()
    {
        var results = ReportSamples.CreateSqlServerSuite();
        results.Single(run => run.Workload == "log-commit").P99Ms = 4;
        using var book = new Workbook(results);

        Assert.Contains("! pass (warning) | flash | log-commit", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Selected_rule_set_applies_its_own_limits()
    {
        var results = ReportSamples.CreateSqlServerSuite();
        results.Single(run => run.Workload == "log-commit").AverageLatencyMs = 4;
        using var book = new Workbook(results, new() { RuleSet = "ms-2005" });

        Assert.Contains(
            "Average log write latency | 4 ms | average at most 5 ms | ✔ pass | ms-2005",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.Equal(
            "IoBench.UnknownRuleSet",
            Assert.Throws<IoBenchException>(() => Report.Write(Stream.Null, "report.xlsx", results, new() { RuleSet = "nobody" })).ErrorId
        );
    }

    [Fact]
    public void Repeats_are_averaged_and_counted()
    {
        var results = Enumerable.Range(1, 3).SelectMany(repeat => ReportSamples.CreateSqlServerSuite(repeat: repeat)).ToList();
        foreach (var run in results.Where(run => run.Workload == "log-commit"))
            run.AverageLatencyMs = 0.1 + run.Repeat * 0.1;
        using var book = new Workbook(results);

        Assert.Contains(
            ": mean of 3 runs",
            book.GetText("Summary")
                .Split('\n')
                .Single(line => line.StartsWith("Average log write latency | 0.3 ms", StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
        Assert.Contains("Average log write latency | 0.3 ms", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains("up to 3 repeats", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Summary_can_be_omitted()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true });

        Assert.Equal("Results", book.GetSheetNames()[0]);
        Assert.DoesNotContain("Summary", book.GetSheetNames());
    }

    [Fact]
    public void Summary_lists_at_most_three_actions()
    {
        var results = ReportSamples.CreateSqlServerSuite(faster: 0.02);
        results.ForEach(run => run.IopsStdDev = run.IOPS / 2);
        results[1].Status = IoResultStatus.Failed;
        using var book = new Workbook(results);
        var lines = book.GetText("Summary").Split('\n').ToList();

        Assert.InRange(lines.IndexOf("Findings, by severity") - lines.IndexOf("What to do") - 1, 1, 3);
    }
}
