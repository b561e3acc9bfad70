using System.Text;
using IoBench.Analysis;
using IoBench.Engine;

namespace IoBench.Reports.Tests;

/// <summary>Readers remove impossible values, but a script can set any value of a result.</summary>
public class ExtremeValueTests
{
    public static TheoryData<double> Extremes { get; } =
        new()
        {
            double.MaxValue,
            1e300,
            double.Epsilon,
            double.MinValue,
            double.NaN,
            double.PositiveInfinity,
            double.NegativeInfinity,
            -1,
            0,
        };

    [Theory]
    [MemberData(nameof(Extremes))]
    public void Report_of_extreme_values_has_no_invalid_numbers(double value)
    {
        foreach (var results in CreateChanged(value))
        foreach (var name in new[] { "r.html", "r.svg", "r.xlsx" })
        {
            using var stream = new MemoryStream();
            Report.Write(stream, name, results, new ReportOptions());
            if (name == "r.xlsx")
                continue;
            var text = Encoding.UTF8.GetString(stream.ToArray());
            foreach (var attribute in new[] { "\"NaN", "\"∞", "\"-∞", "\"Infinity", "NaN,", ",NaN" })
                Assert.DoesNotContain(attribute, text, StringComparison.Ordinal);
        }
    }

    private static IEnumerable<List<IoTestResult>> CreateChanged(double value)
    {
        foreach (var create in new[] { () => ReportSamples.CreateDepthSweep(), () => ReportSamples.CreateSqlServerSuite() })
        {
            // One value of one result, then all values of all results.
            var one = create();
            one[0].P99Ms = value;
            one[0].IOPS = value;
            yield return one;
            var all = create();
            foreach (var result in all)
            {
                foreach (
                    var metric in MetricCatalog.All.Where(metric => metric.ValueType == typeof(double) && metric.IsHigherBetter is not null)
                )
                    metric.Set!(result, value);
                foreach (var point in result.Timeline)
                    (point.Seconds, point.IOPS, point.AverageLatencyMs, point.MaxLatencyMs) = (value, value, value, value);
                foreach (var percentile in result.Percentiles)
                    (percentile.ReadMs, percentile.WriteMs, percentile.TotalMs) = (value, value, value);
            }
            yield return all;
        }
    }

    [Theory]
    [InlineData(0, double.Epsilon)]
    [InlineData(1e17, 1e17)]
    [InlineData(1, 1.0000000000000002)]
    [InlineData(-1e30, 1e30)]
    [InlineData(5, 5)]
    public void Linear_axis_has_a_few_ascending_ticks(double min, double max)
    {
        var axis = SvgAxis.CreateLinear(min, max);
        Assert.InRange(axis.Ticks.Count, 2, 12);
        Assert.All(axis.Ticks.Zip(axis.Ticks.Skip(1)), pair => Assert.True(pair.First < pair.Second));
        Assert.True(double.IsFinite(axis.GetPosition(max)));
    }
}
