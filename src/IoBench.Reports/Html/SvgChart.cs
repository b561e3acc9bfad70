using System.Globalization;
using IoBench.Reports.Model;

namespace IoBench.Reports.Html;

/// <summary>Draws a chart as a picture: the same description that the workbook's charts are made from.</summary>
internal sealed class SvgChart
{
    private const double TitleRoom = 34, AxisTitleRoom = 20, LegendLine = 14, Edge = 14;
    private const int MaxUprightLabels = 60;
    private readonly ChartSpec _chart;
    private readonly SvgText _svg = new();
    private readonly SvgScale _values;
    private readonly double _width;
    private double _left, _top, _right, _bottom, _height;

    private SvgChart(ChartSpec chart, double width)
    {
        _chart = chart;
        _width = width;
        _values = SvgScale.Of(chart);
    }

    private bool IsBar => _chart.Kind is ChartKind.Bars or ChartKind.StackedBars;

    /// <summary>The picture, so many points wide.</summary>
    public static string Draw(ChartSpec chart, double width) => new SvgChart(chart, width).Draw();

    private string Draw()
    {
        var legend = _chart.ShowLegend ? LegendLines() : [];
        _height = _chart.Height;
        _top = TitleRoom;
        _right = _width - Edge - (_chart.ShowValues && IsBar ? 34 : 0);
        _bottom = _height - Edge - legend.Count * LegendLine - (legend.Count > 0 ? 6 : 0) - AxisTitleRoom - 14;
        var longest = _chart.Categories.Count == 0 ? 0 : _chart.Categories.Max(name => TextWidth.Of(name, 8));
        _left = Edge + AxisTitleRoom + (IsBar ? Math.Min(longest, _width * 0.42) : _values.Ticks.Max(tick => TextWidth.Of(SvgScale.Text(tick), 8))) + 6;
        var turned = 0.0;
        if (!IsBar && _chart.Kind != ChartKind.Curves)
        {
            turned = longest <= (_right - _left) / _chart.Categories.Count ? 0 : _chart.Categories.Count <= 20 ? 40 : 90;
            // The first leaning label reaches out to the left.
            if (turned == 40)
                _left = Math.Max(_left, Edge + longest * 0.77 - (_right - _left) / _chart.Categories.Count / 2);
            _bottom -= turned switch { 0 => 0, 90 => longest - 6, _ => longest * 0.66 };
        }

        _svg.Text(_width / 2, 20, _chart.Title, "middle", 13, bold: true);
        DrawAxes(turned);
        switch (_chart.Kind)
        {
            case ChartKind.Bars or ChartKind.Columns:
                DrawBars();
                break;
            case ChartKind.StackedBars:
                DrawStackedBars();
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
                _svg.Text(_left - 5, Middle(index) + 3, RunText.Shorten(_chart.Categories[index], (int)((_left - Edge - AxisTitleRoom) / 4.2)), "end", 8);
            else
                _svg.Text(Middle(index) + (turned == 90 ? 3 : 0), _bottom + (turned == 0 ? 12 : 10), _chart.Categories[index], turned == 0 ? "middle" : "end", 8, turned: -turned);
        }
    }

    /// <summary>The middle of a category: bars go upwards, others to the right.</summary>
    private double Middle(int index)
    {
        var share = (index + 0.5) / _chart.Categories.Count;
        return IsBar ? _bottom - share * (_bottom - _top) : _left + share * (_right - _left);
    }

    private void DrawBars()
    {
        var room = (IsBar ? _bottom - _top : _right - _left) / _chart.Categories.Count;
        var thick = room * 0.72 / _chart.Series.Count;
        for (var number = 0; number < _chart.Series.Count; number++)
        {
            var series = _chart.Series[number];
            for (var index = 0; index < series.Values.Count; index++)
            {
                if (series.Values[index] is not { } value)
                    continue;
                var colour = series.PointColours?[index] ?? series.Look.Colour;
                var start = Middle(index) - room * 0.36 + (IsBar ? _chart.Series.Count - 1 - number : number) * thick;
                var hint = $"{_chart.Categories[index]}: {Label(value)}";
                if (IsBar)
                {
                    _svg.Box(Math.Min(X(0), X(value)), start, Math.Abs(X(value) - X(0)), thick, colour, hint);
                    if (_chart.ShowValues)
                        _svg.Text(X(value) + (value < 0 ? -4 : 4), start + thick / 2 + 3, Label(value), value < 0 ? "end" : "start", 8);
                }
                else
                {
                    _svg.Box(start, Math.Min(Y(0), Y(value)), thick, Math.Abs(Y(value) - Y(0)), colour, hint);
                }
            }
        }
        if (IsBar)
            _svg.Line(X(0), _top, X(0), _bottom, "9AA5B1");
    }

