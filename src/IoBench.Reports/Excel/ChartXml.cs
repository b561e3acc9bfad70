using System.Globalization;
using System.Xml.Linq;

namespace IoBench.Reports;

/// <summary>
/// The chart part (ECMA-376, DrawingML charts). Every series has cached values, for viewers that do not calculate, and an explicit fill,
/// without which LibreOffice draws nothing. Hidden cells are plotted, because the data is on a hidden sheet.
/// </summary>
internal static class ChartXml
{
    private const int CategoryAxis = 111111111,
        ValueAxis = 222222222;
    private const int MaxUprightLabels = 50;

    /// <summary>Width of one of three charts in a line, in points, and the number of tick labels that fit below it.</summary>
    private const double NarrowChart = 400,
        NumbersOnNarrowChart = 5;
    private const double TitleRoom = 34,
        AxisRoom = 46,
        LegendRoom = 30,
        AxisTitleRoom = 36,
        FiguresRoom = 50,
        SecondLine = 12;

    /// <summary>
    /// Shares of the width: maximum for the names of a tall chart; left edge and width of the plot of a chart with limits.
    /// </summary>
    private const double MaxNames = 0.42,
        LimitsLeft = 0.15,
        LimitsWidth = 0.81;

    /// <summary>In points: height of a label with its gap; thickness of a limit's dash with its gap.</summary>
    private const double Letters = 13,
        DashRoom = 4;
    private static readonly XNamespace s_chart = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    private static readonly XNamespace s_chart2012 = "http://schemas.microsoft.com/office/drawing/2012/chart";
    private static readonly XNamespace s_draw = "http://schemas.openxmlformats.org/drawingml/2006/main";

    public static XElement Build(ChartSpec chart, IReadOnlyList<SeriesRanges> ranges) =>
        new(
            s_chart + "chartSpace",
            new XAttribute(XNamespace.Xmlns + "c", s_chart.NamespaceName),
            new XAttribute(XNamespace.Xmlns + "a", s_draw.NamespaceName),
            Value("roundedCorners", 0),
            new XElement(
                s_chart + "chart",
                Title(
                    chart.Title,
                    13,
                    bold: true,
                    IsTall(chart)
                        ? Layout(null, 0.5 - TextWidth.Of(chart.Title, 13, bold: true) / chart.Width / 2, 8 / chart.Height, null, null)
                        : null
                ),
                Value("autoTitleDeleted", 0),
                new XElement(s_chart + "plotArea", PlotLayout(chart), Plots(chart, ranges), Axes(chart)),
                chart.ShowLegend
                    ? new XElement(s_chart + "legend", Value("legendPos", "b"), Legend(chart), Value("overlay", 0), TextLook(8))
                    : null,
                Value("plotVisOnly", 0),
                // A line across a missing run would show values that were not measured.
                Value("dispBlanksAs", "gap")
            ),
            Shape(Fill("FFFFFF"), Line(Palette.Rule, 0.75))
        );

    private static IEnumerable<XElement> Plots(ChartSpec chart, IReadOnlyList<SeriesRanges> ranges)
    {
        var series = chart.Series.Select((item, index) => (Item: item, Xml: Series(chart, item, ranges[index], index))).ToList();
        var drawn = series.Where(one => !one.Item.IsLimit).Select(one => one.Xml).ToList();
        var axes = new[] { Value("axId", CategoryAxis), Value("axId", ValueAxis) };
        yield return chart.Kind switch
        {
            ChartKind.Bars or ChartKind.StackedBars or ChartKind.Columns => new XElement(
                s_chart + "barChart",
                Value("barDir", chart.Kind == ChartKind.Columns ? "col" : "bar"),
                Value("grouping", chart.Kind == ChartKind.StackedBars ? "percentStacked" : "clustered"),
                Value("varyColors", 0),
                drawn,
                Value("gapWidth", GapWidth(chart)),
                chart.Kind == ChartKind.StackedBars ? Value("overlap", 100) : null,
                axes
            ),
            ChartKind.Curves => new XElement(
                s_chart + "scatterChart",
                Value("scatterStyle", "lineMarker"),
                Value("varyColors", 0),
                drawn,
                axes
            ),
            _ => Lines(drawn, axes),
        };
        if (drawn.Count < series.Count)
            yield return Lines([.. series.Where(one => one.Item.IsLimit).Select(one => one.Xml)], axes);
    }

