using System.Xml.Linq;

namespace IoBench.Reports;

/// <summary>One cell format per <see cref="CellStyle"/>, in the order of the enum.</summary>
internal static class StylesXml
{
    private static readonly XNamespace s_main = SheetCellWriter.MainNamespace;

    /// <summary>Excel, LibreOffice, and others have this font or a metric-compatible one, so that widths are correct everywhere.</summary>
    private const string FontName = "Arial";

    private const string ChangeFormat = "+#,##0.0%;-#,##0.0%;0.0%";

    private sealed record StyleDefinition(
        int Size = 10,
        bool Bold = false,
        string Color = Palette.TextColor,
        string? Fill = null,
        bool Ruled = false,
        string? Number = null,
        int NumberId = 0,
        string? Align = null,
        bool Wrap = false,
        bool Indent = false,
        bool Middle = false
    );

    private static StyleDefinition GetFormat(CellStyle style) =>
        style switch
        {
            CellStyle.Text => new(Ruled: true, Align: "left", Indent: true),
            CellStyle.Wrapped => new(Ruled: true, Wrap: true, Align: "left", Indent: true),
            CellStyle.Integer => new(Ruled: true, NumberId: 3),
            CellStyle.OneDecimal => new(Ruled: true, Number: "#,##0.0"),
            CellStyle.TwoDecimals => new(Ruled: true, NumberId: 4),
            CellStyle.ThreeDecimals => new(Ruled: true, Number: "#,##0.000"),
            // Padding as wide as the omitted digits aligns the decimal points.
            CellStyle.Rate => new(Ruled: true, Number: "[>=100]#,##0_._0_0;[>=10]0.0_0;0.00"),
            CellStyle.Milliseconds => new(Ruled: true, Number: "[>=100]#,##0_._0_0_0;[>=10]0.0_0_0;0.000"),
            CellStyle.Share => new(Ruled: true, Number: "[>=0.005]0.00;[>0]\"< 0.01\";0.00"),
            CellStyle.Number => new(Ruled: true),
            CellStyle.Change => new(Ruled: true, Number: ChangeFormat),
            CellStyle.ChangeBetter => new(Bold: true, Color: Palette.PassText, Fill: Palette.PassFill, Ruled: true, Number: ChangeFormat),
            CellStyle.ChangeWorse => new(Bold: true, Color: Palette.FailText, Fill: Palette.FailFill, Ruled: true, Number: ChangeFormat),
            CellStyle.DateTime => new(Ruled: true, NumberId: 22, Align: "left", Indent: true),
            CellStyle.Pass => new(Bold: true, Color: Palette.PassText, Fill: Palette.PassFill, Ruled: true, Align: "center"),
            CellStyle.Warning => new(Bold: true, Color: Palette.WarningText, Fill: Palette.WarningFill, Ruled: true, Align: "center"),
            CellStyle.Fail => new(Bold: true, Color: Palette.FailText, Fill: Palette.FailFill, Ruled: true, Align: "center"),
            CellStyle.Neutral => new(Color: Palette.NeutralText, Fill: Palette.NeutralFill, Ruled: true, Align: "center"),
            CellStyle.Header => new(
                Bold: true,
                Color: "FFFFFF",
                Fill: Palette.HeaderFill,
                Align: "left",
                Indent: true,
                Wrap: true,
                Middle: true
            ),
            CellStyle.HeaderRight => new(Bold: true, Color: "FFFFFF", Fill: Palette.HeaderFill, Align: "right", Wrap: true, Middle: true),
            CellStyle.HeaderCenter => new(Bold: true, Color: "FFFFFF", Fill: Palette.HeaderFill, Align: "center", Wrap: true, Middle: true),
            CellStyle.Title => new(18, Bold: true),
            CellStyle.Lead => new(13, Bold: true, Wrap: true, Color: Palette.HeaderFill),
            CellStyle.Heading => new(12, Bold: true, Color: Palette.HeaderFill),
            CellStyle.Paragraph => new(Wrap: true),
            CellStyle.Small => new(8, Color: Palette.MutedTextColor, Wrap: true),
            CellStyle.Strong => new(Bold: true, Ruled: true, Align: "left", Indent: true),
            CellStyle.Figure => new(11, Bold: true, Ruled: true, Align: "right"),
            CellStyle.FigureBefore => new(Ruled: true, Align: "right"),
            CellStyle.HeatHeader => new(Bold: true, Color: "FFFFFF", Fill: Palette.HeaderFill, Align: "left"),
            CellStyle.HeatTime => new(8, Color: Palette.MutedTextColor, Align: "left"),
            // The color is the information. The number appears only if the user selects the cell.
            >= CellStyle.Heat1 and <= CellStyle.Heat8 => new(
                8,
                Color: Palette.HeatRamp[style - CellStyle.Heat1],
                Fill: Palette.HeatRamp[style - CellStyle.Heat1],
                Number: ";;;"
            ),
            >= CellStyle.HeatFigure1 and <= CellStyle.HeatFigure8 => new(
                Color: Palette.GetHeatTextColor(style - CellStyle.HeatFigure1),
                Fill: Palette.HeatRamp[style - CellStyle.HeatFigure1],
                Ruled: true,
                NumberId: 3
            ),
            _ => throw new ArgumentOutOfRangeException(nameof(style), style, null),
        };

