namespace IoBench.Analysis;

/// <param name="SumOfSquares">Sum of squared distances from the estimated means.</param>
/// <param name="Degrees">Number of values minus the number of estimated means; 0 without repeats.</param>
internal readonly record struct SquaredDeviations(double SumOfSquares, int Degrees);

/// <summary>
/// Estimates the variances of groups with few values from all groups together: pooled if they are equal, otherwise shrunk towards a common
/// one, the more the groups agree (G. K. Smyth, "Linear models and empirical Bayes methods", 2004).
/// </summary>
internal readonly record struct VarianceEstimate(double Variance, double Degrees)
{
    private const double Contradiction = 0.05;

    // Even equal values (because of a throttle or rounding) are not exact.
    private const double MinVariance = 0.001 * 0.001;

    /// <param name="expected">Prior estimate with its degrees of freedom. It counts unless the data contradict it.</param>
    public static VarianceEstimate[] EstimateAll(IReadOnlyList<SquaredDeviations> groups, VarianceEstimate expected)
    {
        var repeated = groups.Where(g => g.Degrees > 0).ToList();
        var degrees = repeated.Sum(g => g.Degrees);
        if (degrees == 0)
            return [.. groups.Select(_ => expected)];
        var pooled = repeated.Sum(g => g.SumOfSquares) / degrees;
        if (repeated.Count >= 3 && !HaveEqualVariances(repeated, degrees) && EstimatePrior(repeated) is { } common)
            return
            [
                .. groups.Select(g => new VarianceEstimate(
                    (common.Degrees * common.Variance + g.SumOfSquares) / (common.Degrees + g.Degrees),
                    Math.Min(common.Degrees + g.Degrees, degrees)
                )),
            ];
        var alike = ContradictsPrior(groups, expected)
            ? new VarianceEstimate(pooled, degrees)
            : CombineWithPrior(expected, new SquaredDeviations(pooled * degrees, degrees));
        return [.. groups.Select(_ => alike)];
    }

    public static bool ContradictsPrior(IReadOnlyList<SquaredDeviations> groups, VarianceEstimate expected)
    {
        var degrees = groups.Sum(g => g.Degrees);
        return degrees > 0 && Distributions.ChiSquaredP(groups.Sum(g => g.SumOfSquares) / expected.Variance, degrees) < Contradiction;
    }

    public static VarianceEstimate CombineWithPrior(VarianceEstimate expected, SquaredDeviations group) =>
        new(
            (expected.Degrees * expected.Variance + group.SumOfSquares) / (expected.Degrees + group.Degrees),
            expected.Degrees + group.Degrees
        );

    // Bartlett's test of equal variances.
    private static bool HaveEqualVariances(List<SquaredDeviations> groups, int degrees)
    {
        var pooled = groups.Sum(g => g.Degrees * GetVariance(g)) / degrees;
        var statistic = degrees * Math.Log(pooled) - groups.Sum(g => g.Degrees * Math.Log(GetVariance(g)));
        var correction = 1 + (groups.Sum(g => 1.0 / g.Degrees) - 1.0 / degrees) / (3 * (groups.Count - 1));
        return Distributions.ChiSquaredP(statistic / correction, groups.Count - 1) >= Contradiction;
    }

    // From the moments of the logarithms (Smyth); null if the groups differ by no more than chance.
    private static VarianceEstimate? EstimatePrior(List<SquaredDeviations> groups)
    {
        var logs = groups.ConvertAll(g => Math.Log(GetVariance(g)) - Distributions.Digamma(g.Degrees / 2.0) + Math.Log(g.Degrees / 2.0));
        var mean = logs.Average();
        var excess =
            logs.Sum(e => (e - mean) * (e - mean)) / (logs.Count - 1) - groups.Average(g => Distributions.Trigamma(g.Degrees / 2.0));
        if (excess <= 0)
            return null;
        var degrees = 2 * Distributions.InverseTrigamma(excess);
        return new(Math.Exp(mean + Distributions.Digamma(degrees / 2) - Math.Log(degrees / 2)), degrees);
    }

    private static double GetVariance(SquaredDeviations group) => Math.Max(MinVariance, group.SumOfSquares / group.Degrees);
}
