using System.Globalization;
using System.Reflection;
using System.Xml.Linq;

namespace IoBench.Reports;

internal static class WorkbookWriter
{
    /// <summary>Rows of a sheet (Excel specifications and limits).</summary>
    public const int MaxRows = 1_048_576;
    private const int LargeTableRows = 5_000;

    /// <param name="stream">Must be seekable. Stays open.</param>
    /// <param name="maxRows">A longer table continues on another sheet.</param>
    public static void WriteWorkbook(Stream stream, ReportDocument document, int maxRows = MaxRows)
    {
        using var package = new WorkbookPackage(stream);
        var sheets = new List<(string Name, SheetLayout? Layout)>();
        var sections = document.Sections.SelectMany(section => SplitSection(section, maxRows)).ToList();
        var suffix = FindNameSuffix([.. sections.Select(section => section.Name), ChartDataSheet.DefaultName], document.TakenSheetNames);
        var data = new ChartDataSheet(ChartDataSheet.DefaultName + suffix);
        foreach (var section in sections)
        {
            var layout = new SheetLayout(section);
            WriteSheet(package, layout, sheets.Count + 1, data);
            sheets.Add((section.Name + suffix, layout));
            ReportDocument.ReleaseMemory(layout.LastRow);
        }
        if (!data.IsEmpty)
        {
            package.AddPart(GetSheetPath(sheets.Count + 1), "officedocument.spreadsheetml.worksheet+xml", data.Write, isLarge: false);
            sheets.Add((data.Name, null));
        }
        package.AddPart("xl/styles.xml", "officedocument.spreadsheetml.styles+xml", xml => StylesXml.Build().WriteTo(xml));
        package.AddPart("xl/workbook.xml", "officedocument.spreadsheetml.sheet.main+xml", xml => CreateWorkbookPart(sheets).WriteTo(xml));
        package.AddRelationships(
            "xl/workbook.xml",
            [.. sheets.Select((_, index) => ("worksheet", GetSheetPath(index + 1)["xl/".Length..])), ("styles", "styles.xml")]
        );
        WriteDocumentProperties(package, document.Title, sheets.ConvertAll(sheet => sheet.Name));
        package.Finish();
    }

    /// <summary>Makes all sheet names unique: empty, or the same number for all, as in <c>Results 2</c>.</summary>
    private static string FindNameSuffix(IReadOnlyList<string> names, IReadOnlyCollection<string> taken)
    {
        var set = taken.ToHashSet(StringComparer.OrdinalIgnoreCase);
        var suffix = "";
        for (var number = 2; names.Any(name => set.Contains(name + suffix)); number++)
            suffix = Invariant($" {number}");
        return suffix;
    }

    private static void WriteSheet(WorkbookPackage package, SheetLayout layout, int number, ChartDataSheet data)
    {
        var relationships = new List<(string, string)>();
        string? drawingId = null;
        if (layout.Charts.Count > 0)
        {
            relationships.Add(("drawing", WriteDrawing(package, layout, data)));
            drawingId = "rId1";
        }
        var tableIds = new List<string>();
        foreach (var placed in layout.Blocks)
        {
            if (placed.Block is not TableBlock { IsFilterable: true, RowCount: > 0 } table)
                continue;
            var id = package.CountParts("xl/tables/") + 1;
            // Table names must be unique in a workbook.
            var name = table.FirstRow == 0 ? table.Name : Invariant($"{table.Name}_{id}");
            package.AddPart(
                $"xl/tables/table{id}.xml",
                "officedocument.spreadsheetml.table+xml",
                xml => SheetWriter.CreateTablePart(table, id, name, placed.Row).WriteTo(xml)
            );
            relationships.Add(("table", $"../tables/table{id}.xml"));
            tableIds.Add($"rId{relationships.Count}");
        }
        var isLarge = layout.Blocks.Any(placed => placed.Block is TableBlock { RowCount: > LargeTableRows });
        package.AddPart(
            GetSheetPath(number),
            "officedocument.spreadsheetml.worksheet+xml",
            (xml, part) => SheetWriter.WriteSheet(xml, part, layout, tableIds, drawingId, number == 1),
            isLarge
        );
        if (relationships.Count > 0)
            package.AddRelationships(GetSheetPath(number), relationships);
    }

