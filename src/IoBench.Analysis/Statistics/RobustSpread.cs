namespace IoBench.Analysis;

/// <param name="Deviation">Median absolute deviation times 1.4826: the standard deviation of normally distributed values.</param>
internal readonly record struct RobustSpread(double Median, double Deviation)
{
    private const double NormalScale = 1.4826;

    /// <summary>Requires at least one value.</summary>
    public static RobustSpread FromValues(IReadOnlyCollection<double> values)
    {
        var middle = GetMedian(values);
        return new(middle, NormalScale * GetMedian(values.Select(value => Math.Abs(value - middle))));
    }

    private static double GetMedian(IEnumerable<double> values) =>
        SampleSummary.FromSamples(values.Select(value => (double?)value))!.Median;
}
