namespace IoBench.Engine.Tests;

public class LatencyHistogramTests
{
    [Theory]
    [
        InlineData(0),
        InlineData(1),
        InlineData(127),
        InlineData(128),
        InlineData(129),
        InlineData(1000),
        InlineData(1_000_000),
        InlineData(549_000_000_000)
    ]
    public void Every_value_is_within_its_bucket(long value)
    {
        var index = LatencyHistogram.GetBucketIndex(value);
        Assert.InRange(value, LatencyHistogram.GetLowerEdge(index), LatencyHistogram.GetLowerEdge(index + 1) - 1);
        Assert.InRange(LatencyHistogram.GetMidPoint(index), value * (1 - 1 / 128.0), Math.Max(value, value * (1 + 1 / 128.0)));
    }

    [Fact]
    public void Buckets_are_contiguous_and_ascending()
    {
        for (var i = 0; i < LatencyHistogram.BucketCount - 1; i++)
        {
            Assert.True(LatencyHistogram.GetLowerEdge(i + 1) > LatencyHistogram.GetLowerEdge(i));
            Assert.Equal(i, LatencyHistogram.GetBucketIndex(LatencyHistogram.GetLowerEdge(i)));
            Assert.Equal(i, LatencyHistogram.GetBucketIndex(LatencyHistogram.GetLowerEdge(i + 1) - 1));
        }
    }

    [Fact]
    public void Longest_latencies_use_the_last_bucket() =>
        Assert.Equal(LatencyHistogram.BucketCount - 1, LatencyHistogram.GetBucketIndex(long.MaxValue));

    [Theory]
    [InlineData(1), InlineData(3), InlineData(4096)]
    public void Adding_a_value_n_times_equals_n_additions(int times)
    {
        var (together, single) = (new LatencyHistogram(), new LatencyHistogram());
        foreach (var value in new[] { 100L, 41_000, 7_000_000, 2_000_000_000_000 })
        {
            together.Add(value, times);
            for (var i = 0; i < times; i++)
                single.Add(value);
        }
        Assert.Equal(single.Counts.ToArray(), together.Counts.ToArray());
        Assert.Equal((single.Count, single.Min, single.Max, single.Sum), (together.Count, together.Min, together.Max, together.Sum));
        Assert.Equal(single.StandardDeviation!.Value, together.StandardDeviation!.Value, 1e-9 * single.StandardDeviation.Value);
        Assert.Equal(single.GetPercentile(50), together.GetPercentile(50));
    }

    [Fact]
    public void Average_deviation_minimum_and_maximum_are_exact()
    {
        var histogram = new LatencyHistogram();
        foreach (var value in new long[] { 2_000, 4_000, 4_000, 4_000, 5_000, 5_000, 7_000, 9_000 })
            histogram.Add(value);
        Assert.Equal(8, histogram.Count);
        Assert.Equal(5000, histogram.Average);
        Assert.Equal(2000, histogram.StandardDeviation);
        Assert.Equal(2000, histogram.Min);
        Assert.Equal(9000, histogram.Max);
    }

    [Fact]
    public void Percentiles_are_nearest_rank_within_the_measured_values()
    {
        var histogram = new LatencyHistogram();
        for (var i = 1; i <= 1000; i++)
            histogram.Add(i * 1000L);
        Assert.InRange(histogram.GetPercentile(50)!.Value, 500_000 * 0.992, 500_000 * 1.008);
        Assert.InRange(histogram.GetPercentile(99)!.Value, 990_000 * 0.992, 990_000 * 1.008);
        Assert.Equal(1_000_000, histogram.GetPercentile(100));
        var single = new LatencyHistogram();
        single.Add(123_457);
        Assert.Equal(123_457, single.GetPercentile(50));
    }

    [Fact]
    public void Percentile_is_null_with_fewer_than_ten_samples_beyond_it()
    {
        var histogram = new LatencyHistogram();
        for (var i = 0; i < 999; i++)
            histogram.Add(1000);
        Assert.Null(histogram.GetTrustedPercentile(99));
        histogram.Add(1000);
        Assert.Equal(1000, histogram.GetTrustedPercentile(99));
        Assert.Null(histogram.GetTrustedPercentile(99.9));
        Assert.Null(new LatencyHistogram().GetTrustedPercentile(0));
    }

    [Fact]
    public void Merging_adds_counts_instead_of_averaging_percentiles()
    {
        var fast = new LatencyHistogram();
        var slow = new LatencyHistogram();
        for (var i = 0; i < 990; i++)
            fast.Add(100_000);
        for (var i = 0; i < 10; i++)
            slow.Add(50_000_000);
        fast.Add(slow);
        Assert.Equal(1000, fast.Count);
        Assert.Equal(100_000, fast.GetPercentile(99)!.Value, 0.01 * 100_000);
        Assert.Equal(50_000_000, fast.GetPercentile(99.5)!.Value, 0.01 * 50_000_000);
        Assert.Equal((990 * 100_000.0 + 10 * 50_000_000.0) / 1000, fast.Average);
    }
}
