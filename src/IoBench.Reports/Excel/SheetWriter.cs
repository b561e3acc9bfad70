using System.Globalization;
using System.Runtime.CompilerServices;
using System.Xml;
using System.Xml.Linq;
using IoBench.Engine;

namespace IoBench.Reports;

internal static class SheetWriter
{
    private const int MaxRowsWithEmptyCells = 300;
    private const double UsableWidthShare = 0.93;
    private const double TextSize = 10,
        LineHeight = 13.5,
        MaxRowHeight = 400;

    /// <param name="stream">The stream below <paramref name="xml"/>. Cells are written to it directly.</param>
    /// <param name="drawingId">Relationship id of the drawing; null without charts.</param>
    public static void WriteSheet(
        XmlWriter xml,
        Stream stream,
        SheetLayout layout,
        IReadOnlyList<string> tableIds,
        string? drawingId,
        bool isFirst
    )
    {
        xml.WriteStartElement("worksheet", SheetCellWriter.MainNamespace);
        xml.WriteAttributeString("xmlns", "r", null, SheetCellWriter.RelationshipsNamespace);
        WriteElement(xml, "sheetPr", null, () => WriteElement(xml, "pageSetUpPr", [("fitToPage", "1")]));
        WriteView(xml, layout, isFirst);
        WriteElement(xml, "sheetFormatPr", [("defaultRowHeight", FormatNumber(SheetCellWriter.RowHeight)), ("customHeight", "1")]);
        if (layout.Widths.Length > 0)
        {
            WriteElement(
                xml,
                "cols",
                null,
                () =>
                {
                    for (var column = 0; column < layout.Widths.Length; column++)
                        WriteElement(
                            xml,
                            "col",
                            [
                                ("min", FormatNumber(column + 1)),
                                ("max", FormatNumber(column + 1)),
                                ("width", FormatNumber(layout.Widths[column])),
                                ("customWidth", "1"),
                            ]
                        );
                }
            );
        }
        var merged = new List<string>();
        WriteSheetData(xml, stream, sheet => WriteCells(sheet, layout, merged));
        if (merged.Count > 0)
        {
            WriteElement(
                xml,
                "mergeCells",
                [("count", FormatNumber(merged.Count))],
                () =>
                {
                    foreach (var range in merged)
                        WriteElement(xml, "mergeCell", [("ref", range)]);
                }
            );
        }
        WriteElement(xml, "printOptions", [("horizontalCentered", "0")]);
        WriteElement(
            xml,
            "pageMargins",
            [("left", "0.4"), ("right", "0.4"), ("top", "0.5"), ("bottom", "0.6"), ("header", "0.3"), ("footer", "0.3")]
        );
        WriteElement(
            xml,
            "pageSetup",
            [("orientation", "landscape"), ("fitToWidth", "1"), ("fitToHeight", layout.Section.FitsOnePage ? "1" : "0")]
        );
        xml.WriteStartElement("headerFooter", SheetCellWriter.MainNamespace);
        xml.WriteElementString("oddFooter", SheetCellWriter.MainNamespace, "&L&8&F - &A&R&8&P / &N");
        xml.WriteEndElement();
        if (layout.PageBreaks.Count > 0)
        {
            WriteElement(
                xml,
                "rowBreaks",
                [("count", FormatNumber(layout.PageBreaks.Count)), ("manualBreakCount", FormatNumber(layout.PageBreaks.Count))],
                () =>
                {
                    foreach (var row in layout.PageBreaks)
                        WriteElement(xml, "brk", [("id", FormatNumber(row - 1)), ("max", "16383"), ("man", "1")]);
                }
            );
        }
        if (drawingId is not null)
            WriteReference(xml, "drawing", drawingId);
        if (tableIds.Count > 0)
        {
            WriteElement(
                xml,
                "tableParts",
                [("count", FormatNumber(tableIds.Count))],
                () =>
                {
                    foreach (var id in tableIds)
                        WriteReference(xml, "tablePart", id);
                }
            );
        }
        xml.WriteEndElement();
    }

