using System.Globalization;

namespace IoBench.Reports;

internal enum ChartKind
{
    Bars,

    StackedBars,

    Columns,

    Lines,

    Curves,

    /// <summary>Points over categories, without lines: logarithmic values, repeats, and ranges.</summary>
    Dots,
}

/// <summary>Shapes of markers, so that lines differ in gray printing.</summary>
internal enum MarkerShape
{
    None,
    Circle,
    Square,
    Triangle,
    Diamond,

    Dash,
}

/// <summary>Dashes distinguish lines without markers in gray printing.</summary>
/// <param name="Color">RRGGBB.</param>
internal readonly record struct SeriesStyle(string Color, MarkerShape Marker = MarkerShape.None, LineDash Dash = LineDash.Solid);

internal enum LineDash
{
    Solid,

    Dash,
    Dot,

    DashDot,
}

internal sealed record ChartSeries(string Name, IReadOnlyList<double?> Values, SeriesStyle Style)
{
    // Beyond these limits, the calculations of a scale overflow or lose all digits.
    private const double MaxMagnitude = 1e30;
    private const double MinMagnitude = 1e-30;

    private readonly IReadOnlyList<double?> _values = ReplaceUndrawable(Values, null);
    private readonly IReadOnlyList<double?>? _x;
    private readonly IReadOnlyList<(double Low, double High)?>? _intervals;

    /// <summary>Null for a number that a chart cannot show.</summary>
    public IReadOnlyList<double?> Values
    {
        get => _values;
        init => _values = ReplaceUndrawable(value, null);
    }

    public IReadOnlyList<double?>? X
    {
        get => _x;
        init => _x = value is null ? null : ReplaceUndrawable(value, 0);
    }

    /// <summary>RRGGBB for each point; null to use the color of the series.</summary>
    public IReadOnlyList<string>? PointColors { get; init; }

    public bool HasMarkersOnly { get; init; }

    /// <summary>An interval around each value, drawn as a thin line; null for none.</summary>
    public IReadOnlyList<(double Low, double High)?>? Intervals
    {
        get => _intervals;
        init =>
            _intervals =
                value?.All(ends => ends is not { } both || (IsDrawable(both.Low) && IsDrawable(both.High))) == false
                    ? [.. value.Select(ends => ends is { } both && IsDrawable(both.Low) && IsDrawable(both.High) ? ends : null)]
                    : value;
    }

    public bool IsLimit { get; init; }

    /// <summary>Another series of the same style represents it.</summary>
    public bool IsHiddenInLegend { get; init; }

    public IEnumerable<double?> AxisValues =>
        Intervals is null
            ? Values
            : Values.Concat(Intervals.SelectMany(ends => ends is { } both ? new double?[] { both.Low, both.High } : []));

    private static bool IsDrawable(double value) => value == 0 || Math.Abs(value) is >= MinMagnitude and <= MaxMagnitude;

    private static IReadOnlyList<double?> ReplaceUndrawable(IReadOnlyList<double?> values, double? replacement) =>
        values.All(value => value is not { } number || IsDrawable(number))
            ? values
            : [.. values.Select(value => value is { } number && !IsDrawable(number) ? replacement : value)];
}

internal sealed record ChartSpec(ChartKind Kind, string Title, string CategoryTitle, string ValueTitle)
{
    private const int MaxNamesLength = 300;

    /// <summary>In points.</summary>
    public const double MaxBarThickness = 30;

    /// <summary>Empty for <see cref="ChartKind.Curves"/>.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];

    /// <summary>The group of each category, such as the block size, if neighbors are grouped; null for no groups.</summary>
    public IReadOnlyList<string>? Groups { get; init; }

    /// <summary>Categories with their groups as prefix, for programs that set group names vertically, so that they overlap.</summary>
    public IReadOnlyList<string> GroupedCategories =>
        Groups is null ? Categories : [.. Groups.Zip(Categories, (group, name) => $"{group}: {name}")];

    /// <summary>The value axis need not start at zero, because only differences matter.</summary>
    public bool HasFreeAxis { get; init; }

    public required IReadOnlyList<ChartSeries> Series { get; init; }

    public bool IsLogarithmic { get; init; }

    public bool ShowsValues { get; init; }

    /// <summary>With two rows of dots, the values of the first are on the left, so that they do not overlap.</summary>
    public bool HasLabelsLeft(ChartSeries series) => Series.Count == 2 && ReferenceEquals(series, Series[0]);

    public bool HasLimits => Series.Any(series => series.IsLimit);

    public bool ShowsChange { get; init; }

    public bool ShowsLegend { get; init; }

    /// <summary>In points.</summary>
    public double Width { get; init; } = 600;

    /// <summary>In points.</summary>
    public double Height { get; init; } = 300;

    public double Max => Series.SelectMany(series => series.AxisValues).Max() ?? 0;

