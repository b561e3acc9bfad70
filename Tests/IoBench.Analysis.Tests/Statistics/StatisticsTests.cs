namespace IoBench.Analysis.Tests;

public class StatisticsTests
{
    // Published table of critical values of Student's t (NIST/SEMATECH e-Handbook, 1.3.6.7.2).
    [Theory]
    [InlineData(0.10, 1, 6.314)]
    [InlineData(0.05, 1, 12.706)]
    [InlineData(0.05, 4, 2.776)]
    [InlineData(0.05, 9, 2.262)]
    [InlineData(0.01, 9, 3.250)]
    [InlineData(0.01, 30, 2.750)]
    [InlineData(0.002, 100, 3.174)]
    public void Student_t_quantile_matches_the_NIST_table(double p, double degrees, double expected) =>
        Assert.Equal(expected, Distributions.StudentQuantile(p, degrees), 3);

    [Theory]
    [InlineData(0.0, 5, 1.0)]
    [InlineData(2.262157, 9, 0.05)]
    [InlineData(-2.262157, 9, 0.05)]
    [InlineData(1, 1, 0.5)] // Cauchy: atan
    public void Student_t_two_sided_probability_matches_known_values(double t, double degrees, double expected) =>
        Assert.Equal(expected, Distributions.StudentTwoSidedP(t, degrees), 6);

    [Fact]
    public void Confidence_interval_matches_the_NIST_example()
    {
        // NIST/SEMATECH e-Handbook 1.3.5.2, data set ZARR13 as summarized there: n 195, mean 9.261460, s 0.022789 -> 9.258242 .. 9.264679.
        var half = Distributions.StudentQuantile(0.05, 194) * 0.022789 / Math.Sqrt(195);
        Assert.Equal(9.258242, 9.261460 - half, 5);
    }

    [Fact]
    public void Sample_summary_ignores_missing_values()
    {
        var summary = SampleSummary.FromSamples([2, 4, 4, 4, 5, 5, 7, 9, null, double.NaN])!;
        Assert.Equal(8, summary.Count);
        Assert.Equal(5, summary.Mean);
        Assert.Equal(4.5, summary.Median);
        Assert.Equal(Math.Sqrt(32 / 7.0), summary.StandardDeviation!.Value, 12);
        Assert.Equal((2, 9), (summary.Min, summary.Max));
        // The JSON keeps the names that scripts use.
        Assert.Contains(
            "\"minimum\":2,\"maximum\":9",
            System.Text.Json.JsonSerializer.Serialize(summary),
            StringComparison.OrdinalIgnoreCase
        );
        Assert.Null(SampleSummary.FromSamples([null]));
        Assert.Null(SampleSummary.FromSamples([3.0])!.StandardDeviation);
    }

    [Fact]
    public void Steady_state_requires_a_small_range_and_slope()
    {
        Assert.Null(SteadyState.FromRounds([1, 2, 3, 4]));
        Assert.True(SteadyState.FromRounds([500, 100, 101, 99, 100, 102])!.IsSteady);
        Assert.False(SteadyState.FromRounds([100, 100, 125, 100, 100])!.IsSteady); // range 24 %
        var sloped = SteadyState.FromRounds([100, 103, 106, 109, 112])!; // range 11 %, slope 11 %
        Assert.True(sloped.RangePercent < 20);
        Assert.False(sloped.IsSteady);
    }
}
