using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>Readability of reports: what a reader could not read, or would misread.</summary>
public class LegibilityTests
{
    [Theory]
    [InlineData(0.5)]
    [InlineData(0.7)]
    [InlineData(0.8)]
    [InlineData(0.9)]
    [InlineData(1.1)]
    public void No_limit_is_drawn_through_a_figure(double commitMs)
    {
        var runs = Runs.SqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").AverageLatencyMs = commitMs;
        var picture = Pictures(runs).First(svg => Texts(svg).Any(text => text.Value == "What SQL Server waits for"));

        var limits = picture
            .Descendants()
            .Where(item => item.Name.LocalName == "line" && (string?)item.Attribute("stroke-width") == "2.5")
            .ToList();
        var figures = Texts(picture)
            .Where(text =>
                (string?)text.Attribute("text-anchor") == "middle"
                && double.TryParse(text.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out _)
            )
            .ToList();
        Assert.NotEmpty(limits);
        Assert.NotEmpty(figures);
        Assert.All(
            figures,
            figure =>
                Assert.DoesNotContain(
                    limits,
                    limit =>
                        Number(limit, "x1") < Number(figure, "x")
                        && Number(figure, "x") < Number(limit, "x2")
                        && Number(limit, "y1") < Number(figure, "y")
                        && Number(limit, "y1") > Number(figure, "y") - 7
                )
        );
    }

