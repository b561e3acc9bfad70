using System.Globalization;
using System.Xml.Linq;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>
/// Reads the Summary sheet as the only source: the verdict, the rule set, the actions, and the reliability of the results.
/// </summary>
public class SummaryReadabilityTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    /// <summary>Column widths in characters; a wider sheet prints in unreadably small letters.</summary>
    private const double MaxReadableWidth = 230;

    [Fact]
    public void First_sentence_names_a_test_that_was_never_steady()
    {
        using var book = new Workbook(ScenarioResults.CreateRounds(steady: false));

        Assert.Contains("page-write did not reach a steady state in 9 rounds", book.GetCell("Summary", "A3"), StringComparison.Ordinal);
        Assert.Contains(
            "page-write did not reach a steady state (see Repeats): allow more rounds",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Findings_of_one_kind_are_one_row_of_readable_width()
    {
        using var book = new Workbook(ScenarioResults.CreateFourteenDays());

        var lines = book.GetText("Summary").Split('\n');
        Assert.Single(lines, line => line.StartsWith("✘ Critical | ", StringComparison.Ordinal));
        Assert.Contains(
            lines,
            line => line.Contains("The same applies to 17 more: page-read-qd1, page-read, oltp", StringComparison.Ordinal)
        );
        Assert.Contains(lines, line => line.Contains(" and 8 more became worse: check the free space", StringComparison.Ordinal));
        var widths = book.GetSheet("Summary")
            .Descendants(s_main + "col")
            .Sum(column => double.Parse((string)column.Attribute("width")!, CultureInfo.InvariantCulture));
        Assert.InRange(widths, 100, MaxReadableWidth);
        Assert.Contains(
            book.GetSheet("Summary").Descendants(s_main + "mergeCell"),
            cell => ((string)cell.Attribute("ref")!).StartsWith('B')
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Summary_lists_unrated_metrics_and_how_to_rate_them()
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs[0].DurationSeconds = 3;
        using var book = new Workbook(runs);

        Assert.Contains(
            "Preliminary: Average page read latency, longest I/O. Repeat these tests with a file of at least 20 GB and at least 10 s per run.",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Compared_preliminary_tests_are_marked_as_preliminary()
    {
        using var book = new Workbook([
            .. ReportSamples.CreateSqlServerSuite("OldSan", 0.8, seconds: 3),
            .. ReportSamples.CreateSqlServerSuite("NewSan", seconds: 3),
        ]);

        Assert.StartsWith(
            "OldSan: PRELIMINARY PASS (rule sets flash, hard-limits). NewSan: PRELIMINARY PASS (rule sets flash, hard-limits).",
            book.GetCell("Summary", "A3"),
            StringComparison.Ordinal
        );
    }

    [Theory]
    [InlineData(null, null, true)]
    [InlineData(null, StorageClass.Hdd, false)]
    [InlineData("flash", null, false)]
    public void Summary_reports_an_assumed_storage_class(string? rules, StorageClass? storage, bool isSaid)
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { RuleSet = rules, Storage = storage });

        Assert.Equal(
            isSaid,
            book.GetText("Summary").Contains("The storage type is unknown, so the limits for flash apply.", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Phone_layout_hides_empty_cells_and_uses_full_width_charts()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "page.html", ReportSamples.CreateSqlServerSuite(), new());
        var page = System.Text.Encoding.UTF8.GetString(stream.ToArray());

        Assert.Contains("<td class=\"t none\">-</td>", page, StringComparison.Ordinal);
        Assert.Contains("table.stack td.none{display:none}", page, StringComparison.Ordinal);
        Assert.Contains(".slim{display:block!important;margin:8px 0;width:100%}", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Labels_of_two_dot_series_are_on_different_sides()
    {
        using var book = new Workbook(ScenarioResults.CreateRoles());

        var chart = book.GetCharts().First(one => one.GetTitle() == "Average latency, alone and concurrent");
        Assert.Equal(["l", "r"], chart.Descendants(ChartReader.ChartNs + "dLblPos").Select(position => (string)position.Attribute("val")!));
    }

    [Fact]
    public void Summary_of_many_days_shows_the_latest_values()
    {
        using var book = new Workbook(ScenarioResults.CreateFourteenDays());
        var summary = book.GetText("Summary");
        var scans = summary.Split('\n').Single(line => line.StartsWith("Scan throughput |", StringComparison.Ordinal)).Split(" | ")[1];

        Assert.Contains($"a backup reads 1 TB in about 4 minutes (at {scans})", summary, StringComparison.Ordinal);
        Assert.Contains("tempdb, 4 threads x 8: latest value in a history of 14 days", summary, StringComparison.Ordinal);
    }

    [Fact]
    public void Good_verdict_is_followed_by_contrary_findings()
    {
        using var nights = new Workbook(ScenarioResults.CreateFourteenDays());
        Assert.Contains(" ms. But all 18 trends over 14 days are worse.", nights.GetText("Summary"), StringComparison.Ordinal);
        using var roles = new Workbook(ScenarioResults.CreateRoles());
        Assert.Contains(
            " ms. But log write latency (4KB sequential write) is 1.61 ms instead of 0.238 ms",
            roles.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Failed_metric_is_the_first_action()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(faster: 0.02));
        var text = book.GetText("Summary");

        var commit = text.IndexOf("Average log write latency 11.9 ms (log-commit): check", StringComparison.Ordinal);
        Assert.InRange(commit, 0, text.IndexOf("slow I/Os, but no stall. ", StringComparison.Ordinal));
    }

    [Fact]
    public void Each_used_rule_set_is_explained_with_its_source()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        Assert.Contains("Rule set flash: ", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains(
            "Rule set hard-limits: SQL Server reports I/Os of 15 s or longer (error 833)",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
        Assert.Contains("Source: MSSQLSERVER_833", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Scan_time_names_the_compared_result_it_belongs_to()
    {
        using var book = new Workbook([
            .. ReportSamples.CreateSqlServerSuite("OldSan", 0.4),
            .. ReportSamples.CreateSqlServerSuite("NewSan"),
        ]);
        Assert.Contains(
            "At the measured read throughput of NewSan, a backup reads 1 TB",
            book.GetText("Summary"),
            StringComparison.Ordinal
        );
    }

    [Fact]
    public void Reading_a_lazy_histogram_does_not_keep_its_buckets()
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

        Assert.Equal(100, LatencyBands.Sqlio.GetShares(histogram)[1]);
        Assert.Equal(100, histogram.ReadBuckets().Single().Percent);
        Assert.Equal(2, made);
        Assert.Same(histogram.Buckets[0], histogram.ReadBuckets()[0]);
    }
}
