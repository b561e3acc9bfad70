using System.Globalization;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

public class ResultsSheetTests
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";

    [Fact]
    public void The_three_runs_of_the_document_stand_where_the_old_script_put_them()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { NoSummary = true });

        Assert.Equal("Results", book.SheetNames()[0]);
        Assert.Equal("SQLIO Test Results from reads-8k-random-3-files.txt", book.Cell("Results", "A1"));
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
            "ABCDEFGHIJ".Select(column => book.Cell("Results", $"{column}3"))
        );
        Assert.Equal(
            ["48", "8", @"O:\SQLIOMP\Disk1\testfile.dat", "92160 MB", "7200", "8KBrandomread", "121.12", "15504.09", "24"],
            "ABCDEFGHI".Select(column => book.Cell("Results", $"{column}4"))
        );
        Assert.Equal(
            ["40", "8", @"H:\SQLIOMP\SQLIO_01\testfile.dat", "92160 MB", "7200", "8KBrandomread", "1498.33", "191786.53", "1"],
            "ABCDEFGHI".Select(column => book.Cell("Results", $"{column}6"))
        );
        Assert.Null(book.Cell("Results", "A7"));
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void A_label_is_appended_to_the_pattern()
    {
        using var book = new Workbook(Runs.ThreeArrays());

        Assert.Equal(
            ["8KBrandomread-HUS150", "8KBrandomread-Nimble", "8KBrandomread-Pure"],
            "456".Select(row => book.Cell("Results", $"F{row}"))
        );
    }

    [Fact]
    public void Each_chart_is_in_its_own_order_and_has_its_values_cached()
    {
        using var book = new Workbook(Runs.ThreeArrays(), new() { NoSummary = true });
        var charts = book.Charts();

        Assert.Equal(["Bandwidth", "IOPs", "Average Latency"], charts.Take(3).Select(chart => chart.Title()));
        Assert.Equal([48.64, 455.38, 1473.68], charts[0].Values());
        Assert.Equal([6226.01, 58288.99, 188631.44], charts[1].Values());
        Assert.Equal([61, 6, 1], charts[2].Values());
        Assert.Equal(["8KBrandomread-HUS150", "8KBrandomread-Nimble", "8KBrandomread-Pure"], charts[0].Categories());
        Assert.All(
            charts,
            chart => Assert.Equal("0", (string?)chart.Element(Chart.C + "chart")!.Element(Chart.C + "plotVisOnly")!.Attribute("val"))
        );
        Assert.Single(charts[0].Descendants(Chart.C + "barChart"));
        Assert.Single(charts[1].Descendants(Chart.C + "lineChart"));
        Assert.Equal(3, charts.Take(3).Select(chart => chart.ValueFormula()).Distinct().Count());
    }

    [Fact]
    public void Charts_draw_from_sorted_cells_of_a_hidden_sheet()
    {
        using var book = new Workbook(Runs.ThreeArrays(), new() { NoSummary = true });

        var sheet = book.Part("xl/workbook.xml").Descendants(s_main + "sheet").Single(item => (string?)item.Attribute("state") == "hidden");
        Assert.Equal("ChartData", (string?)sheet.Attribute("name"));
        Assert.Equal("'ChartData'!$B$2:$B$4", book.Charts()[0].ValueFormula());
        Assert.Equal(["48.64", "455.38", "1473.68"], "234".Select(row => book.Cell("ChartData", $"B{row}")));
    }

    [Theory]
    [InlineData(3, 60, 360, 660)]
    [InlineData(15, 60, 360, 660)]
    public void Charts_stand_at_the_classic_places(int runs, int first, int second, int third)
    {
        using var book = new Workbook(runs == 3 ? Runs.ThreeFiles() : Runs.Many(15), new() { NoSummary = true });
        var anchors = Anchors(book);

        Assert.Equal([first, second, third], anchors.Select(anchor => Math.Round(anchor.Top, 3)));
        Assert.All(anchors, anchor => Assert.Equal((600.0, 300.0), (anchor.Width, anchor.Height)));
        var edge = book.Sheet("Results")
            .Descendants(s_main + "col")
            .Sum(col => Math.Floor((256 * (double)col.Attribute("width")! + 18) / 256 * 7) * 0.75);
        Assert.All(anchors, anchor => Assert.Equal(Math.Max(600, edge + 20), anchor.Left, 3));
    }

    [Fact]
    public void With_many_runs_charts_grow_and_do_not_overlap()
    {
        using var book = new Workbook(Runs.Many(200), new() { NoSummary = true });
        var anchors = Anchors(book);

        Assert.True(anchors[0].Height > 200 * 12);
        Assert.Equal(60 + anchors[0].Height, anchors[1].Top, 3);
        Assert.Equal(anchors[1].Top + anchors[1].Height, anchors[2].Top, 3);
        Assert.All(anchors, anchor => Assert.Equal(600, anchor.Width));
        Assert.All(book.Charts()[0].Categories(), name => Assert.True(name.Length <= 44, name));
        Assert.Equal(200, book.Charts()[0].Categories().Distinct().Count());
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Measured_results_have_workload_role_and_pattern_in_columns_and_bars_grouped_by_block_size()
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true });

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
            "ABCDEFGHIJKLMN".Select(column => book.Cell("Results", $"{column}3"))
        );
        Assert.Equal(
            ["log-commit", "what a commit waits for", "4KB sequential write"],
            "ABC".Select(column => book.Cell("Results", $"{column}10"))
        );
        var charts = book.Charts().Take(3).ToList();
        Assert.Equal(["Bandwidth", "IOPs", "Average Latency"], charts.Select(chart => chart.Title()));
        Assert.All(charts, chart => Assert.Empty(chart.Descendants(Chart.C + "lineChart")));
        // The largest blocks come first, because Excel draws bars from bottom to top.
        var names = charts[0].Descendants(Chart.C + "cat").First().Descendants(Chart.C + "v").Select(value => value.Value);
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
    public void The_classic_sheet_is_made_of_any_results_on_request()
    {
        using var book = new Workbook(Runs.SqlServerSuite(), new() { NoSummary = true, Classic = true });

        Assert.Equal("Threadcount", book.Cell("Results", "A3"));
        Assert.Equal("Average latency(ms)", book.Cell("Results", "I3"));
        Assert.Single(book.Charts()[1].Descendants(Chart.C + "lineChart"));
    }

    [Fact]
    public void Many_nights_are_a_row_a_test_with_median_and_spread_and_every_run_in_details()
    {
        var nights = AnswerRuns.FourteenNights();
        using var book = new Workbook(nights);

        Assert.Equal(["Summary", "Trend", "Results"], book.SheetNames().Take(3));
        Assert.Equal(
            9,
            book.Part("xl/tables/table2.xml").Attribute("ref")!.Value is var range
                ? int.Parse(
                    range.Split(':')[1].TrimStart([.. Enumerable.Range('A', 26).Select(letter => (char)letter)]),
                    CultureInfo.InvariantCulture
                ) - 3
                : 0
        );
        var commits = nights.Where(run => run.Workload == "log-commit").Select(run => run.IOPS!.Value).Order().ToList();
        var row = Enumerable.Range(4, 9).Single(number => book.Cell("Results", $"A{number}") == "log-commit");
        Assert.Equal("13", book.Cell("Results", $"I{row}"));
        Assert.Equal(commits[6], book.Number("Results", $"K{row}"));
        Assert.Equal([commits[0], commits[^1]], new[] { "L", "M" }.Select(column => book.Number("Results", $"{column}{row}")));
        Assert.Equal(nights.Count, book.Sheet("Details").Descendants(s_main + "row").Count() - 2);
        Assert.DoesNotContain(
            "(14)",
            string.Join('\n', book.SheetNames().Where(name => name != "ChartData").Select(book.Text)),
            StringComparison.Ordinal
        );
        Assert.Contains("log-commit 2026-11-", book.Text("Summary"), StringComparison.Ordinal);
        // Error bars reach from the lowest to the highest value.
        Assert.NotEmpty(book.Charts().First(chart => chart.Title() == "IOPs").Descendants(Chart.C + "errBars"));
    }

    [Fact]
    public void A_long_path_is_whole_in_its_cell()
    {
        using var book = new Workbook(Runs.Many(20));

        Assert.Equal(@"E:\mount\array-1\a rather long folder name for tests\testfile.dat", book.Cell("Results", "C4"));
    }

    [Fact]
    public void The_rows_are_an_Excel_table_with_filters_and_a_frozen_bold_header()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { NoSummary = true });
        var table = book.Part("xl/tables/table1.xml");

        Assert.Equal("A3:I6", (string?)table.Attribute("ref"));
        Assert.Equal("A3:I6", (string?)table.Element(s_main + "autoFilter")!.Attribute("ref"));
        Assert.Equal("IO Pattern", (string?)table.Descendants(s_main + "tableColumn").ElementAt(5).Attribute("name"));
        var pane = book.Sheet("Results").Descendants(s_main + "pane").Single();
        Assert.Equal(("3", "frozen"), ((string?)pane.Attribute("ySplit"), (string?)pane.Attribute("state")));
        Assert.True(Font(book, "A3").Bold);
        Assert.Equal((true, 18), Font(book, "A1"));
    }

    [Fact]
    public void A_title_of_ones_own_and_fitting_titles_for_others()
    {
        Assert.Equal("SAN 2014", Title(Runs.ThreeFiles(), "SAN 2014"));
        Assert.Equal("IoBench Test Results of SQL01, T:, 2026-11-21", Title(Runs.SqlServerSuite(), null));
        Assert.Equal(
            "IoBench Test Results of SQL01, /mnt/data, 2026-11-21",
            Title(Runs.SqlServerSuite(path: "/mnt/data/iobench.dat"), null)
        );
        Assert.Equal("IoBench Test Results of SQL01, T:, 2026-11-01 to 2026-11-14", Title(AnswerRuns.FourteenNights(), null));
        var two = Runs.ThreeFiles();
        two[2].SourceFile = @"D:\old\other.txt";
        Assert.Equal("SQLIO Test Results from 2 files", Title(two, null));
        Assert.Equal("I/O Test Results of IoBench, SQLIO", Title([.. Runs.ThreeFiles(), .. Runs.SqlServerSuite()], null));

        static string? Title(List<IoTestResult> results, string? title)
        {
            using var book = new Workbook(results, new() { Title = title });
            return book.Cell("Results", "A1");
        }
    }

    [Fact]
    public void Details_have_every_flat_property_with_its_unit()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        var headers = book.Sheet("Details")
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

    private static List<(double Left, double Top, double Width, double Height)> Anchors(Workbook book)
    {
        XNamespace xdr = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
        static double Points(string? emu) => double.Parse(emu!, CultureInfo.InvariantCulture) / 12_700;
        var sheet = book.Sheet("Results");
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
            .. book.Part("xl/drawings/drawing1.xml")
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

    private static (bool Bold, int Size) Font(Workbook book, string reference)
    {
        var style = (int)
            book.Sheet("Results").Descendants(s_main + "c").Single(cell => (string?)cell.Attribute("r") == reference).Attribute("s")!;
        var styles = book.Part("xl/styles.xml");
        var font = styles
            .Element(s_main + "fonts")!
            .Elements()
            .ElementAt((int)styles.Element(s_main + "cellXfs")!.Elements().ElementAt(style).Attribute("fontId")!);
        return (font.Element(s_main + "b") is not null, (int)font.Element(s_main + "sz")!.Attribute("val")!);
    }
}
