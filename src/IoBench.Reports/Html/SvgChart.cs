namespace IoBench.Reports;

internal sealed partial class SvgChart
{
    private const double TitleSpace = 34,
        AxisTitleSpace = 20,
        LegendLineHeight = 14,
        Margin = 14;
    private const double FontWidthMargin = 1.16;
    private const int MaxUprightLabels = 60;
    private readonly ChartSpec _chart;
    private readonly SvgWriter _svg = new();
    private readonly SvgAxis _values;
    private readonly double _width;
    private double _left,
        _top,
        _right,
        _bottom,
        _height,
        _groupSpace;

    private SvgChart(ChartSpec chart, double width)
    {
        _chart = chart;
        _width = width;
        _values = SvgAxis.ForChart(chart);
    }

    private bool IsBar => _chart.Kind is ChartKind.Bars or ChartKind.StackedBars;

    public static string Draw(ChartSpec chart, double width) => new SvgChart(chart, width).Draw();

    private string Draw()
    {
        var legend = _chart.ShowsLegend ? CreateLegendLines() : [];
        _height = _chart.Height;
        _top = TitleSpace;
        _right = _width - Margin - (_chart.ShowsValues && IsBar ? 34 : 0);
        _bottom = _height - Margin - legend.Count * LegendLineHeight - (legend.Count > 0 ? 6 : 0) - AxisTitleSpace - 14;
        var longest =
            _chart.Categories.Count == 0 ? 0 : _chart.Categories.Max(name => IsBar ? GetNameWidth(name) : TextWidth.Measure(name, 8));
        _groupSpace = _chart.Groups is { Count: > 0 } groups ? groups.Max(group => TextWidth.Measure(group, 8, bold: true)) + 12 : 0;
        _left =
            Margin
            + AxisTitleSpace
            + (IsBar ? _groupSpace : 0)
            + (IsBar ? Math.Min(longest, _width * 0.42) : _values.Ticks.Max(tick => TextWidth.Measure(SvgAxis.FormatTick(tick), 8)))
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
                _left = Math.Max(_left, Margin + longest * 0.77 - (_right - _left) / _chart.Categories.Count / 2);
            _bottom -= turned switch
            {
                0 => 0,
                90 => longest - 6,
                _ => longest * 0.66,
            };
        }

        // A long title is smaller on a narrow image.
        _svg.AddText(
            _width / 2,
            20,
            _chart.Title,
            "middle",
            Math.Min(13, 13 * (_width - 2 * Margin) / TextWidth.Measure(_chart.Title, 13, bold: true)),
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
        return _svg.CreateImage(_width, _height, _chart.Description);
    }

    private double ToY(double value) => _bottom - _values.GetPosition(value) * (_bottom - _top);

    private double ToX(double value) => _left + _values.GetPosition(value) * (_right - _left);

