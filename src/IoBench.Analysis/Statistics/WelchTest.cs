namespace IoBench.Analysis;

/// <summary>
/// Welch's t test of two means with unlike variances.
/// Source: B. L. Welch, "The generalization of 'Student's' problem when several different population variances are involved", Biometrika 34 (1947).
/// </summary>
/// <param name="T">The statistic, positive when the second mean is greater.</param>
/// <param name="DegreesOfFreedom">By Welch and Satterthwaite.</param>
/// <param name="P">Two-sided probability of such a difference between equal means.</param>
public sealed record WelchTest(double T, double DegreesOfFreedom, double P)
{
    /// <summary>The test of two samples; null when either has fewer than two values.</summary>
    public static WelchTest? Of(IReadOnlyList<double> first, IReadOnlyList<double> second)
    {
        if (first.Count < 2 || second.Count < 2)
            return null;
        var (meanA, errorA) = MeanAndSquaredError(first);
        var (meanB, errorB) = MeanAndSquaredError(second);
        var difference = meanB - meanA;
        var squaredError = errorA + errorB;
        // No spread at all (a throttle, or figures cut to whole numbers): equal is certainly equal, unlike certainly unlike.
        if (squaredError == 0)
            return difference == 0 ? new(0, first.Count + second.Count - 2, 1)
                : new(double.CopySign(double.PositiveInfinity, difference), first.Count + second.Count - 2, 0);
        var degrees = squaredError * squaredError
            / (errorA * errorA / (first.Count - 1) + errorB * errorB / (second.Count - 1));
        var t = difference / Math.Sqrt(squaredError);
        return new(t, degrees, StudentT.TwoSidedP(t, degrees));
    }

    private static (double Mean, double SquaredError) MeanAndSquaredError(IReadOnlyList<double> values)
    {
        var mean = values.Average();
        var variance = values.Sum(v => (v - mean) * (v - mean)) / (values.Count - 1);
        return (mean, variance / values.Count);
    }
}
