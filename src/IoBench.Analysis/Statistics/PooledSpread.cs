namespace IoBench.Analysis.Statistics;

/// <summary>What one group of values shows of its spread.</summary>
/// <param name="SumOfSquares">Squared distances from the means that were estimated.</param>
/// <param name="Degrees">Values less the means that were estimated; 0 where there were no repeats.</param>
internal readonly record struct GroupSpread(double SumOfSquares, int Degrees);

/// <summary>The variance of one value of a group, and how much it rests on.</summary>
/// <param name="Variance">Squared standard deviation.</param>
/// <param name="Degrees">Degrees of freedom for Student's t.</param>
internal readonly record struct SpreadEstimate(double Variance, double Degrees);

/// <summary>
/// The spread of groups that have few values each, from all of them together. Where the groups spread alike their variances are pooled; where they do not
/// each is drawn towards what is common as far as the groups agree (G. K. Smyth, "Linear models and empirical Bayes methods", 2004). What is
/// known beforehand about such values counts as long as the data do not contradict it.
/// </summary>
internal static class PooledSpread
{
    private const double Contradiction = 0.05;

    // Figures that come out equal (a throttle, whole numbers) still are not exact.
    private const double MinVariance = 0.001 * 0.001;

    /// <summary>An estimate for each group, also for those without repeats.</summary>
    /// <param name="expected">What is known beforehand, such as "runs of one system repeat within 2.5 %", and how many degrees of freedom that is worth.</param>
    public static SpreadEstimate[] Of(IReadOnlyList<GroupSpread> groups, SpreadEstimate expected)
    {
        var repeated = groups.Where(g => g.Degrees > 0).ToList();
        var degrees = repeated.Sum(g => g.Degrees);
        if (degrees == 0)
            return [.. groups.Select(_ => expected)];
        var pooled = repeated.Sum(g => g.SumOfSquares) / degrees;
        if (repeated.Count >= 3 && !AreAlike(repeated, degrees) && Common(repeated) is { } common)
            return
            [
                .. groups.Select(g => new SpreadEstimate(
                    (common.Degrees * common.Variance + g.SumOfSquares) / (common.Degrees + g.Degrees),
                    Math.Min(common.Degrees + g.Degrees, degrees)
                )),
            ];
        var alike = Contradict(groups, expected)
            ? new SpreadEstimate(pooled, degrees)
            : Updated(expected, new GroupSpread(pooled * degrees, degrees));
        return [.. groups.Select(_ => alike)];
    }

    /// <summary>Whether groups spread more, all together, than what is known beforehand allows.</summary>
    /// <param name="expected">What is known beforehand.</param>
    public static bool Contradict(IReadOnlyList<GroupSpread> groups, SpreadEstimate expected) =>
        groups.Sum(g => g.Degrees) is > 0 and var degrees
        && SpecialFunctions.ChiSquaredP(groups.Sum(g => g.SumOfSquares) / expected.Variance, degrees) < Contradiction;

    /// <summary>What is known beforehand and what a group shows, each by its degrees of freedom.</summary>
    /// <param name="expected">What is known beforehand.</param>
    public static SpreadEstimate Updated(SpreadEstimate expected, GroupSpread group) =>
        new(
            (expected.Degrees * expected.Variance + group.SumOfSquares) / (expected.Degrees + group.Degrees),
            expected.Degrees + group.Degrees
        );

    // Bartlett's test of equal variances.
    private static bool AreAlike(List<GroupSpread> groups, int degrees)
    {
        var pooled = groups.Sum(g => g.Degrees * VarianceOf(g)) / degrees;
        var statistic = degrees * Math.Log(pooled) - groups.Sum(g => g.Degrees * Math.Log(VarianceOf(g)));
        var correction = 1 + (groups.Sum(g => 1.0 / g.Degrees) - 1.0 / degrees) / (3 * (groups.Count - 1));
        return SpecialFunctions.ChiSquaredP(statistic / correction, groups.Count - 1) >= Contradiction;
    }

    // Smyth's prior variance and its degrees of freedom, from the moments of the logarithms; null when the groups differ by no more than chance.
    private static SpreadEstimate? Common(List<GroupSpread> groups)
    {
        var logs = groups.ConvertAll(g => Math.Log(VarianceOf(g)) - SpecialFunctions.Digamma(g.Degrees / 2.0) + Math.Log(g.Degrees / 2.0));
        var mean = logs.Average();
        var excess =
            logs.Sum(e => (e - mean) * (e - mean)) / (logs.Count - 1) - groups.Average(g => SpecialFunctions.Trigamma(g.Degrees / 2.0));
        if (excess <= 0)
            return null;
        var degrees = 2 * SpecialFunctions.InverseTrigamma(excess);
        return new(Math.Exp(mean + SpecialFunctions.Digamma(degrees / 2) - Math.Log(degrees / 2)), degrees);
    }

    private static double VarianceOf(GroupSpread group) => Math.Max(MinVariance, group.SumOfSquares / group.Degrees);
}
