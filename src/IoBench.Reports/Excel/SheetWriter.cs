using System.Globalization;
using System.Runtime.CompilerServices;
using System.Xml;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SheetWriter
{
    private const int ShortTable = 300;

    /// <param name="stream">The stream below <paramref name="xml"/>. Cells are written to it directly.</param>
    /// <param name="tableIds">Relationship ids of the filterable tables, in order.</param>
    /// <param name="drawingId">Relationship id of the drawing; null without charts.</param>
    public static void Write(
        XmlWriter xml,
        Stream stream,
        SheetLayout layout,
        IReadOnlyList<string> tableIds,
        string? drawingId,
        bool isFirst
    )
    {
        xml.WriteStartElement("worksheet", SheetXml.Main);
        xml.WriteAttributeString("xmlns", "r", null, SheetXml.Relationships);
        Element(xml, "sheetPr", null, () => Element(xml, "pageSetUpPr", [("fitToPage", "1")]));
        WriteView(xml, layout, isFirst);
        Element(xml, "sheetFormatPr", [("defaultRowHeight", Text(SheetXml.RowHeight)), ("customHeight", "1")]);
        if (layout.Widths.Length > 0)
        {
            Element(
                xml,
                "cols",
                null,
                () =>
                {
                    for (var column = 0; column < layout.Widths.Length; column++)
                        Element(
                            xml,
                            "col",
                            [
                                ("min", Text(column + 1)),
                                ("max", Text(column + 1)),
                                ("width", Text(layout.Widths[column])),
                                ("customWidth", "1"),
                            ]
                        );
                }
            );
        }
        var merged = new List<string>();
        SheetData(xml, stream, sheet => WriteCells(sheet, layout, merged));
        if (merged.Count > 0)
        {
            Element(
                xml,
                "mergeCells",
                [("count", Text(merged.Count))],
                () =>
                {
                    foreach (var range in merged)
                        Element(xml, "mergeCell", [("ref", range)]);
                }
            );
        }
        Element(xml, "printOptions", [("horizontalCentered", "0")]);
        Element(
            xml,
            "pageMargins",
            [("left", "0.4"), ("right", "0.4"), ("top", "0.5"), ("bottom", "0.6"), ("header", "0.3"), ("footer", "0.3")]
        );
        Element(xml, "pageSetup", [("orientation", "landscape"), ("fitToWidth", "1"), ("fitToHeight", layout.Section.OnePage ? "1" : "0")]);
        xml.WriteStartElement("headerFooter", SheetXml.Main);
        xml.WriteElementString("oddFooter", SheetXml.Main, "&L&8&F - &A&R&8&P / &N");
        xml.WriteEndElement();
        if (layout.Breaks.Count > 0)
        {
            Element(
                xml,
                "rowBreaks",
                [("count", Text(layout.Breaks.Count)), ("manualBreakCount", Text(layout.Breaks.Count))],
                () =>
                {
                    foreach (var row in layout.Breaks)
                        Element(xml, "brk", [("id", Text(row - 1)), ("max", "16383"), ("man", "1")]);
                }
            );
        }
        if (drawingId is not null)
            Reference(xml, "drawing", drawingId);
        if (tableIds.Count > 0)
        {
            Element(
                xml,
                "tableParts",
                [("count", Text(tableIds.Count))],
                () =>
                {
                    foreach (var id in tableIds)
                        Reference(xml, "tablePart", id);
                }
            );
        }
        xml.WriteEndElement();
    }

    public static void SheetData(XmlWriter xml, Stream stream, Action<SheetXml> write)
    {
        xml.WriteStartElement("sheetData", SheetXml.Main);
        // End the start tag, so that cells written directly to the stream follow it.
        xml.WriteRaw("");
        xml.Flush();
        var sheet = new SheetXml(stream);
        write(sheet);
        sheet.Flush();
        xml.WriteFullEndElement();
    }

    private static void WriteView(XmlWriter xml, SheetLayout layout, bool isFirst) =>
        Element(
            xml,
            "sheetViews",
            null,
            () =>
                Element(
                    xml,
                    "sheetView",
                    isFirst
                        ? [("showGridLines", "0"), ("tabSelected", "1"), ("workbookViewId", "0")]
                        : [("showGridLines", "0"), ("workbookViewId", "0")],
                    () =>
                    {
                        if (layout.Section.FreezeHeader && layout.HeaderRow is { } row)
                        {
                            Element(
                                xml,
                                "pane",
                                [
                                    ("ySplit", Text(row)),
                                    ("topLeftCell", CellReference.Cell(0, row + 1)),
                                    ("activePane", "bottomLeft"),
                                    ("state", "frozen"),
                                ]
                            );
                            Element(
                                xml,
                                "selection",
                                [
                                    ("pane", "bottomLeft"),
                                    ("activeCell", CellReference.Cell(0, row + 1)),
                                    ("sqref", CellReference.Cell(0, row + 1)),
                                ]
                            );
                        }
                    }
                )
        );

    private static void WriteCells(SheetXml sheet, SheetLayout layout, List<string> merged)
    {
        WriteText(sheet, layout, new TextBlock(layout.Section.Title, CellStyle.Title), 1, null);
        foreach (var placed in layout.Blocks)
        {
            if (placed.Block is TextBlock text)
                WriteText(sheet, layout, text, placed.Row, merged);
            else
                WriteTable(sheet, layout, (TableBlock)placed.Block, placed.Row, merged);
        }
    }

    private static void WriteText(SheetXml sheet, SheetLayout layout, TextBlock text, int row, List<string>? merged)
    {
        sheet.BeginRow(row, SheetLayout.HeightOf(text));
        sheet.Cell(0, CellValue.Of(text.Text, text.Style));
        sheet.EndRow();
        if (text.Style is not (CellStyle.Title or CellStyle.Heading) && layout.PageColumns > 0)
            merged?.Add(CellReference.Range(0, row, layout.PageColumns, row));
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void WriteTable(SheetXml sheet, SheetLayout layout, TableBlock table, int row, List<string> merged)
    {
        var spans = table.SheetColumns > table.Columns.Count ? new TableSpans(layout, table) : null;
        sheet.BeginRow(row, SheetLayout.HeaderHeightOf(table));
        for (var column = 0; column < table.Columns.Count; column++)
        {
            var header = CellValue.Of(
                table.Columns[column].Header is { Length: > 0 } text ? SafeText.Escape(text) : null,
                table.Columns[column].HeaderStyle
            );
            if (spans is null)
                sheet.Cell(column, header, keepEmpty: true);
            else
                spans.Write(sheet, column, header, row, merged);
        }
        sheet.EndRow();

        // Empty cells carry the line below a row. In a long table they cost too much.
        var keepEmpty = table.RowCount <= ShortTable;
        var cells = new CellValue[table.Columns.Count];
        for (var index = 0; index < table.RowCount; index++)
        {
            table.FillRow(table.FirstRow + index, cells);
            sheet.BeginRow(row + 1 + index, spans is null ? HeightOf(cells) : spans.HeightOf(cells));
            for (var column = 0; column < cells.Length; column++)
            {
                if (spans is null)
                    sheet.Cell(column, cells[column], keepEmpty);
                else
                    spans.Write(sheet, column, cells[column], row + 1 + index, merged);
            }
            sheet.EndRow();
        }
    }

    /// <summary>In points; null for the default height.</summary>
    private static double? HeightOf(CellValue[] cells)
    {
        var lines = 1;
        foreach (var cell in cells)
        {
            if (cell is { Style: CellStyle.Wrapped, Kind: CellKind.Text })
                lines = Math.Max(lines, (int)Math.Ceiling(cell.TextValue!.Length / 46.0));
        }
        return lines == 1 ? null : Math.Min(lines * 13.5, 400);
    }

    private static void Reference(XmlWriter xml, string name, string id)
    {
        xml.WriteStartElement(name, SheetXml.Main);
        xml.WriteAttributeString("r", "id", SheetXml.Relationships, id);
        xml.WriteEndElement();
    }

    private static void Element(XmlWriter xml, string name, (string Name, string Value)[]? attributes, Action? content = null)
    {
        xml.WriteStartElement(name, SheetXml.Main);
        foreach (var (attribute, value) in attributes ?? [])
            xml.WriteAttributeString(attribute, value);
        content?.Invoke();
        xml.WriteEndElement();
    }

    private static string Text(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);
}