    private static string WriteDrawing(WorkbookPackage package, SheetLayout layout, ChartDataSheet data)
    {
        var relationships = new List<(string, string)>();
        foreach (var placed in layout.Charts)
        {
            var number = package.CountParts("xl/charts/") + 1;
            var ranges = data.AddChart(placed.Chart);
            package.AddPart(
                $"xl/charts/chart{number}.xml",
                "officedocument.drawingml.chart+xml",
                xml => ChartXml.Build(placed.Chart, ranges).WriteTo(xml)
            );
            relationships.Add(("chart", $"../charts/chart{number}.xml"));
        }
        var path = $"xl/drawings/drawing{package.CountParts("xl/drawings/") + 1}.xml";
        package.AddPart(
            path,
            "officedocument.drawing+xml",
            xml => DrawingXml.Build(layout.Charts, layout.FindColumn, layout.FindRow, layout.Section.HasChartsOnRight).WriteTo(xml)
        );
        package.AddRelationships(path, relationships);
        return "../" + path["xl/".Length..];
    }

    private static string GetSheetPath(int number) => Invariant($"xl/worksheets/sheet{number}.xml");

    private static XElement CreateWorkbookPart(List<(string Name, SheetLayout? Layout)> sheets)
    {
        XNamespace main = SheetCellWriter.MainNamespace,
            relationships = SheetCellWriter.RelationshipsNamespace;
        var names = new List<XElement>();
        for (var index = 0; index < sheets.Count; index++)
        {
            var (sheet, layout) = sheets[index];
            if (layout is null)
                continue;
            if (!layout.Section.IsPrinted)
            {
                // A sheet without a print area is printed completely. The empty cell below the title as print area prints nothing.
                names.Add(
                    Name(
                        "_xlnm.Print_Area",
                        index,
                        WorkbookText.QuoteSheetName(sheet) + WorkbookText.GetAbsoluteRange(0, 2, 0, 2).Split(':')[0]
                    )
                );
                continue;
            }
            names.Add(
                Name(
                    "_xlnm.Print_Area",
                    index,
                    WorkbookText.QuoteSheetName(sheet) + WorkbookText.GetAbsoluteRange(0, 1, layout.LastColumn, layout.LastPrintedRow)
                )
            );
            if (layout.HeaderRow is { } row)
                names.Add(Name("_xlnm.Print_Titles", index, Invariant($"{WorkbookText.QuoteSheetName(sheet)}${row}:${row}")));
        }
        return new XElement(
            main + "workbook",
            new XAttribute(XNamespace.Xmlns + "r", relationships.NamespaceName),
            new XElement(
                main + "bookViews",
                new XElement(main + "workbookView", new XAttribute("windowWidth", 28000), new XAttribute("windowHeight", 16000))
            ),
            new XElement(
                main + "sheets",
                sheets.Select(
                    (sheet, index) =>
                        new XElement(
                            main + "sheet",
                            new XAttribute("name", sheet.Name),
                            new XAttribute("sheetId", index + 1),
                            sheet.Layout is null ? new XAttribute("state", "hidden") : null,
                            new XAttribute(relationships + "id", $"rId{index + 1}")
                        )
                )
            ),
            new XElement(main + "definedNames", names)
        );

        XElement Name(string name, int sheet, string range) =>
            new(main + "definedName", new XAttribute("name", name), new XAttribute("localSheetId", sheet), range);
    }

    /// <summary>The version without the commit of the build.</summary>
    public static string ProgramVersion =>
        (typeof(WorkbookWriter).Assembly.GetCustomAttribute<AssemblyInformationalVersionAttribute>()?.InformationalVersion ?? "0").Split(
            '+'
        )[0];

