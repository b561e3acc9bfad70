using MathNet.Numerics;
using MathNet.Numerics.Distributions;
using MathNet.Numerics.Statistics;

namespace IoBench.Analysis.Tests;

public class MathNetComparisonTests
{
    [Theory]
    [InlineData(1)]
    [InlineData(2.5)]
    [InlineData(10)]
    [InlineData(46)]
    [InlineData(400)]
    public void Student_t_distribution_matches_MathNet(double degrees)
    {
        foreach (var t in new[] { 0.1, 1, 2.262, 4, 12, 60 })
            Assert.Equal(2 * GetCumulativeProbability(degrees, -t), Distributions.StudentTwoSidedP(t, degrees), 11);
        foreach (var p in new[] { 0.5, 0.05, 0.01, 0.01 / 9, 1e-5 })
            Assert.Equal(p, 2 * GetCumulativeProbability(degrees, -Distributions.StudentQuantile(p, degrees)), 11);
    }

    [Theory]
    [InlineData(0.4)]
    [InlineData(1)]
    [InlineData(4)]
    [InlineData(37)]
    [InlineData(1200)]
    public void Gamma_functions_match_MathNet(double x)
    {
        AssertNear(MathNet.Numerics.SpecialFunctions.GammaLn(x), Distributions.LogGamma(x), 1e-11);
        AssertNear(MathNet.Numerics.SpecialFunctions.DiGamma(x), Distributions.Digamma(x), 1e-11);
        Assert.Equal(x, Distributions.InverseTrigamma(Distributions.Trigamma(x)), 7);
        foreach (var value in new[] { 0.01, 1, x, 3 * x, 100 })
            Assert.Equal(1 - ChiSquared.CDF(x, value), Distributions.ChiSquaredP(value, x), 10);
    }

    [Fact]
    public void Summaries_and_regression_lines_match_MathNet()
    {
        var random = new Random(3);
        for (var count = 3; count < 40; count++)
        {
            var values = Enumerable.Range(0, count).Select(_ => 100 + 20 * random.NextDouble()).ToArray();
            var summary = SampleSummary.FromSamples(values.Select(v => (double?)v))!;
            AssertNear(values.Mean(), summary.Mean, 1e-12);
            AssertNear(values.Median(), summary.Median, 1e-12);
            AssertNear(values.StandardDeviation(), summary.StandardDeviation!.Value, 1e-10);
            var x = values.Select((_, i) => i + random.NextDouble()).ToArray();
            AssertNear(Fit.Line(x, values).B, HistoryTrend.FitSlope([.. x.Zip(values)])!.Value, 1e-9);
        }
    }

    private static double GetCumulativeProbability(double degrees, double t) =>
        MathNet.Numerics.Distributions.StudentT.CDF(0, 1, degrees, t);

    private static void AssertNear(double expected, double actual, double relative) =>
        Assert.InRange(
            actual,
            expected - relative * Math.Max(1, Math.Abs(expected)),
            expected + relative * Math.Max(1, Math.Abs(expected))
        );
}
