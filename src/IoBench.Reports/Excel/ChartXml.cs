using System.Globalization;
using System.Xml.Linq;

namespace IoBench.Reports;

/// <summary>
/// The chart part (ECMA-376, DrawingML charts). Every series has cached values, for viewers that do not calculate, and an explicit fill,
/// without which LibreOffice draws nothing. Hidden cells are plotted, because the data is on a hidden sheet.
/// </summary>
internal static class ChartXml
{
    private const int CategoryAxisId = 111111111,
        ValueAxisId = 222222222;
    private const int MaxUprightLabels = 50;

    /// <summary>Width of one of three charts in a line, in points, and the number of tick labels that fit below it.</summary>
    private const double NarrowChartWidth = 400,
        NumbersOnNarrowChart = 5;
    private const double TitleSpace = 34,
        AxisSpace = 46,
        LegendSpace = 30,
        AxisTitleSpace = 36,
        TickLabelSpace = 50,
        SecondLineSpace = 12;

    /// <summary>Shares of the width: maximum for names of a tall chart; left edge and width of the plot of a chart with limits.</summary>
    private const double MaxNameShare = 0.42,
        LimitPlotLeft = 0.15,
        LimitPlotWidth = 0.81;

    /// <summary>In points: height of a label with its gap; thickness of a limit's dash with its gap.</summary>
    private const double LabelSpace = 13,
        LimitDashSpace = 4;
    private static readonly XNamespace s_chart = "http://schemas.openxmlformats.org/drawingml/2006/chart";
    private static readonly XNamespace s_chart2012 = "http://schemas.microsoft.com/office/drawing/2012/chart";
    private static readonly XNamespace s_draw = "http://schemas.openxmlformats.org/drawingml/2006/main";

    public static XElement Build(ChartSpec chart, IReadOnlyList<SeriesCellRanges> ranges) =>
        Chart(
            "chartSpace",
            new XAttribute(XNamespace.Xmlns + "c", s_chart.NamespaceName),
            new XAttribute(XNamespace.Xmlns + "a", s_draw.NamespaceName),
            CreateValue("roundedCorners", 0),
            Chart(
                "chart",
                CreateTitle(
                    chart.Title,
                    13,
                    bold: true,
                    IsTall(chart)
                        ? CreateLayout(
                            null,
                            0.5 - TextWidth.Measure(chart.Title, 13, bold: true) / chart.Width / 2,
                            8 / chart.Height,
                            null,
                            null
                        )
                        : null
                ),
                CreateValue("autoTitleDeleted", 0),
                Chart("plotArea", CreatePlotLayout(chart), CreatePlots(chart, ranges), CreateAxes(chart)),
                chart.ShowsLegend
                    ? Chart(
                        "legend",
                        CreateValue("legendPos", "b"),
                        CreateHiddenLegendEntries(chart),
                        CreateValue("overlay", 0),
                        CreateTextProperties(8)
                    )
                    : null,
                CreateValue("plotVisOnly", 0),
                // A line across a missing run would show values that were not measured.
                CreateValue("dispBlanksAs", "gap")
            ),
            CreateShapeProperties(CreateFill("FFFFFF"), CreateLine(Palette.LineColor, 0.75))
        );

