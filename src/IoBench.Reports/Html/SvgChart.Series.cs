namespace IoBench.Reports;

internal sealed partial class SvgChart
{
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
                var colour = series.PointColors?[index] ?? series.Style.Color;
                var start = GetCategoryCenter(index) - thick * bars.Count / 2 + (IsBar ? bars.Count - 1 - number : number) * thick;
                var hint = $"{_chart.Categories[index]}: {FormatLabel(value)}";
                if (IsBar)
                {
                    _svg.AddBox(Math.Min(ToX(0), ToX(value)), start, Math.Abs(ToX(value) - ToX(0)), thick, colour, hint);
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
                    _svg.AddBox(start, Math.Min(ToY(0), ToY(value)), thick, Math.Abs(ToY(value) - ToY(0)), colour, hint);
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
                var (x, value) = (Across(series, index), series.Values[index]!.Value);
                var colour = series.PointColors?[index] ?? series.Style.Color;
                var name = isCurve ? series.Name : $"{series.Name}, {_chart.Categories[index]}";
                _svg.AddMarker(x, ToY(value), series.Style.Marker, colour, series.HasMarkersOnly, $"{name}: {FormatLabel(value)}");
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
