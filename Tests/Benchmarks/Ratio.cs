using System.Globalization;

namespace IoBench.Benchmarks;

/// <summary>Ratios of pairs: the median and its 95% confidence interval.</summary>
internal sealed class Ratio
{
    private readonly double _median;

    public Ratio(List<Sample> own, List<Sample> peer, Func<Sample, double> part)
    {
        double[] ratios = [.. own.Zip(peer, (a, b) => part(a) / part(b))];
        _median = Statistics.Median(ratios);
        (Low, High) = Statistics.Interval(ratios);
    }

    public double Low { get; }

    public double High { get; }

    public double Median => _median;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_median:0.00} ({Low:0.00}-{High:0.00})");
}