    public double? SmallestPositive => Series.SelectMany(series => series.AxisValues).Where(value => value > 0).Min();

    /// <summary>Otherwise, curves and bars would be flat. A logarithmic axis has no zero for bars, so they become dots.</summary>
    public ChartSpec WithLogarithmicAxisBeyond(double spread)
    {
        if (SmallestPositive is not { } lowest || Max <= lowest * spread)
            return this;
        var logarithmic = this with { IsLogarithmic = true, ValueTitle = ValueTitle + ", logarithmic" };
        return Kind != ChartKind.Bars
            ? logarithmic
            : logarithmic with
            {
                // Bars run from bottom to top, dots from left to right.
                Kind = ChartKind.Dots,
                Categories = [.. Categories.Reverse()],
                Groups = Groups?.Reverse().ToList(),
                Series =
                [
                    .. Series.Select(series =>
                        series with
                        {
                            Values = [.. series.Values.Reverse()],
                            Intervals = series.Intervals?.Reverse().ToList(),
                            PointColors = series.PointColors?.Reverse().ToList(),
                        }
                    ),
                ],
                Height = Math.Min(Height, 330),
            };
    }

    /// <summary>Excel number format of the ticks.</summary>
    public string AxisFormat =>
        IsLogarithmic
            ? "[>=1]#,##0;General"
            : Series.SelectMany(series => series.Values).Max(value => Math.Abs(value ?? 0)) switch
            {
                >= 20 or 0 => "#,##0",
                >= 2 => "0.0",
                >= 0.2 => "0.00",
                _ => "0.000",
            };

    /// <summary>Excel number format that shows the digits that each value needs.</summary>
    public string LabelFormat =>
        ShowsChange ? "+0.0;-0.0;0"
        : HasOnlyIntegers ? "#,##0"
        : "[>=100]#,##0;[>=1]0.0;0.000";

    private bool HasOnlyIntegers =>
        Series.SelectMany(series => series.Values).All(value => value is null || value == Math.Floor(value.Value));

    public string FormatLabel(double value) =>
        value.ToString(
            ShowsChange ? "+0.0;-0.0;0"
                : HasOnlyIntegers || value >= 100 ? "#,##0"
                : value >= 1 ? "0.0"
                : "0.000",
            CultureInfo.InvariantCulture
        );

    /// <summary>Alternative text for screen readers: axes, number of series, and lowest and highest value.</summary>
    public string Description
    {
        get
        {
            var text = $"{Title}: {ValueTitle} by {CategoryTitle}.";
            var lines = Series.Where(series => !series.HasMarkersOnly).ToList();
            if (lines.Count > 1)
                text +=
                    $" {lines.Count} series: {RunDescription.ShortenMiddle(string.Join(", ", lines.Select(series => series.Name)), MaxNamesLength)}.";
            var points = lines
                .SelectMany(series => series.Values.Select((value, index) => (series, index, value)))
                .Where(point => point.value is not null)
                .ToList();
            if (Kind == ChartKind.StackedBars || points.Count == 0)
                return text;
            var lowest = points.MinBy(point => point.value);
            var highest = points.MaxBy(point => point.value);
            return $"{text} Lowest {FormatLabel(lowest.value!.Value)} ({Place(lowest)}), highest {FormatLabel(highest.value!.Value)} ({Place(highest)}).";

            string Place((ChartSeries Series, int Index, double?) point)
            {
                var place = point.Series.X is { } x
                    ? $"at {x[point.Index]?.ToString("0.###", CultureInfo.InvariantCulture)}"
                    : Categories[point.Index];
                return lines.Count > 1 ? $"{point.Series.Name}, {place}" : place;
            }
        }
    }

    private const double MaxLinearRatio = 20;

    /// <returns>Bars, or dots if the values differ widely; null if no row has both values.</returns>
    public static ChartSpec? CreateLatencyPairs(
        string title,
        string axis,
        string first,
        string second,
        IEnumerable<(string Name, double? First, double? Second)> rows
    )
    {
        // Bars run from bottom to top; the first row must be on top.
        var shown = rows.Where(row => row.First is not null && row.Second is not null).Reverse().ToList();
        return shown.Count == 0
            ? null
            : new ChartSpec(ChartKind.Bars, title, axis, "ms")
            {
                Categories = [.. shown.Select(row => row.Name)],
                Series =
                [
                    new(first, [.. shown.Select(row => row.First)], Palette.GetBarStyle(0)),
                    new(second, [.. shown.Select(row => row.Second)], Palette.GetBarStyle(1)),
                ],
                ShowsLegend = true,
                ShowsValues = true,
                Height = GetBarChartHeight(shown.Count, 2),
            }.WithLogarithmicAxisBeyond(MaxLinearRatio);
    }

    public static double GetBarChartHeight(int groups, int bars) => Math.Max(260, 110 + groups * (14 + 16 * bars));
}
