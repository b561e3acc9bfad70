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

    /// <summary>Points over categories that are not joined: values on a logarithmic axis, repeats, ranges.</summary>
    Dots,
}

/// <summary>Shapes of markers, so that lines differ in grey, too.</summary>
internal enum MarkerShape
{
    None,
    Circle,
    Square,
    Triangle,
    Diamond,

    /// <summary>A wide dash: a limit.</summary>
    Dash,
}

/// <summary>The look of a series.</summary>
/// <param name="Colour">RRGGBB.</param>
/// <param name="Marker">Shape at each point.</param>
/// <param name="Dashed">A dashed line.</param>
internal readonly record struct SeriesLook(string Colour, MarkerShape Marker = MarkerShape.None, bool Dashed = false)
{
    private readonly LineDash _dash;

    /// <summary>How the line is broken; it distinguishes lines without markers where colours are not printed.</summary>
    public LineDash Dash
    {
        get =>
            _dash != LineDash.Solid ? _dash
            : Dashed ? LineDash.Dash
            : LineDash.Solid;
        init => _dash = value;
    }
}

/// <summary>How a line is broken.</summary>
internal enum LineDash
{
    /// <summary>Not at all.</summary>
    Solid,

    /// <summary>Dashes.</summary>
    Dash,
    Dot,

    /// <summary>Long dashes with a dot between.</summary>
    DashDot,
}

/// <summary>A series of a chart; a null value is a gap.</summary>
/// <param name="Name">Its name in the legend.</param>
/// <param name="Values">Its values, one per category or x.</param>
/// <param name="Look">Colour, marker, dash.</param>
internal sealed record ChartSeries(string Name, IReadOnlyList<double?> Values, SeriesLook Look)
{
    /// <summary>Its x values; for <see cref="ChartKind.Curves"/> only.</summary>
    public IReadOnlyList<double?>? X { get; init; }

    /// <summary>Colours of single points, RRGGBB; null = the series' own.</summary>
    public IReadOnlyList<string>? PointColours { get; init; }

    /// <summary>Points only, large and hollow: marks on other series.</summary>
    public bool MarksOnly { get; init; }

    /// <summary>Lower and upper ends of an interval around each value, drawn as a thin line; null = none.</summary>
    public IReadOnlyList<(double Low, double High)?>? Intervals { get; init; }

    /// <summary>Limits: dashes above the columns of the other series.</summary>
    public bool IsLimit { get; init; }

    /// <summary>The legend leaves it out: another series of the same look stands for it.</summary>
    public bool NotInLegend { get; init; }

    /// <summary>All that its axis must show.</summary>
    public IEnumerable<double?> Shown =>
        Intervals is null
            ? Values
            : Values.Concat(Intervals.SelectMany(ends => ends is { } both ? new double?[] { both.Low, both.High } : []));
}

/// <summary>A chart, described once for the workbook and the page.</summary>
internal sealed record ChartSpec(ChartKind Kind, string Title, string CategoryTitle, string ValueTitle)
{
    private const int MaxNames = 300;

    /// <summary>No bar is thicker, in points.</summary>
    public const double ThickestBar = 30;

    /// <summary>The categories; empty for <see cref="ChartKind.Curves"/>.</summary>
    public IReadOnlyList<string> Categories { get; init; } = [];

    /// <summary>What each category belongs to, where neighbours are grouped, such as the block size; null = no groups.</summary>
    public IReadOnlyList<string>? Groups { get; init; }

    /// <summary>The categories behind their groups, for programs that set a group's name upright beside its bars, where those of neighbours run into one another.</summary>
    public IReadOnlyList<string> GroupedCategories =>
        Groups is null ? Categories : [.. Groups.Zip(Categories, (group, name) => $"{group}: {name}")];

    /// <summary>The value axis need not begin at zero: what counts is how far points are apart.</summary>
    public bool FreeAxis { get; init; }

    public required IReadOnlyList<ChartSeries> Series { get; init; }

    /// <summary>A logarithmic value axis.</summary>
    public bool Logarithmic { get; init; }

    /// <summary>The value stands beside each point.</summary>
    public bool ShowValues { get; init; }

    /// <summary>Of two rows of dots the first has its values to the left, the second to the right: those that lie close together would hide each other.</summary>
    public bool HasLabelsLeft(ChartSeries series) => Series.Count == 2 && ReferenceEquals(series, Series[0]);

