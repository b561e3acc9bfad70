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
        var numberFormats = numbers.Select((code, index) => Create("numFmt", [("numFmtId", 164 + index), ("formatCode", code)]));
        // Format 0 is the default of empty cells. The format of a style is its number + 1.
        var cellFormats = formats.Select(format =>
            CreateCellFormat(
                format,
                fonts.IndexOf((format.Size, format.Bold, format.Color)),
                format.Fill is null ? 0 : 2 + fills.IndexOf(format.Fill),
                format.Number is null ? format.NumberId : 164 + numbers.IndexOf(format.Number)
            )
        );
        return Create(
            "styleSheet",
            [],
            CreateGroup("numFmts", numberFormats),
            CreateGroup("fonts", fonts.Select(CreateFont)),
            CreateGroup("fills", [CreatePatternFill("none"), CreatePatternFill("gray125"), .. fills.Select(CreateSolidFill)]),
            CreateGroup("borders", [CreateBorder(Create("bottom", [])), CreateBorder(CreateRule())]),
            CreateGroup("cellStyleXfs", [CreateFormatRecord(0, 0, 0, 0)]),
            CreateGroup("cellXfs", cellFormats.Prepend(AddStyleId(CreateFormatRecord(0, 0, 0, 0)))),
            CreateGroup("cellStyles", [Create("cellStyle", [("name", "Normal"), ("xfId", 0), ("builtinId", 0)])])
        );
    }

    public static int GetFormatIndex(CellStyle style) => (int)style + 1;

    private static XElement Create(string name, (string Name, object Value)[] attributes, params object?[] content) =>
        new(s_main + name, attributes.Select(attribute => new XAttribute(attribute.Name, attribute.Value)), content);

    private static XElement CreateGroup(string name, IEnumerable<XElement> items)
    {
        var list = items.ToList();
        return Create(name, [("count", list.Count)], list);
    }

    private static XElement CreateFont((int Size, bool Bold, string Color) font) =>
        Create(
            "font",
            [],
            font.Bold ? Create("b", []) : null,
            Create("sz", [("val", font.Size)]),
            Create("color", [("rgb", "FF" + font.Color)]),
            Create("name", [("val", FontName)]),
            Create("family", [("val", 2)])
        );

    private static XElement CreatePatternFill(string type, params XElement[] colors) =>
        Create("fill", [], Create("patternFill", [("patternType", type)], colors));

    private static XElement CreateSolidFill(string color) =>
        CreatePatternFill("solid", Create("fgColor", [("rgb", "FF" + color)]), Create("bgColor", [("indexed", 64)]));

    private static XElement CreateBorder(XElement bottom) =>
        Create("border", [], Create("left", []), Create("right", []), Create("top", []), bottom, Create("diagonal", []));

    /// <summary>The line below a row.</summary>
    private static XElement CreateRule() => Create("bottom", [("style", "thin")], Create("color", [("rgb", "FF" + Palette.LineColor)]));

    private static XElement CreateFormatRecord(int number, int font, int fill, int border) =>
        Create("xf", [("numFmtId", number), ("fontId", font), ("fillId", fill), ("borderId", border)]);

    private static XElement AddStyleId(XElement format)
    {
        format.Add(new XAttribute("xfId", 0));
        return format;
    }

    private static XElement CreateCellFormat(StyleDefinition format, int font, int fill, int number)
    {
        var xf = AddStyleId(CreateFormatRecord(number, font, fill, format.Ruled ? 1 : 0));
        if (number != 0)
            xf.Add(new XAttribute("applyNumberFormat", 1));
        xf.Add(new XAttribute("applyFont", 1));
        if (fill != 0)
            xf.Add(new XAttribute("applyFill", 1));
        if (format.Ruled)
            xf.Add(new XAttribute("applyBorder", 1));
        xf.Add(new XAttribute("applyAlignment", 1));
        var alignment = Create("alignment", [("vertical", format.Wrap && !format.Middle ? "top" : "center")]);
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