    public static void WriteSheetData(XmlWriter xml, Stream stream, Action<SheetCellWriter> write)
    {
        xml.WriteStartElement("sheetData", SheetCellWriter.MainNamespace);
        // End the start tag, so that cells written directly to the stream follow it.
        xml.WriteRaw("");
        xml.Flush();
        var sheet = new SheetCellWriter(stream);
        write(sheet);
        sheet.Flush();
        xml.WriteFullEndElement();
    }

    private static void WriteView(XmlWriter xml, SheetLayout layout, bool isFirst) =>
        WriteElement(
            xml,
            "sheetViews",
            null,
            () =>
                WriteElement(
                    xml,
                    "sheetView",
                    isFirst
                        ? [("showGridLines", "0"), ("tabSelected", "1"), ("workbookViewId", "0")]
                        : [("showGridLines", "0"), ("workbookViewId", "0")],
                    () =>
                    {
                        if (layout.Section.FreezesHeader && layout.HeaderRow is { } row)
                        {
                            WriteElement(
                                xml,
                                "pane",
                                [
                                    ("ySplit", FormatNumber(row)),
                                    ("topLeftCell", WorkbookText.GetCell(0, row + 1)),
                                    ("activePane", "bottomLeft"),
                                    ("state", "frozen"),
                                ]
                            );
                            WriteElement(
                                xml,
                                "selection",
                                [
                                    ("pane", "bottomLeft"),
                                    ("activeCell", WorkbookText.GetCell(0, row + 1)),
                                    ("sqref", WorkbookText.GetCell(0, row + 1)),
                                ]
                            );
                        }
                    }
                )
        );

    private static void WriteCells(SheetCellWriter sheet, SheetLayout layout, List<string> merged)
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

    private static void WriteText(SheetCellWriter sheet, SheetLayout layout, TextBlock text, int row, List<string>? merged)
    {
        sheet.BeginRow(row, SheetLayout.GetHeight(text));
        sheet.WriteCell(0, CellValue.Create(text.Text, text.Style));
        sheet.EndRow();
        if (text.Style is not (CellStyle.Title or CellStyle.Heading) && layout.LastTextColumn > 0)
            merged?.Add(WorkbookText.GetRange(0, row, layout.LastTextColumn, row));
    }

    [MethodImpl(MethodImplOptions.AggressiveOptimization)]
    private static void WriteTable(SheetCellWriter sheet, SheetLayout layout, TableBlock table, int row, List<string> merged)
    {
        var firstColumns = table.SheetColumnCount > table.Columns.Count ? GetFirstColumns(table) : null;
        var widths = firstColumns?.Select((first, column) => layout.GetPoints(first, table.Columns[column].Span)).ToArray();
        sheet.BeginRow(row, SheetLayout.GetHeaderHeight(table));
        for (var column = 0; column < table.Columns.Count; column++)
        {
            var header = CellValue.Create(
                table.Columns[column].Header is { Length: > 0 } text ? SafeText.Escape(text) : null,
                table.Columns[column].HeaderStyle
            );
            if (firstColumns is null)
                sheet.WriteCell(column, header, keepEmpty: true);
            else
                WriteSpannedCell(sheet, firstColumns[column], table.Columns[column].Span, header, row, merged);
        }
        sheet.EndRow();

        // Empty cells carry the line below a row. In a long table they cost too much.
        var keepEmpty = table.RowCount <= MaxRowsWithEmptyCells;
        var cells = new CellValue[table.Columns.Count];
        for (var index = 0; index < table.RowCount; index++)
        {
            table.FillRow(table.FirstRow + index, cells);
            sheet.BeginRow(row + 1 + index, widths is null ? GetRowHeight(cells) : GetRowHeight(cells, widths));
            for (var column = 0; column < cells.Length; column++)
            {
                if (firstColumns is null)
                    sheet.WriteCell(column, cells[column], keepEmpty);
                else
                    WriteSpannedCell(sheet, firstColumns[column], table.Columns[column].Span, cells[column], row + 1 + index, merged);
            }
            sheet.EndRow();
        }
    }