    /// <summary>In percent of a bar. A few bars are not thicker than many.</summary>
    private static int GapWidth(ChartSpec chart)
    {
        var along = chart.Kind == ChartKind.Columns ? chart.Width * 0.85 : chart.Height - TitleRoom - 2 * AxisRoom;
        var bars = chart.Kind == ChartKind.StackedBars ? 1 : chart.Series.Count(series => !series.IsLimit);
        var free = along / Math.Max(1, chart.Categories.Count) / ChartSpec.ThickestBar - bars;
        return (int)Math.Clamp(free * 100, bars > 1 ? 60 : 40, 500);
    }

    private static XElement Lines(List<XElement> series, XElement[] axes) =>
        new(s_chart + "lineChart", Value("grouping", "standard"), Value("varyColors", 0), series, Value("marker", 1), axes);

    private static XElement Series(ChartSpec chart, ChartSeries series, SeriesRanges range, int index)
    {
        var isLine = series.IsLimit || chart.Kind is ChartKind.Lines or ChartKind.Curves or ChartKind.Dots;
        var isJoined = !series.MarksOnly && !series.IsLimit && chart.Kind != ChartKind.Dots;
        var isCurve = chart.Kind == ChartKind.Curves;
        var categories = isCurve
            ? new XElement(s_chart + "xVal", Numbers(range.Categories, series.X!))
            : new XElement(s_chart + "cat", Strings(range.Categories, chart.GroupedCategories));
        return new XElement(
            s_chart + "ser",
            Value("idx", index),
            Value("order", index),
            new XElement(s_chart + "tx", Strings(range.Name, [series.Name])),
            Shape(
                !isLine ? [Fill(series.Look.Colour), NoLine()]
                : isJoined ? [Line(series.Look.Colour, 2, series.Look.Dash)]
                : [NoLine()]
            ),
            isLine ? Marker(series.Look.Marker, series.Look.Colour, series.MarksOnly) : Value("invertIfNegative", 0),
            Points(series, isLine, isJoined),
            chart.ShowValues && !series.IsLimit || series.MarksOnly ? Labels(chart, series, isLine) : null,
            Intervals(series, range),
            categories,
            new XElement(s_chart + (isCurve ? "yVal" : "val"), Numbers(range.Values, series.Values)),
            isLine ? Value("smooth", 0) : null
        );
    }

    private static XElement? Intervals(ChartSeries series, SeriesRanges range) =>
        series.Intervals is not { } ends
            ? null
            : new(
                s_chart + "errBars",
                Value("errDir", "y"),
                Value("errBarType", "both"),
                Value("errValType", "cust"),
                Value("noEndCap", 0),
                new XElement(s_chart + "plus", Numbers(range.Above!, [.. ends.Select((both, index) => both?.High - series.Values[index])])),
                new XElement(s_chart + "minus", Numbers(range.Below!, [.. ends.Select((both, index) => series.Values[index] - both?.Low)])),
                Shape(Line(Palette.Ink, 1))
            );

    private static IEnumerable<XElement> Points(ChartSeries series, bool isLine, bool isJoined) =>
        series.PointColours is not { } colours
            ? []
            : colours.Select(
                (colour, index) =>
                    new XElement(
                        s_chart + "dPt",
                        Value("idx", index),
                        isLine ? Marker(series.Look.Marker, colour, false) : Value("invertIfNegative", 0),
                        Value("bubble3D", 0),
                        Shape(
                            !isLine ? [Fill(colour), NoLine()]
                            : isJoined ? [Line(series.Look.Colour, 2, series.Look.Dash)]
                            : [NoLine()]
                        )
                    )
            );

    private static XElement Marker(MarkerShape shape, string colour, bool isMark) =>
        new(
            s_chart + "marker",
            Value(
                "symbol",
                shape switch
                {
                    MarkerShape.Circle => "circle",
                    MarkerShape.Square => "square",
                    MarkerShape.Triangle => "triangle",
                    MarkerShape.Diamond => "diamond",
                    MarkerShape.Dash => "dash",
                    _ => "none",
                }
            ),
            shape == MarkerShape.None
                ? null
                : Value(
                    "size",
                    shape == MarkerShape.Dash ? 24
                        : isMark ? 13
                        : 6
                ),
            // A dash has a white edge, so that it is visible on a dark column.
            shape == MarkerShape.None
                ? null
                : Shape(
                    isMark ? new XElement(s_draw + "noFill") : Fill(colour),
                    Line(shape == MarkerShape.Dash ? "FFFFFF" : colour, isMark ? 2 : 0.75)
                )
        );

