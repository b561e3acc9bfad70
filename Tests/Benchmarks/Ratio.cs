using System.Globalization;

namespace IoBench.Benchmarks;

/// <summary>Ratios of pairs: their median, and the bounds of it with 95 % confidence.</summary>
internal sealed class Ratio
{
    private readonly double _median;

    /// <summary>Ratios of a figure of samples that were taken in turns.</summary>
    public Ratio(List<Sample> own, List<Sample> peer, Func<Sample, double> part)
    {
        double[] ratios = [.. own.Zip(peer, (a, b) => part(a) / part(b))];
        _median = Statistics.Median(ratios);
        (Low, High) = Statistics.Interval(ratios);
    }

    /// <summary>Lower bound.</summary>
    public double Low { get; }

    /// <summary>Upper bound.</summary>
    public double High { get; }

    /// <summary>The median.</summary>
    public double Median => _median;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_median:0.00} ({Low:0.00}-{High:0.00})");
}
