using System.Text;
using System.Text.RegularExpressions;
using System.Xml.Linq;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class HtmlTests
{
    [Fact]
    public void The_page_has_the_sections_of_the_workbook()
    {
        var page = Write(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });
        using var book = new Workbook(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });

        Assert.Equal(
            book.SheetNames().Where(name => name != "ChartData"),
            Regex.Matches(page, "<section id=\"(\\w+)\"").Select(match => match.Groups[1].Value)
        );
        // Each chart is there twice: for a screen and for a phone.
        Assert.Equal(book.Charts().Count, Regex.Count(page, "<div class=\"chart"));
        Assert.Equal(book.Charts().Count, Regex.Count(page, "<div class=\"slim\""));
        Assert.Equal(2 * book.Charts().Count, Pictures(page).Count);
    }

    [Fact]
    public void The_page_needs_nothing_from_elsewhere()
    {
        var page = Write(Runs.SqlServerSuite());

        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotMatch("(src|@import|url\\(|<link)", page.Replace("Source", "", StringComparison.OrdinalIgnoreCase));
        Assert.All(
            Regex.Matches(page, "https?://[^\"' <]+").Select(match => match.Value),
            address => Assert.Equal("http://www.w3.org/2000/svg", address)
        );
    }

    [Fact]
    public void What_users_name_is_text_and_never_markup()
    {
        var run = Runs.SqlServerSuite()[0];
        run.Path = "<script>alert(1)</script>";
        run.Label = "a\"b'c&d\u0001";
        run.Warnings.Add("<img src=x onerror=alert(1)>");
        var page = Write([run], new() { Title = "<b>bold</b>" });

        Assert.DoesNotContain("<script", page, StringComparison.OrdinalIgnoreCase);
        Assert.DoesNotContain("<img", page, StringComparison.OrdinalIgnoreCase);
        Assert.Contains("<h1>&lt;b&gt;bold&lt;/b&gt;</h1>", page, StringComparison.Ordinal);
        Assert.DoesNotContain('\u0001', page);
        Assert.NotEmpty(Pictures(page));
    }

    [Fact]
    public void Verdicts_have_their_colour_at_the_cell_for_mail_programs_that_drop_styles()
    {
        var page = Write(Runs.SqlServerSuite());

        Assert.Matches("<td class=\"c\" align=\"center\" bgcolor=\"#D6E8F7\" style=\"background:#D6E8F7;[^\"]+\">✔ Good</td>", page);
    }

    [Theory]
    [InlineData(1)]
    [InlineData(3)]
    [InlineData(200)]
    public void Pictures_stay_within_their_frame(int runs)
    {
        foreach (var picture in Pictures(Write(runs == 3 ? Runs.ThreeFiles() : Runs.Many(runs))))
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
    public void A_long_table_is_cut_and_says_so()
    {
        var page = Write(Runs.Many(700), new() { NoSummary = true });

        Assert.Contains("The first 500 of 700 rows; the workbook has all.", page, StringComparison.Ordinal);
    }

    private static string Write(IReadOnlyList<IoTestResult> results, ReportOptions? options = null)
    {
        using var stream = new MemoryStream();
        Report.Write(stream, "report.html", results, options ?? new());
        return Encoding.UTF8.GetString(stream.ToArray());
    }

    // Each image must be well-formed XML, because mail programs and browsers handle errors differently.
    private static List<XElement> Pictures(string page) =>
        [.. Regex.Matches(page, "<svg .*?</svg>", RegexOptions.Singleline).Select(match => XElement.Parse(match.Value))];
}