    private static XElement Labels(ChartSpec chart, ChartSeries series, bool isLine) =>
        new(
            s_chart + "dLbls",
            series.Values.Select(
                (value, index) =>
                    value is { } figure && LiftOf(chart, figure, index) is > 0 and var lift
                        ? new XElement(
                            s_chart + "dLbl",
                            Value("idx", index),
                            new XElement(
                                s_chart + "layout",
                                new XElement(s_chart + "manualLayout", Value("x", 0), Value("y", -lift / chart.Height))
                            ),
                            LabelLook(chart, series, isLine)
                        )
                        : null
            ),
            LabelLook(chart, series, isLine),
            chart.HasLimits ? NoLeaders() : null
        );

    /// <summary>LibreOffice draws a line from a moved label to its column unless this extension of Excel turns it off.</summary>
    private static XElement NoLeaders() =>
        new(
            s_chart + "extLst",
            new XElement(
                s_chart + "ext",
                new XAttribute("uri", "{CE6537A1-D6FC-4f65-9D91-7224C49458BB}"),
                new XAttribute(XNamespace.Xmlns + "c15", s_chart2012.NamespaceName),
                new XElement(s_chart2012 + "showLeaderLines", new XAttribute("val", 0))
            )
        );

    /// <summary>Distance of a label from its usual position, in points, so that no limit crosses it.</summary>
    private static double LiftOf(ChartSpec chart, double value, int index)
    {
        var (scale, lift) = (SvgScale.Of(chart), 0.0);
        foreach (var limit in chart.Series.Where(series => series.IsLimit).Select(series => series.Values[index]).OfType<double>().Order())
        {
            var above = (scale.Place(limit) - scale.Place(value)) * PlotHeight(chart);
            if (above > lift - DashRoom && above < lift + Letters + DashRoom)
                lift = above + DashRoom;
        }
        return lift;
    }

    private static IEnumerable<XElement> LabelLook(ChartSpec chart, ChartSeries series, bool isLine) =>
        [
            new XElement(s_chart + "numFmt", new XAttribute("formatCode", chart.LabelFormat), new XAttribute("sourceLinked", 0)),
            // A white background keeps grid lines out of the label.
            new XElement(s_chart + "spPr", chart.HasLimits ? Fill("FFFFFF") : new XElement(s_draw + "noFill"), NoLine()),
            TextLook(8),
            Value(
                "dLblPos",
                !isLine ? "outEnd"
                    : chart.Kind != ChartKind.Dots ? "t"
                    : chart.HasLabelsLeft(series) ? "l"
                    : "r"
            ),
            Value("showLegendKey", 0),
            Value("showVal", series.MarksOnly ? 0 : 1),
            Value("showCatName", 0),
            Value("showSerName", series.MarksOnly ? 1 : 0),
            Value("showPercent", 0),
            Value("showBubbleSize", 0),
        ];

    private static IEnumerable<XElement> Legend(ChartSpec chart) =>
        chart
            .Series.Select((series, index) => (series, index))
            .Where(item => item.series.MarksOnly || item.series.NotInLegend)
            .Select(item => new XElement(s_chart + "legendEntry", Value("idx", item.index), Value("delete", 1)));

    private static IEnumerable<XElement> Axes(ChartSpec chart)
    {
        var isBar = chart.Kind is ChartKind.Bars or ChartKind.StackedBars;
        if (chart.Kind == ChartKind.Curves)
        {
            yield return Axis(
                "valAx",
                CategoryAxis,
                ValueAxis,
                "b",
                chart.CategoryTitle,
                Scaling(0, chart.Series.SelectMany(series => series.X!).Max(), false),
                "General",
                grid: false,
                [Value("crosses", chart.Logarithmic ? "min" : "autoZero"), Value("crossBetween", "midCat")],
                null
            );
        }
        else
        {
            var skip = isBar ? 1 : (int)Math.Ceiling(chart.Categories.Count / (double)MaxUprightLabels);
            yield return Axis(
                "catAx",
                CategoryAxis,
                ValueAxis,
                isBar ? "l" : "b",
                chart.CategoryTitle,
                Scaling(null, null, false),
                "General",
                grid: false,
                [
                    Value("crosses", chart.Logarithmic ? "min" : "autoZero"),
                    Value("auto", 1),
                    Value("lblAlgn", "ctr"),
                    Value("lblOffset", 100),
                    Value("tickLblSkip", skip),
                    Value("tickMarkSkip", skip),
                    Value("noMultiLvlLbl", 1),
                ],
                isBar ? null : Rotation(chart)
            );
        }
        yield return Axis(
            "valAx",
            ValueAxis,
            CategoryAxis,
            isBar ? "b" : "l",
            chart.ValueTitle,
            ValueScaling(chart),
            chart.Kind == ChartKind.StackedBars ? "0%" : chart.AxisFormat,
            grid: true,
            [
                Value("crosses", "autoZero"),
                Value("crossBetween", chart.Kind == ChartKind.Curves ? "midCat" : "between"),
                .. MajorUnit(chart),
            ],
            null
        );
    }

