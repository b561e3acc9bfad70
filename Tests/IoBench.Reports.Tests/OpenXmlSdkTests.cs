using System.Globalization;
using DocumentFormat.OpenXml.Packaging;
using DocumentFormat.OpenXml.Spreadsheet;
using IoBench.Analysis;

namespace IoBench.Reports.Tests;

/// <summary>Reads a workbook with the Open XML SDK, which did not write it.</summary>
public class OpenXmlSdkTests
{
    // ECMA-376, 18.8.30: formats with the separators and the date order of the reader's locale.
    private const uint IntegerFormat = 3,
        TwoDecimalsFormat = 4,
        DateTimeFormat = 22;

    [Fact]
    public void Number_and_date_formats_follow_the_locale_of_the_reader()
    {
        using var book = new Workbook(ReportSamples.CreateSqlServerSuite());
        using var document = SpreadsheetDocument.Open(book.Path, false);

        // A column has decimals if some rates are below 100, otherwise none.
        Assert.Equal(
            [IntegerFormat, IntegerFormat, IntegerFormat],
            new[] { "D5", "E5", "J5" }.Select(cell => GetFormatId(document, "Results", cell))
        );
        Assert.Equal("[>=100]#,##0_._0_0;[>=10]0.0_0;0.00", GetFormatCode(document, GetFormatId(document, "Results", "I5")));
        var started = FindColumn(document, "Details", 3, "StartTime");
        Assert.Equal(DateTimeFormat, GetFormatId(document, "Details", started + "4"));
        Assert.Equal(
            new DateTime(2026, 11, 21, 9, 30, 0),
            DateTime.FromOADate(double.Parse(GetCell(document, "Details", started + "4").CellValue!.Text, CultureInfo.InvariantCulture))
        );
        // A cell with a value is a number, not text.
        Assert.All(new[] { "D5", "E5", "H5", "I5", "J5", "K5" }, cell => Assert.Null(GetCell(document, "Results", cell).DataType));
        Assert.Equal("[>=100]#,##0_._0_0_0;[>=10]0.0_0_0;0.000", GetFormatCode(document, GetFormatId(document, "Results", "K5")));
    }

    [Fact]
    public void Document_properties_have_title_creator_and_time()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { Title = "SAN 2014" });
        using var document = SpreadsheetDocument.Open(book.Path, false);

        Assert.Equal(("SAN 2014", "IoBench"), (document.PackageProperties.Title, document.PackageProperties.Creator));
        Assert.InRange(
            document.PackageProperties.Created!.Value.ToUniversalTime(),
            DateTime.UtcNow.AddMinutes(-10),
            DateTime.UtcNow.AddMinutes(1)
        );
    }

    [Fact]
    public void Sheets_print_landscape_with_print_area_and_repeated_header()
    {
        using var book = new Workbook(ReportSamples.CreateDepthSweep(), new() { Baseline = ReportSamples.CreateDepthSweep() });
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
            var worksheet = GetPart(document, sheets[index].Name!).Worksheet;
            if (sheets[index].State?.Value == SheetStateValues.Hidden)
                continue;
            var setup = worksheet.Elements<PageSetup>().Single();
            Assert.Equal((OrientationValues.Landscape, 1U), (setup.Orientation!.Value, setup.FitToWidth!.Value));
            Assert.True(worksheet.SheetProperties!.PageSetupProperties!.FitToPage!.Value);
            if (sheets[index].Name!.Value == "Details")
            {
                // Sixty columns do not fit on paper, so the print area of Details is an empty cell.
                Assert.Equal("'Details'!$A$2", Assert.Single(Names("_xlnm.Print_Area", index)));
                Assert.Null(book.GetCell("Details", "A2"));
                continue;
            }
            Assert.Matches(@"^'\w+'!\$A\$1:\$[A-Z]+\$\d+$", Assert.Single(Names("_xlnm.Print_Area", index)));
            if (sheets[index].Name!.Value == "Results")
                Assert.Equal($"'{sheets[index].Name}'!$3:$3", Assert.Single(Names("_xlnm.Print_Titles", index)));
        }
    }

    [Fact]
    public void Print_area_contains_all_rows_and_charts()
    {
        foreach (
            var results in new[]
            {
                ReportSamples.CreateSqlServerSuite(),
                ReportSamples.CreateThreeFiles(),
                ReportSamples.CreateFileSizeSweep(),
            }
        )
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
                var part = GetPart(document, sheet);
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
    public void Every_chart_has_alternative_text()
    {
        using var book = new Workbook(ReportSamples.CreateThreeArrays());
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
    public void Sheets_with_taken_names_get_a_number_and_own_chart_data()
    {
        using var book = new Workbook(ReportSamples.CreateThreeFiles(), new() { TakenSheetNames = ["results", "Results 2", "Mine"] });

        Assert.Equal(["Summary 3", "Results 3", "Details 3", "Latency 3", "Settings 3", "ChartData 3"], book.GetSheetNames());
        Assert.All(
            book.GetCharts().SelectMany(chart => chart.Descendants(ChartReader.ChartNs + "f")),
            formula => Assert.StartsWith("'ChartData 3'!", formula.Value, StringComparison.Ordinal)
        );
        Assert.Empty(book.FindFaults());
    }

    [Fact]
    public void Sheet_names_are_valid_in_Excel()
    {
        using var book = new Workbook(
            ReportSamples.CreateDepthSweep(),
            new ReportOptions { Baseline = ReportSamples.CreateDepthSweep(), Title = "a/b\\c*d?e[f]:g" + new string('x', 100) }
        );

        Assert.All(book.GetSheetNames(), name => Assert.Matches(@"^[\w ()]{1,31}$", name));
    }

    private static WorksheetPart GetPart(SpreadsheetDocument document, string name) =>
        (WorksheetPart)
            document.WorkbookPart!.GetPartById(
                document.WorkbookPart.Workbook.Sheets!.Elements<Sheet>().Single(sheet => sheet.Name == name).Id!
            );

    private static Cell GetCell(SpreadsheetDocument document, string sheet, string reference) =>
        GetPart(document, sheet).Worksheet.Descendants<Cell>().Single(cell => cell.CellReference == reference);

    private static string FindColumn(SpreadsheetDocument document, string sheet, uint row, string heading) =>
        GetPart(document, sheet)
            .Worksheet.Descendants<Row>()
            .Single(item => item.RowIndex! == row)
            .Elements<Cell>()
            .Single(cell => cell.InnerText.StartsWith(heading, StringComparison.Ordinal))
            .CellReference!.Value!.TrimEnd("0123456789".ToCharArray());

    private static uint GetFormatId(SpreadsheetDocument document, string sheet, string reference) =>
        (
            (CellFormat)
                document.WorkbookPart!.WorkbookStylesPart!.Stylesheet.CellFormats!.ElementAt(
                    (int)(uint)GetCell(document, sheet, reference).StyleIndex!
                )
        ).NumberFormatId!;

    private static string? GetFormatCode(SpreadsheetDocument document, uint id) =>
        document
            .WorkbookPart!.WorkbookStylesPart!.Stylesheet.NumberingFormats!.Elements<NumberingFormat>()
            .Single(format => format.NumberFormatId! == id)
            .FormatCode;
}