    private static IEnumerable<XElement> CreatePlots(ChartSpec chart, IReadOnlyList<SeriesCellRanges> ranges)
    {
        var series = chart.Series.Select((item, index) => (Item: item, Xml: CreateSeries(chart, item, ranges[index], index))).ToList();
        var drawn = series.Where(one => !one.Item.IsLimit).Select(one => one.Xml).ToList();
        var axes = new[] { CreateValue("axId", CategoryAxisId), CreateValue("axId", ValueAxisId) };
        yield return chart.Kind switch
        {
            ChartKind.Bars or ChartKind.StackedBars or ChartKind.Columns => Chart(
                "barChart",
                CreateValue("barDir", chart.Kind == ChartKind.Columns ? "col" : "bar"),
                CreateValue("grouping", chart.Kind == ChartKind.StackedBars ? "percentStacked" : "clustered"),
                CreateValue("varyColors", 0),
                drawn,
                CreateValue("gapWidth", GetGapWidth(chart)),
                chart.Kind == ChartKind.StackedBars ? CreateValue("overlap", 100) : null,
                axes
            ),
            ChartKind.Curves => Chart("scatterChart", CreateValue("scatterStyle", "lineMarker"), CreateValue("varyColors", 0), drawn, axes),
            _ => CreateLineChart(drawn, axes),
        };
        if (drawn.Count < series.Count)
            yield return CreateLineChart([.. series.Where(one => one.Item.IsLimit).Select(one => one.Xml)], axes);
    }

    /// <summary>In percent of a bar. A few bars are not thicker than many.</summary>
    private static int GetGapWidth(ChartSpec chart)
    {
        var along = chart.Kind == ChartKind.Columns ? chart.Width * 0.85 : chart.Height - TitleSpace - 2 * AxisSpace;
        var bars = chart.Kind == ChartKind.StackedBars ? 1 : chart.Series.Count(series => !series.IsLimit);
        var free = along / Math.Max(1, chart.Categories.Count) / ChartSpec.MaxBarThickness - bars;
        return (int)Math.Clamp(free * 100, bars > 1 ? 60 : 40, 500);
    }

    private static XElement CreateLineChart(List<XElement> series, XElement[] axes) =>
        Chart("lineChart", CreateValue("grouping", "standard"), CreateValue("varyColors", 0), series, CreateValue("marker", 1), axes);

    private static XElement CreateSeries(ChartSpec chart, ChartSeries series, SeriesCellRanges range, int index)
    {
        var isLine = series.IsLimit || chart.Kind is ChartKind.Lines or ChartKind.Curves or ChartKind.Dots;
        var isJoined = !series.HasMarkersOnly && !series.IsLimit && chart.Kind != ChartKind.Dots;
        var isCurve = chart.Kind == ChartKind.Curves;
        var categories = isCurve
            ? Chart("xVal", CreateNumberReference(range.Categories, series.X!))
            : Chart("cat", CreateStringReference(range.Categories, chart.GroupedCategories));
        return Chart(
            "ser",
            CreateValue("idx", index),
            CreateValue("order", index),
            Chart("tx", CreateStringReference(range.Name, [series.Name])),
            CreateShapeProperties(
                !isLine ? [CreateFill(series.Style.Color), CreateNoLine()]
                : isJoined ? [CreateLine(series.Style.Color, 2, series.Style.Dash)]
                : [CreateNoLine()]
            ),
            isLine ? CreateMarker(series.Style.Marker, series.Style.Color, series.HasMarkersOnly) : CreateValue("invertIfNegative", 0),
            CreateDataPoints(series, isLine, isJoined),
            chart.ShowsValues && !series.IsLimit || series.HasMarkersOnly ? CreateLabels(chart, series, isLine) : null,
            CreateErrorBars(series, range),
            categories,
            Chart(isCurve ? "yVal" : "val", CreateNumberReference(range.Values, series.Values)),
            isLine ? CreateValue("smooth", 0) : null
        );
    }

    private static XElement? CreateErrorBars(ChartSeries series, SeriesCellRanges range) =>
        series.Intervals is not { } ends
            ? null
            : Chart(
                "errBars",
                CreateValue("errDir", "y"),
                CreateValue("errBarType", "both"),
                CreateValue("errValType", "cust"),
                CreateValue("noEndCap", 0),
                Chart("plus", CreateNumberReference(range.Above!, [.. ends.Select((both, index) => both?.High - series.Values[index])])),
                Chart("minus", CreateNumberReference(range.Below!, [.. ends.Select((both, index) => series.Values[index] - both?.Low)])),
                CreateShapeProperties(CreateLine(Palette.TextColor, 1))
            );

