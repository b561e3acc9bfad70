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
    public void Limit_line_does_not_cross_a_value_label(double commitMs)
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").AverageLatencyMs = commitMs;
        var picture = GetSvgImages(runs).First(svg => GetTexts(svg).Any(text => text.Value == "Latency at low load"));

        var limits = picture
            .Descendants()
            .Where(item => item.Name.LocalName == "line" && (string?)item.Attribute("stroke-width") == "2.5")
            .ToList();
        var figures = GetTexts(picture)
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
                        GetNumber(limit, "x1") < GetNumber(figure, "x")
                        && GetNumber(figure, "x") < GetNumber(limit, "x2")
                        && GetNumber(limit, "y1") < GetNumber(figure, "y")
                        && GetNumber(limit, "y1") > GetNumber(figure, "y") - 7
                )
        );
    }

    [Theory]
    [InlineData(0.1, false)]
    [InlineData(0.8, true)]
    [InlineData(0.9, true)]
    [InlineData(1.5, false)]
    public void Chart_label_moves_above_a_limit_that_would_cross_it(double commitMs, bool isLifted)
    {
        var runs = ReportSamples.CreateSqlServerSuite();
        runs.Single(run => run.Workload == "log-commit").AverageLatencyMs = commitMs;
        using var book = new Workbook(runs);
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Latency at low load");
        var lifted = chart
            .Descendants(ChartReader.ChartNs + "dLbl")
            .SingleOrDefault(label => (int)label.Element(ChartReader.ChartNs + "idx")!.Attribute("val")! == 0);

        // The plot has a fixed position, and its axis ends at the maximum that the label position is calculated from.
        var plot = chart
            .Descendants(ChartReader.ChartNs + "plotArea")
            .Single()
            .Element(ChartReader.ChartNs + "layout")!
            .Descendants(ChartReader.ChartNs + "h")
            .Single();
        var highest = chart.Descendants(ChartReader.ChartNs + "valAx").Single().Descendants(ChartReader.ChartNs + "max").Single();
        Assert.Equal(isLifted, lifted is not null);
        if (lifted is not null)
        {
            var distance = (1 - commitMs) / (double)highest.Attribute("val")! * (double)plot.Attribute("val")!;
            Assert.True(-(double)lifted.Descendants(ChartReader.ChartNs + "y").Single().Attribute("val")! > distance);
        }
        // LibreOffice would draw a line from a moved label to its column, through the limit.
        Assert.Equal("0", (string?)Assert.Single(chart.Descendants(), item => item.Name.LocalName == "showLeaderLines").Attribute("val"));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Tall_chart_reserves_only_the_width_of_its_names()
    {
        using var book = new Workbook([
            .. ReportSamples.CreateSqlServerSuite("A"),
            .. ReportSamples.CreateSqlServerSuite("B"),
            .. ReportSamples.CreateSqlServerSuite("C"),
        ]);
        var layout = book.GetCharts()
            .Single(chart => chart.GetTitle() == "IOPs")
            .Descendants(ChartReader.ChartNs + "plotArea")
            .Single()
            .Element(ChartReader.ChartNs + "layout")!;

        Assert.InRange((double)layout.Descendants(ChartReader.ChartNs + "x").Single().Attribute("val")!, 0.05, 0.3);
    }

    [Theory]
    [InlineData(2010.4, "2,010<span style=\"visibility:hidden\">.000</span>")]
    [InlineData(31.04, "31.0<span style=\"visibility:hidden\">00</span>")]
    [InlineData(1.2044, "1.204")]
    public void Latency_shows_only_significant_digits(double longestMs, string shown)
    {
        var runs = ReportSamples.CreateSqlServerSuite()[..2];
        runs[0].MaxLatencyMs = longestMs;
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());

        Assert.Contains($">{shown}</td>", Encoding.UTF8.GetString(stream.ToArray()), StringComparison.Ordinal);
    }

    [Fact]
    public void Tiny_percentage_is_shown_as_less_than_0_01()
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", ReportSamples.CreateSqlServerSuite(), new());
        var page = Encoding.UTF8.GetString(stream.ToArray());
        page = page[page.IndexOf("<section id=\"Latency\"", StringComparison.Ordinal)..];
        page = page[..page.IndexOf("</section>", StringComparison.Ordinal)];

        Assert.Contains(">&lt; 0.01</td>", page, StringComparison.Ordinal);
        Assert.DoesNotContain(">0.00</td>", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Phone_layout_stacks_findings_with_readable_dark_headings()
    {
        Assert.Contains("table.Findings td::before{display:block}", HtmlReportWriter.Css, StringComparison.Ordinal);
        var dark = HtmlReportWriter.Css[HtmlReportWriter.Css.IndexOf("(prefers-color-scheme:dark)", StringComparison.Ordinal)..];
        Assert.Contains("table.stack td::before{color:#A3AEB8}", dark, StringComparison.Ordinal);
        // Verdict cells keep their light background.
        Assert.Contains("table.stack td[bgcolor]::before{color:#4A545E}", dark, StringComparison.Ordinal);
    }

    [Fact]
    public void Trend_table_has_no_empty_columns_and_left_aligned_dates()
    {
        var table = ReportDocument
            .Build(ScenarioResults.CreateFourteenDays(), new())
            .Sections.Single(section => section.Name == "Trend")
            .Blocks.OfType<TableBlock>()
            .Single();

        Assert.DoesNotContain(table.Columns, column => column.Header is "95% from" or "95% to");
        Assert.All(table.Columns.Where(column => column.Header is "First" or "Last"), column => Assert.False(column.IsNumber));
    }

    [Fact]
    public void Two_patterns_on_one_file_have_different_bar_names()
    {
        using var book = new Workbook(ScenarioResults.CreateRoles());
        var names = book.GetCharts().Single(chart => chart.GetTitle() == "IOPS by target").GetCategories();

        Assert.Equal([@"B:\iobench.dat", @"L:\iobench.dat", @"D:\iobench.dat 16KB random write", @"D:\iobench.dat 8KB random read"], names);
    }

    [Theory]
    [InlineData("Comparison")]
    [InlineData("Settings")]
    public void Sheet_that_fits_one_page_has_no_page_breaks(string sheet)
    {
        var section = ReportDocument
            .Build([.. ReportSamples.CreateSqlServerSuite("Old", 0.4), .. ReportSamples.CreateSqlServerSuite("New")], new())
            .Sections.Single(section => section.Name == sheet);

        Assert.Empty(new SheetLayout(section).PageBreaks);
    }

    [Fact]
    public void Axis_maximum_is_above_the_highest_limit()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        var chart = book.GetCharts().Single(item => item.GetTitle() == "Latency at low load");

        Assert.True(
            (double)
                chart
                    .Descendants(ChartReader.ChartNs + "valAx")
                    .Single()
                    .Descendants(ChartReader.ChartNs + "max")
                    .Single()
                    .Attribute("val")! > 5.2
        );
    }

    [Fact]
    public void Dark_mode_maps_every_heat_map_color()
    {
        using var stream = new MemoryStream();
        HtmlReportWriter.WriteDocument(stream, HeatMapTests.CreateDocument());
        var page = Encoding.UTF8.GetString(stream.ToArray());
        var drawn = Regex
            .Matches(page, "<rect [^>]*fill=\"(#\\w+)\"")
            .Select(match => match.Groups[1].Value)
            .Where(colour => Palette.HeatRamp.Append(Palette.HeatBackground).Contains(colour[1..]))
            .Distinct()
            .ToList();

        Assert.Contains("#" + Palette.HeatBackground, drawn);
        var dark = page[
            page.IndexOf("(prefers-color-scheme:dark)", StringComparison.Ordinal)..page.IndexOf("@media print", StringComparison.Ordinal)
        ];
        Assert.All(drawn, colour => Assert.Contains($"svg [fill=\"{colour}\"]{{fill:#", dark, StringComparison.Ordinal));
        Assert.Contains($"svg [fill=\"#{Palette.HeatBackground}\"]{{fill:#{Palette.HeatBackgroundDark}}}", dark, StringComparison.Ordinal);
        Assert.DoesNotContain("darker", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Dark_mode_keeps_latency_band_colors_distinct()
    {
        var dark = Palette.LatencyRamp.Select(colour =>
            Regex.Match(HtmlReportWriter.Css, $"svg \\[fill=\"#{colour}\"\\][^{{}}]*\\{{fill:#(\\w+)\\}}") is { Success: true } rule
                ? rule.Groups[1].Value
                : colour
        );

        Assert.Equal(Palette.LatencyRamp.Count, dark.Distinct().Count());
    }

    [Fact]
    public void Compared_results_of_a_test_are_adjacent()
    {
        using var book = new Workbook([.. ReportSamples.CreateSqlServerSuite("Old"), .. ReportSamples.CreateSqlServerSuite("New")]);
        var names = book.GetCharts()
            .Single(chart => chart.GetTitle() == "IOPs")
            .GetCategories()
            .ConvertAll(name => name.Replace(" Old", "", StringComparison.Ordinal).Replace(" New", "", StringComparison.Ordinal));

        Assert.Equal(18, names.Count);
        Assert.All(Enumerable.Range(0, 9), pair => Assert.Equal(names[2 * pair], names[2 * pair + 1]));
    }

    [Fact]
    public void Short_sweep_fits_one_page()
    {
        var sweep = ReportDocument.Build(ReportSamples.CreateDepthSweep(), new()).Sections.Single(section => section.Name == "Sweep");

        Assert.True(sweep.FitsOnePage);
    }

    [Fact]
    public void Labeled_results_on_different_days_are_not_a_history()
    {
        List<IoTestResult> runs = [];
        foreach (var (label, day) in new[] { ("A", 0), ("B", 7), ("C", 14) })
        {
            var suite = ReportSamples.CreateSqlServerSuite(label, 1 + day / 10.0);
            suite.ForEach(run => run.StartTime = run.StartTime!.Value.AddDays(day));
            runs.AddRange(suite);
        }
        using var book = new Workbook(runs);

        Assert.DoesNotContain("Trend", book.GetSheetNames());
        Assert.DoesNotContain("trends", book.GetText("Summary"), StringComparison.Ordinal);
        Assert.Contains("B compared with A: ", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Summary_counts_worse_tests_that_it_does_not_name()
    {
        using var book = new Workbook([.. ReportSamples.CreateSqlServerSuite("Old"), .. ReportSamples.CreateSqlServerSuite("New", 0.5)]);

        Assert.Contains("page-read-qd1, page-read, oltp and 6 more became worse (New).", book.GetText("Summary"), StringComparison.Ordinal);
    }

    [Fact]
    public void Names_that_fit_are_not_truncated()
    {
        var names = GetSvgImages(ScenarioResults.CreateRoles()).SelectMany(GetTexts).Select(text => text.Value).ToList();

        Assert.Contains("data: checkpoint", names);
        Assert.DoesNotContain(
            names,
            name => name.StartsWith("data…", StringComparison.Ordinal) || name.StartsWith("data...", StringComparison.Ordinal)
        );
    }

    [Fact]
    public void Dates_include_the_year_only_when_years_differ()
    {
        var nights = ScenarioResults.CreateFourteenDays();
        using var book = new Workbook(nights);
        var chart = book.GetCharts()[0];
        Assert.Equal("11-01", chart.GetCategories()[0]);
        Assert.Contains("Day of 2026", chart.ToString(), StringComparison.Ordinal);
        Assert.Contains("over 14 days", book.GetText("Trend"), StringComparison.Ordinal);

        nights.ForEach(run => run.StartTime = run.StartTime!.Value.AddDays(55));
        using var winter = new Workbook(nights);
        Assert.Equal("2026-12-26", winter.GetCharts()[0].GetCategories()[0]);
    }

    [Fact]
    public void Timeline_lines_have_different_dash_styles()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite()[..4]);
        var dashes = book.GetCharts()
            .Single(chart => chart.GetTitle() == "IOPS over time")
            .Descendants(ChartReader.ChartNs + "ser")
            .Select(line => (string?)line.Descendants(ChartReader.DrawingNs + "prstDash").FirstOrDefault()?.Attribute("val"))
            .ToList();

        Assert.Equal([null, "dash", "sysDot", "lgDashDot"], dashes);
    }

    private static List<XElement> GetSvgImages(IReadOnlyList<IoTestResult> runs)
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

    private static IEnumerable<XElement> GetTexts(XElement picture) => picture.Descendants().Where(item => item.Name.LocalName == "text");

    private static double GetNumber(XElement item, string name) =>
        double.Parse((string)item.Attribute(name)!, CultureInfo.InvariantCulture);
}
