namespace IoBench.Reports;

internal sealed partial class SvgChart
{
    private void DrawBars(List<ChartSeries> bars)
    {
        var room = (IsBar ? _bottom - _top : _right - _left) / _chart.Categories.Count;
        var thick = Math.Min(room * 0.72 / bars.Count, ChartSpec.ThickestBar);
        for (var number = 0; number < bars.Count; number++)
        {
            var series = bars[number];
            for (var index = 0; index < series.Values.Count; index++)
            {
                if (series.Values[index] is not { } value)
                    continue;
                var colour = series.PointColours?[index] ?? series.Look.Colour;
                var start = Middle(index) - thick * bars.Count / 2 + (IsBar ? bars.Count - 1 - number : number) * thick;
                var hint = $"{_chart.Categories[index]}: {Label(value)}";
                if (IsBar)
                {
                    _svg.Box(Math.Min(X(0), X(value)), start, Math.Abs(X(value) - X(0)), thick, colour, hint);
                    var end = X(value);
                    if (series.Intervals?[index] is { } ends)
                    {
                        _svg.Interval(X(ends.Low), start + thick / 2, X(ends.High), start + thick / 2);
                        end = Math.Max(end, X(ends.High));
                    }
                    if (_chart.ShowValues)
                        _svg.Text(end + (value < 0 ? -4 : 4), start + thick / 2 + 3, Label(value), value < 0 ? "end" : "start", 8);
                }
                else
                {
                    _svg.Box(start, Math.Min(Y(0), Y(value)), thick, Math.Abs(Y(value) - Y(0)), colour, hint);
                    if (_chart.ShowValues)
                        DrawFigure(start + thick / 2, LabelAbove(index, value), Label(value));
                }
            }
        }
        if (IsBar)
            _svg.Line(X(0), _top, X(0), _bottom, "9AA5B1");
    }

    private void DrawFigure(double x, double y, string figure)
    {
        const double size = 8,
            letters = 7;
        var width = TextWidth.Of(figure, size) + 2;
        _svg.Box(x - width / 2, y - letters, width, letters + 1, "FFFFFF");
        _svg.Text(x, y, figure, "middle", size);
    }

    /// <summary>Above the bar, and above a limit that would cross the label.</summary>
    private double LabelAbove(int index, double value)
    {
        const double above = 4,
            letters = 9;
        var place = Y(value) - above;
        foreach (
            var limit in _chart
                .Series.Where(series => series.IsLimit)
                .Select(series => series.Values[index])
                .OfType<double>()
                .Select(Y)
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
        var thick = Math.Min((_bottom - _top) / _chart.Categories.Count * 0.72, ChartSpec.ThickestBar);
        for (var index = 0; index < _chart.Categories.Count; index++)
        {
            var sum = _chart.Series.Sum(series => series.Values[index] ?? 0);
            var from = 0.0;
            foreach (var series in _chart.Series)
            {
                var share = sum > 0 ? (series.Values[index] ?? 0) / sum * 100 : 0;
                _svg.Box(
                    X(from),
                    Middle(index) - thick / 2,
                    X(from + share) - X(from),
                    thick,
                    series.Look.Colour,
                    $"{_chart.Categories[index]}, {series.Name}: {Label(share)} %"
                );
                from += share;
            }
        }
    }

    private void DrawLines()
    {
        var isCurve = _chart.Kind == ChartKind.Curves;
        var seconds = isCurve ? SvgScale.Seconds(_chart.Series.SelectMany(series => series.X!).Max() ?? 1) : null;
        double Across(ChartSeries series, int index) =>
            seconds is null ? Middle(index) : _left + seconds.Place(series.X![index]!.Value) * (_right - _left);
        foreach (var tick in seconds?.Ticks ?? [])
            _svg.Text(_left + seconds!.Place(tick) * (_right - _left), _bottom + 12, SvgScale.Text(tick), "middle", 8);
        foreach (var series in _chart.Series)
        {
            foreach (var stretch in series.MarksOnly ? [] : Stretches(series.Values))
                _svg.Path(
                    stretch.Select(index => (Across(series, index), Y(series.Values[index]!.Value))),
                    series.Look.Colour,
                    series.Look.Dash
                );
            foreach (var index in Enumerable.Range(0, series.Values.Count).Where(index => series.Values[index] is not null))
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

    private static List<List<int>> Stretches(IReadOnlyList<double?> values)
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
            var x = Middle(index);
            if (series.Intervals?[index] is { } ends)
                _svg.Interval(x, Y(ends.Low), x, Y(ends.High));
            _svg.Marker(
                x,
                Y(value),
                series.Look.Marker,
                series.PointColours?[index] ?? series.Look.Colour,
                series.MarksOnly,
                $"{series.Name}, {_chart.Categories[index]}: {Label(value)}"
            );
            if (_chart.ShowValues)
            {
                var isLeft = _chart.HasLabelsLeft(series);
                _svg.Text(x + (isLeft ? -7 : 7), Y(value) + 3, Label(value), isLeft ? "end" : "start", 8);
            }
        }
        _svg.Line(_left, _bottom, _right, _bottom, "9AA5B1");
    }

    private void DrawLimit(ChartSeries series)
    {
        var half = (_right - _left) / _chart.Categories.Count * 0.42;
        for (var index = 0; index < series.Values.Count; index++)
        {
            if (series.Values[index] is not { } value)
                continue;
            // White edges make the dash visible on a dark column.
            _svg.Line(Middle(index) - half, Y(value), Middle(index) + half, Y(value), "FFFFFF", 4.5);
            _svg.Line(Middle(index) - half, Y(value), Middle(index) + half, Y(value), series.Look.Colour, 2.5);
        }
    }

    private void DrawGroups(IReadOnlyList<string> groups)
    {
        var room = (_bottom - _top) / groups.Count;
        for (int first = 0, next; first < groups.Count; first = next)
        {
            for (next = first + 1; next < groups.Count && groups[next] == groups[first]; )
                next++;
            var middle = (Middle(first) + Middle(next - 1)) / 2;
            _svg.Text(Edge + AxisTitleRoom, middle + 3, groups[first], "start", 8, bold: true);
            if (next < groups.Count)
                _svg.Line(Edge + AxisTitleRoom, Middle(next - 1) - room / 2, _right, Middle(next - 1) - room / 2);
        }
    }
}
