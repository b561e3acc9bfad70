using System.Globalization;

namespace IoBench.Reports;

internal sealed class SvgScale
{
    private const int AimedTicks = 6;
    private const double RoomAboveLimits = 1.1;
    private readonly bool _logarithmic;

    private SvgScale(double min, double max, bool logarithmic, IReadOnlyList<double> ticks)
    {
        Min = min;
        Max = max;
        _logarithmic = logarithmic;
        Ticks = ticks;
    }

    public double Min { get; }

    public double Max { get; }

    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Starts at zero, or at a power of ten if the chart is logarithmic.</summary>
    public static SvgScale Of(ChartSpec chart)
    {
        var values = chart.Series.SelectMany(series => series.Shown).OfType<double>().Where(double.IsFinite).ToList();
        if (chart.Kind == ChartKind.StackedBars)
            return Linear(0, 100);
        if (chart.Logarithmic && chart.SmallestPositive is { } min)
            return Logarithm(min, chart.Max);
        if (chart.FreeAxis && values.Count > 0)
            return Linear(values.Min(), values.Max());
        // A limit and the label above it must not touch the frame.
        var room = chart.HasLimits ? RoomAboveLimits : 1;
        return Linear(Math.Min(0, values.DefaultIfEmpty(0).Min()), Math.Max(0, values.DefaultIfEmpty(1).Max() * room));
    }

    public static SvgScale Linear(double min, double max)
    {
        if (max <= min)
            max = min + 1;
        var raw = (max - min) / AimedTicks;
        var power = Math.Pow(10, Math.Floor(Math.Log10(raw)));
        var step =
            power
            * (raw / power) switch
            {
                <= 1 => 1,
                <= 2 => 2,
                <= 2.5 => 2.5,
                <= 5 => 5,
                _ => 10,
            };
        var first = Math.Floor(min / step + 1e-9);
        var last = Math.Ceiling(max / step - 1e-9);
        return new(
            first * step,
            last * step,
            false,
            [.. Enumerable.Range(0, (int)(last - first) + 1).Select(tick => (first + tick) * step)]
        );
    }

    public static SvgScale Seconds(double max)
    {
        var nice = Linear(0, Math.Max(max, 1e-9));
        return new(0, Math.Max(max, 1e-9), false, [.. nice.Ticks.Where(tick => tick <= max * 1.0001)]);
    }

    public double Place(double value) =>
        _logarithmic
            ? (Math.Log10(Math.Max(value, Min)) - Math.Log10(Min)) / (Math.Log10(Max) - Math.Log10(Min))
            : (value - Min) / (Max - Min);

    public static string Text(double value) => Math.Abs(value) < 1e-12 ? "0" : value.ToString("#,##0.####", CultureInfo.InvariantCulture);

    private static SvgScale Logarithm(double min, double max)
    {
        var first = (int)Math.Floor(Math.Log10(min));
        var last = Math.Max(first + 1, (int)Math.Ceiling(Math.Log10(max * 1.001)));
        return new(
            Math.Pow(10, first),
            Math.Pow(10, last),
            true,
            [.. Enumerable.Range(first, last - first + 1).Select(power => Math.Pow(10, power))]
        );
    }
}