    [Theory]
    [InlineData(0.1, false)]
    [InlineData(0.8, true)]
    [InlineData(0.9, true)]
    [InlineData(1.5, false)]
    public void A_figure_of_the_workbooks_chart_is_lifted_above_a_limit_that_would_go_through_it(double commitMs, bool isLifted)
    {
        var runs = Runs.SqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").AverageLatencyMs = commitMs;
        using var book = new Workbook(runs);
        var chart = book.Charts().Single(item => item.Title() == "What SQL Server waits for");
        var lifted = chart
            .Descendants(Chart.C + "dLbl")
            .SingleOrDefault(label => (int)label.Element(Chart.C + "idx")!.Attribute("val")! == 0);

        // The plot has a fixed position, and its axis ends at the maximum that the label position is calculated from.
        var plot = chart.Descendants(Chart.C + "plotArea").Single().Element(Chart.C + "layout")!.Descendants(Chart.C + "h").Single();
        var highest = chart.Descendants(Chart.C + "valAx").Single().Descendants(Chart.C + "max").Single();
        Assert.Equal(isLifted, lifted is not null);
        if (lifted is not null)
        {
            var distance = (1 - commitMs) / (double)highest.Attribute("val")! * (double)plot.Attribute("val")!;
            Assert.True(-(double)lifted.Descendants(Chart.C + "y").Single().Attribute("val")! > distance);
        }
        // LibreOffice would draw a line from a moved label to its column, through the limit.
        Assert.Equal("0", (string?)Assert.Single(chart.Descendants(), item => item.Name.LocalName == "showLeaderLines").Attribute("val"));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Bars_of_a_tall_chart_begin_where_their_names_end()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("A"), .. Runs.SqlServerSuite("B"), .. Runs.SqlServerSuite("C")]);
        var layout = book.Charts()
            .Single(chart => chart.Title() == "IOPs")
            .Descendants(Chart.C + "plotArea")
            .Single()
            .Element(Chart.C + "layout")!;

        Assert.InRange((double)layout.Descendants(Chart.C + "x").Single().Attribute("val")!, 0.05, 0.3);
    }

    [Theory]
    [InlineData(2010.4, "2,010<span style=\"visibility:hidden\">.000</span>")]
    [InlineData(31.04, "31.0<span style=\"visibility:hidden\">00</span>")]
    [InlineData(1.2044, "1.204")]
    public void A_latency_has_no_more_digits_than_were_measured(double longestMs, string shown)
    {
        var runs = Runs.SqlServerSuite()[..2];
        runs[0].MaxLatencyMs = longestMs;
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());

        Assert.Contains($">{shown}</td>", Encoding.UTF8.GetString(stream.ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void A_share_that_two_decimals_would_make_nothing_is_no_nothing()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", Runs.SqlServerSuite(), new());
        var page = Encoding.UTF8.GetString(stream.ToArray());
        page = page[page.IndexOf("<section id=\"Latency\"", StringComparison.Ordinal)..];
        page = page[..page.IndexOf("</section>", StringComparison.Ordinal)];

        Assert.Contains(">&lt; 0.01</td>", page, StringComparison.Ordinal);
        Assert.DoesNotContain(">0.00</td>", page, StringComparison.Ordinal);
    }

    [Fact]
    public void On_a_phone_a_finding_stands_below_its_heading_and_headings_are_read_in_the_dark()
    {
        Assert.Contains("table.Findings td::before{display:block}", PageStyle.Css, StringComparison.Ordinal);
        var dark = PageStyle.Css[PageStyle.Css.IndexOf("(prefers-color-scheme:dark)", StringComparison.Ordinal)..];
        Assert.Contains("table.stack td::before{color:#A3AEB8}", dark, StringComparison.Ordinal);
        // Verdict cells keep their light background.
        Assert.Contains("table.stack td[bgcolor]::before{color:#4A545E}", dark, StringComparison.Ordinal);
    }

    [Fact]
    public void A_trends_table_has_no_column_that_nothing_fills_and_headings_above_their_dates()
    {
        var table = ReportDocument
            .Build(AnswerRuns.FourteenNights(), new())
            .Sections.Single(section => section.Name == "Trend")
            .Blocks.OfType<TableBlock>()
            .Single();

        Assert.DoesNotContain(table.Columns, column => column.Header is "95 % from" or "95 % to");
        Assert.All(table.Columns.Where(column => column.Header is "First" or "Last"), column => Assert.False(column.IsNumber));
    }

    [Fact]
    public void Two_patterns_on_one_file_have_bars_of_two_names()
    {
        using var book = new Workbook(AnswerRuns.Roles());
        var names = book.Charts().Single(chart => chart.Title() == "IOPS by target").Categories();

        Assert.Equal([@"B:\iobench.dat", @"L:\iobench.dat", @"D:\iobench.dat 16KB random write", @"D:\iobench.dat 8KB random read"], names);
    }

    [Theory]
    [InlineData("Comparison")]
    [InlineData("Settings")]
    public void What_fits_a_page_is_not_broken(string sheet)
    {
        var section = ReportDocument
            .Build([.. Runs.SqlServerSuite("Old", 0.4), .. Runs.SqlServerSuite("New")], new())
            .Sections.Single(section => section.Name == sheet);

        Assert.Empty(new SheetLayout(section).Breaks);
    }

    [Fact]
    public void A_limit_does_not_stand_on_the_frame()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        var chart = book.Charts().Single(item => item.Title() == "What SQL Server waits for");

        Assert.True((double)chart.Descendants(Chart.C + "valAx").Single().Descendants(Chart.C + "max").Single().Attribute("val")! > 5.2);
    }

    [Fact]
    public void In_the_dark_a_heat_map_is_dark_where_no_IO_ended()
    {
        using var stream = new MemoryStream();
        HtmlWriter.Write(stream, HeatMapTests.Document());
        var page = Encoding.UTF8.GetString(stream.ToArray());
        var drawn = Regex
            .Matches(page, "<rect [^>]*fill=\"(#\\w+)\"")
            .Select(match => match.Groups[1].Value)
            .Where(colour => Palette.HeatRamp.Append(Palette.HeatGround).Contains(colour[1..]))
            .Distinct()
            .ToList();

        Assert.Contains("#" + Palette.HeatGround, drawn);
        var dark = page[
            page.IndexOf("(prefers-color-scheme:dark)", StringComparison.Ordinal)..page.IndexOf("@media print", StringComparison.Ordinal)
        ];
        Assert.All(drawn, colour => Assert.Contains($"svg [fill=\"{colour}\"]{{fill:#", dark, StringComparison.Ordinal));
        Assert.Contains($"svg [fill=\"#{Palette.HeatGround}\"]{{fill:#{Palette.HeatGroundDark}}}", dark, StringComparison.Ordinal);
        Assert.DoesNotContain("darker", page, StringComparison.Ordinal);
    }

    [Fact]
    public void In_the_dark_each_band_of_latency_keeps_a_colour_of_its_own()
    {
        var dark = Palette.LatencyRamp.Select(colour =>
            Regex.Match(PageStyle.Css, $"svg \\[fill=\"#{colour}\"\\][^{{}}]*\\{{fill:#(\\w+)\\}}") is { Success: true } rule
                ? rule.Groups[1].Value
                : colour
        );

        Assert.Equal(Palette.LatencyRamp.Count, dark.Distinct().Count());
    }

    [Fact]
    public void Sides_of_a_test_stand_next_to_each_other()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("Old"), .. Runs.SqlServerSuite("New")]);
        var names = book.Charts()
            .Single(chart => chart.Title() == "IOPs")
            .Categories()
            .ConvertAll(name => name.Replace(" Old", "", StringComparison.Ordinal).Replace(" New", "", StringComparison.Ordinal));

        Assert.Equal(18, names.Count);
        Assert.All(Enumerable.Range(0, 9), pair => Assert.Equal(names[2 * pair], names[2 * pair + 1]));
    }

    [Fact]
    public void The_figures_of_a_short_sweep_are_on_the_page_of_its_charts()
    {
        var sweep = ReportDocument.Build(Runs.DepthSweep(), new()).Sections.Single(section => section.Name == "Sweep");

        Assert.True(sweep.OnePage);
    }

    [Fact]
    public void Arrays_that_are_compared_are_no_short_history()
    {
        List<IoTestResult> runs = [];
        foreach (var (label, day) in new[] { ("A", 0), ("B", 7), ("C", 14) })
        {
            var suite = Runs.SqlServerSuite(label, 1 + day / 10.0);
            suite.ForEach(run => run.StartTime = run.StartTime!.Value.AddDays(day));
            runs.AddRange(suite);
        }
        using var book = new Workbook(runs);

        Assert.DoesNotContain("Trend", book.SheetNames());
        Assert.DoesNotContain("trends", book.Text("Summary"), StringComparison.Ordinal);
        Assert.Contains("B against A: ", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void What_became_worse_is_counted_where_not_all_of_it_is_named()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("Old"), .. Runs.SqlServerSuite("New", 0.5)]);

        Assert.Contains("page-read-qd1, page-read, oltp and 6 more became worse (New).", book.Text("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_that_fit_are_not_cut()
    {
        var names = Pictures(AnswerRuns.Roles()).SelectMany(Texts).Select(text => text.Value).ToList();

        Assert.Contains("data: checkpoint", names);
        Assert.DoesNotContain(
            names,
            name => name.StartsWith("data…", StringComparison.Ordinal) || name.StartsWith("data...", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Days_of_one_year_stand_without_it_and_those_of_two_with_it()
    {
        var nights = AnswerRuns.FourteenNights();
        using var book = new Workbook(nights);
        var chart = book.Charts()[0];
        Assert.Equal("11-01", chart.Categories()[0]);
        Assert.Contains("Day of 2026", chart.ToString(), StringComparison.Ordinal);
        Assert.Contains("over 14 days", book.Text("Trend"), StringComparison.Ordinal);

        nights.ForEach(run => run.StartTime = run.StartTime!.Value.AddDays(55));
        using var winter = new Workbook(nights);
        Assert.Equal("2026-12-26", winter.Charts()[0].Categories()[0]);
    }

    [Fact]
    public void Lines_over_time_differ_by_their_dashes_where_colours_are_not_printed()
    {
        using var book = new Workbook(Runs.SqlServerSuite()[..4]);
        var dashes = book.Charts()
            .Single(chart => chart.Title() == "IOPS over time")
            .Descendants(Chart.C + "ser")
            .Select(line => (string?)line.Descendants(Chart.A + "prstDash").FirstOrDefault()?.Attribute("val"))
            .ToList();

        Assert.Equal([null, "dash", "sysDot", "lgDashDot"], dashes);
    }

    private static List<XElement> Pictures(IReadOnlyList<IoTestResult> runs)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());
        return
        [
            .. Regex
                .Matches(Encoding.UTF8.GetString(stream.ToArray()), "<svg .*?</svg>", RegexOptions.Singleline)
                .Select(match => XElement.Parse(match.Value)),
        ];
    }

    private static IEnumerable<XElement> Texts(XElement picture) => picture.Descendants().Where(item => item.Name.LocalName == "text");

    private static double Number(XElement item, string name) => double.Parse((string)item.Attribute(name)!, CultureInfo.InvariantCulture);
}