    /// <summary>On a narrow chart, viewers set the tick labels so close that they touch or lean.</summary>
    private static IEnumerable<XElement> MajorUnit(ChartSpec chart)
    {
        if (chart.Kind != ChartKind.Bars || chart.Logarithmic || chart.ShowsChange || chart.Width > NarrowChart || !(chart.Max > 0))
            yield break;
        var power = Math.Pow(10, Math.Floor(Math.Log10(chart.Max / NumbersOnNarrowChart)));
        yield return Value(
            "majorUnit",
            new[] { 1.0, 2, 5, 10 }.Select(step => step * power).First(step => step * NumbersOnNarrowChart >= chart.Max * 0.999)
        );
    }

    private static XElement Axis(
        string name,
        int id,
        int crossed,
        string position,
        string title,
        XElement scaling,
        string format,
        bool grid,
        XElement[] end,
        int? rotation
    ) =>
        new(
            s_chart + name,
            Value("axId", id),
            scaling,
            Value("delete", 0),
            Value("axPos", position),
            grid ? new XElement(s_chart + "majorGridlines", Shape(Line(Palette.Rule, 0.75))) : null,
            Title(title, 9, bold: false),
            new XElement(s_chart + "numFmt", new XAttribute("formatCode", format), new XAttribute("sourceLinked", 0)),
            Value("majorTickMark", "out"),
            Value("minorTickMark", "none"),
            Value("tickLblPos", "low"),
            Shape(Line("9AA5B1", 0.75)),
            TextLook(8, rotation),
            Value("crossAx", crossed),
            end
        );

    private static XElement ValueScaling(ChartSpec chart)
    {
        if (!chart.Logarithmic || chart.SmallestPositive is not { } minPositive)
        {
            // Viewers omit zero if all values are similar, but the length of a bar is meaningless without zero.
            var values = chart.Series.SelectMany(series => series.Shown).OfType<double>().DefaultIfEmpty(0).ToList();
            var (min, max) = (values.Min(), values.Max());
            return Scaling(
                min < 0 || chart.FreeAxis ? null : 0,
                chart.Kind == ChartKind.StackedBars ? 1
                    : chart.HasLimits ? SvgScale.Of(chart).Max
                    : min < 0 && max <= 0 ? 0
                    : null,
                false
            );
        }
        return Scaling(Math.Pow(10, Math.Floor(Math.Log10(minPositive))), Math.Pow(10, Math.Ceiling(Math.Log10(chart.Max * 1.001))), true);
    }

    private static XElement Scaling(double? min, double? max, bool logarithmic) =>
        new(
            s_chart + "scaling",
            logarithmic ? Value("logBase", 10) : null,
            Value("orientation", "minMax"),
            max is { } high ? Value("max", high) : null,
            min is { } low ? Value("min", low) : null
        );

    /// <summary>In 60,000ths of a degree: few short labels are horizontal, more lean, and many are vertical.</summary>
    private static int Rotation(ChartSpec chart)
    {
        var room = chart.Width * 0.85 / Math.Max(1, chart.Categories.Count);
        var longest = chart.Categories.Max(name => TextWidth.Of(name, 8)) + 4;
        // Up to four labels can break into two lines.
        return longest <= (chart.Categories.Count <= 4 ? room * 1.7 : room) ? 0
            : chart.Categories.Count <= 20 ? -45 * 60_000
            : -90 * 60_000;
    }

    /// <summary>
    /// A tall chart leaves space for its names. A chart with limits has a known plot position, so that labels can avoid the limits. For
    /// other charts, the viewer decides.
    /// </summary>
    private static XElement PlotLayout(ChartSpec chart)
    {
        var legend = chart.ShowLegend ? LegendRoom : 0;
        if (IsTall(chart))
        {
            var left = Math.Min(MaxNames, (AxisTitleRoom + chart.GroupedCategories.Max(name => TextWidth.Of(name, 8))) / chart.Width);
            return Layout(
                "inner",
                left,
                TitleRoom / chart.Height,
                1 - left - FiguresRoom / chart.Width,
                1 - (TitleRoom + AxisRoom + legend) / chart.Height
            );
        }
        return chart.HasLimits
            ? Layout("inner", LimitsLeft, TitleRoom / chart.Height, LimitsWidth, PlotHeight(chart) / chart.Height)
            : new XElement(s_chart + "layout");
    }

