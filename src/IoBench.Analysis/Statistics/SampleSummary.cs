using System.Text.Json.Serialization;

namespace IoBench.Analysis;

/// <summary>Location and spread of repeated measurements. The confidence interval of the mean is 95% (Student's t).</summary>
/// <param name="StandardDeviation">Sample standard deviation (n - 1); null for one sample, as the interval is.</param>
public sealed record SampleSummary(
    int Count,
    double Mean,
    double Median,
    [property: JsonPropertyName("minimum")] double Min,
    [property: JsonPropertyName("maximum")] double Max,
    double? StandardDeviation,
    double? ConfidenceLow,
    double? ConfidenceHigh
)
{
    /// <summary>Standard deviation / mean; null for one sample or a mean of 0.</summary>
    public double? Variation => Mean == 0 ? null : StandardDeviation / Math.Abs(Mean);

    /// <summary>Summarizes samples, ignoring null and NaN; null if there is no other sample.</summary>
    public static SampleSummary? FromSamples(IEnumerable<double?> samples)
    {
        var values = samples.Where(v => v is not null && double.IsFinite(v.Value)).Select(v => v!.Value).Order().ToArray();
        if (values.Length == 0)
            return null;
        var mean = values.Average();
        var median = values.Length % 2 == 1 ? values[values.Length / 2] : (values[values.Length / 2 - 1] + values[values.Length / 2]) / 2;
        if (values.Length == 1)
            return new(1, mean, median, values[0], values[0], StandardDeviation: null, ConfidenceLow: null, ConfidenceHigh: null);
        var deviation = Math.Sqrt(values.Sum(v => (v - mean) * (v - mean)) / (values.Length - 1));
        var half = Distributions.CachedStudentQuantile(0.05, values.Length - 1) * deviation / Math.Sqrt(values.Length);
        return new(values.Length, mean, median, values[0], values[^1], deviation, ConfidenceLow: mean - half, ConfidenceHigh: mean + half);
    }

    private const double NormalScale = 1.4826;

    /// <summary>The median, and the median absolute deviation times 1.4826, which is the standard deviation of normally distributed
    /// values.</summary>
    /// <param name="values">At least one.</param>
    internal static (double Median, double Deviation) GetRobustSpread(IReadOnlyCollection<double> values)
    {
        var middle = GetMedian(values);
        return (middle, NormalScale * GetMedian(values.Select(value => Math.Abs(value - middle))));
    }

    private static double GetMedian(IEnumerable<double> values) => FromSamples(values.Select(value => (double?)value))!.Median;
}