    public static void WriteDocumentProperties(WorkbookPackage package, string title, IReadOnlyList<string> sheetNames)
    {
        XNamespace core = "http://schemas.openxmlformats.org/package/2006/metadata/core-properties",
            dc = "http://purl.org/dc/elements/1.1/",
            terms = "http://purl.org/dc/terms/",
            schema = "http://www.w3.org/2001/XMLSchema-instance",
            extended = "http://schemas.openxmlformats.org/officeDocument/2006/extended-properties";
        var created = new XElement(
            terms + "created",
            new XAttribute(schema + "type", "dcterms:W3CDTF"),
            DateTime.UtcNow.ToString("yyyy-MM-dd'T'HH:mm:ss'Z'", CultureInfo.InvariantCulture)
        );
        package.AddPart(
            "docProps/core.xml",
            "package.core-properties+xml",
            xml =>
                new XElement(
                    core + "coreProperties",
                    new XAttribute(XNamespace.Xmlns + "dc", dc.NamespaceName),
                    new XAttribute(XNamespace.Xmlns + "dcterms", terms.NamespaceName),
                    new XAttribute(XNamespace.Xmlns + "xsi", schema.NamespaceName),
                    new XElement(dc + "title", WorkbookText.EscapeCell(title)),
                    new XElement(dc + "creator", "IoBench"),
                    new XElement(dc + "description", string.Join(", ", sheetNames)),
                    created
                ).WriteTo(xml)
        );
        package.AddPart(
            "docProps/app.xml",
            "officedocument.extended-properties+xml",
            xml => new XElement(extended + "Properties", new XElement(extended + "Application", "IoBench " + ProgramVersion)).WriteTo(xml)
        );
        package.AddRelationships(
            "",
            [
                ("officeDocument", "xl/workbook.xml"),
                ("http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties", "docProps/core.xml"),
                ("extended-properties", "docProps/app.xml"),
            ]
        );
    }

    private const int RowsAroundTable = 4;

    private const int MaxChartRows = 1000;

    /// <summary>A long table continues on more sheets. Several tables of a section are truncated in proportion, with a note.</summary>
    public static IEnumerable<ReportSection> SplitSection(ReportSection section, int maxRows)
    {
        var tables = section.Blocks.OfType<TableBlock>().ToList();
        var charts =
            !section.HasChartsOnRight && section.Blocks.Any(block => block is ChartsBlock) ? Math.Min(MaxChartRows, maxRows / 2) : 0;
        var fits = Math.Max(
            1,
            maxRows - charts - RowsAroundTable * Math.Max(1, tables.Count) - section.Blocks.Count(block => block is TextBlock) * 2
        );
        var rows = tables.Sum(table => (long)table.RowCount);
        return rows <= fits ? [section]
            : tables.Count == 1 ? SplitTable(section, tables[0], fits)
            : [TruncateTables(section, rows, fits)];
    }

    private static IEnumerable<ReportSection> SplitTable(ReportSection section, TableBlock table, int fits)
    {
        for (int first = 0, part = 1; first < table.RowCount; first += fits, part++)
        {
            var slice = table with { FirstRow = first, RowCount = Math.Min(fits, table.RowCount - first) };
            yield return part == 1
                ? section with
                {
                    Blocks = [.. section.Blocks.Select(block => ReferenceEquals(block, table) ? slice : block)],
                    FitsOnePage = false,
                }
                : section with
                {
                    Name = Invariant($"{section.Name} ({part})"),
                    Blocks = [slice],
                    FitsOnePage = false,
                };
        }
    }

    private static ReportSection TruncateTables(ReportSection section, long rows, int fits) =>
        section with
        {
            FitsOnePage = false,
            Blocks =
            [
                new TextBlock(
                    "This sheet has reached the maximum number of rows, so the tables below are incomplete. Results and Details contain every run."
                ),
                .. section.Blocks.Select(block =>
                    block is TableBlock table ? table with { RowCount = (int)Math.Max(1, table.RowCount * (long)fits / rows) } : block
                ),
            ],
        };
}
