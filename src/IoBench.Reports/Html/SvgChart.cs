namespace IoBench.Reports;

internal sealed partial class SvgChart
{
    private const double TitleRoom = 34,
        AxisTitleRoom = 20,
        LegendLine = 14,
        Edge = 14;
    private const double OtherFonts = 1.16;
    private const int MaxUprightLabels = 60;
    private readonly ChartSpec _chart;
    private readonly SvgText _svg = new();
    private readonly SvgScale _values;
    private readonly double _width;
    private double _left,
        _top,
        _right,
        _bottom,
        _height,
        _groupRoom;

    private SvgChart(ChartSpec chart, double width)
    {
        _chart = chart;
        _width = width;
        _values = SvgScale.Of(chart);
    }

    private bool IsBar => _chart.Kind is ChartKind.Bars or ChartKind.StackedBars;

    public static string Draw(ChartSpec chart, double width) => new SvgChart(chart, width).Draw();

    private string Draw()
    {
        var legend = _chart.ShowLegend ? LegendLines() : [];
        _height = _chart.Height;
        _top = TitleRoom;
        _right = _width - Edge - (_chart.ShowValues && IsBar ? 34 : 0);
        _bottom = _height - Edge - legend.Count * LegendLine - (legend.Count > 0 ? 6 : 0) - AxisTitleRoom - 14;
        var longest = _chart.Categories.Count == 0 ? 0 : _chart.Categories.Max(name => IsBar ? RoomFor(name) : TextWidth.Of(name, 8));
        _groupRoom = _chart.Groups is { Count: > 0 } groups ? groups.Max(group => TextWidth.Of(group, 8, bold: true)) + 12 : 0;
        _left =
            Edge
            + AxisTitleRoom
            + (IsBar ? _groupRoom : 0)
            + (IsBar ? Math.Min(longest, _width * 0.42) : _values.Ticks.Max(tick => TextWidth.Of(SvgScale.Text(tick), 8)))
            + 6;
        var turned = 0.0;
        if (!IsBar && _chart.Kind != ChartKind.Curves)
        {
            turned =
                longest <= (_right - _left) / _chart.Categories.Count ? 0
                : _chart.Categories.Count <= 20 ? 40
                : 90;
            // The first leaning label extends to the left.
            if (turned == 40)
                _left = Math.Max(_left, Edge + longest * 0.77 - (_right - _left) / _chart.Categories.Count / 2);
            _bottom -= turned switch
            {
                0 => 0,
                90 => longest - 6,
                _ => longest * 0.66,
            };
        }

        // A long title is smaller on a narrow image.
        _svg.Text(
            _width / 2,
            20,
            _chart.Title,
            "middle",
            Math.Min(13, 13 * (_width - 2 * Edge) / TextWidth.Of(_chart.Title, 13, bold: true)),
            bold: true
        );
        DrawAxes(turned);
        switch (_chart.Kind)
        {
            case ChartKind.Bars or ChartKind.Columns:
                DrawBars([.. _chart.Series.Where(series => !series.IsLimit)]);
                foreach (var limit in _chart.Series.Where(series => series.IsLimit))
                    DrawLimit(limit);
                break;
            case ChartKind.StackedBars:
                DrawStackedBars();
                break;
            case ChartKind.Dots:
                foreach (var series in _chart.Series)
                    DrawDots(series);
                break;
            default:
                DrawLines();
                break;
        }
        DrawLegend(legend);
        return _svg.Picture(_width, _height, _chart.Description);
    }

    private double Y(double value) => _bottom - _values.Place(value) * (_bottom - _top);

    private double X(double value) => _left + _values.Place(value) * (_right - _left);