    /// <summary>Dashes above columns: limits.</summary>
    public bool HasLimits => Series.Any(series => series.IsLimit);

    /// <summary>Values are changes: they carry their sign.</summary>
    public bool ShowsChange { get; init; }

    /// <summary>A legend below.</summary>
    public bool ShowLegend { get; init; }

    /// <summary>Width in points.</summary>
    public double Width { get; init; } = 600;

    /// <summary>Height in points.</summary>
    public double Height { get; init; } = 300;

    /// <summary>The highest value; 0 when there is none.</summary>
    public double Max => Series.SelectMany(series => series.Shown).Max() ?? 0;

    /// <summary>The lowest value above zero; null when there is none.</summary>
    public double? SmallestPositive => Series.SelectMany(series => series.Shown).Where(value => value > 0).Min();

    /// <summary>
    /// The same with a logarithmic axis where the highest value is more than so many times the lowest: curves and bars would be flat. Such an axis has
    /// no zero for bars to stand on: they become dots.
    /// </summary>
    public ChartSpec LogarithmicBeyond(double spread)
    {
        if (SmallestPositive is not { } lowest || Max <= lowest * spread)
            return this;
        var logarithmic = this with { Logarithmic = true, ValueTitle = ValueTitle + ", logarithmic" };
        return Kind != ChartKind.Bars
            ? logarithmic
            : logarithmic with
            {
                // Bars grow upwards, dots to the right.
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
                            PointColours = series.PointColours?.Reverse().ToList(),
                        }
                    ),
                ],
                Height = Math.Min(Height, 330),
            };
    }

    /// <summary>A number format (Excel's) for the ticks of the value axis.</summary>
    public string AxisFormat =>
        Logarithmic
            ? "[>=1]#,##0;General"
            : Series.SelectMany(series => series.Values).Max(value => Math.Abs(value ?? 0)) switch
            {
                >= 20 or 0 => "#,##0",
                >= 2 => "0.0",
                >= 0.2 => "0.00",
                _ => "0.000",
            };

    /// <summary>A number format (Excel's) that shows each value with the digits it needs.</summary>
    public string LabelFormat =>
        ShowsChange ? "+0.0;-0.0;0"
        : IsWhole ? "#,##0"
        : "[>=100]#,##0;[>=1]0.0;0.000";

    private bool IsWhole => Series.SelectMany(series => series.Values).All(value => value is null || value == Math.Floor(value.Value));

    /// <summary>A value as <see cref="LabelFormat"/> shows it.</summary>
    public string LabelOf(double value) =>
        value.ToString(
            ShowsChange ? "+0.0;-0.0;0"
                : IsWhole || value >= 100 ? "#,##0"
                : value >= 1 ? "0.0"
                : "0.000",
            CultureInfo.InvariantCulture
        );

    /// <summary>What it shows, in a sentence for those who cannot see it: its axes, how many series, the least and the highest value and where they are.</summary>
    public string Description
    {
        get
        {
            var text = $"{Title}: {ValueTitle} by {CategoryTitle}.";
            var lines = Series.Where(series => !series.MarksOnly).ToList();
            if (lines.Count > 1)
                text += $" {lines.Count} series: {RunText.Shorten(string.Join(", ", lines.Select(series => series.Name)), MaxNames)}.";
            var points = lines
                .SelectMany(series => series.Values.Select((value, index) => (series, index, value)))
                .Where(point => point.value is not null)
                .ToList();
            if (Kind == ChartKind.StackedBars || points.Count == 0)
                return text;
            var (lowest, highest) = (points.MinBy(point => point.value), points.MaxBy(point => point.value));
            return $"{text} Lowest {LabelOf(lowest.value!.Value)} ({Place(lowest)}), highest {LabelOf(highest.value!.Value)} ({Place(highest)}).";

            string Place((ChartSeries Series, int Index, double?) point)
            {
                var place = point.Series.X is { } x
                    ? $"at {x[point.Index]?.ToString("0.###", CultureInfo.InvariantCulture)}"
                    : Categories[point.Index];
                return lines.Count > 1 ? $"{point.Series.Name}, {place}" : place;
            }
        }
    }
}
