using System.Globalization;
using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>What somebody who looks at a report could not read, or would misread.</summary>
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

        var limits = picture.Descendants().Where(item => item.Name.LocalName == "line" && (string?)item.Attribute("stroke-width") == "2.5").ToList();
        var figures = Texts(picture).Where(text => (string?)text.Attribute("text-anchor") == "middle" && double.TryParse(text.Value, NumberStyles.Float, CultureInfo.InvariantCulture, out _)).ToList();
        Assert.NotEmpty(limits);
        Assert.NotEmpty(figures);
        Assert.All(figures, figure => Assert.DoesNotContain(limits, limit => Number(limit, "x1") < Number(figure, "x") && Number(figure, "x") < Number(limit, "x2")
            && Number(limit, "y1") < Number(figure, "y") && Number(limit, "y1") > Number(figure, "y") - 7));
    }

    [Fact]
    public void In_the_dark_each_band_of_latency_keeps_a_colour_of_its_own()
    {
        var dark = Palette.LatencyRamp.Select(colour => Regex.Match(PageStyle.Css, $"svg \\[fill=\"#{colour}\"\\][^{{}}]*\\{{fill:#(\\w+)\\}}") is { Success: true } rule ? rule.Groups[1].Value : colour);

        Assert.Equal(Palette.LatencyRamp.Count, dark.Distinct().Count());
    }

    [Fact]
    public void Sides_of_a_test_stand_next_to_each_other()
    {
        using var book = new Workbook([.. Runs.SqlServerSuite("Old"), .. Runs.SqlServerSuite("New")]);
        var names = book.Charts().Single(chart => chart.Title() == "IOPs").Categories().ConvertAll(name => name.Replace(" Old", "", StringComparison.Ordinal).Replace(" New", "", StringComparison.Ordinal));

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
        Assert.DoesNotContain(names, name => name.StartsWith("data…", StringComparison.Ordinal) || name.StartsWith("data...", StringComparison.Ordinal));
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
        var dashes = book.Charts().Single(chart => chart.Title() == "IOPS over time").Descendants(Chart.C + "ser").Select(line => (string?)line.Descendants(Chart.A + "prstDash").FirstOrDefault()?.Attribute("val")).ToList();

        Assert.Equal([null, "dash", "sysDot", "lgDashDot"], dashes);
    }

    private static List<XElement> Pictures(IReadOnlyList<IoTestResult> runs)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", runs, new());
        return [.. Regex.Matches(Encoding.UTF8.GetString(stream.ToArray()), "<svg .*?</svg>", RegexOptions.Singleline).Select(match => XElement.Parse(match.Value))];
    }

    private static IEnumerable<XElement> Texts(XElement picture) => picture.Descendants().Where(item => item.Name.LocalName == "text");

    private static double Number(XElement item, string name) => double.Parse((string)item.Attribute(name)!, CultureInfo.InvariantCulture);
}
