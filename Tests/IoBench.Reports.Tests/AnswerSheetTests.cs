using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class AnswerSheetTests
{
    [Fact]
    public void Roles_stand_alone_and_together_with_the_commit_first()
    {
        using var book = new Workbook(AnswerRuns.Roles());

        Assert.Contains("Roles", book.SheetNames());
        Assert.Contains(
            "A commit (4KB sequential write) waits 1.61 ms instead of 0.238 ms while data and backup run (6.8 times).",
            book.Text("Roles"),
            StringComparison.Ordinal
        );
        Assert.Contains(
            "log | full speed | log-commit | 4KB sequential write | L:\\iobench.dat | 4198 | 620 | -0.852",
            book.Text("Roles"),
            StringComparison.Ordinal
        );
        var kept = book.Charts().Single(chart => chart.Title() == "What each role keeps of its I/Os per second (%)");
        Assert.Equal(["backup: backup-write", "log: log-commit", "data: checkpoint", "data: page-read"], kept.Categories());
        Assert.Equal(620 / 4198.0 * 100, kept.Values()[1], 6);
        // The Summary sheet has this chart too.
        Assert.Equal(2, book.Charts().Count(chart => chart.Title() == "Average latency, alone and together"));
        Assert.Equal(
            2,
            book.Charts().First(chart => chart.Title() == "Average latency, alone and together").Descendants(Chart.C + "ser").Count()
        );
        Assert.Contains("A commit (4KB sequential write) waits 1.61 ms", book.Text("Summary"), StringComparison.Ordinal);
        // Several workloads at once are not a mix with a known comparison value.
        Assert.DoesNotContain("Mixed I/O", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("a commit waits 6.8 times as long while the other roles run", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_role_that_missed_its_rate_in_a_paced_mix_is_told_without_a_factor()
    {
        var results = AnswerRuns.Roles();
        var paced = results[^1];
        paced.Specification!.MixLoadPercent = 50;
        paced.Targets[1].RateReachedPercent = 75;
        using var book = new Workbook(results);

        Assert.Contains(
            "missed its rate: 13,900 IOPS came. This storage does not carry that mix, and its response time says nothing more: separate the roles, or plan for a smaller share of each.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
        Assert.DoesNotContain("times as long while", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_servers_own_load_stands_beside_what_this_storage_gives()
    {
        using var book = new Workbook(AnswerRuns.OwnLoad());

        var text = book.Text("OwnLoad");
        Assert.Contains(
            "own-data-read: SQL Server waited 9.40 ms at 1,840 IOPS; this storage gives 0.61 ms at that rate: the greater part of the wait comes from bursts",
            text,
            StringComparison.Ordinal
        );
        Assert.Contains(
            "own-log-write | 8KB sequential write | T:\\iobench.dat | 655 | 655 | 0.9 | 3.1 | 0.29",
            text,
            StringComparison.Ordinal
        );
        // The chart is on its own sheet and in the Summary. It has both latencies of the three loads, the first load on top.
        var charts = book.Charts().Where(chart => chart.Title() == "Average latency at the server's own rate").ToList();
        Assert.Equal(2, charts.Count);
        Assert.Equal(["own-log-write", "own-data-write", "own-data-read"], charts[0].Categories());
        Assert.Equal([0.9, 2.2, 9.4], charts[0].Values());
        // The Summary lists the most severe finding first.
        Assert.Contains(
            "Leave that load where it is, or choose faster storage: own-log-write",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
        Assert.Matches("own-log-write: SQL Server waited.*own-data-read: SQL Server waited", book.Text("Summary").Split("What to do")[0]);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_servers_own_load_is_told_of_each_file()
    {
        var runs = AnswerRuns.OwnLoad();
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

        Assert.Contains("What SQL Server did to each file", Text(), StringComparison.Ordinal);
        Assert.Contains("own-data-read | D:\\sales.mdf | 1200 | 24 | 10 | 12 | 5100 | 31", Text(), StringComparison.Ordinal);
        Assert.Contains("own-data-read | D:\\hr.mdf | 0.17 | 8 | 2 | ", Text(), StringComparison.Ordinal);

        string Text()
        {
            using var book = new Workbook(runs);
            Assert.Empty(book.Faults());
            return book.Text("OwnLoad");
        }
    }

    [Fact]
    public void Nights_have_a_trend_a_workload_and_computer()
    {
        using var book = new Workbook(AnswerRuns.Nights());

        var text = book.Text("Trend");
        Assert.Contains("8 trends over 40 days: 2 worse, 6 steady.", text, StringComparison.Ordinal);
        Assert.Contains("page-read-qd1 on SQL01: worse: IOPS changed by -2", text, StringComparison.Ordinal);
        var chart = book.Charts().Last(item => item.Title() == "page-read-qd1: IOPS");
        Assert.Equal(40, chart.Categories().Count);
        Assert.Equal("09-01", chart.Categories()[0]);
        // Two computers, and the trend line of the one that becomes slower.
        Assert.Equal(3, chart.Descendants(Chart.C + "ser").Count());
        // The Summary starts with the chart of the worst trend.
        Assert.StartsWith("page-read-qd1: ", book.Charts()[0].Title(), StringComparison.Ordinal);
        // Worse trends come first.
        Assert.Equal(
            ["page-read-qd1: IOPS", "page-read-qd1: average latency", "log-commit: IOPS", "log-commit: average latency"],
            book.Charts()
                .Skip(1)
                .Select(item => item.Title())
                .Where(title => title.StartsWith("log-", StringComparison.Ordinal) || title.StartsWith("page-", StringComparison.Ordinal))
        );
        Assert.Contains("8 trends over 40 days", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("30 s per run, on 40 days.", book.Text("Summary"), StringComparison.Ordinal);
        Assert.DoesNotContain("Repeats", book.SheetNames());
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_day_is_no_history()
    {
        var runs = AnswerRuns.Nights();
        runs.ForEach(run => run.StartTime = new DateTimeOffset(2026, 9, 1 + runs.IndexOf(run) % 2, 2, 0, 0, TimeSpan.Zero));
        using var book = new Workbook(runs);
        Assert.DoesNotContain("Trend", book.SheetNames());
    }

    [Theory]
    [InlineData(true, "page-write: steady after 8 rounds (over the last five the range of IOPS is 9.7 %, limit 20 %, and the slope 8")]
    [InlineData(
        false,
        "page-write: never steady in 9 rounds (over the last five the range of IOPS is 48.5 %, limit 20 %, and the slope 48."
    )]
    public void Rounds_say_whether_they_became_steady(bool steady, string words)
    {
        using var book = new Workbook(AnswerRuns.Rounds(steady));

        Assert.Contains(words, book.Text("Repeats"), StringComparison.Ordinal);
        // The chart is in the Summary first.
        var charts = book.Charts().FindAll(item => item.Title() == "IOPS from round to round");
        Assert.Equal(2, charts.Count);
        Assert.Equal(steady ? 8 : 9, charts[0].Values().Count);
        Assert.Equal(!steady, book.Text("Summary").Contains("never steady", StringComparison.Ordinal));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Repeats_are_dots_that_no_line_joins_with_the_interval_of_their_mean()
    {
        List<IoTestResult> runs =
        [
            .. Enumerable.Range(1, 3).SelectMany(repeat => AnswerRuns.Varied(Runs.SqlServerSuite(repeat: repeat), repeat)),
        ];
        using var book = new Workbook(runs);
        var chart = book.Charts().Single(item => item.Title() == "IOPS of each run, in % of the median");

        Assert.Equal(4, chart.Descendants(Chart.C + "ser").Count());
        Assert.Single(chart.Descendants(Chart.C + "errBars"));
        Assert.All(
            chart.Descendants(Chart.C + "ser"),
            series => Assert.NotEmpty(series.Element(Chart.C + "spPr")!.Element(Chart.A + "ln")!.Elements(Chart.A + "noFill"))
        );
    }

    [Fact]
    public void No_line_goes_across_a_night_without_a_run()
    {
        using var book = new Workbook(AnswerRuns.FourteenNights());

        Assert.All(
            book.Charts(),
            chart => Assert.Equal("gap", (string?)chart.Descendants(Chart.C + "dispBlanksAs").Single().Attribute("val"))
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
    public void No_bars_stand_on_a_logarithmic_axis()
    {
        var logarithmic = new[] { AnswerRuns.Roles(), AnswerRuns.OwnLoad(), Runs.SqlServerSuite(), AnswerRuns.Nights() }
            .SelectMany(runs =>
            {
                using var book = new Workbook(runs);
                return book.Charts();
            })
            .Where(chart => chart.Descendants(Chart.C + "logBase").Any())
            .ToList();

        Assert.NotEmpty(logarithmic);
        Assert.All(logarithmic, chart => Assert.Empty(chart.Descendants(Chart.C + "barChart")));
    }

    [Fact]
    public void Repeats_show_median_spread_and_confidence()
    {
        List<IoTestResult> runs =
        [
            .. Enumerable.Range(1, 3).SelectMany(repeat => Runs.SqlServerSuite(faster: 1 + 0.01 * repeat, repeat: repeat)),
        ];
        using var book = new Workbook(runs);

        // 12,172 IOPS x 1.01, 1.02, 1.03: mean and median are x 1.02; the 95% interval is +- 4.303 s / sqrt(3).
        Assert.Contains(
            "page-read-qd1 | 3 | IOPS | 12415.44 | 12293.72 | 12537.16 | 12113.07",
            book.Text("Repeats"),
            StringComparison.Ordinal
        );
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_warning_with_figures_is_told_once()
    {
        var runs = Runs.SqlServerSuite();
        runs[1].Warnings.Add("IOPS were not steady: they vary by 0.12 of their mean.");
        runs[2].Warnings.Add("IOPS were not steady: they vary by 0.31 of their mean.");
        using var book = new Workbook(runs);

        Assert.Contains(
            "page-read, oltp: IOPS were not steady: they vary by 0.12 to 0.31 of their mean.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
    }
}
