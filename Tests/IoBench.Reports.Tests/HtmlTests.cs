using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class HtmlTests
{
    [Fact]
    public void HTML_report_has_the_sections_and_charts_of_the_workbook()
    {
        var page = WriteReport(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });

        Assert.Equal(
            book.GetSheetNames().Where(name => name != "ChartData"),
            Regex.Matches(page, "<section id=\"(\\w+)\"").Select(match => match.Groups[1].Value)
        );
        // Each chart is there twice: for a screen and for a phone.
        Assert.Equal(book.GetCharts().Count, Regex.Count(page, "<div class=\"chart"));
        Assert.Equal(book.GetCharts().Count, Regex.Count(page, "<div class=\"slim\""));
        Assert.Equal(2 * book.GetCharts().Count, GetSvgImages(page).Count);
    }

    [Fact]
    public void HTML_report_has_no_external_references()
    {
        var page = WriteReport(ReportSamples.CreateSqlServerSuite());

        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotMatch("(src|@import|url\\(|<link)", page.Replace("Source", "", StringComparison.OrdinalIgnoreCase));
        Assert.All(
            Regex.Matches(page, "https?://[^\"' <]+").Select(match => match.Value),
            address => Assert.Equal("http://www.w3.org/2000/svg", address)
        );
    }

    [Fact]
    public void HTML_report_escapes_user_text()
    {
        var run = ReportSamples.CreateSqlServerSuite()[0];
        run.Path = "<script>alert(1)</script>";
        run.Label = "a\"b'c&d\u0001";
        run.Warnings.Add("<img src=x onerror=alert(1)>");
        var page = WriteReport([run], new() { Title = "<b>bold</b>" });

        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<img", page, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("<h1>&lt;b&gt;bold&lt;/b&gt;</h1>", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\u0001', page);
        Assert.NotEmpty(GetSvgImages(page));
    }

    [Fact]
    public void Verdict_cells_have_inline_colors_for_mail_programs()
    {
        var page = WriteReport(ReportSamples.CreateSqlServerSuite());

        Assert.Matches("<td class=\"c\" align=\"center\" bgcolor=\"#D6E8F7\" style=\"background:#D6E8F7;[^\"]+\">✔ pass</td>", page);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(200)]
    public void SVG_elements_stay_within_the_view_box(int runs)
    {
        foreach (var picture in GetSvgImages(WriteReport(runs == 3 ? ReportSamples.CreateThreeFiles() : ReportSamples.CreateMany(runs))))
        {
            var frame = ((string)picture.Attribute("viewBox")!).Split(' ').Select(double.Parse).ToArray();
            foreach (var box in picture.Elements().Where(element => element.Name.LocalName == "rect"))
            {
                Assert.InRange((double)box.Attribute("x")!, 0, frame[2]);
                Assert.InRange((double)box.Attribute("x")! + (double)box.Attribute("width")!, 0, frame[2]);
                Assert.InRange((double)box.Attribute("y")! + (double)box.Attribute("height")!, 0, frame[3]);
            }
        }
    }

    [Fact]
    public void Long_table_is_truncated_with_a_notice()
    {
        var page = WriteReport(ReportSamples.CreateMany(700), new() { NoSummary = true });

        Assert.Contains("The first 500 of 700 rows. The workbook contains all of them.", page, StringComparison.Ordinal);
    }

    [Fact]
    public void Mail_body_has_the_verdict_and_inline_styles_only()
    {
        var body = WriteReport(ReportSamples.CreateThreeFiles(), new ReportOptions { Body = true });
        Assert.Matches("<p [^>]*>(PASS|PRELIMINARY PASS|FAIL|NOT RATED)", body);
        Assert.InRange(body.Split('\n').Length, 8, 30);
        Assert.DoesNotContain("<style", body, StringComparison.Ordinal);
        Assert.DoesNotContain("class=", body, StringComparison.Ordinal);
        Assert.True(Report.IsReport(new MemoryStream(Encoding.UTF8.GetBytes(body))));
    }

    [Fact]
    public void Mail_body_is_at_most_10_KB_with_long_names()
    {
        var runs = ReportSamples.CreateThreeFiles();
        foreach (var (run, i) in runs.Select((run, i) => (run, i)))
        {
            run.Label = $"side {i} " + new string('<', 5000);
            run.Workload = $"log-commit {i} " + new string('&', 5000);
            run.Path = new string('x', 9000);
        }
        var body = WriteReport(runs, new ReportOptions { Body = true });
        Assert.InRange(Encoding.UTF8.GetByteCount(body), 500, 10_000);
        Assert.EndsWith("</body></html>\n", body, StringComparison.Ordinal);
    }

    private static string WriteReport(IReadOnlyList<IoTestResult> results, ReportOptions? options = null)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", results, options ?? new());
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    // Each image must be well-formed XML, because mail programs and browsers handle errors differently.
    private static List<XElement> GetSvgImages(string page) =>
        [.. Regex.Matches(page, "<svg .*?</svg>", RegexOptions.Singleline).Select(match => XElement.Parse(match.Value))];
}