    /// <summary>In points, for a chart with limits. The names below can take two lines.</summary>
    private static double PlotHeight(ChartSpec chart) =>
        chart.Height - TitleRoom - AxisRoom - SecondLine - (chart.ShowLegend ? LegendRoom : 0);

    /// <summary>Viewers reserve a share of the height for title and axis, which is too much for a tall chart.</summary>
    private static bool IsTall(ChartSpec chart) => chart.Kind is ChartKind.Bars or ChartKind.StackedBars && chart.Height > 500;

    private static XElement Layout(string? target, double x, double y, double? width, double? height) =>
        new(
            s_chart + "layout",
            new XElement(
                s_chart + "manualLayout",
                target is null ? null : Value("layoutTarget", target),
                Value("xMode", "edge"),
                Value("yMode", "edge"),
                Value("x", x),
                Value("y", y),
                width is { } w ? Value("w", w) : null,
                height is { } h ? Value("h", h) : null
            )
        );

    private static XElement Title(string text, int size, bool bold, XElement? layout = null) =>
        new(
            s_chart + "title",
            new XElement(
                s_chart + "tx",
                new XElement(
                    s_chart + "rich",
                    new XElement(s_draw + "bodyPr"),
                    new XElement(
                        s_draw + "p",
                        new XElement(s_draw + "pPr", RunLook("defRPr", size, bold)),
                        new XElement(s_draw + "r", RunLook("rPr", size, bold), new XElement(s_draw + "t", XmlText.Clean(text)))
                    )
                )
            ),
            layout,
            Value("overlay", 0)
        );

    private static XElement TextLook(int size, int? rotation = null) =>
        new(
            s_chart + "txPr",
            new XElement(
                s_draw + "bodyPr",
                rotation is { } angle ? new XAttribute("rot", angle) : null,
                rotation is null ? null : new XAttribute("vert", "horz")
            ),
            new XElement(
                s_draw + "p",
                new XElement(s_draw + "pPr", RunLook("defRPr", size, false)),
                new XElement(s_draw + "endParaRPr", new XAttribute("lang", "en-US"))
            )
        );

    private static XElement RunLook(string name, int size, bool bold) =>
        new(
            s_draw + name,
            name == "rPr" ? new XAttribute("lang", "en-US") : null,
            new XAttribute("sz", size * 100),
            new XAttribute("b", bold ? 1 : 0),
            Fill(Palette.Ink)
        );

    private static XElement Strings(string formula, IReadOnlyList<string> texts) =>
        new(
            s_chart + "strRef",
            new XElement(s_chart + "f", formula),
            new XElement(
                s_chart + "strCache",
                Value("ptCount", texts.Count),
                texts.Select((text, index) => Point(index, XmlText.Clean(text)))
            )
        );

    private static XElement Numbers(string formula, IReadOnlyList<double?> values) =>
        new(
            s_chart + "numRef",
            new XElement(s_chart + "f", formula),
            new XElement(
                s_chart + "numCache",
                new XElement(s_chart + "formatCode", "General"),
                Value("ptCount", values.Count),
                values.Select(
                    (value, index) =>
                        value is { } number && double.IsFinite(number)
                            ? Point(index, number.ToString("R", CultureInfo.InvariantCulture))
                            : null
                )
            )
        );

    private static XElement Point(int index, string text) =>
        new(s_chart + "pt", new XAttribute("idx", index), new XElement(s_chart + "v", text));

    private static XElement Shape(params XElement[] content) => new(s_chart + "spPr", content);

    private static XElement Fill(string colour) =>
        new(s_draw + "solidFill", new XElement(s_draw + "srgbClr", new XAttribute("val", colour)));

    private static XElement Line(string colour, double points, LineDash dash = LineDash.Solid) =>
        new(
            s_draw + "ln",
            new XAttribute("w", (int)(points * 12_700)),
            Fill(colour),
            dash == LineDash.Solid
                ? null
                : new XElement(
                    s_draw + "prstDash",
                    new XAttribute(
                        "val",
                        dash switch
                        {
                            LineDash.Dot => "sysDot",
                            LineDash.DashDot => "lgDashDot",
                            _ => "dash",
                        }
                    )
                ),
            new XElement(s_draw + "round")
        );

    private static XElement NoLine() => new(s_draw + "ln", new XElement(s_draw + "noFill"));

    private static XElement Value(string name, object value) =>
        new(s_chart + name, new XAttribute("val", Convert.ToString(value, CultureInfo.InvariantCulture)!));
}