    private void DrawStackedBars()
    {
        var room = (_bottom - _top) / _chart.Categories.Count;
        for (var index = 0; index < _chart.Categories.Count; index++)
        {
            var sum = _chart.Series.Sum(series => series.Values[index] ?? 0);
            var from = 0.0;
            foreach (var series in _chart.Series)
            {
                var share = sum > 0 ? (series.Values[index] ?? 0) / sum * 100 : 0;
                _svg.Box(X(from), Middle(index) - room * 0.36, X(from + share) - X(from), room * 0.72, series.Look.Colour, $"{_chart.Categories[index]}, {series.Name}: {Label(share)} %");
                from += share;
            }
        }
    }

    private void DrawLines()
    {
        var isCurve = _chart.Kind == ChartKind.Curves;
        var seconds = isCurve ? SvgScale.Seconds(_chart.Series.SelectMany(series => series.X!).Max() ?? 1) : null;
        double Across(ChartSeries series, int index) => seconds is null ? Middle(index) : _left + seconds.Place(series.X![index]!.Value) * (_right - _left);
        foreach (var tick in seconds?.Ticks ?? [])
            _svg.Text(_left + seconds!.Place(tick) * (_right - _left), _bottom + 12, SvgScale.Text(tick), "middle", 8);
        foreach (var series in _chart.Series)
        {
            var known = Enumerable.Range(0, series.Values.Count).Where(index => series.Values[index] is not null).ToList();
            if (!series.MarksOnly && known.Count > 1)
                _svg.Path(known.Select(index => (Across(series, index), Y(series.Values[index]!.Value))), series.Look.Colour, series.Look.Dashed);
            foreach (var index in known)
            {
                var (x, value) = (Across(series, index), series.Values[index]!.Value);
                var colour = series.PointColours?[index] ?? series.Look.Colour;
                var name = isCurve ? series.Name : $"{series.Name}, {_chart.Categories[index]}";
                _svg.Marker(x, Y(value), series.Look.Marker, colour, series.MarksOnly, $"{name}: {Label(value)}");
                if (series.MarksOnly)
                    _svg.Text(x, Math.Max(Y(value) - 11, _top + 4), series.Name, x > _right - 50 ? "end" : "middle", 8, bold: true);
                else if (_chart.ShowValues)
                    _svg.Text(x, Y(value) - 7, Label(value), "middle", 8);
            }
        }
        _svg.Line(_left, _bottom, _right, _bottom, "9AA5B1");
    }

    private string Label(double value) => _chart.LabelOf(value);

    private double LegendRoom() => _chart.ShowLegend ? LegendLines().Count * LegendLine + 6 : 0;

    private List<List<ChartSeries>> LegendLines()
    {
        var lines = new List<List<ChartSeries>> { new() };
        var used = 0.0;
        foreach (var series in _chart.Series.Where(series => !series.MarksOnly))
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

    private static double EntryWidth(ChartSeries series) => 34 + TextWidth.Of(series.Name, 8);

    private void DrawLegend(List<List<ChartSeries>> lines)
    {
        for (var number = 0; number < lines.Count; number++)
        {
            var y = _height - Edge - (lines.Count - 1 - number) * LegendLine;
            var x = (_width - lines[number].Sum(EntryWidth)) / 2;
            foreach (var series in lines[number])
            {
                if (_chart.Kind is ChartKind.Lines or ChartKind.Curves)
                {
                    _svg.Path([(x, y - 3), (x + 20, y - 3)], series.Look.Colour, series.Look.Dashed);
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
