namespace IoBench.Analysis;

internal enum RateDifference
{
    Faster,
    Slower,
    Same,
    Inconclusive,
}

/// <summary>Compares the commits per second of two measurements by their rounds, so that differences within the run-to-run spread do not
/// count.</summary>
internal readonly record struct RateComparison(RateDifference Difference, double Factor)
{
    /// <summary>Smaller differences are not worth a setting.</summary>
    public const double MinFactor = 1.1;

    /// <summary>Highest round / lowest round up to which equal medians mean "no difference".</summary>
    private const double SteadySpread = 1.25;

    /// <param name="isDisturbed">Whether other programs used the computer or the device, so that no difference counts.</param>
    public static RateComparison Create(IReadOnlyList<double> one, IReadOnlyList<double> other, bool isDisturbed)
    {
        var (a, b) = (SampleSummary.FromSamples(ToSamples(one)), SampleSummary.FromSamples(ToSamples(other)));
        if (a is not { Median: > 0 } || b is not { Median: > 0 })
            return new(RateDifference.Inconclusive, 1);
        var factor = a.Median / b.Median;
        if (isDisturbed || a.Count < 2 || b.Count < 2)
            return new(RateDifference.Inconclusive, factor);
        if (a.Min > MinFactor * b.Max)
            return new(RateDifference.Faster, factor);
        if (b.Min > MinFactor * a.Max)
            return new(RateDifference.Slower, factor);
        var isSteady = a.Max <= SteadySpread * a.Min && b.Max <= SteadySpread * b.Min;
        return new(isSteady && factor is < MinFactor and > 1 / MinFactor ? RateDifference.Same : RateDifference.Inconclusive, factor);
    }

    private static IEnumerable<double?> ToSamples(IReadOnlyList<double> rates) => rates.Select(rate => (double?)rate);
}
