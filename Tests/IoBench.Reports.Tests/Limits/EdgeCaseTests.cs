using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class EdgeCaseTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    [Fact]
    public void Empty_result_makes_a_valid_workbook_without_charts()
    {
        using var book = new Workbook([new IoTestResult()]);

        Assert.Equal(["Summary", "Results", "Details", "Settings"], book.GetSheetNames());
        Assert.Empty(book.GetCharts());
        Assert.Null(book.GetCell("Results", "G4"));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Single_run_makes_a_valid_workbook()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles()[..1]);

        Assert.Equal("A3:I4", (string?)book.GetPart("xl/tables/table1.xml").Attribute("ref"));
        Assert.Equal([121.12], book.GetCharts().Single(chart => chart.GetTitle() == "Bandwidth").GetValues());
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Unknown_value_is_an_empty_cell()
    {
        var runs = ReportSamples.CreateThreeFiles();
        (runs[1].AverageLatencyMs, runs[1].BandwidthMBps, runs[1].FileSizeMB) = (null, double.NaN, null);
        runs[2].IOPS = double.PositiveInfinity;
        using var book = new Workbook(runs, new() { NoSummary = true });

        Assert.Equal([null, null, null, null], new[] { "D5", "G5", "I5", "H6" }.Select(cell => book.GetCell("Results", cell)));
        Assert.Equal([121.12, 1498.33], book.GetCharts()[0].GetValues());
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Control_characters_are_removed_from_all_outputs()
    {
        const string nasty = "a\u001b[2Jb\u202ec\u009bd";
        var runs = ReportSamples.CreateThreeFiles();
        for (var i = 0; i < runs.Count; i++)
            (runs[i].Label, runs[i].Workload, runs[i].Path) = ($"{nasty}{i}", nasty, nasty);
        using var book = new Workbook(runs, new() { Title = nasty, Baseline = ReportSamples.CreateThreeFiles() });
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
        Assert.Empty(book.FindFaults());

        using var page = new MemoryStream();
        Report.Write(page, "r.html", runs, new() { Title = nasty });
        Assert.True(SafeText.IsSafe(System.Text.Encoding.UTF8.GetString(page.ToArray()), keepLines: true));
    }

    [Fact]
    public void User_text_never_becomes_a_formula()
    {
        var run = ReportSamples.CreateThreeFiles()[0];
        run.Path = "=HYPERLINK(\"http://evil\",\"x\")";
        run.Label = "+1+1|cmd";
        run.Warnings.Add("@SUM(A1)");
        using var book = new Workbook([run], new() { Title = "=1+1" });

        Assert.Equal("=1+1", book.GetCell("Results", "A1"));
        Assert.Equal(run.Path, book.GetCell("Results", "C4"));
        foreach (var sheet in book.GetSheetNames())
        {
            Assert.Empty(book.GetSheet(sheet).Descendants(s_main + "f"));
            Assert.All(
                book.GetSheet(sheet).Descendants(s_main + "t"),
                text => Assert.Equal("inlineStr", (string?)text.Parent!.Parent!.Attribute("t"))
            );
        }
        Assert.Empty(book.FindFaults());
    }

    [Theory]
    [InlineData("a\u0001b\rc", "a_x0001_b_x000D_c")]
    [InlineData("_x0041_", "_x005F_x0041_")]
    [InlineData("tab\tand\nline", "tab\tand\nline")]
    [InlineData("\ud83d\ude00 Größe 日本 <&>", "\ud83d\ude00 Größe 日本 <&>")]
    [InlineData("\uFFFF", "_xFFFF_")]
    public void Special_characters_are_escaped_for_Excel(string label, string written)
    {
        var run = ReportSamples.CreateThreeFiles()[0];
        run.Label = label;
        using var book = new Workbook([run], new() { Title = label });

        Assert.Equal(written, book.GetCell("Results", "A1"));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Unpaired_surrogate_is_replaced()
    {
        Assert.Equal("half \uFFFD pair", WorkbookText.EscapeCell("half \ud800 pair"));
        Assert.Equal("\uFFFD", WorkbookText.EscapeCell("\udc00"));
    }

    [Fact]
    public void Text_longer_than_a_cell_is_truncated()
    {
        Assert.Equal(WorkbookText.MaxCellLength, WorkbookText.EscapeCell(new string('x', 40_000)).Length);
        Assert.True(WorkbookText.EscapeCell(new string('\u0001', 40_000)).Length <= WorkbookText.MaxCellLength);
        Assert.EndsWith(
            "x…",
            WorkbookText.EscapeCell(new string('x', WorkbookText.MaxCellLength - 2) + "\ud83d\ude00 and more"),
            StringComparison.Ordinal
        );
        var run = ReportSamples.CreateThreeFiles()[0];
        run.Warnings.Add(new string('w', 50_000));
        using var book = new Workbook([run]);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Rows_beyond_the_sheet_limit_continue_on_another_sheet()
    {
        var document = ReportDocument.Build(ReportSamples.CreateMany(50), new() { NoSummary = true });
        using var book = new Workbook(document with { Sections = [.. document.Sections.Take(2)] }, maxRows: 24);

        Assert.Equal(["Results", "Results (2)", "Results (3)", "Details", "Details (2)", "Details (3)", "ChartData"], book.GetSheetNames());
        var rows = new[] { "Results", "Results (2)", "Results (3)" }
            .Select(name => book.GetSheet(name).Descendants(s_main + "row").Count() - 2)
            .ToList();
        Assert.Equal(50, rows.Sum());
        Assert.All(rows, count => Assert.True(count <= 20));
        Assert.Equal(book.GetCell("Details (3)", "A4") is not null, book.GetCell("Results (3)", "A4") is not null);
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Sheets_with_several_tables_are_truncated_with_a_notice()
    {
        using var book = new Workbook(
            ReportDocument.Build(
                ReportSamples.CreateThreeFiles().Concat(ReportSamples.CreateMany(400)).ToList(),
                new() { NoSummary = true }
            ),
            maxRows: 600
        );

        Assert.Contains("This sheet has reached the maximum number of rows", book.GetText("Settings"), StringComparison.Ordinal);
        Assert.All(
            book.GetSheetNames(),
            name => Assert.All(book.GetSheet(name).Descendants(s_main + "row"), row => Assert.True((int)row.Attribute("r")! <= 600, name))
        );
    }

    [Fact]
    public void Chart_of_many_runs_shows_the_highest_400()
    {
        using var book = new Workbook(ReportSamples.CreateMany(1000), new() { NoSummary = true });
        var chart = book.GetCharts()[0];

        Assert.Equal("Bandwidth (the 400 highest of 1,000 runs)", chart.GetTitle());
        Assert.Equal(400, chart.GetValues().Count);
        Assert.Equal(ReportSamples.CreateMany(1000).Max(run => run.BandwidthMBps), chart.GetValues()[^1]);
        Assert.Equal(1000, book.GetSheet("Details").Descendants(s_main + "row").Count() - 2);
    }

    [Fact]
    public void Every_sheet_prints_landscape_one_page_wide()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });
        var names = book.GetPart("xl/workbook.xml").Descendants(s_main + "definedName").ToList();

        foreach (
            var (sheet, index) in book.GetSheetNames().Select((sheet, index) => (sheet, index)).Where(item => item.sheet != "ChartData")
        )
        {
            var setup = book.GetSheet(sheet).Element(s_main + "pageSetup")!;
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
    public void Document_properties_have_title_and_creation_time()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { Title = "SAN <2014>" });
        var properties = book.GetPart("docProps/core.xml");

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
    public void Workbook_does_not_depend_on_the_culture()
    {
        var before = System.Globalization.CultureInfo.CurrentCulture;
        try
        {
            System.Globalization.CultureInfo.CurrentCulture = new System.Globalization.CultureInfo("de-DE");
            using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
            Assert.Equal(0.165, book.GetNumber("Results", "K5"));
            Assert.Contains("112,640 IOPS", book.GetText("Summary"), StringComparison.Ordinal);
            Assert.Empty(book.FindFaults());
        }
        finally
        {
            System.Globalization.CultureInfo.CurrentCulture = before;
        }
    }

    [Fact]
    public void Start_time_before_1900_is_an_empty_cell()
    {
        var run = ReportSamples.CreateSqlServerSuite()[0];
        run.StartTime = new DateTimeOffset(1601, 1, 1, 0, 0, 0, TimeSpan.Zero);
        using var book = new Workbook([run]);

        Assert.Empty(book.FindFaults());
        Assert.DoesNotContain("Started", book.GetText("Settings"), StringComparison.Ordinal);
    }
}