    public static XElement Build()
    {
        var formats = Enum.GetValues<CellStyle>().Select(GetFormat).ToList();
        // The first font, fill, and format are the workbook's defaults. Excel reserves fills 0 and 1.
        var fonts = formats
            .Select(format => (format.Size, format.Bold, format.Color))
            .Prepend((10, false, Palette.TextColor))
            .Distinct()
            .ToList();
        var fills = formats.Select(format => format.Fill).OfType<string>().Distinct().ToList();
        var numbers = formats.Select(format => format.Number).OfType<string>().Distinct().ToList();
        return new XElement(
            s_main + "styleSheet",
            CreateGroup(
                "numFmts",
                numbers.Select(
                    (code, index) =>
                        new XElement(s_main + "numFmt", new XAttribute("numFmtId", 164 + index), new XAttribute("formatCode", code))
                )
            ),
            CreateGroup("fonts", fonts.Select(CreateFont)),
            CreateGroup("fills", [CreatePatternFill("none"), CreatePatternFill("gray125"), .. fills.Select(CreateSolidFill)]),
            CreateGroup("borders", [CreateBorder(ruled: false), CreateBorder(ruled: true)]),
            CreateGroup("cellStyleXfs", [CreateFormatRecord(0, 0, 0, 0)]),
            // Format 0 is the default of empty cells. The format of a style is its number + 1.
            CreateGroup(
                "cellXfs",
                formats
                    .Select(format =>
                        CreateCellFormat(
                            format,
                            fonts.IndexOf((format.Size, format.Bold, format.Color)),
                            format.Fill is null ? 0 : 2 + fills.IndexOf(format.Fill),
                            format.Number is null ? format.NumberId : 164 + numbers.IndexOf(format.Number)
                        )
                    )
                    .Prepend(AddStyleId(CreateFormatRecord(0, 0, 0, 0)))
            ),
            CreateGroup(
                "cellStyles",
                [
                    new XElement(
                        s_main + "cellStyle",
                        new XAttribute("name", "Normal"),
                        new XAttribute("xfId", 0),
                        new XAttribute("builtinId", 0)
                    ),
                ]
            )
        );
    }

    public static int GetFormatIndex(CellStyle style) => (int)style + 1;

    private static XElement CreateGroup(string name, IEnumerable<XElement> items)
    {
        var list = items.ToList();
        return new(s_main + name, new XAttribute("count", list.Count), list);
    }

    private static XElement CreateFont((int Size, bool Bold, string Color) font) =>
        new(
            s_main + "font",
            font.Bold ? new XElement(s_main + "b") : null,
            new XElement(s_main + "sz", new XAttribute("val", font.Size)),
            new XElement(s_main + "color", new XAttribute("rgb", "FF" + font.Color)),
            new XElement(s_main + "name", new XAttribute("val", FontName)),
            new XElement(s_main + "family", new XAttribute("val", 2))
        );

    private static XElement CreatePatternFill(string type) =>
        new(s_main + "fill", new XElement(s_main + "patternFill", new XAttribute("patternType", type)));

    private static XElement CreateSolidFill(string color) =>
        new(
            s_main + "fill",
            new XElement(
                s_main + "patternFill",
                new XAttribute("patternType", "solid"),
                new XElement(s_main + "fgColor", new XAttribute("rgb", "FF" + color)),
                new XElement(s_main + "bgColor", new XAttribute("indexed", 64))
            )
        );

    private static XElement CreateBorder(bool ruled) =>
        new(
            s_main + "border",
            new XElement(s_main + "left"),
            new XElement(s_main + "right"),
            new XElement(s_main + "top"),
            ruled
                ? new XElement(
                    s_main + "bottom",
                    new XAttribute("style", "thin"),
                    new XElement(s_main + "color", new XAttribute("rgb", "FF" + Palette.LineColor))
                )
                : new XElement(s_main + "bottom"),
            new XElement(s_main + "diagonal")
        );

    private static XElement CreateFormatRecord(int number, int font, int fill, int border) =>
        new(
            s_main + "xf",
            new XAttribute("numFmtId", number),
            new XAttribute("fontId", font),
            new XAttribute("fillId", fill),
            new XAttribute("borderId", border)
        );

    private static XElement AddStyleId(XElement format)
    {
        format.Add(new XAttribute("xfId", 0));
        return format;
    }

    private static XElement CreateCellFormat(StyleDefinition format, int font, int fill, int number)
    {
        var xf = AddStyleId(CreateFormatRecord(number, font, fill, format.Ruled ? 1 : 0));
        foreach (
            var (name, applies) in new[]
            {
                ("applyNumberFormat", number != 0),
                ("applyFont", true),
                ("applyFill", fill != 0),
                ("applyBorder", format.Ruled),
            }
        )
        {
            if (applies)
                xf.Add(new XAttribute(name, 1));
        }
        xf.Add(new XAttribute("applyAlignment", 1));
        var alignment = new XElement(s_main + "alignment", new XAttribute("vertical", format.Wrap && !format.Middle ? "top" : "center"));
        if (format.Align is not null)
            alignment.Add(new XAttribute("horizontal", format.Align));
        if (format.Indent)
            alignment.Add(new XAttribute("indent", 1));
        if (format.Wrap)
            alignment.Add(new XAttribute("wrapText", 1));
        xf.Add(alignment);
        return xf;
    }
}
