using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class ScenarioSheetTests
{
    [Fact]
    public void Roles_sheet_compares_roles_alone_and_concurrent()
    {
        using var book = new Workbook(ScenarioResults.CreateRoles());

        Assert.Contains("Roles", book.GetSheetNames());
        Assert.Contains(
            "Log write latency (4KB sequential write) is 1.61 ms instead of 0.238 ms (6.8 times as high) while the tests of data and backup run.",
            book.GetText("Roles"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "log | full speed | log-commit | 4KB sequential write | L:\\iobench.dat | 4198 | 620 | -0.852",
            book.GetText("Roles"),
            StringComparison.Ordinal
        );
        var kept = book.GetCharts().Single(chart => chart.GetTitle() == "Concurrent IOPS of each role (% of its IOPS when it runs alone)");
        Assert.Equal(["backup: backup-write", "log: log-commit", "data: checkpoint", "data: page-read"], kept.GetCategories());
        Assert.Equal(620 / 4198.0 * 100, kept.GetValues()[1], 6);
        // The Summary sheet has this chart too.
        Assert.Equal(2, book.GetCharts().Count(chart => chart.GetTitle() == "Average latency, alone and concurrent"));
        Assert.Equal(
            2,
            book.GetCharts()
                .First(chart => chart.GetTitle() == "Average latency, alone and concurrent")
                .Descendants(ChartReader.ChartNs + "ser")
                .Count()
        );
        Assert.Contains("Log write latency (4KB sequential write) is 1.61 ms", book.GetText("Summary"), StringComparison.Ordinal);
        // Several workloads at once are not a mix with a known comparison value.
        Assert.DoesNotContain("Mixed I/O", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains(
            "Log write latency is 6.8 times as high while the other file roles run",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Role_that_missed_its_rate_has_no_slowdown_factor()
    {
        var results = ScenarioResults.CreateRoles();
        var paced = results[^1];
        paced.Specification!.MixLoadPercent = 50;
        paced.Targets[1].RateReachedPercent = 75;
        using var book = new Workbook(results);

        Assert.Contains("reached only 13,900 IOPS, so its response time is not rated.", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.DoesNotContain("times as long while", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Captured_workload_sheet_compares_observed_and_measured_latency()
    {
        using var book = new Workbook(ScenarioResults.CreateCapturedWorkload());

        var text = book.GetText("CapturedWorkload");
        Assert.Contains(
            "own-data-read: SQL Server observed a latency of 9.40 ms at 1,840 IOPS; this storage has a latency of 0.61 ms at the same rate. At least half of the observed latency comes from bursts",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "own-log-write | 8KB sequential write | T:\\iobench.dat | 655 | 655 | 0.9 | 3.1 | 0.29",
            text,
            StringComparison.Ordinal
        );
        // The chart is on its own sheet and in the Summary. It has both latencies of the three loads, the first load on top.
        var charts = book.GetCharts().Where(chart => chart.GetTitle() == "Average latency at the rate of the server").ToList();
        Assert.Equal(2, charts.Count);
        Assert.Equal(["own-log-write", "own-data-write", "own-data-read"], charts[0].GetCategories());
        Assert.Equal([0.9, 2.2, 9.4], charts[0].GetValues());
        // The Summary lists the most severe finding first.
        Assert.Contains(
            "Keep this load on its current storage, or choose faster storage: own-log-write",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.Matches(
            "own-log-write: SQL Server observed.*own-data-read: SQL Server observed",
            book.GetText("Summary").Split("What to do")[0]
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Captured_workload_sheet_lists_each_file()
    {
        var runs = ScenarioResults.CreateCapturedWorkload();
        Assert.DoesNotContain("each file", Text(), StringComparison.Ordinal);
        runs[0].Specification!.ObservedFiles =
        [
            new()
            {
                File = "D:\\sales.mdf",
                IOPS = 1200,
                BlockSizeKB = 24,
                LatencyMs = 10,
                BusiestIOPS = 5100,
                BusiestLatencyMs = 31,
            },
            new()
            {
                File = "D:\\hr.mdf",
                IOPS = 0.17,
                BlockSizeKB = 8,
                LatencyMs = 2,
            },
        ];

        Assert.Contains("SQL Server I/O by file", Text(), StringComparison.Ordinal);
        Assert.Contains("own-data-read | D:\\sales.mdf | 1200 | 24 | 10 | 12 | 5100 | 31", Text(), StringComparison.Ordinal);
        Assert.Contains("own-data-read | D:\\hr.mdf | 0.17 | 8 | 2 | ", Text(), StringComparison.Ordinal);

        string Text()
        {
            using var book = new Workbook(runs);
            Assert.Empty(book.FindFaults());
            return book.GetText("CapturedWorkload");
        }
    }

    [Fact]
    public void Trend_sheet_has_one_trend_per_workload_and_computer()
    {
        using var book = new Workbook(ScenarioResults.CreateFortyDays());

        var text = book.GetText("Trend");
        Assert.Contains("8 trends over 40 days: 2 worse, 6 steady.", text, StringComparison.Ordinal);
        Assert.Contains("page-read-qd1 on SQL01: worse. Over 39 days, IOPS changed gradually by -2", text, StringComparison.Ordinal);
        var chart = book.GetCharts().Last(item => item.GetTitle() == "page-read-qd1: IOPS");
        Assert.Equal(40, chart.GetCategories().Count);
        Assert.Equal("09-01", chart.GetCategories()[0]);
        // Two computers, and the trend line of the one that becomes slower.
        Assert.Equal(3, chart.Descendants(ChartReader.ChartNs + "ser").Count());
        // The Summary starts with the chart of the worst trend.
        Assert.StartsWith("page-read-qd1: ", book.GetCharts()[0].GetTitle(), StringComparison.Ordinal);
        // Worse trends come first.
        Assert.Equal(
            ["page-read-qd1: IOPS", "page-read-qd1: average latency", "log-commit: IOPS", "log-commit: average latency"],
            book.GetCharts()
                .Skip(1)
                .Select(item => item.GetTitle())
                .Where(title => title.StartsWith("log-", StringComparison.Ordinal) || title.StartsWith("page-", StringComparison.Ordinal))
        );
        Assert.Contains("8 trends over 40 days", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains("30 s per run, on 40 days.", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.DoesNotContain("Repeats", book.GetSheetNames());
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Results_of_two_days_have_no_Trend_sheet()
    {
        var runs = ScenarioResults.CreateFortyDays();
        runs.ForEach(run => run.StartTime = new DateTimeOffset(2026, 9, 1 + runs.IndexOf(run) % 2, 2, 0, 0, TimeSpan.Zero));
        using var book = new Workbook(runs);
        Assert.DoesNotContain("Trend", book.GetSheetNames());
    }

    [Theory]
    [InlineData(true, "page-write: steady after 8 rounds by the IoBench criterion, not the SNIA criterion (not preconditioned")]
    [InlineData(false, "page-write: not steady in 9 rounds by the IoBench criterion, not the SNIA criterion (not preconditioned")]
    public void Repeats_sheet_reports_whether_rounds_became_steady(bool steady, string words)
    {
        using var book = new Workbook(ScenarioResults.CreateRounds(steady));

        Assert.Contains(words, book.GetText("Repeats"), StringComparison.Ordinal);
        // The chart is in the Summary first.
        var charts = book.GetCharts().FindAll(item => item.GetTitle() == "IOPS by round");
        Assert.Equal(2, charts.Count);
        Assert.Equal(steady ? 8 : 9, charts[0].GetValues().Count);
        Assert.Equal(!steady, book.GetText("Summary").Contains("not steady in", StringComparison.Ordinal));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Repeats_chart_has_dots_without_lines_and_confidence_intervals()
    {
        List<IoTestResult> runs =
        [
            .. Enumerable
                .Range(1, 3)
                .SelectMany(repeat => ScenarioResults.AddVariation(ReportSamples.CreateSqlServerSuite(repeat: repeat), repeat)),
        ];
        using var book = new Workbook(runs);
        var chart = book.GetCharts().Single(item => item.GetTitle() == "IOPS of each run, as a percentage of the mean");

        Assert.Equal(4, chart.Descendants(ChartReader.ChartNs + "ser").Count());
        Assert.Single(chart.Descendants(ChartReader.ChartNs + "errBars"));
        Assert.All(
            chart.Descendants(ChartReader.ChartNs + "ser"),
            series =>
                Assert.NotEmpty(
                    series
                        .Element(ChartReader.ChartNs + "spPr")!
                        .Element(ChartReader.DrawingNs + "ln")!
                        .Elements(ChartReader.DrawingNs + "noFill")
                )
        );
    }

    [Fact]
    public void Chart_lines_have_a_gap_for_a_missing_day()
    {
        using var book = new Workbook(ScenarioResults.CreateFourteenDays());

        Assert.All(
            book.GetCharts(),
            chart => Assert.Equal("gap", (string?)chart.Descendants(ChartReader.ChartNs + "dispBlanksAs").Single().Attribute("val"))
        );
        var picture = SvgChart.Draw(
            new(ChartKind.Lines, "t", "x", "y")
            {
                Categories = ["1", "2", "3", "4", "5"],
                Series = [new("a", [1, 2, null, 4, 5], new("0072B2"))],
            },
            400
        );
        Assert.Equal(2, picture.Split("<polyline").Length - 1);
    }

    [Fact]
    public void Bar_charts_have_no_logarithmic_axis()
    {
        var logarithmic = new[]
        {
            ScenarioResults.CreateRoles(),
            ScenarioResults.CreateCapturedWorkload(),
            ReportSamples.CreateSqlServerSuite(),
            ScenarioResults.CreateFortyDays(),
        }
            .SelectMany(runs =>
            {
                using var book = new Workbook(runs);
                return book.GetCharts();
            })
            .Where(chart => chart.Descendants(ChartReader.ChartNs + "logBase").Any())
            .ToList();

        Assert.NotEmpty(logarithmic);
        Assert.All(logarithmic, chart => Assert.Empty(chart.Descendants(ChartReader.ChartNs + "barChart")));
    }

    [Fact]
    public void Repeats_sheet_shows_median_range_and_confidence_interval()
    {
        List<IoTestResult> runs =
        [
            .. Enumerable.Range(1, 3).SelectMany(repeat => ReportSamples.CreateSqlServerSuite(faster: 1 + 0.01 * repeat, repeat: repeat)),
        ];
        using var book = new Workbook(runs);

        // 12,172 IOPS x 1.01, 1.02, 1.03: mean and median are x 1.02; the 95% interval is +- 4.303 s / sqrt(3).
        Assert.Contains(
            "page-read-qd1 | 3 | IOPS | 12415.44 | 12293.72 | 12537.16 | 12113.07",
            book.GetText("Repeats"),
            StringComparison.Ordinal
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Summary_merges_warnings_that_differ_only_in_numbers()
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs[1].Warnings.Add("IOPS were not steady: they vary by 0.12 of their mean.");
        runs[2].Warnings.Add("IOPS were not steady: they vary by 0.31 of their mean.");
        using var book = new Workbook(runs);

        Assert.Contains(
            "page-read, oltp: IOPS were not steady: they vary by 0.12 to 0.31 of their mean.",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }
}
