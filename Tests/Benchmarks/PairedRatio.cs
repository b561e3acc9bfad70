using System.Globalization;

namespace IoBench.Benchmarks;

/// <summary>Ratios of pairs: the median and its 95% confidence interval.</summary>
internal sealed class PairedRatio
{
    private readonly double _median;

    public PairedRatio(List<BenchmarkSample> own, List<BenchmarkSample> peer, Func<BenchmarkSample, double> part)
    {
        double[] ratios = [.. own.Zip(peer, (a, b) => part(a) / part(b))];
        _median = Statistics.ComputeMedian(ratios);
        (Low, High) = Statistics.ComputeConfidenceInterval(ratios);
    }

    public double Low { get; }

    public double High { get; }

    public double Median => _median;

    public override string ToString() => string.Create(CultureInfo.InvariantCulture, $"{_median:0.00} ({Low:0.00}-{High:0.00})");
}
