using System.Globalization;
using DocumentFormat.OpenXml.Packaging;
using DocumentFormat.OpenXml.Spreadsheet;
using IoBench.Analysis;

namespace IoBench.Reports.Tests;

/// <summary>Reads a workbook with the Open XML SDK, which did not write it.</summary>
public class ReadBackTests
{
    // ECMA-376, 18.8.30: formats with the separators and the date order of the reader's locale.
    private const uint Whole = 3,
        TwoDecimals = 4,
        DateAndTime = 22;

    [Fact]
    public void Numbers_and_dates_have_formats_of_the_readers_own_locale()
    {
        using var book = new Workbook(Runs.SqlServerSuite());
        using var document = SpreadsheetDocument.Open(book.Path, false);

        // A column has decimals if some rates are below 100, otherwise none.
        Assert.Equal([Whole, Whole, Whole], new[] { "D5", "E5", "J5" }.Select(cell => FormatOf(document, "Results", cell)));
        Assert.Equal("[>=100]#,##0_._0_0;[>=10]0.0_0;0.00", Code(document, FormatOf(document, "Results", "I5")));
        var started = Column(document, "Details", 3, "StartTime");
        Assert.Equal(DateAndTime, FormatOf(document, "Details", started + "4"));
        Assert.Equal(
            new DateTime(2026, 11, 21, 9, 30, 0),
            DateTime.FromOADate(double.Parse(Cell(document, "Details", started + "4").CellValue!.Text, CultureInfo.InvariantCulture))
        );
        // A cell with a value is a number, not text.
        Assert.All(new[] { "D5", "E5", "H5", "I5", "J5", "K5" }, cell => Assert.Null(Cell(document, "Results", cell).DataType));
        Assert.Equal("[>=100]#,##0_._0_0_0;[>=10]0.0_0_0;0.000", Code(document, FormatOf(document, "Results", "K5")));
    }