    private static int[] GetFirstColumns(TableBlock table)
    {
        var firstColumns = new int[table.Columns.Count];
        for (var column = 1; column < firstColumns.Length; column++)
            firstColumns[column] = firstColumns[column - 1] + table.Columns[column - 1].Span;
        return firstColumns;
    }

    private static void WriteSpannedCell(SheetCellWriter sheet, int first, int span, in CellValue cell, int row, List<string> merged)
    {
        sheet.WriteCell(first, cell, keepEmpty: true);
        for (var covered = first + 1; covered < first + span; covered++)
            sheet.WriteCell(covered, CellValue.Empty with { Style = cell.Style }, keepEmpty: true);
        if (span > 1)
            merged.Add(WorkbookText.GetRange(first, row, first + span - 1, row));
    }

    /// <summary>In points; null for the default height.</summary>
    private static double? GetRowHeight(CellValue[] cells)
    {
        var lines = 1;
        foreach (var cell in cells)
        {
            if (cell is { Style: CellStyle.Wrapped, TextValue: { } text })
                lines = Math.Max(lines, (int)Math.Ceiling(text.Length / 46.0));
        }
        return lines == 1 ? null : Math.Min(lines * LineHeight, MaxRowHeight);
    }

    /// <summary>As for cells that are not merged. Viewers do not fit the height of merged cells.</summary>
    private static double? GetRowHeight(CellValue[] cells, double[] widths)
    {
        var lines = 1;
        for (var column = 0; column < cells.Length; column++)
        {
            if (cells[column] is { Style: CellStyle.Wrapped, TextValue: { } text })
                lines = Math.Max(lines, (int)Math.Ceiling(TextWidth.Measure(text, TextSize) / (widths[column] * UsableWidthShare)));
        }
        return lines == 1 ? null : Math.Min(lines * LineHeight + 1.5, MaxRowHeight);
    }

    private static void WriteReference(XmlWriter xml, string name, string id)
    {
        xml.WriteStartElement(name, SheetCellWriter.MainNamespace);
        xml.WriteAttributeString("r", "id", SheetCellWriter.RelationshipsNamespace, id);
        xml.WriteEndElement();
    }

    private static void WriteElement(XmlWriter xml, string name, (string Name, string Value)[]? attributes, Action? content = null)
    {
        xml.WriteStartElement(name, SheetCellWriter.MainNamespace);
        foreach (var (attribute, value) in attributes ?? [])
            xml.WriteAttributeString(attribute, value);
        content?.Invoke();
        xml.WriteEndElement();
    }

    private static string FormatNumber(double value) => value.ToString("0.####", CultureInfo.InvariantCulture);

    /// <param name="headerRow">From 1. The table starts in the first column.</param>
    public static XElement CreateTablePart(TableBlock table, int id, string name, int headerRow)
    {
        XNamespace main = SheetCellWriter.MainNamespace;
        XElement Create(string element, (string Name, object Value)[] attributes, params object[] content) =>
            new(main + element, attributes.Select(attribute => new XAttribute(attribute.Name, attribute.Value)), content);
        var range = WorkbookText.GetRange(0, headerRow, table.Columns.Count - 1, headerRow + table.RowCount);
        var columns = table.Columns.Select(
            (column, index) => Create("tableColumn", [("id", index + 1), ("name", WorkbookText.EscapeAttribute(column.Header))])
        );
        return Create(
            "table",
            [("id", id), ("name", name), ("displayName", name), ("ref", range), ("totalsRowShown", 0)],
            Create("autoFilter", [("ref", range)]),
            Create("tableColumns", [("count", table.Columns.Count)], columns),
            Create(
                "tableStyleInfo",
                [
                    ("name", "TableStyleLight1"),
                    ("showFirstColumn", 0),
                    ("showLastColumn", 0),
                    ("showRowStripes", 0),
                    ("showColumnStripes", 0),
                ]
            )
        );
    }
}
