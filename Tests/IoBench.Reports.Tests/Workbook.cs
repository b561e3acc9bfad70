using System.Globalization;
using System.IO.Compression;
using System.Xml.Linq;
using DocumentFormat.OpenXml;
using DocumentFormat.OpenXml.Packaging;
using DocumentFormat.OpenXml.Validation;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>A written workbook, read with another library than the one that wrote it.</summary>
internal sealed class Workbook : IDisposable
{
    private static readonly XNamespace s_main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main";
    private readonly string _folder = Directory.CreateTempSubdirectory("iobench-report-").FullName;

    public Workbook(IReadOnlyList<IoTestResult> results, ReportOptions? options = null)
    {
        Path = System.IO.Path.Combine(_folder, "report.xlsx");
        using var stream = File.Create(Path);
        Report.Write(stream, Path, results, options ?? new());
    }

    /// <summary>Writes a workbook whose sheets hold fewer rows than those of Excel.</summary>
    public Workbook(ReportDocument document, int maxRows)
    {
        Path = System.IO.Path.Combine(_folder, "report.xlsx");
        using var stream = File.Create(Path);
        WorkbookWriter.WriteWorkbook(stream, document, maxRows);
    }

    public string Path { get; }

    public void Dispose() => Directory.Delete(_folder, true);

    public List<string> FindFaults()
    {
        using var document = SpreadsheetDocument.Open(Path, false);
        return
        [
            .. new[] { FileFormatVersions.Office2019, FileFormatVersions.Microsoft365 }.SelectMany(version =>
                new OpenXmlValidator(version)
                    .Validate(document)
                    .Select(fault => $"{version} {fault.Part?.Uri} {fault.Path?.XPath}: {fault.Description}")
            ),
        ];
    }

    public List<string> GetSheetNames() =>
        [.. GetPart("xl/workbook.xml").Descendants(s_main + "sheet").Select(sheet => (string)sheet.Attribute("name")!)];

    public XElement GetSheet(string name) => GetPart($"xl/worksheets/sheet{GetSheetNames().IndexOf(name) + 1}.xml");

    /// <summary>The text or number of a cell; null if it is empty.</summary>
    public string? GetCell(string sheet, string reference)
    {
        var cell = GetSheet(sheet).Descendants(s_main + "c").FirstOrDefault(c => (string?)c.Attribute("r") == reference);
        return (string?)cell?.Element(s_main + "is")?.Element(s_main + "t") ?? (string?)cell?.Element(s_main + "v");
    }

    public double GetNumber(string sheet, string reference) => double.Parse(GetCell(sheet, reference)!, CultureInfo.InvariantCulture);

    /// <summary>All text of a sheet, one line per row with cells separated by " | ".</summary>
    public string GetText(string sheet) =>
        string.Join(
            "\n",
            GetSheet(sheet)
                .Descendants(s_main + "row")
                .Select(row =>
                    string.Join(
                        " | ",
                        row.Elements(s_main + "c")
                            .Select(cell =>
                                (string?)cell.Element(s_main + "is")?.Element(s_main + "t") ?? (string?)cell.Element(s_main + "v")
                            )
                    )
                )
        );

    public List<XElement> GetCharts() =>
        GetEntries()
            .Where(name => name.StartsWith("xl/charts/chart", StringComparison.Ordinal))
            .OrderBy(name => name.Length)
            .ThenBy(name => name, StringComparer.Ordinal)
            .Select(GetPart)
            .ToList();

    public List<string> GetEntries()
    {
        using var zip = ZipFile.OpenRead(Path);
        return [.. zip.Entries.Select(entry => entry.FullName)];
    }

    public XElement GetPart(string name)
    {
        using var zip = ZipFile.OpenRead(Path);
        using var stream = zip.GetEntry(name)!.Open();
        return XElement.Load(stream);
    }
}
