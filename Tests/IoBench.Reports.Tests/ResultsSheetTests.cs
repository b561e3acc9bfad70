using System.Globalization;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class ResultsSheetTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    [Fact]
    public void SQLIO_results_use_the_classic_columns_and_rows()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { NoSummary = true });

        Assert.Equal("Results", book.GetSheetNames()[0]);
        Assert.Equal("SQLIO Test Results from reads-8k-random-3-files.txt", book.GetCell("Results", "A1"));
        Assert.Equal(
            [
                "Threadcount",
                "Outstanding IO",
                "Testfile Path",
                "Datafile size",
                "Duration",
                "IO Pattern",
                "Bandwidth(MB/s)",
                "IOPs",
                "Average latency(ms)",
                null,
            ],
            "ABCDEFGHIJ".Select(column => book.GetCell("Results", $"{column}3"))
        );
        Assert.Equal(
            ["48", "8", @"O:\SQLIOMP\Disk1\testfile.dat", "92160 MB", "7200", "8KBrandomread", "121.12", "15504.09", "24"],
            "ABCDEFGHI".Select(column => book.GetCell("Results", $"{column}4"))
        );
        Assert.Equal(
            ["40", "8", @"H:\SQLIOMP\SQLIO_01\testfile.dat", "92160 MB", "7200", "8KBrandomread", "1498.33", "191786.53", "1"],
            "ABCDEFGHI".Select(column => book.GetCell("Results", $"{column}6"))
        );
        Assert.Null(book.GetCell("Results", "A7"));
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Label_is_appended_to_the_pattern()
    {
        using var book = new Workbook(ReportSamples.CreateThreeArrays());

        Assert.Equal(
            ["8KBrandomread-HUS150", "8KBrandomread-Nimble", "8KBrandomread-Pure"],
            "456".Select(row => book.GetCell("Results", $"F{row}"))
        );
    }

    [Fact]
    public void Each_chart_is_sorted_and_has_cached_values()
    {
        using var book = new Workbook(ReportSamples.CreateThreeArrays(), new() { NoSummary = true });
        var charts = book.GetCharts();

        Assert.Equal(["Bandwidth", "IOPs", "Average Latency"], charts.Take(3).Select(chart => chart.GetTitle()));
        Assert.Equal([48.64, 455.38, 1473.68], charts[0].GetValues());
        Assert.Equal([6226.01, 58288.99, 188631.44], charts[1].GetValues());
        Assert.Equal([61, 6, 1], charts[2].GetValues());
        Assert.Equal(["8KBrandomread-HUS150", "8KBrandomread-Nimble", "8KBrandomread-Pure"], charts[0].GetCategories());
        Assert.All(
            charts,
            chart =>
                Assert.Equal(
                    "0",
                    (string?)chart.Element(ChartReader.ChartNs + "chart")!.Element(ChartReader.ChartNs + "plotVisOnly")!.Attribute("val")
                )
        );
        Assert.Single(charts[0].Descendants(ChartReader.ChartNs + "barChart"));
        Assert.Single(charts[1].Descendants(ChartReader.ChartNs + "lineChart"));
        Assert.Equal(3, charts.Take(3).Select(chart => chart.GetValueFormula()).Distinct().Count());
    }

    [Fact]
    public void Charts_use_sorted_cells_of_a_hidden_sheet()
    {
        using var book = new Workbook(ReportSamples.CreateThreeArrays(), new() { NoSummary = true });

        var sheet = book.GetPart("xl/workbook.xml")
            .Descendants(s_main + "sheet")
            .Single(item => (string?)item.Attribute("state") == "hidden");
        Assert.Equal("ChartData", (string?)sheet.Attribute("name"));
        Assert.Equal("'ChartData'!$B$2:$B$4", book.GetCharts()[0].GetValueFormula());
        Assert.Equal(["48.64", "455.38", "1473.68"], "234".Select(row => book.GetCell("ChartData", $"B{row}")));
    }

    [Theory]
    [InlineData(3, 60, 360, 660)]
    [InlineData(15, 60, 360, 660)]
    public void Charts_have_the_classic_positions(int runs, int first, int second, int third)
    {
        using var book = new Workbook(
            runs == 3 ? ReportSamples.CreateThreeFiles() : ReportSamples.CreateMany(15),
            new() { NoSummary = true }
        );
        var anchors = GetAnchors(book);

        Assert.Equal([first, second, third], anchors.Select(anchor => Math.Round(anchor.Top, 3)));
        Assert.All(anchors, anchor => Assert.Equal((600.0, 300.0), (anchor.Width, anchor.Height)));
        var edge = book.GetSheet("Results")
            .Descendants(s_main + "col")
            .Sum(col => Math.Floor((256 * (double)col.Attribute("width")! + 18) / 256 * 7) * 0.75);
        Assert.All(anchors, anchor => Assert.Equal(Math.Max(600, edge + 20), anchor.Left, 3));
    }

    [Fact]
    public void Charts_grow_without_overlap_for_many_runs()
    {
        using var book = new Workbook(ReportSamples.CreateMany(200), new() { NoSummary = true });
        var anchors = GetAnchors(book);

        Assert.True(anchors[0].Height > 200 * 12);
        Assert.Equal(60 + anchors[0].Height, anchors[1].Top, 3);
        Assert.Equal(anchors[1].Top + anchors[1].Height, anchors[2].Top, 3);
        Assert.All(anchors, anchor => Assert.Equal(600, anchor.Width));
        Assert.All(book.GetCharts()[0].GetCategories(), name => Assert.True(name.Length <= 44, name));
        Assert.Equal(200, book.GetCharts()[0].GetCategories().Distinct().Count());
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Measured_results_have_workload_columns_and_bars_by_block_size()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true });

        Assert.Equal(
            [
                "Workload",
                "Role",
                "IO Pattern",
                "Threadcount",
                "Outstanding IO",
                "Testfile Path",
                "Datafile size",
                "Duration",
                "Bandwidth(MB/s)",
                "IOPs",
                "Average latency(ms)",
                "p99 latency(ms)",
                "Longest(ms)",
                null,
            ],
            "ABCDEFGHIJKLMN".Select(column => book.GetCell("Results", $"{column}3"))
        );
        Assert.Equal(
            ["log-commit", "what a commit waits for", "4KB sequential write"],
            "ABC".Select(column => book.GetCell("Results", $"{column}10"))
        );
        var charts = book.GetCharts().Take(3).ToList();
        Assert.Equal(["Bandwidth", "IOPs", "Average Latency"], charts.Select(chart => chart.GetTitle()));
        Assert.All(charts, chart => Assert.Empty(chart.Descendants(ChartReader.ChartNs + "lineChart")));
        // The largest blocks come first, because Excel draws bars from bottom to top.
        var names = charts[0]
            .Descendants(ChartReader.ChartNs + "cat")
            .First()
            .Descendants(ChartReader.ChartNs + "v")
            .Select(value => value.Value);
        Assert.Equal(
            [
                "512 KB: read-ahead",
                "64 KB: tempdb",
                "64 KB: extent-read",
                "60 KB: log-stream",
                "16 KB: checkpoint",
                "8 KB: oltp",
                "8 KB: page-read",
                "8 KB: page-read-qd1",
                "4 KB: log-commit",
            ],
            names
        );
    }

    [Fact]
    public void Classic_option_uses_the_classic_columns_for_any_results()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite(), new() { NoSummary = true, Classic = true });

        Assert.Equal("Threadcount", book.GetCell("Results", "A3"));
        Assert.Equal("Average latency(ms)", book.GetCell("Results", "I3"));
        Assert.Single(book.GetCharts()[1].Descendants(ChartReader.ChartNs + "lineChart"));
    }

    [Fact]
    public void Many_days_have_one_row_per_test_with_median_and_range()
    {
        var nights = ScenarioResults.CreateFourteenDays();
        using var book = new Workbook(nights);

        Assert.Equal(["Summary", "Trend", "Results"], book.GetSheetNames().Take(3));
        Assert.Equal(
            9,
            book.GetPart("xl/tables/table2.xml").Attribute("ref")!.Value is var range
                ? int.Parse(
                    range.Split(':')[1].TrimStart([.. Enumerable.Range('A', 26).Select(letter => (char)letter)]),
                    CultureInfo.InvariantCulture
                ) - 3
                : 0
        );
        var commits = nights.Where(run => run.Workload == "log-commit").Select(run => run.IOPS!.Value).Order().ToList();
        var row = Enumerable.Range(4, 9).Single(number => book.GetCell("Results", $"A{number}") == "log-commit");
        Assert.Equal("13", book.GetCell("Results", $"I{row}"));
        Assert.Equal(commits[6], book.GetNumber("Results", $"K{row}"));
        Assert.Equal([commits[0], commits[^1]], new[] { "L", "M" }.Select(column => book.GetNumber("Results", $"{column}{row}")));
        Assert.Equal(nights.Count, book.GetSheet("Details").Descendants(s_main + "row").Count() - 2);
        Assert.DoesNotContain(
            "(14)",
            string.Join('\n', book.GetSheetNames().Where(name => name != "ChartData").Select(book.GetText)),
            StringComparison.Ordinal
        );
        Assert.Contains("log-commit 2026-11-", book.GetText("Summary"), StringComparison.Ordinal);
        // Error bars reach from the lowest to the highest value.
        Assert.NotEmpty(book.GetCharts().First(chart => chart.GetTitle() == "IOPs").Descendants(ChartReader.ChartNs + "errBars"));
    }

    [Fact]
    public void Long_path_is_not_truncated()
    {
        using var book = new Workbook(ReportSamples.CreateMany(20));

        Assert.Equal(@"E:\mount\array-1\a rather long folder name for tests\testfile.dat", book.GetCell("Results", "C4"));
    }

    [Fact]
    public void Rows_are_an_Excel_table_with_filters_and_a_frozen_header()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { NoSummary = true });
        var table = book.GetPart("xl/tables/table1.xml");

        Assert.Equal("A3:I6", (string?)table.Attribute("ref"));
        Assert.Equal("A3:I6", (string?)table.Element(s_main + "autoFilter")!.Attribute("ref"));
        Assert.Equal("IO Pattern", (string?)table.Descendants(s_main + "tableColumn").ElementAt(5).Attribute("name"));
        var pane = book.GetSheet("Results").Descendants(s_main + "pane").Single();
        Assert.Equal(("3", "frozen"), ((string?)pane.Attribute("ySplit"), (string?)pane.Attribute("state")));
        Assert.True(GetFont(book, "A3").Bold);
        Assert.Equal((true, 18), GetFont(book, "A1"));
    }

    [Fact]
    public void Title_is_the_given_one_or_describes_the_results()
    {
        Assert.Equal("SAN 2014", Title(ReportSamples.CreateThreeFiles(), "SAN 2014"));
        Assert.Equal("IoBench Test Results of SQL01, T:, 2026-11-21", Title(ReportSamples.CreateSqlServerSuite(), null));
        Assert.Equal(
            "IoBench Test Results of SQL01, /mnt/data, 2026-11-21",
            Title(ReportSamples.CreateSqlServerSuite(path: "/mnt/data/iobench.dat"), null)
        );
        Assert.Equal("IoBench Test Results of SQL01, T:, 2026-11-01 to 2026-11-14", Title(ScenarioResults.CreateFourteenDays(), null));
        var two = ReportSamples.CreateThreeFiles();
        two[2].SourceFile = @"D:\old\other.txt";
        Assert.Equal("SQLIO Test Results from 2 files", Title(two, null));
        Assert.Equal(
            "I/O Test Results from IoBench, SQLIO",
            Title([.. ReportSamples.CreateThreeFiles(), .. ReportSamples.CreateSqlServerSuite()], null)
        );

        static string? Title(List<IoTestResult> results, string? title)
        {
            using var book = new Workbook(results, new() { Title = title });
            return book.GetCell("Results", "A1");
        }
    }

    [Fact]
    public void Details_sheet_has_every_flat_property()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        var headers = book.GetSheet("Details")
            .Descendants(s_main + "row")
            .Skip(1)
            .First()
            .Elements(s_main + "c")
            .Select(cell => cell.Value.Split(' ')[0])
            .ToList();

        var flat = typeof(IoTestResult)
            .GetProperties()
            .Where(property =>
                property.Name == "Warnings"
                || property.PropertyType == typeof(string)
                || (Nullable.GetUnderlyingType(property.PropertyType) ?? property.PropertyType).IsValueType
            )
            .Select(property => property.Name);
        Assert.Equal(flat.Order(StringComparer.Ordinal), headers.Order(StringComparer.Ordinal));
    }

    private static List<(double Left, double Top, double Width, double Height)> GetAnchors(Workbook book)
    {
        XNamespace xdr = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
        static double Points(string? emu) => double.Parse(emu!, CultureInfo.InvariantCulture) / 12_700;
        var sheet = book.GetSheet("Results");
        // Converts column widths from characters (7-pixel digits) to points. Columns without a width have 64 pixels.
        var widths = sheet
            .Descendants(s_main + "col")
            .Select(col => Math.Floor((256 * (double)col.Attribute("width")! + 18) / 256 * 7) * 0.75)
            .ToList();
        var heights = sheet
            .Descendants(s_main + "row")
            .ToDictionary(row => (int)row.Attribute("r")!, row => (double?)row.Attribute("ht") ?? 15);
        return
        [
            .. book.GetPart("xl/drawings/drawing1.xml")
                .Elements(xdr + "oneCellAnchor")
                .Select(anchor =>
                {
                    var from = anchor.Element(xdr + "from")!;
                    var left = Enumerable
                        .Range(0, (int)from.Element(xdr + "col")!)
                        .Sum(column => column < widths.Count ? widths[column] : 48);
                    var top = Enumerable.Range(1, (int)from.Element(xdr + "row")!).Sum(row => heights.GetValueOrDefault(row, 15));
                    return (
                        left + Points(from.Element(xdr + "colOff")!.Value),
                        top + Points(from.Element(xdr + "rowOff")!.Value),
                        Points(anchor.Element(xdr + "ext")!.Attribute("cx")!.Value),
                        Points(anchor.Element(xdr + "ext")!.Attribute("cy")!.Value)
                    );
                }),
        ];
    }

    private static (bool Bold, int Size) GetFont(Workbook book, string reference)
    {
        var style = (int)
            book.GetSheet("Results").Descendants(s_main + "c").Single(cell => (string?)cell.Attribute("r") == reference).Attribute("s")!;
        var styles = book.GetPart("xl/styles.xml");
        var font = styles
            .Element(s_main + "fonts")!
            .Elements()
            .ElementAt((int)styles.Element(s_main + "cellXfs")!.Elements().ElementAt(style).Attribute("fontId")!);
        return (font.Element(s_main + "b") is not null, (int)font.Element(s_main + "sz")!.Attribute("val")!);
    }
}
