namespace IoBench.Benchmarks;

internal static class Statistics
{
    private const int Resamples = 2000;

    public static double ComputeMedian(IEnumerable<double> values)
    {
        var sorted = values.Order().ToArray();
        return (sorted[(sorted.Length - 1) / 2] + sorted[sorted.Length / 2]) / 2;
    }

    /// <summary>Bootstrap percentile interval of the median, 95% (Efron 1979).</summary>
    public static (double Low, double High) ComputeConfidenceInterval(double[] values)
    {
        var random = new Random(1);
        var medians = new double[Resamples];
        var sample = new double[values.Length];
        for (var i = 0; i < Resamples; i++)
        {
            for (var j = 0; j < sample.Length; j++)
                sample[j] = values[random.Next(values.Length)];
            medians[i] = ComputeMedian(sample);
        }
        Array.Sort(medians);
        return (medians[(int)(Resamples * 0.025)], medians[(int)(Resamples * 0.975) - 1]);
    }
}
