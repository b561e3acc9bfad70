using System.Xml.Linq;

namespace IoBench.Reports;

/// <summary>
/// LibreOffice makes columns 5% wider than Excel. So a chart next to a table is anchored to one cell and has a fixed size. A chart between
/// tables is anchored at two corners, so that it stays as wide as they are.
/// </summary>
internal static class DrawingXml
{
    private const int EmuPerPoint = 12_700;
    private static readonly XNamespace s_sheetDrawing = "http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing";
    private static readonly XNamespace s_draw = "http://schemas.openxmlformats.org/drawingml/2006/main";
    private static readonly XNamespace s_chart = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    private static readonly XNamespace s_relationships = SheetCellWriter.RelationshipsNamespace;

    /// <summary>The charts' relationships are rId1, rId2 … in order. Edges are in points; columns and rows count from 0.</summary>
    public static XElement Build(
        IReadOnlyList<(ChartSpec Chart, double Left, double Top)> charts,
        Func<double, (int Index, double Edge)> column,
        Func<double, (int Index, double Edge)> row,
        bool isFixedSize
    ) =>
        new(
            s_sheetDrawing + "wsDr",
            new XAttribute(XNamespace.Xmlns + "xdr", s_sheetDrawing.NamespaceName),
            new XAttribute(XNamespace.Xmlns + "a", s_draw.NamespaceName),
            charts.Select(
                (placed, index) =>
                    isFixedSize
                        ? Sheet(
                            "oneCellAnchor",
                            CreateCorner("from", placed.Left, placed.Top, column, row),
                            Sheet("ext", ToEmu("cx", placed.Chart.Width), ToEmu("cy", placed.Chart.Height)),
                            CreateGraphicFrame(placed.Chart, index + 1),
                            Sheet("clientData")
                        )
                        : Sheet(
                            "twoCellAnchor",
                            new XAttribute("editAs", "oneCell"),
                            CreateCorner("from", placed.Left, placed.Top, column, row),
                            CreateCorner("to", placed.Left + placed.Chart.Width, placed.Top + placed.Chart.Height, column, row),
                            CreateGraphicFrame(placed.Chart, index + 1),
                            Sheet("clientData")
                        )
            )
        );

    private static XElement CreateCorner(
        string name,
        double left,
        double top,
        Func<double, (int Index, double Edge)> column,
        Func<double, (int Index, double Edge)> row
    )
    {
        var x = column(left);
        var y = row(top);
        return Sheet(
            name,
            Sheet("col", x.Index),
            Sheet("colOff", ToEmu(left - x.Edge)),
            Sheet("row", y.Index),
            Sheet("rowOff", ToEmu(top - y.Edge))
        );
    }

    private static XElement CreateGraphicFrame(ChartSpec chart, int number) =>
        Sheet(
            "graphicFrame",
            new XAttribute("macro", ""),
            Sheet(
                "nvGraphicFramePr",
                Sheet(
                    "cNvPr",
                    new XAttribute("id", number + 1),
                    new XAttribute("name", Invariant($"Chart {number}")),
                    new XAttribute("descr", WorkbookText.EscapeAttribute(chart.Description))
                ),
                Sheet("cNvGraphicFramePr")
            ),
            Sheet(
                "xfrm",
                Draw("off", new XAttribute("x", 0), new XAttribute("y", 0)),
                Draw("ext", new XAttribute("cx", 0), new XAttribute("cy", 0))
            ),
            Draw(
                "graphic",
                Draw(
                    "graphicData",
                    new XAttribute("uri", s_chart.NamespaceName),
                    new XElement(
                        s_chart + "chart",
                        new XAttribute(XNamespace.Xmlns + "c", s_chart.NamespaceName),
                        new XAttribute(XNamespace.Xmlns + "r", s_relationships.NamespaceName),
                        new XAttribute(s_relationships + "id", Invariant($"rId{number}"))
                    )
                )
            )
        );

    private static XElement Sheet(string name, params object?[] content) => new(s_sheetDrawing + name, content);

    private static XElement Draw(string name, params object?[] content) => new(s_draw + name, content);

    private static XAttribute ToEmu(string name, double points) => new(name, ToEmu(points));

    private static long ToEmu(double points) => (long)Math.Round(points * EmuPerPoint);
}
