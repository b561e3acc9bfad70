using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class SummarySheetTests
{
    [Fact]
    public void A_suite_is_judged_by_its_working_loads_and_names_the_rule_set()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        var text = book.Text("Summary");

        Assert.Equal("Summary", book.SheetNames()[0]);
        Assert.Contains("Good: a commit waits 0.238 ms, a page read waits 0.082 ms", text, StringComparison.Ordinal);
        Assert.Contains(
            "A commit waits | 0.238 ms | average at most 1 ms; p99 at most 3 ms (IoBench's own) | ✔ Good | flash | log-commit",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains("Mixed I/O | 112,640 per second | - | no limit | -", text, StringComparison.Ordinal);
        Assert.Contains("Scans read | 6,220 MiB/s", text, StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_percentile_that_misses_its_limit_stands_beside_the_average_that_keeps_it()
    {
        var runs = Runs.SqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").P99Ms = 4.2;
        using var book = new Workbook(runs);
        Assert.Contains(
            "A commit waits | 0.238 ms, p99 4.2 ms | average at most 1 ms; p99 at most 3 ms (IoBench's own) | ",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Tasks_have_a_row_only_where_a_test_is_about_them()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        var text = book.Text("Summary");

        Assert.Contains("Tempdb | 46,402 per second | - | no limit | - | tempdb, 4 threads x 8", text, StringComparison.Ordinal);
        Assert.Contains("Log throughput | 1,210 MiB/s", text, StringComparison.Ordinal);
        Assert.Contains("Checkpoint writes | 403 MiB/s", text, StringComparison.Ordinal);
        Assert.DoesNotContain("Backup reads", text, StringComparison.Ordinal);
        using var without = new Workbook(Runs.SqlServerSuite()[..3]);
        Assert.DoesNotContain("Tempdb", without.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_measured_scan_says_how_long_a_backup_and_CHECKDB_would_read_and_what_is_assumed()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        Assert.Contains(
            "At the measured rate of reading, a backup of 1 TB would read in about 3 minutes (at 6,220 MiB/s) and CHECKDB of 1 TB in about 3 minutes, if nothing else limits it",
            book.Text("Summary"),
            StringComparison.Ordinal
        );

        using var quick = new Workbook(Runs.SqlServerSuite(sizeMB: 256));
        Assert.DoesNotContain("1 TB", quick.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_charts_show_waits_beside_their_limits_and_MBps_and_IOPS_on_axes_of_their_own()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        var charts = book.Charts().Take(3).ToList();

        Assert.Equal(["What SQL Server waits for", "Large blocks", "Small blocks"], charts.Select(chart => chart.Title()));
        Assert.Equal(["commit, average", "commit, p99", "page read, average", "page read, p99"], charts[0].Categories());
        Assert.Equal([0.238, 0.655, 0.082, 0.14], charts[0].Values());
        // The limits are separate dashes above the columns.
        Assert.Single(charts[0].Descendants(Chart.C + "barChart"));
        Assert.Single(charts[0].Descendants(Chart.C + "lineChart"));
        Assert.Equal([1, 3], charts[0].Values(1).Take(2));
        Assert.Contains("read-ahead", charts[1].Categories());
        Assert.DoesNotContain("log-commit", charts[1].Categories());
        Assert.Contains("log-commit", charts[2].Categories());
    }

    [Fact]
    public void A_saturating_test_is_never_rated()
    {
        using var book = new Workbook(Runs.ThreeFiles());
        var text = book.Text("Summary");

        // A stall is rated at any load, because SQL Server reports I/Os of 15 s or more.
        Assert.Contains("Bad: longest stall 58.8 s", text, StringComparison.Ordinal);
        Assert.Contains("Longest stall | 58.8 s | at most 15 s, a warning from 1,000 ms on | ✘ Bad", text, StringComparison.Ordinal);
        Assert.DoesNotContain("waits", text, StringComparison.Ordinal);
        Assert.Contains("SQLIO cuts average latency", text, StringComparison.Ordinal);
    }

    [Theory]
    [InlineData(256, 30)]
    [InlineData(20480, 3)]
    public void A_quick_look_is_not_rated(double sizeMB, double seconds)
    {
        using var book = new Workbook(Runs.SqlServerSuite(sizeMB: sizeMB, seconds: seconds));
        var text = book.Text("Summary");

        Assert.StartsWith("Not rated: a quick look", text.Split('\n')[1], StringComparison.Ordinal);
        Assert.DoesNotContain("Good", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_warning_of_a_quick_look_is_heard()
    {
        var results = Runs.SqlServerSuite();
        results.ForEach(run =>
            run.AddWarning(new IoWarning(WarningCodes.QuickLook, "T:\\iobench.dat is 20 GB because of the free space."))
        );
        using var book = new Workbook(results);

        Assert.StartsWith("Not rated: a quick look", book.Text("Summary").Split('\n')[1], StringComparison.Ordinal);
    }

    [Fact]
    public void A_slow_log_is_bad_and_says_what_to_do()
    {
        var results = Runs.SqlServerSuite();
        results.Single(run => run.Workload == "log-commit").AverageLatencyMs = 6.2;
        using var book = new Workbook(results);
        var text = book.Text("Summary");

        Assert.Contains(
            "Bad: a commit waits 6.2 ms (limit 1 ms: above the 5 ms for logs that are quoted of Microsoft, within its 15 ms for any file) (rule set flash).",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains("check the log volume's write cache", text, StringComparison.Ordinal);
    }

    [Fact]
    public void A_house_rule_missed_is_to_watch()
    {
        var results = Runs.SqlServerSuite();
        results.Single(run => run.Workload == "log-commit").P99Ms = 4;
        using var book = new Workbook(results);

        Assert.Contains("! Watch | flash | log-commit", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Another_rule_set_judges_by_its_own_limits()
    {
        var results = Runs.SqlServerSuite();
        results.Single(run => run.Workload == "log-commit").AverageLatencyMs = 4;
        using var book = new Workbook(results, new() { RuleSet = "ms-2005" });

        Assert.Contains("A commit waits | 4 ms | average at most 5 ms | ✔ Good | ms-2005", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Equal(
            "IoBench.UnknownRuleSet",
            Assert.Throws<IoBenchException>(() => Report.Write(Stream.Null, "report.xlsx", results, new() { RuleSet = "nobody" })).ErrorId
        );
    }

    [Fact]
    public void Repeats_are_averaged_and_said()
    {
        var results = Enumerable.Range(1, 3).SelectMany(repeat => Runs.SqlServerSuite(repeat: repeat)).ToList();
        foreach (var run in results.Where(run => run.Workload == "log-commit"))
            run.AverageLatencyMs = 0.1 + run.Repeat * 0.1;
        using var book = new Workbook(results);

        Assert.Contains(
            ": mean of 3",
            book.Text("Summary").Split('\n').Single(line => line.StartsWith("A commit waits | 0.3 ms", StringComparison.Ordinal)),
            StringComparison.Ordinal
        );
        Assert.Contains("A commit waits | 0.3 ms", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("up to 3 repeats", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void The_summary_can_be_left_out()
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true });

        Assert.Equal("Results", book.SheetNames()[0]);
        Assert.DoesNotContain("Summary", book.SheetNames());
    }

    [Fact]
    public void At_most_three_things_to_do()
    {
        var results = Runs.SqlServerSuite(faster: 0.02);
        results.ForEach(run => run.IopsStdDev = run.IOPS / 2);
        results[1].Status = IoResultStatus.Failed;
        using var book = new Workbook(results);
        var lines = book.Text("Summary").Split('\n').ToList();

        Assert.InRange(lines.IndexOf("Findings, the most severe first") - lines.IndexOf("What to do") - 1, 1, 3);
    }
}
