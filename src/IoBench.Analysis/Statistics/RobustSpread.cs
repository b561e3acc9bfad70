namespace IoBench.Analysis.Statistics;

/// <summary>Location and spread that a few odd values hardly move.</summary>
/// <param name="Median">Middle value.</param>
/// <param name="Deviation">Median absolute deviation from it times 1.4826: of normally distributed values their standard deviation.</param>
internal readonly record struct RobustSpread(double Median, double Deviation)
{
    private const double NormalScale = 1.4826;

    /// <summary>Of one value or more.</summary>
    public static RobustSpread Of(IReadOnlyCollection<double> values)
    {
        var middle = MedianOf(values);
        return new(middle, NormalScale * MedianOf(values.Select(value => Math.Abs(value - middle))));
    }

    private static double MedianOf(IEnumerable<double> values) => SampleSummary.Of(values.Select(value => (double?)value))!.Median;
}