    [Fact]
    public void The_document_has_a_title_a_maker_and_its_time()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { Title = "SAN 2014" });
        using var document = SpreadsheetDocument.Open(book.Path, false);

        Assert.Equal(("SAN 2014", "IoBench"), (document.PackageProperties.Title, document.PackageProperties.Creator));
        Assert.InRange(
            document.PackageProperties.Created!.Value.ToUniversalTime(),
            DateTime.UtcNow.AddMinutes(-10),
            DateTime.UtcNow.AddMinutes(1)
        );
    }

    [Fact]
    public void Every_sheet_prints_landscape_one_page_wide_within_its_area_and_repeats_its_header()
    {
        using var book = new Workbook(Runs.DepthSweep(), new() { Baseline = Runs.DepthSweep() });
        using var document = SpreadsheetDocument.Open(book.Path, false);
        var workbook = document.WorkbookPart!.Workbook;
        var sheets = workbook.Sheets!.Elements<Sheet>().ToList();
        List<string> Names(string name, int sheet) =>
            [
                .. workbook
                    .DefinedNames!.Elements<DefinedName>()
                    .Where(item => item.Name == name && item.LocalSheetId! == (uint)sheet)
                    .Select(item => item.Text),
            ];

        for (var index = 0; index < sheets.Count; index++)
        {
            var worksheet = Part(document, sheets[index].Name!).Worksheet;
            if (sheets[index].State?.Value == SheetStateValues.Hidden)
                continue;
            var setup = worksheet.Elements<PageSetup>().Single();
            Assert.Equal((OrientationValues.Landscape, 1U), (setup.Orientation!.Value, setup.FitToWidth!.Value));
            Assert.True(worksheet.SheetProperties!.PageSetupProperties!.FitToPage!.Value);
            if (sheets[index].Name!.Value == "Details")
            {
                // Sixty columns do not fit on paper, so the print area of Details is an empty cell.
                Assert.Equal("'Details'!$A$2", Assert.Single(Names("_xlnm.Print_Area", index)));
                Assert.Null(book.Cell("Details", "A2"));
                continue;
            }
            Assert.Matches(@"^'\w+'!\$A\$1:\$[A-Z]+\$\d+$", Assert.Single(Names("_xlnm.Print_Area", index)));
            if (sheets[index].Name!.Value == "Results")
                Assert.Equal($"'{sheets[index].Name}'!$3:$3", Assert.Single(Names("_xlnm.Print_Titles", index)));
        }
    }

    [Fact]
    public void Nothing_stands_outside_the_area_that_is_printed()
    {
        foreach (var results in new[] { Runs.SqlServerSuite(), Runs.ThreeFiles(), Runs.FileSizeSweep() })
        {
            using var book = new Workbook(results);
            using var document = SpreadsheetDocument.Open(book.Path, false);
            var areas = document
                .WorkbookPart!.Workbook.DefinedNames!.Elements<DefinedName>()
                .Where(name => name.Name == "_xlnm.Print_Area")
                .Select(name => name.Text)
                .ToList();
            foreach (
                var area in areas.Where(area =>
                    !area.StartsWith("'Timeline'", StringComparison.Ordinal) && !area.StartsWith("'Details'", StringComparison.Ordinal)
                )
            )
            {
                var (sheet, last) = (
                    area[1..area.IndexOf('!', StringComparison.Ordinal)].TrimEnd('\''),
                    area[(area.LastIndexOf('$') + 1)..]
                );
                var part = Part(document, sheet);
                Assert.All(
                    part.Worksheet.Descendants<Row>(),
                    row => Assert.True(row.RowIndex! <= uint.Parse(last, CultureInfo.InvariantCulture), area)
                );
                foreach (
                    var to in part.DrawingsPart?.WorksheetDrawing.Descendants<DocumentFormat.OpenXml.Drawing.Spreadsheet.ToMarker>() ?? []
                )
                    Assert.True(
                        int.Parse(to.RowId!.Text, CultureInfo.InvariantCulture) < int.Parse(last, CultureInfo.InvariantCulture),
                        area
                    );
            }
        }
    }

    [Fact]
    public void Every_chart_says_what_it_shows_to_those_who_cannot_see_it()
    {
        using var book = new Workbook(Runs.ThreeArrays());
        using var document = SpreadsheetDocument.Open(book.Path, false);
        var texts = document
            .WorkbookPart!.WorksheetParts.Where(part => part.DrawingsPart is not null)
            .SelectMany(part =>
                part.DrawingsPart!.WorksheetDrawing.Descendants<DocumentFormat.OpenXml.Drawing.Spreadsheet.NonVisualDrawingProperties>()
            )
            .Select(item => item.Description!.Value)
            .ToList();

        Assert.Contains(
            "Bandwidth: Bandwidth (MB/s) by IO Pattern. Lowest 48.6 (8KBrandomread-HUS150), highest 1,474 (8KBrandomread-Pure).",
            texts
        );
        Assert.All(texts, text => Assert.Contains(" by ", text, StringComparison.Ordinal));
    }

    [Fact]
    public void Sheets_that_join_others_take_a_number_and_their_charts_their_own_data()
    {
        using var book = new Workbook(Runs.ThreeFiles(), new() { TakenSheetNames = ["results", "Results 2", "Mine"] });

        Assert.Equal(["Summary 3", "Results 3", "Details 3", "Latency 3", "Settings 3", "ChartData 3"], book.SheetNames());
        Assert.All(
            book.Charts().SelectMany(chart => chart.Descendants(Chart.C + "f")),
            formula => Assert.StartsWith("'ChartData 3'!", formula.Value, StringComparison.Ordinal)
        );
        Assert.Empty(book.Faults());
    }

    [Fact]
    public void Names_of_sheets_are_such_as_Excel_takes()
    {
        using var book = new Workbook(
            Runs.DepthSweep(),
            new ReportOptions { Baseline = Runs.DepthSweep(), Title = "a/b\\c*d?e[f]:g" + new string('x', 100) }
        );

        Assert.All(book.SheetNames(), name => Assert.Matches(@"^[\w ()]{1,31}$", name));
    }

    private static WorksheetPart Part(SpreadsheetDocument document, string name) =>
        (WorksheetPart)
            document.WorkbookPart!.GetPartById(
                document.WorkbookPart.Workbook.Sheets!.Elements<Sheet>().Single(sheet => sheet.Name == name).Id!
            );

    private static Cell Cell(SpreadsheetDocument document, string sheet, string reference) =>
        Part(document, sheet).Worksheet.Descendants<Cell>().Single(cell => cell.CellReference == reference);

    private static string Column(SpreadsheetDocument document, string sheet, uint row, string heading) =>
        Part(document, sheet)
            .Worksheet.Descendants<Row>()
            .Single(item => item.RowIndex! == row)
            .Elements<Cell>()
            .Single(cell => cell.InnerText.StartsWith(heading, StringComparison.Ordinal))
            .CellReference!.Value!.TrimEnd("0123456789".ToCharArray());

    private static uint FormatOf(SpreadsheetDocument document, string sheet, string reference) =>
        (
            (CellFormat)
                document.WorkbookPart!.WorkbookStylesPart!.Stylesheet.CellFormats!.ElementAt(
                    (int)(uint)Cell(document, sheet, reference).StyleIndex!
                )
        ).NumberFormatId!;

    private static string? Code(SpreadsheetDocument document, uint id) =>
        document
            .WorkbookPart!.WorkbookStylesPart!.Stylesheet.NumberingFormats!.Elements<NumberingFormat>()
            .Single(format => format.NumberFormatId! == id)
            .FormatCode;
}
