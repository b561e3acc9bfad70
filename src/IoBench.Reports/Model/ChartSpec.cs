using System.Globalization;

namespace IoBench.Reports.Model;

/// <summary>Kinds of charts.</summary>
internal enum ChartKind
{
    /// <summary>Horizontal bars, a group a category.</summary>
    Bars,
    /// <summary>Horizontal bars whose parts fill 100 %.</summary>
    StackedBars,
    /// <summary>Vertical columns, a group a category.</summary>
    Columns,
    /// <summary>Lines over categories.</summary>
    Lines,
    /// <summary>Lines over a measured x, such as seconds.</summary>
    Curves,
}

/// <summary>Shapes of markers, so that lines differ in grey, too.</summary>
internal enum MarkerShape
{
    /// <summary>None.</summary>
    None,
    /// <summary>Circle.</summary>
    Circle,
    /// <summary>Square.</summary>
    Square,
    /// <summary>Triangle.</summary>
    Triangle,
    /// <summary>Diamond.</summary>
    Diamond,
}

/// <summary>The look of a series.</summary>
/// <param name="Colour">RRGGBB.</param>
/// <param name="Marker">Shape at each point.</param>
/// <param name="Dashed">A dashed line.</param>
internal readonly record struct SeriesLook(string Colour, MarkerShape Marker = MarkerShape.None, bool Dashed = false);

/// <summary>A series of a chart; a null value is a gap.</summary>
/// <param name="Name">Its name in the legend.</param>
/// <param name="Values">Its values, one a category or x.</param>
/// <param name="Look">Colour, marker, dash.</param>
internal sealed record ChartSeries(string Name, IReadOnlyList<double?> Values, SeriesLook Look)
{
    /// <summary>Its x values; for <see cref="ChartKind.Curves"/> only.</summary>
    public IReadOnlyList<double?>? X { get; init; }

    /// <summary>Colours of single points, RRGGBB; null = the series' own.</summary>
    public IReadOnlyList<string>? PointColours { get; init; }

    /// <summary>Points only, large and hollow: marks on other series.</summary>
    public bool MarksOnly { get; init; }
}

/// <summary>A chart, described once for the workbook and the page.</summary>
internal sealed record ChartSpec(ChartKind Kind, string Title, string CategoryTitle, string ValueTitle)
{
    private const int MaxNames = 300;

    /// <summary>The categories; empty for <see cref="ChartKind.Curves"/>.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];

    /// <summary>The series.</summary>
    public required IReadOnlyList<ChartSeries> Series { get; init; }

    /// <summary>A logarithmic value axis.</summary>
    public bool Logarithmic { get; init; }

    /// <summary>The value stands beside each point.</summary>
    public bool ShowValues { get; init; }

    /// <summary>Values are changes: they carry their sign.</summary>
    public bool ShowsChange { get; init; }

    /// <summary>A legend below.</summary>
    public bool ShowLegend { get; init; }

    /// <summary>Width in points.</summary>
    public double Width { get; init; } = 600;

    /// <summary>Height in points.</summary>
    public double Height { get; init; } = 300;

    /// <summary>The greatest value; 0 when there is none.</summary>
    public double Greatest => Series.SelectMany(series => series.Values).Max() ?? 0;

    /// <summary>The least value above zero; null when there is none.</summary>
    public double? LeastPositive => Series.SelectMany(series => series.Values).Where(value => value > 0).Min();

    /// <summary>The same with a logarithmic axis where the greatest value is more than so many times the least: curves and bars would be flat.</summary>
    public ChartSpec LogarithmicBeyond(double spread)
        => LeastPositive is { } least && Greatest > least * spread ? this with { Logarithmic = true, ValueTitle = ValueTitle + ", logarithmic" } : this;

    /// <summary>A number format (Excel's) for the ticks of the value axis.</summary>
    public string AxisFormat => Logarithmic ? "[>=1]#,##0;General" : Series.SelectMany(series => series.Values).Max(value => Math.Abs(value ?? 0)) switch { >= 20 or 0 => "#,##0", >= 2 => "0.0", >= 0.2 => "0.00", _ => "0.000" };

    /// <summary>A number format (Excel's) that shows each value with the digits it needs.</summary>
    public string LabelFormat => ShowsChange ? "+0.0;-0.0;0" : IsWhole ? "#,##0" : "[>=100]#,##0;[>=1]0.0;0.000";

    private bool IsWhole => Series.SelectMany(series => series.Values).All(value => value is null || value == Math.Floor(value.Value));

    /// <summary>A value as <see cref="LabelFormat"/> shows it.</summary>
    public string LabelOf(double value) => value.ToString(
        ShowsChange ? "+0.0;-0.0;0" : IsWhole || value >= 100 ? "#,##0" : value >= 1 ? "0.0" : "0.000", CultureInfo.InvariantCulture);

    /// <summary>What it shows, in a sentence for those who cannot see it: its axes, how many series, the least and the greatest value and where they are.</summary>
    public string Description
    {
        get
        {
            var text = $"{Title}: {ValueTitle} by {CategoryTitle}.";
            var lines = Series.Where(series => !series.MarksOnly).ToList();
            if (lines.Count > 1)
                text += $" {lines.Count} series: {RunText.Shorten(string.Join(", ", lines.Select(series => series.Name)), MaxNames)}.";
            var points = lines.SelectMany(series => series.Values.Select((value, index) => (series, index, value))).Where(point => point.value is not null).ToList();
            if (Kind == ChartKind.StackedBars || points.Count == 0)
                return text;
            var (least, greatest) = (points.MinBy(point => point.value), points.MaxBy(point => point.value));
            return $"{text} Least {LabelOf(least.value!.Value)} ({Place(least)}), greatest {LabelOf(greatest.value!.Value)} ({Place(greatest)}).";

            string Place((ChartSeries Series, int Index, double?) point)
            {
                var place = point.Series.X is { } x ? $"at {x[point.Index]?.ToString("0.###", CultureInfo.InvariantCulture)}" : Categories[point.Index];
                return lines.Count > 1 ? $"{point.Series.Name}, {place}" : place;
            }
        }
    }
}
