using System.Globalization;
using System.Xml.Linq;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>
/// Reads the Summary sheet as the only source: the verdict, the rule set, the actions, and the reliability of the results.
/// </summary>
public class SummaryReadingTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    /// <summary>Column widths in characters; a wider sheet prints in unreadably small letters.</summary>
    private const double ReadableWidth = 230;

    [Fact]
    public void What_never_became_steady_is_in_the_first_sentence_and_has_its_advice()
    {
        using var book = new Workbook(AnswerRuns.Rounds(steady: false));

        Assert.Contains("page-write was never steady in 9 rounds", book.Cell("Summary", "A3"), StringComparison.Ordinal);
        Assert.Contains("page-write: allow more rounds", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Findings_of_one_kind_are_one_row_and_leave_the_sheet_as_wide_as_it_is()
    {
        using var book = new Workbook(AnswerRuns.FourteenNights());

        var lines = book.Text("Summary").Split('\n');
        Assert.Single(lines, line => line.StartsWith("✘ Bad | ", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains("The same of 17 more: page-read-qd1, page-read, oltp", StringComparison.Ordinal));
        Assert.Contains(lines, line => line.Contains(" and 8 more became worse: find out what is filling up", StringComparison.Ordinal));
        var widths = book.Sheet("Summary")
            .Descendants(s_main + "col")
            .Sum(column => double.Parse((string)column.Attribute("width")!, CultureInfo.InvariantCulture));
        Assert.InRange(widths, 100, ReadableWidth);
        Assert.Contains(book.Sheet("Summary").Descendants(s_main + "mergeCell"), cell => ((string)cell.Attribute("ref")!).StartsWith('B'));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void What_is_not_rated_is_named_with_what_would_have_it_rated()
    {
        var runs = Runs.SqlServerSuite();
        runs[0].DurationSeconds = 3;
        using var book = new Workbook(runs);

        Assert.Contains(
            "Not rated: A page read waits, longest stall. Repeat the quick looks among these tests with a file of 20 GB or more and 30 s per run.",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Sides_of_quick_looks_are_said_to_be_so()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("OldSan", 0.8, seconds: 3), .. Runs.SqlServerSuite("NewSan", seconds: 3)]);

        Assert.StartsWith(
            "OldSan: kept, as far as a quick look can tell (rule set flash). NewSan: kept, as far as a quick look can tell (rule set flash).",
            book.Cell("Summary", "A3"),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(null, null, true)]
    [InlineData(null, StorageClass.Hdd, false)]
    [InlineData("flash", null, false)]
    public void Limits_that_were_assumed_are_said(string? rules, StorageClass? storage, bool isSaid)
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { RuleSet = rules, Storage = storage });

        Assert.Equal(
            isSaid,
            book.Text("Summary").Contains("Judged by limits for flash, because nothing says what storage this is", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void On_a_phone_a_row_leaves_out_what_it_does_not_have_and_charts_have_the_whole_width()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "page.html", Runs.SqlServerSuite(), new());
        var page = System.Text.Encoding.UTF8.GetString(stream.ToArray());

        Assert.Contains("<td class=\"t none\">-</td>", page, StringComparison.Ordinal);
        Assert.Contains("table.stack td.none{display:none}", page, StringComparison.Ordinal);
        Assert.Contains(".slim{display:block!important;margin:8px 0;width:100%}", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Values_of_two_rows_of_dots_stand_on_different_sides()
    {
        using var book = new Workbook(AnswerRuns.Roles());

        var chart = book.Charts().First(one => one.Title() == "Average latency, alone and together");
        Assert.Equal(["l", "r"], chart.Descendants(Chart.C + "dLblPos").Select(position => (string)position.Attribute("val")!));
    }

    [Fact]
    public void Of_many_nights_every_figure_is_the_latest()
    {
        using var book = new Workbook(AnswerRuns.FourteenNights());
        var summary = book.Text("Summary");
        var scans = summary.Split('\n').Single(line => line.StartsWith("Scans read |", StringComparison.Ordinal)).Split(" | ")[1];

        Assert.Contains($"a backup of 1 TB would read in about 4 minutes (at {scans})", summary, StringComparison.Ordinal);
        Assert.Contains("tempdb, 4 threads x 8: latest of 14 days", summary, StringComparison.Ordinal);
    }

    [Fact]
    public void What_speaks_against_a_good_verdict_follows_it_with_but()
    {
        using var nights = new Workbook(AnswerRuns.FourteenNights());
        Assert.Contains("hard-limits). But all 18 trends over 14 days are worse.", nights.Text("Summary"), StringComparison.Ordinal);
        using var roles = new Workbook(AnswerRuns.Roles());
        Assert.Contains(
            "hard-limits). But a commit (4KB sequential write) waits 1.61 ms instead of 0.238 ms",
            roles.Text("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void What_is_bad_is_the_first_thing_to_do_and_a_stall_without_a_period_says_what_was_seen()
    {
        using var book = new Workbook(Runs.SqlServerSuite(faster: 0.02));
        var text = book.Text("Summary");

        var commit = text.IndexOf("A commit waits 11.9 ms (log-commit): check", StringComparison.Ordinal);
        Assert.InRange(commit, 0, text.IndexOf("slow, no gap: look at what the storage", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_rule_set_that_judged_is_explained_with_its_source()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        Assert.Contains("Rule set flash: ", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains(
            "Rule set hard-limits: SQL Server reports I/Os of 15 s (error 833)",
            book.Text("Summary"),
            StringComparison.Ordinal
        );
        Assert.Contains("Source: MSSQLSERVER_833", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Of_two_sides_it_is_said_whose_scans_they_are()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("OldSan", 0.4), .. Runs.SqlServerSuite("NewSan")]);
        Assert.Contains("At the measured rate of reading of NewSan, a backup", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void A_look_at_a_histogram_keeps_no_buckets_and_sees_the_same()
    {
        var made = 0;
        var histogram = new IoHistogram(
            "sqlio",
            () =>
            {
                made++;
                return
                [
                    new()
                    {
                        FromMs = 1,
                        ToMs = 2,
                        Percent = 100,
                    },
                ];
            }
        );

        Assert.Equal(100, LatencyBands.Sqlio.SharesOf(histogram)[1]);
        Assert.Equal(100, histogram.Look().Single().Percent);
        Assert.Equal(2, made);
        Assert.Same(histogram.Buckets[0], histogram.Look()[0]);
    }
}