    private void DrawAxes(double turned)
    {
        foreach (var tick in _values.Ticks)
        {
            var text = _chart.Kind == ChartKind.StackedBars ? SvgAxis.FormatTick(tick) + "%" : SvgAxis.FormatTick(tick);
            if (IsBar)
            {
                _svg.AddLine(ToX(tick), _top, ToX(tick), _bottom);
                _svg.AddText(ToX(tick), _bottom + 12, text, "middle", 8);
            }
            else
            {
                _svg.AddLine(_left, ToY(tick), _right, ToY(tick));
                _svg.AddText(_left - 5, ToY(tick) + 3, text, "end", 8);
            }
        }
        var middle = (_top + _bottom) / 2;
        var below = _height - Margin - GetLegendHeight() - 4;
        _svg.AddText(Margin + 6, middle, IsBar ? _chart.CategoryTitle : _chart.ValueTitle, "middle", 9, turned: -90);
        _svg.AddText((_left + _right) / 2, below, IsBar ? _chart.ValueTitle : _chart.CategoryTitle, "middle", 9);
        if (_chart.Kind == ChartKind.Curves)
            return;
        var step = IsBar ? 1 : (int)Math.Ceiling(_chart.Categories.Count / (double)MaxUprightLabels);
        for (var index = 0; index < _chart.Categories.Count; index += step)
        {
            if (IsBar)
                _svg.AddText(_left - 5, GetCategoryCenter(index) + 3, FitName(_chart.Categories[index]), "end", 8);
            else
                _svg.AddText(
                    GetCategoryCenter(index) + (turned == 90 ? 3 : 0),
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

    private double GetCategoryCenter(int index)
    {
        var share = (index + 0.5) / _chart.Categories.Count;
        return IsBar ? _bottom - share * (_bottom - _top) : _left + share * (_right - _left);
    }

    private string FitName(string name)
    {
        const double letter = 4.2;
        var room = _left - Margin - AxisTitleSpace - _groupSpace;
        return GetNameWidth(name) <= room ? name : RunDescription.ShortenMiddle(name, (int)(room / (letter * FontWidthMargin)));
    }

    private string FormatLabel(double value) => _chart.FormatLabel(value);

    private double GetLegendHeight() => _chart.ShowsLegend ? CreateLegendLines().Count * LegendLineHeight + 6 : 0;

    private List<List<ChartSeries>> CreateLegendLines()
    {
        var lines = new List<List<ChartSeries>> { new() };
        var used = 0.0;
        foreach (var series in _chart.Series.Where(series => !series.HasMarkersOnly && !series.IsHiddenInLegend))
        {
            var width = GetLegendEntryWidth(series);
            if (used + width > _width - 2 * Margin && lines[^1].Count > 0)
            {
                lines.Add([]);
                used = 0;
            }
            lines[^1].Add(series);
            used += width;
        }
        return lines;
    }

    private static double GetLegendEntryWidth(ChartSeries series) => 34 + GetNameWidth(series.Name);

    /// <summary>Letters are up to a sixth wider if neither Arial nor Helvetica is installed, as on many Linux servers.</summary>
    private static double GetNameWidth(string name) => TextWidth.Measure(name, 8) * FontWidthMargin;

    private void DrawLegend(List<List<ChartSeries>> lines)
    {
        for (var number = 0; number < lines.Count; number++)
        {
            var y = _height - Margin - (lines.Count - 1 - number) * LegendLineHeight;
            var x = (_width - lines[number].Sum(GetLegendEntryWidth)) / 2;
            foreach (var series in lines[number])
            {
                if (_chart.Kind is ChartKind.Lines or ChartKind.Curves or ChartKind.Dots || series.IsLimit)
                {
                    if (_chart.Kind is ChartKind.Lines or ChartKind.Curves)
                        _svg.AddPolyline([(x, y - 3), (x + 20, y - 3)], series.Style.Color, series.Style.Dash);
                    _svg.AddMarker(x + 10, y - 3, series.Style.Marker, series.Style.Color, false, series.Name);
                }
                else
                {
                    _svg.AddBox(x + 8, y - 8, 9, 9, series.Style.Color);
                }
                _svg.AddText(x + 24, y, series.Name, size: 8);
                x += GetLegendEntryWidth(series);
            }
        }
    }

    private void DrawBars(List<ChartSeries> bars)
    {
        var room = (IsBar ? _bottom - _top : _right - _left) / _chart.Categories.Count;
        var thick = Math.Min(room * 0.72 / bars.Count, ChartSpec.MaxBarThickness);
        for (var number = 0; number < bars.Count; number++)
        {
            var series = bars[number];
            for (var index = 0; index < series.Values.Count; index++)
            {
                if (series.Values[index] is not { } value)
                    continue;
                var color = series.PointColors?[index] ?? series.Style.Color;
                var start = GetCategoryCenter(index) - thick * bars.Count / 2 + (IsBar ? bars.Count - 1 - number : number) * thick;
                var hint = $"{_chart.Categories[index]}: {FormatLabel(value)}";
                if (IsBar)
                {
                    _svg.AddBox(Math.Min(ToX(0), ToX(value)), start, Math.Abs(ToX(value) - ToX(0)), thick, color, hint);
                    var end = ToX(value);
                    if (series.Intervals?[index] is { } ends)
                    {
                        _svg.AddInterval(ToX(ends.Low), start + thick / 2, ToX(ends.High), start + thick / 2);
                        end = Math.Max(end, ToX(ends.High));
                    }
                    if (_chart.ShowsValues)
                        _svg.AddText(end + (value < 0 ? -4 : 4), start + thick / 2 + 3, FormatLabel(value), value < 0 ? "end" : "start", 8);
                }
                else
                {
                    _svg.AddBox(start, Math.Min(ToY(0), ToY(value)), thick, Math.Abs(ToY(value) - ToY(0)), color, hint);
                    if (_chart.ShowsValues)
                        DrawValue(start + thick / 2, GetLabelY(index, value), FormatLabel(value));
                }
            }
        }
        if (IsBar)
            _svg.AddLine(ToX(0), _top, ToX(0), _bottom, "9AA5B1");
    }

    private void DrawValue(double x, double y, string figure)
    {
        const double size = 8,
            letters = 7;
        var width = TextWidth.Measure(figure, size) + 2;
        _svg.AddBox(x - width / 2, y - letters, width, letters + 1, "FFFFFF");
        _svg.AddText(x, y, figure, "middle", size);
    }

    /// <summary>Above the bar, and above a limit that would cross the label.</summary>
    private double GetLabelY(int index, double value)
    {
        const double above = 4,
            letters = 9;
        var place = ToY(value) - above;
        foreach (
            var limit in _chart
                .Series.Where(series => series.IsLimit)
                .Select(series => series.Values[index])
                .OfType<double>()
                .Select(ToY)
                .OrderDescending()
        )
        {
            if (limit > place - letters && limit < place + above)
                place = limit - above;
        }
        return place;
    }

    private void DrawStackedBars()
    {
        var thick = Math.Min((_bottom - _top) / _chart.Categories.Count * 0.72, ChartSpec.MaxBarThickness);
        for (var index = 0; index < _chart.Categories.Count; index++)
        {
            var sum = _chart.Series.Sum(series => series.Values[index] ?? 0);
            var from = 0.0;
            foreach (var series in _chart.Series)
            {
                var share = sum > 0 ? (series.Values[index] ?? 0) / sum * 100 : 0;
                _svg.AddBox(
                    ToX(from),
                    GetCategoryCenter(index) - thick / 2,
                    ToX(from + share) - ToX(from),
                    thick,
                    series.Style.Color,
                    $"{_chart.Categories[index]}, {series.Name}: {FormatLabel(share)} %"
                );
                from += share;
            }
        }
    }

    private void DrawLines()
    {
        var isCurve = _chart.Kind == ChartKind.Curves;
        var seconds = isCurve ? SvgAxis.CreateSeconds(_chart.Series.SelectMany(series => series.X!).Max() ?? 1) : null;
        double Across(ChartSeries series, int index) =>
            seconds is null ? GetCategoryCenter(index) : _left + seconds.GetPosition(series.X![index]!.Value) * (_right - _left);
        foreach (var tick in seconds?.Ticks ?? [])
            _svg.AddText(_left + seconds!.GetPosition(tick) * (_right - _left), _bottom + 12, SvgAxis.FormatTick(tick), "middle", 8);
        foreach (var series in _chart.Series)
        {
            foreach (var stretch in series.HasMarkersOnly ? [] : SplitAtGaps(series.Values))
                _svg.AddPolyline(
                    stretch.Select(index => (Across(series, index), ToY(series.Values[index]!.Value))),
                    series.Style.Color,
                    series.Style.Dash
                );
            foreach (var index in Enumerable.Range(0, series.Values.Count).Where(index => series.Values[index] is not null))
            {
                var x = Across(series, index);
                var value = series.Values[index]!.Value;
                var color = series.PointColors?[index] ?? series.Style.Color;
                var name = isCurve ? series.Name : $"{series.Name}, {_chart.Categories[index]}";
                _svg.AddMarker(x, ToY(value), series.Style.Marker, color, series.HasMarkersOnly, $"{name}: {FormatLabel(value)}");
                if (series.HasMarkersOnly)
                    _svg.AddText(x, Math.Max(ToY(value) - 11, _top + 4), series.Name, x > _right - 50 ? "end" : "middle", 8, bold: true);
                else if (_chart.ShowsValues)
                    _svg.AddText(x, ToY(value) - 7, FormatLabel(value), "middle", 8);
            }
        }
        _svg.AddLine(_left, _bottom, _right, _bottom, "9AA5B1");
    }

    private static List<List<int>> SplitAtGaps(IReadOnlyList<double?> values)
    {
        var stretches = new List<List<int>> { new() };
        for (var index = 0; index < values.Count; index++)
        {
            if (values[index] is not null)
                stretches[^1].Add(index);
            else if (stretches[^1].Count > 0)
                stretches.Add([]);
        }
        return stretches.FindAll(stretch => stretch.Count > 1);
    }

    private void DrawDots(ChartSeries series)
    {
        for (var index = 0; index < series.Values.Count; index++)
        {
            if (series.Values[index] is not { } value)
                continue;
            var x = GetCategoryCenter(index);
            if (series.Intervals?[index] is { } ends)
                _svg.AddInterval(x, ToY(ends.Low), x, ToY(ends.High));
            _svg.AddMarker(
                x,
                ToY(value),
                series.Style.Marker,
                series.PointColors?[index] ?? series.Style.Color,
                series.HasMarkersOnly,
                $"{series.Name}, {_chart.Categories[index]}: {FormatLabel(value)}"
            );
            if (_chart.ShowsValues)
            {
                var isLeft = _chart.HasLabelsLeft(series);
                _svg.AddText(x + (isLeft ? -7 : 7), ToY(value) + 3, FormatLabel(value), isLeft ? "end" : "start", 8);
            }
        }
        _svg.AddLine(_left, _bottom, _right, _bottom, "9AA5B1");
    }

    private void DrawLimit(ChartSeries series)
    {
        var half = (_right - _left) / _chart.Categories.Count * 0.42;
        for (var index = 0; index < series.Values.Count; index++)
        {
            if (series.Values[index] is not { } value)
                continue;
            // White edges make the dash visible on a dark column.
            _svg.AddLine(GetCategoryCenter(index) - half, ToY(value), GetCategoryCenter(index) + half, ToY(value), "FFFFFF", 4.5);
            _svg.AddLine(GetCategoryCenter(index) - half, ToY(value), GetCategoryCenter(index) + half, ToY(value), series.Style.Color, 2.5);
        }
    }

    private void DrawGroups(IReadOnlyList<string> groups)
    {
        var room = (_bottom - _top) / groups.Count;
        for (int first = 0, next; first < groups.Count; first = next)
        {
            for (next = first + 1; next < groups.Count && groups[next] == groups[first]; )
                next++;
            var middle = (GetCategoryCenter(first) + GetCategoryCenter(next - 1)) / 2;
            _svg.AddText(Margin + AxisTitleSpace, middle + 3, groups[first], "start", 8, bold: true);
            if (next < groups.Count)
                _svg.AddLine(
                    Margin + AxisTitleSpace,
                    GetCategoryCenter(next - 1) - room / 2,
                    _right,
                    GetCategoryCenter(next - 1) - room / 2
                );
        }
    }
}