    private void DrawAxes(double turned)
    {
        foreach (var tick in _values.Ticks)
        {
            var text = _chart.Kind == ChartKind.StackedBars ? SvgScale.Text(tick) + "%" : SvgScale.Text(tick);
            if (IsBar)
            {
                _svg.Line(X(tick), _top, X(tick), _bottom);
                _svg.Text(X(tick), _bottom + 12, text, "middle", 8);
            }
            else
            {
                _svg.Line(_left, Y(tick), _right, Y(tick));
                _svg.Text(_left - 5, Y(tick) + 3, text, "end", 8);
            }
        }
        var middle = (_top + _bottom) / 2;
        var below = _height - Edge - LegendRoom() - 4;
        _svg.Text(Edge + 6, middle, IsBar ? _chart.CategoryTitle : _chart.ValueTitle, "middle", 9, turned: -90);
        _svg.Text((_left + _right) / 2, below, IsBar ? _chart.ValueTitle : _chart.CategoryTitle, "middle", 9);
        if (_chart.Kind == ChartKind.Curves)
            return;
        var step = IsBar ? 1 : (int)Math.Ceiling(_chart.Categories.Count / (double)MaxUprightLabels);
        for (var index = 0; index < _chart.Categories.Count; index += step)
        {
            if (IsBar)
                _svg.Text(_left - 5, Middle(index) + 3, Fitting(_chart.Categories[index]), "end", 8);
            else
                _svg.Text(
                    Middle(index) + (turned == 90 ? 3 : 0),
                    _bottom + (turned == 0 ? 12 : 10),
                    _chart.Categories[index],
                    turned == 0 ? "middle" : "end",
                    8,
                    turned: -turned
                );
        }
        if (IsBar && _chart.Groups is { } groups)
            DrawGroups(groups);
    }

    private double Middle(int index)
    {
        var share = (index + 0.5) / _chart.Categories.Count;
        return IsBar ? _bottom - share * (_bottom - _top) : _left + share * (_right - _left);
    }

    private string Fitting(string name)
    {
        const double letter = 4.2;
        var room = _left - Edge - AxisTitleRoom - _groupRoom;
        return RoomFor(name) <= room ? name : RunText.Shorten(name, (int)(room / (letter * OtherFonts)));
    }

    private string Label(double value) => _chart.LabelOf(value);

    private double LegendRoom() => _chart.ShowLegend ? LegendLines().Count * LegendLine + 6 : 0;

    private List<List<ChartSeries>> LegendLines()
    {
        var lines = new List<List<ChartSeries>> { new() };
        var used = 0.0;
        foreach (var series in _chart.Series.Where(series => !series.MarksOnly && !series.NotInLegend))
        {
            var width = EntryWidth(series);
            if (used + width > _width - 2 * Edge && lines[^1].Count > 0)
            {
                lines.Add([]);
                used = 0;
            }
            lines[^1].Add(series);
            used += width;
        }
        return lines;
    }

    private static double EntryWidth(ChartSeries series) => 34 + RoomFor(series.Name);

    /// <summary>Letters are up to a sixth wider if neither Arial nor Helvetica is installed, as on many Linux servers.</summary>
    private static double RoomFor(string name) => TextWidth.Of(name, 8) * OtherFonts;

    private void DrawLegend(List<List<ChartSeries>> lines)
    {
        for (var number = 0; number < lines.Count; number++)
        {
            var y = _height - Edge - (lines.Count - 1 - number) * LegendLine;
            var x = (_width - lines[number].Sum(EntryWidth)) / 2;
            foreach (var series in lines[number])
            {
                if (_chart.Kind is ChartKind.Lines or ChartKind.Curves or ChartKind.Dots || series.IsLimit)
                {
                    if (_chart.Kind is ChartKind.Lines or ChartKind.Curves)
                        _svg.Path([(x, y - 3), (x + 20, y - 3)], series.Look.Colour, series.Look.Dash);
                    _svg.Marker(x + 10, y - 3, series.Look.Marker, series.Look.Colour, false, series.Name);
                }
                else
                {
                    _svg.Box(x + 8, y - 8, 9, 9, series.Look.Colour);
                }
                _svg.Text(x + 24, y, series.Name, size: 8);
                x += EntryWidth(series);
            }
        }
    }
}
