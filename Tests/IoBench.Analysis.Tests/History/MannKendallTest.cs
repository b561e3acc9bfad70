namespace IoBench.Analysis.Tests;

/// <summary>
/// Trend test of Mann (1945) and Kendall with the variance for autocorrelated data of K. H. Hamed and A. R. Rao ("A modified Mann-Kendall
/// trend test for autocorrelated data", Journal of Hydrology 204, 1998). It is the usual alternative to the method of IoBench.
/// </summary>
internal static class MannKendallTest
{
    /// <summary>Number of rising pairs minus number of falling pairs.</summary>
    public static double GetScore(double[] values)
    {
        double score = 0;
        for (var i = 0; i < values.Length; i++)
        {
            for (var j = i + 1; j < values.Length; j++)
                score += Math.Sign(values[j] - values[i]);
        }
        return score;
    }

    /// <summary>Variance of the score of independent values without ties.</summary>
    public static double GetVariance(int n) => n * (n - 1) * (2 * n + 5) / 18.0;

    /// <summary>Variance factor n / n* of Hamed and Rao.</summary>
    public static double GetVarianceCorrection(double[] values)
    {
        var n = values.Length;
        var slope = GetMedianSlope(values);
        var ranks = GetRanks([.. values.Select((value, i) => Math.Round(value - slope * i, 6))]);
        var middle = (n + 1) / 2.0;
        var squares = ranks.Sum(r => (r - middle) * (r - middle));
        double sum = 0;
        for (var lag = 1; lag < n; lag++)
        {
            var likeness = Enumerable.Range(lag, n - lag).Sum(i => (ranks[i] - middle) * (ranks[i - lag] - middle)) / squares;
            // Only significant autocorrelations count.
            if (Math.Abs(likeness) > 1.96 / Math.Sqrt(n))
                sum += (double)(n - lag) * (n - lag - 1) * (n - lag - 2) * likeness;
        }
        return Math.Max(1e-3, 1 + 2 * sum / (n * (n - 1.0) * (n - 2)));
    }

    /// <summary>Distance of the score from 0, in standard deviations.</summary>
    public static double GetZScore(double[] values) =>
        GetScore(values) is var score && score == 0
            ? 0
            : (score - Math.Sign(score)) / Math.Sqrt(GetVariance(values.Length) * GetVarianceCorrection(values));

    // Theil-Sen estimator: the median of the slopes of all pairs.
    private static double GetMedianSlope(double[] values)
    {
        var slopes = (
            from i in Enumerable.Range(0, values.Length)
            from j in Enumerable.Range(i + 1, values.Length - i - 1)
            select (values[j] - values[i]) / (j - i)
        )
            .Order()
            .ToList();
        return (slopes[(slopes.Count - 1) / 2] + slopes[slopes.Count / 2]) / 2;
    }

    // Equal values share their rank. Without the trend, the two values that define the median slope are equal.
    private static double[] GetRanks(double[] values) =>
        [.. values.Select(value => values.Count(other => other < value) + (values.Count(other => other == value) + 1) / 2.0)];
}