    private static IEnumerable<XElement> CreateDataPoints(ChartSeries series, bool isLine, bool isJoined) =>
        series.PointColors is not { } colors
            ? []
            : colors.Select(
                (color, index) =>
                    Chart(
                        "dPt",
                        CreateValue("idx", index),
                        isLine ? CreateMarker(series.Style.Marker, color, false) : CreateValue("invertIfNegative", 0),
                        CreateValue("bubble3D", 0),
                        CreateShapeProperties(
                            !isLine ? [CreateFill(color), CreateNoLine()]
                            : isJoined ? [CreateLine(series.Style.Color, 2, series.Style.Dash)]
                            : [CreateNoLine()]
                        )
                    )
            );

    private static XElement CreateMarker(MarkerShape shape, string color, bool isMark) =>
        Chart(
            "marker",
            CreateValue(
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
                : CreateValue(
                    "size",
                    shape == MarkerShape.Dash ? 24
                        : isMark ? 13
                        : 6
                ),
            // A dash has a white edge, so that it is visible on a dark column.
            shape == MarkerShape.None
                ? null
                : CreateShapeProperties(
                    isMark ? Draw("noFill") : CreateFill(color),
                    CreateLine(shape == MarkerShape.Dash ? "FFFFFF" : color, isMark ? 2 : 0.75)
                )
        );

    private static XElement CreateLabels(ChartSpec chart, ChartSeries series, bool isLine) =>
        Chart(
            "dLbls",
            series.Values.Select((value, index) => value is { } known ? CreateMovedLabel(chart, series, isLine, known, index) : null),
            CreateLabelFormat(chart, series, isLine),
            chart.HasLimits ? CreateNoLeaderLines() : null
        );

    private static XElement? CreateMovedLabel(ChartSpec chart, ChartSeries series, bool isLine, double value, int index)
    {
        var offset = GetLabelOffset(chart, value, index);
        return offset > 0
            ? Chart(
                "dLbl",
                CreateValue("idx", index),
                Chart("layout", Chart("manualLayout", CreateValue("x", 0), CreateValue("y", -offset / chart.Height))),
                CreateLabelFormat(chart, series, isLine)
            )
            : null;
    }

    /// <summary>LibreOffice draws a line from a moved label to its column unless this extension of Excel turns it off.</summary>
    private static XElement CreateNoLeaderLines() =>
        Chart(
            "extLst",
            Chart(
                "ext",
                new XAttribute("uri", "{CE6537A1-D6FC-4f65-9D91-7224C49458BB}"),
                new XAttribute(XNamespace.Xmlns + "c15", s_chart2012.NamespaceName),
                new XElement(s_chart2012 + "showLeaderLines", new XAttribute("val", 0))
            )
        );

    /// <summary>Distance of a label from its usual position, in points, so that no limit crosses it.</summary>
    private static double GetLabelOffset(ChartSpec chart, double value, int index)
    {
        var scale = SvgAxis.ForChart(chart);
        var offset = 0.0;
        foreach (var limit in chart.Series.Where(series => series.IsLimit).Select(series => series.Values[index]).OfType<double>().Order())
        {
            var above = (scale.GetPosition(limit) - scale.GetPosition(value)) * GetPlotHeight(chart);
            if (above > offset - LimitDashSpace && above < offset + LabelSpace + LimitDashSpace)
                offset = above + LimitDashSpace;
        }
        return offset;
    }

    private static IEnumerable<XElement> CreateLabelFormat(ChartSpec chart, ChartSeries series, bool isLine) =>
        [
            Chart("numFmt", new XAttribute("formatCode", chart.LabelFormat), new XAttribute("sourceLinked", 0)),
            // A white background keeps grid lines out of the label.
            Chart("spPr", chart.HasLimits ? CreateFill("FFFFFF") : Draw("noFill"), CreateNoLine()),
            CreateTextProperties(8),
            CreateValue(
                "dLblPos",
                !isLine ? "outEnd"
                    : chart.Kind != ChartKind.Dots ? "t"
                    : chart.HasLabelsLeft(series) ? "l"
                    : "r"
            ),
            CreateValue("showLegendKey", 0),
            CreateValue("showVal", series.HasMarkersOnly ? 0 : 1),
            CreateValue("showCatName", 0),
            CreateValue("showSerName", series.HasMarkersOnly ? 1 : 0),
            CreateValue("showPercent", 0),
            CreateValue("showBubbleSize", 0),
        ];

    private static IEnumerable<XElement> CreateHiddenLegendEntries(ChartSpec chart) =>
        chart
            .Series.Select((series, index) => (series, index))
            .Where(item => item.series.HasMarkersOnly || item.series.IsHiddenInLegend)
            .Select(item => Chart("legendEntry", CreateValue("idx", item.index), CreateValue("delete", 1)));

    private static IEnumerable<XElement> CreateAxes(ChartSpec chart)
    {
        var isBar = chart.Kind is ChartKind.Bars or ChartKind.StackedBars;
        if (chart.Kind == ChartKind.Curves)
        {
            yield return CreateAxis(
                name: "valAx",
                id: CategoryAxisId,
                crossed: ValueAxisId,
                position: "b",
                title: chart.CategoryTitle,
                scaling: CreateScaling(0, chart.Series.SelectMany(series => series.X!).Max(), false),
                format: "General",
                grid: false,
                end: [CreateValue("crosses", chart.IsLogarithmic ? "min" : "autoZero"), CreateValue("crossBetween", "midCat")],
                rotation: null
            );
        }
        else
        {
            var skip = isBar ? 1 : (int)Math.Ceiling(chart.Categories.Count / (double)MaxUprightLabels);
            yield return CreateAxis(
                name: "catAx",
                id: CategoryAxisId,
                crossed: ValueAxisId,
                position: isBar ? "l" : "b",
                title: chart.CategoryTitle,
                scaling: CreateScaling(null, null, false),
                format: "General",
                grid: false,
                end:
                [
                    CreateValue("crosses", chart.IsLogarithmic ? "min" : "autoZero"),
                    CreateValue("auto", 1),
                    CreateValue("lblAlgn", "ctr"),
                    CreateValue("lblOffset", 100),
                    CreateValue("tickLblSkip", skip),
                    CreateValue("tickMarkSkip", skip),
                    CreateValue("noMultiLvlLbl", 1),
                ],
                rotation: isBar ? null : GetLabelRotation(chart)
            );
        }
        yield return CreateAxis(
            name: "valAx",
            id: ValueAxisId,
            crossed: CategoryAxisId,
            position: isBar ? "b" : "l",
            title: chart.ValueTitle,
            scaling: CreateValueScaling(chart),
            format: chart.Kind == ChartKind.StackedBars ? "0%" : chart.AxisFormat,
            grid: true,
            end:
            [
                CreateValue("crosses", "autoZero"),
                CreateValue("crossBetween", chart.Kind == ChartKind.Curves ? "midCat" : "between"),
                .. CreateMajorUnit(chart),
            ],
            rotation: null
        );
    }

    /// <summary>On a narrow chart, viewers set the tick labels so close that they touch or lean.</summary>
    private static IEnumerable<XElement> CreateMajorUnit(ChartSpec chart)
    {
        if (chart.Kind != ChartKind.Bars || chart.IsLogarithmic || chart.ShowsChange || chart.Width > NarrowChartWidth || !(chart.Max > 0))
            yield break;
        var power = Math.Pow(10, Math.Floor(Math.Log10(chart.Max / NumbersOnNarrowChart)));
        yield return CreateValue(
            "majorUnit",
            new[] { 1.0, 2, 5, 10 }.Select(step => step * power).First(step => step * NumbersOnNarrowChart >= chart.Max * 0.999)
        );
    }

    private static XElement CreateAxis(
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
        Chart(
            name,
            CreateValue("axId", id),
            scaling,
            CreateValue("delete", 0),
            CreateValue("axPos", position),
            grid ? Chart("majorGridlines", CreateShapeProperties(CreateLine(Palette.LineColor, 0.75))) : null,
            CreateTitle(title, 9, bold: false),
            Chart("numFmt", new XAttribute("formatCode", format), new XAttribute("sourceLinked", 0)),
            CreateValue("majorTickMark", "out"),
            CreateValue("minorTickMark", "none"),
            CreateValue("tickLblPos", "low"),
            CreateShapeProperties(CreateLine("9AA5B1", 0.75)),
            CreateTextProperties(8, rotation),
            CreateValue("crossAx", crossed),
            end
        );

    private static XElement CreateValueScaling(ChartSpec chart)
    {
        if (!chart.IsLogarithmic || chart.SmallestPositive is not { } minPositive)
        {
            // Viewers omit zero if all values are similar, but the length of a bar is meaningless without zero.
            var values = chart.Series.SelectMany(series => series.AxisValues).OfType<double>().DefaultIfEmpty(0).ToList();
            var min = values.Min();
            var max = values.Max();
            return CreateScaling(
                min < 0 || chart.HasFreeAxis ? null : 0,
                chart.Kind == ChartKind.StackedBars ? 1
                    : chart.HasLimits ? SvgAxis.ForChart(chart).Max
                    : min < 0 && max <= 0 ? 0
                    : null,
                false
            );
        }
        return CreateScaling(
            Math.Pow(10, Math.Floor(Math.Log10(minPositive))),
            Math.Pow(10, Math.Ceiling(Math.Log10(chart.Max * 1.001))),
            true
        );
    }

    private static XElement CreateScaling(double? min, double? max, bool logarithmic) =>
        Chart(
            "scaling",
            logarithmic ? CreateValue("logBase", 10) : null,
            CreateValue("orientation", "minMax"),
            max is { } high ? CreateValue("max", high) : null,
            min is { } low ? CreateValue("min", low) : null
        );

    /// <summary>In 60,000ths of a degree: few short labels are horizontal, more lean, and many are vertical.</summary>
    private static int GetLabelRotation(ChartSpec chart)
    {
        var room = chart.Width * 0.85 / Math.Max(1, chart.Categories.Count);
        var longest = chart.Categories.Max(name => TextWidth.Measure(name, 8)) + 4;
        // Up to four labels can break into two lines.
        return longest <= (chart.Categories.Count <= 4 ? room * 1.7 : room) ? 0
            : chart.Categories.Count <= 20 ? -45 * 60_000
            : -90 * 60_000;
    }

    /// <summary>A chart with limits has a known plot position, so that labels can avoid the limits.</summary>
    private static XElement CreatePlotLayout(ChartSpec chart)
    {
        var legend = chart.ShowsLegend ? LegendSpace : 0;
        if (IsTall(chart))
        {
            var left = Math.Min(
                MaxNameShare,
                (AxisTitleSpace + chart.GroupedCategories.Max(name => TextWidth.Measure(name, 8))) / chart.Width
            );
            return CreateLayout(
                "inner",
                left,
                TitleSpace / chart.Height,
                1 - left - TickLabelSpace / chart.Width,
                1 - (TitleSpace + AxisSpace + legend) / chart.Height
            );
        }
        return chart.HasLimits
            ? CreateLayout("inner", LimitPlotLeft, TitleSpace / chart.Height, LimitPlotWidth, GetPlotHeight(chart) / chart.Height)
            : Chart("layout");
    }

    /// <summary>In points, for a chart with limits. The names below can take two lines.</summary>
    private static double GetPlotHeight(ChartSpec chart) =>
        chart.Height - TitleSpace - AxisSpace - SecondLineSpace - (chart.ShowsLegend ? LegendSpace : 0);

    /// <summary>Viewers reserve a share of the height for title and axis, which is too much for a tall chart.</summary>
    private static bool IsTall(ChartSpec chart) => chart.Kind is ChartKind.Bars or ChartKind.StackedBars && chart.Height > 500;

    private static XElement CreateLayout(string? target, double x, double y, double? width, double? height) =>
        Chart(
            "layout",
            Chart(
                "manualLayout",
                target is null ? null : CreateValue("layoutTarget", target),
                CreateValue("xMode", "edge"),
                CreateValue("yMode", "edge"),
                CreateValue("x", x),
                CreateValue("y", y),
                width is { } w ? CreateValue("w", w) : null,
                height is { } h ? CreateValue("h", h) : null
            )
        );

    private static XElement CreateTitle(string text, int size, bool bold, XElement? layout = null) =>
        Chart(
            "title",
            Chart(
                "tx",
                Chart(
                    "rich",
                    Draw("bodyPr"),
                    Draw(
                        "p",
                        Draw("pPr", CreateRunProperties("defRPr", size, bold)),
                        Draw("r", CreateRunProperties("rPr", size, bold), Draw("t", WorkbookText.EscapeCell(text)))
                    )
                )
            ),
            layout,
            CreateValue("overlay", 0)
        );

    private static XElement CreateTextProperties(int size, int? rotation = null) =>
        Chart(
            "txPr",
            Draw(
                "bodyPr",
                rotation is { } angle ? new XAttribute("rot", angle) : null,
                rotation is null ? null : new XAttribute("vert", "horz")
            ),
            Draw("p", Draw("pPr", CreateRunProperties("defRPr", size, false)), Draw("endParaRPr", new XAttribute("lang", "en-US")))
        );

    private static XElement CreateRunProperties(string name, int size, bool bold) =>
        Draw(
            name,
            name == "rPr" ? new XAttribute("lang", "en-US") : null,
            new XAttribute("sz", size * 100),
            new XAttribute("b", bold ? 1 : 0),
            CreateFill(Palette.TextColor)
        );

    private static XElement CreateStringReference(string formula, IReadOnlyList<string> texts) =>
        Chart(
            "strRef",
            Chart("f", formula),
            Chart(
                "strCache",
                CreateValue("ptCount", texts.Count),
                texts.Select((text, index) => CreateCachedPoint(index, WorkbookText.EscapeCell(text)))
            )
        );

    private static XElement CreateNumberReference(string formula, IReadOnlyList<double?> values) =>
        Chart(
            "numRef",
            Chart("f", formula),
            Chart(
                "numCache",
                Chart("formatCode", "General"),
                CreateValue("ptCount", values.Count),
                values.Select(
                    (value, index) =>
                        value is { } number && double.IsFinite(number)
                            ? CreateCachedPoint(index, number.ToString("R", CultureInfo.InvariantCulture))
                            : null
                )
            )
        );

    private static XElement CreateCachedPoint(int index, string text) => Chart("pt", new XAttribute("idx", index), Chart("v", text));

    private static XElement CreateShapeProperties(params XElement[] content) => Chart("spPr", content);

    private static XElement CreateFill(string color) => Draw("solidFill", Draw("srgbClr", new XAttribute("val", color)));

    private static XElement CreateLine(string color, double points, LineDash dash = LineDash.Solid) =>
        Draw(
            "ln",
            new XAttribute("w", (int)(points * 12_700)),
            CreateFill(color),
            dash == LineDash.Solid
                ? null
                : Draw(
                    "prstDash",
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
            Draw("round")
        );

    private static XElement CreateNoLine() => Draw("ln", Draw("noFill"));

    private static XElement CreateValue(string name, object value) =>
        Chart(name, new XAttribute("val", Convert.ToString(value, CultureInfo.InvariantCulture)!));

    private static XElement Chart(string name, params object?[] content) => new(s_chart + name, content);

    private static XElement Draw(string name, params object?[] content) => new(s_draw + name, content);
}
