using System.Globalization;

namespace IoBench.Reports;

internal sealed class SvgAxis
{
    private const int TargetTickCount = 6;
    private const double SpaceAboveLimits = 1.1;
    private const double MinRange = 1e-30;
    private const double MinRelativeRange = 1e-9;
    private readonly bool _isLogarithmic;

    private SvgAxis(double min, double max, bool logarithmic, IReadOnlyList<double> ticks)
    {
        Min = min;
        Max = max;
        _isLogarithmic = logarithmic;
        Ticks = ticks;
    }

    public double Min { get; }

    public double Max { get; }

    public IReadOnlyList<double> Ticks { get; }

    /// <summary>Starts at zero, or at a power of ten if the chart is logarithmic.</summary>
    public static SvgAxis ForChart(ChartSpec chart)
    {
        var values = chart.Series.SelectMany(series => series.AxisValues).OfType<double>().Where(double.IsFinite).ToList();
        if (chart.Kind == ChartKind.StackedBars)
            return CreateLinear(0, 100);
        if (chart.IsLogarithmic && chart.SmallestPositive is { } min)
            return CreateLogarithmic(min, chart.Max);
        if (chart.HasFreeAxis && values.Count > 0)
            return CreateLinear(values.Min(), values.Max());
        // A limit and the label above it must not touch the frame.
        var room = chart.HasLimits ? SpaceAboveLimits : 1;
        return CreateLinear(Math.Min(0, values.DefaultIfEmpty(0).Min()), Math.Max(0, values.DefaultIfEmpty(1).Max() * room));
    }

    public static SvgAxis CreateLinear(double min, double max)
    {
        // Limits that differ only in the last digits have no ticks between them.
        if (!(max - min > Math.Max(MinRange, Math.Max(Math.Abs(min), Math.Abs(max)) * MinRelativeRange)))
            max = min + Math.Max(1, Math.Abs(min) * MinRelativeRange * TargetTickCount);
        var raw = (max - min) / TargetTickCount;
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

    public static SvgAxis CreateSeconds(double max)
    {
        var nice = CreateLinear(0, Math.Max(max, 1e-9));
        return new(0, Math.Max(max, 1e-9), false, [.. nice.Ticks.Where(tick => tick <= max * 1.0001)]);
    }

    public double GetPosition(double value) =>
        _isLogarithmic
            ? (Math.Log10(Math.Max(value, Min)) - Math.Log10(Min)) / (Math.Log10(Max) - Math.Log10(Min))
            : (value - Min) / (Max - Min);

    public static string FormatTick(double value) =>
        Math.Abs(value) < 1e-12 ? "0" : value.ToString("#,##0.####", CultureInfo.InvariantCulture);

    private static SvgAxis CreateLogarithmic(double min, double max)
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
