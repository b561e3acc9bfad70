using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class EdgeCaseTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    [Fact]
    public void A_result_that_knows_nothing_makes_a_valid_workbook_without_charts()
    {
        using var book = new Workbook([new IoTestResult()]);

        Assert.Equal(["Summary", "Results", "Details", "Settings"], book.SheetNames());
        Assert.Empty(book.Charts());
        Assert.Null(book.Cell("Results", "G4"));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void One_run_is_enough()
    {
        using var book = new Workbook(Runs.ThreeFiles()[..1]);

        Assert.Equal("A3:I4", (string?)book.Part("xl/tables/table1.xml").Attribute("ref"));
        Assert.Equal([121.12], book.Charts().Single(chart => chart.Title() == "Bandwidth").Values());
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void What_is_not_known_is_an_empty_cell_and_never_zero()
    {
        var runs = Runs.ThreeFiles();
        (runs[1].AverageLatencyMs, runs[1].BandwidthMBps, runs[1].FileSizeMB) = (null, double.NaN, null);
        runs[2].IOPS = double.PositiveInfinity;
        using var book = new Workbook(runs, new() { NoSummary = true });

        Assert.Equal([null, null, null, null], new[] { "D5", "G5", "I5", "H6" }.Select(cell => book.Cell("Results", cell)));
        Assert.Equal([121.12, 1498.33], book.Charts()[0].Values());
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void No_attribute_and_no_page_holds_a_character_that_acts()
    {
        const string nasty = "a\u001b[2Jb\u202ec\u009bd";
        var runs = Runs.ThreeFiles();
        for (var i = 0; i < runs.Count; i++)
            (runs[i].Label, runs[i].Workload, runs[i].Path) = ($"{nasty}{i}", nasty, nasty);
        using var book = new Workbook(runs, new() { Title = nasty, Baseline = Runs.ThreeFiles() });
        using var package = System.IO.Compression.ZipFile.OpenRead(book.Path);
        foreach (var entry in package.Entries.Where(e => e.FullName.EndsWith(".xml", StringComparison.Ordinal)))
        {
            using var stream = entry.Open();
            using var reader = System.Xml.XmlReader.Create(stream, new() { CheckCharacters = false });
            Assert.All(
                XDocument.Load(reader).Descendants().Attributes(),
                attribute => Assert.True(SafeText.IsSafe(attribute.Value), $"{entry.FullName}: {attribute}")
            );
        }
        Assert.Empty(book.Faults());

        using var page = new MemoryStream();
        Report.Write(page, "r.html", runs, new() { Title = nasty });
        Assert.True(SafeText.IsSafe(System.Text.Encoding.UTF8.GetString(page.ToArray()), keepLines: true));
    }

    [Fact]
    public void No_cell_can_become_a_formula()
    {
        var run = Runs.ThreeFiles()[0];
        run.Path = "=HYPERLINK(\"http://evil\",\"x\")";
        run.Label = "+1+1|cmd";
        run.Warnings.Add("@SUM(A1)");
        using var book = new Workbook([run], new() { Title = "=1+1" });

        Assert.Equal("=1+1", book.Cell("Results", "A1"));
        Assert.Equal(run.Path, book.Cell("Results", "C4"));
        foreach (var sheet in book.SheetNames())
        {
            Assert.Empty(book.Sheet(sheet).Descendants(s_main + "f"));
            Assert.All(
                book.Sheet(sheet).Descendants(s_main + "t"),
                text => Assert.Equal("inlineStr", (string?)text.Parent!.Parent!.Attribute("t"))
            );
        }
        Assert.Empty(book.Faults());
    }

    [Theory]
    [InlineData("a\u0001b\rc", "a_x0001_b_x000D_c")]
    [InlineData("_x0041_", "_x005F_x0041_")]
    [InlineData("tab\tand\nline", "tab\tand\nline")]
    [InlineData("\ud83d\ude00 Größe 日本 <&>", "\ud83d\ude00 Größe 日本 <&>")]
    [InlineData("\uFFFF", "_xFFFF_")]
    public void Text_is_written_so_that_every_reader_takes_it(string label, string written)
    {
        var run = Runs.ThreeFiles()[0];
        run.Label = label;
        using var book = new Workbook([run], new() { Title = label });

        Assert.Equal(written, book.Cell("Results", "A1"));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Half_a_pair_of_surrogates_is_replaced()
    {
        Assert.Equal("half \uFFFD pair", XmlText.Clean("half \ud800 pair"));
        Assert.Equal("\uFFFD", XmlText.Clean("\udc00"));
    }

    [Fact]
    public void A_text_longer_than_a_cell_is_cut()
    {
        Assert.Equal(XmlText.MaxCellLength, XmlText.Clean(new string('x', 40_000)).Length);
        Assert.True(XmlText.Clean(new string('\u0001', 40_000)).Length <= XmlText.MaxCellLength);
        Assert.EndsWith(
            "x…",
            XmlText.Clean(new string('x', XmlText.MaxCellLength - 2) + "\ud83d\ude00 and more"),
            StringComparison.Ordinal
        );
        var run = Runs.ThreeFiles()[0];
        run.Warnings.Add(new string('w', 50_000));
        using var book = new Workbook([run]);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void More_runs_than_a_sheet_has_rows_go_on_in_another()
    {
        var document = ReportDocument.Build(Runs.Many(50), new() { NoSummary = true });
        using var book = new Workbook(document with { Sections = [.. document.Sections.Take(2)] }, maxRows: 24);

        Assert.Equal(["Results", "Results (2)", "Results (3)", "Details", "Details (2)", "Details (3)", "ChartData"], book.SheetNames());
        var rows = new[] { "Results", "Results (2)", "Results (3)" }
            .Select(name => book.Sheet(name).Descendants(s_main + "row").Count() - 2)
            .ToList();
        Assert.Equal(50, rows.Sum());
        Assert.All(rows, count => Assert.True(count <= 20));
        Assert.Equal(book.Cell("Details (3)", "A4") is not null, book.Cell("Results (3)", "A4") is not null);
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Sheets_with_several_tables_are_cut_and_say_so()
    {
        using var book = new Workbook(
            ReportDocument.Build(Runs.ThreeFiles().Concat(Runs.Many(400)).ToList(), new() { NoSummary = true }),
            maxRows: 600
        );

        Assert.Contains("A sheet holds no more rows", book.Text("Settings"), StringComparison.Ordinal);
        Assert.All(
            book.SheetNames(),
            name => Assert.All(book.Sheet(name).Descendants(s_main + "row"), row => Assert.True((int)row.Attribute("r")! <= 600, name))
        );
    }

    [Fact]
    public void Of_thousands_of_runs_charts_show_those_that_matter_and_say_so()
    {
        using var book = new Workbook(Runs.Many(1000), new() { NoSummary = true });
        var chart = book.Charts()[0];

        Assert.Equal("Bandwidth (the 400 highest of 1,000 runs)", chart.Title());
        Assert.Equal(400, chart.Values().Count);
        Assert.Equal(Runs.Many(1000).Max(run => run.BandwidthMBps), chart.Values()[^1]);
        Assert.Equal(1000, book.Sheet("Details").Descendants(s_main + "row").Count() - 2);
    }

    [Fact]
    public void Every_sheet_is_printed_landscape_one_page_wide_in_its_print_area()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });
        var names = book.Part("xl/workbook.xml").Descendants(s_main + "definedName").ToList();

        foreach (var (sheet, index) in book.SheetNames().Select((sheet, index) => (sheet, index)).Where(item => item.sheet != "ChartData"))
        {
            var setup = book.Sheet(sheet).Element(s_main + "pageSetup")!;
            Assert.Equal(("landscape", "1"), ((string?)setup.Attribute("orientation"), (string?)setup.Attribute("fitToWidth")));
            Assert.Contains(
                names,
                name => (string?)name.Attribute("name") == "_xlnm.Print_Area" && (int?)name.Attribute("localSheetId") == index
            );
        }
        Assert.Contains(
            "'Results'!$3:$3",
            names.Where(name => (string?)name.Attribute("name") == "_xlnm.Print_Titles").Select(name => name.Value)
        );
    }

    [Fact]
    public void The_document_has_its_title_and_time()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { Title = "SAN <2014>" });
        var properties = book.Part("docProps/core.xml");

        Assert.Equal("SAN <2014>", properties.Elements().Single(element => element.Name.LocalName == "title").Value);
        Assert.True(
            DateTime.UtcNow
                - DateTime.Parse(
                    properties.Elements().Single(element => element.Name.LocalName == "created").Value,
                    null,
                    System.Globalization.DateTimeStyles.AdjustToUniversal
                )
                < TimeSpan.FromHours(1)
        );
    }

    [Fact]
    public void Numbers_and_dates_do_not_depend_on_the_culture()
    {
        var before = System.Globalization.CultureInfo.CurrentCulture;
        try
        {
            System.Globalization.CultureInfo.CurrentCulture = new System.Globalization.CultureInfo("de-DE");
            using var book = new Workbook(Runs.SqlServerSuite());
            Assert.Equal(0.165, book.Number("Results", "K5"));
            Assert.Contains("112,640 per second", book.Text("Summary"), StringComparison.Ordinal);
            Assert.Empty(book.Faults());
        }
        finally
        {
            System.Globalization.CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void A_start_before_all_calendars_of_spreadsheets_is_an_empty_cell()
    {
        var run = Runs.SqlServerSuite()[0];
        run.StartTime = new DateTimeOffset(1601, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using var book = new Workbook([run]);

        Assert.Empty(book.Faults());
        Assert.DoesNotContain("Started", book.Text("Settings"), StringComparison.Ordinal);
    }
}
