using System.Globalization;
using System.Xml.Linq;

namespace IoBench.Reports;

internal static class SheetWriter
{
    /// <param name="headerRow">From 1. The table starts in the first column.</param>
    public static XElement CreateTablePart(TableBlock table, int id, string name, int headerRow)
    {
        XNamespace main = SheetCellWriter.MainNamespace;
        var range = CellReference.GetRange(0, headerRow, table.Columns.Count - 1, headerRow + table.RowCount);
        return new XElement(
            main + "table",
            new XAttribute("id", id),
            new XAttribute("name", name),
            new XAttribute("displayName", name),
            new XAttribute("ref", range),
            new XAttribute("totalsRowShown", 0),
            new XElement(main + "autoFilter", new XAttribute("ref", range)),
            new XElement(
                main + "tableColumns",
                new XAttribute("count", table.Columns.Count.ToString(CultureInfo.InvariantCulture)),
                table.Columns.Select(
                    (column, index) =>
                        new XElement(
                            main + "tableColumn",
                            new XAttribute("id", index + 1),
                            new XAttribute("name", WorkbookText.EscapeAttribute(column.Header))
                        )
                )
            ),
            new XElement(
                main + "tableStyleInfo",
                new XAttribute("name", "TableStyleLight1"),
                new XAttribute("showFirstColumn", 0),
                new XAttribute("showLastColumn", 0),
                new XAttribute("showRowStripes", 0),
                new XAttribute("showColumnStripes", 0)
            )
        );
    }
}
