namespace IoBench.Engine.Tests;

public class IntervalHistogramTests
{
    [Fact]
    public void Neighbours_are_merged_without_losing_one_when_there_are_more_intervals_than_columns()
    {
        var intervals = new IntervalHistograms(64, reads: true, writes: true);
        var random = new Random(7);
        var (reads, writes) = (new LatencyHistogram(), new LatencyHistogram());
        for (var second = 0; second < 86_400; second++)
        {
            var latency = random.NextInt64(1, 3_000_000_000);
            intervals.Add(second % 3 > 0, latency, second);
            (second % 3 > 0 ? reads : writes).Add(latency);
        }
        // 86,400 / 64 = 1,350, and 2,048 is the next power of 2.
        Assert.Equal(2048, intervals.IntervalsPerColumn);
        foreach (
            var (histogram, row) in new (LatencyHistogram, Func<int, uint[]>)[]
            {
                (reads, column => intervals.Reads(column).ToArray()),
                (writes, column => intervals.Writes(column).ToArray()),
            }
        )
        {
            var all = Enumerable.Range(0, 64).Select(row).ToArray();
            for (var bucket = 0; bucket < IntervalHistograms.BucketCount; bucket++)
                Assert.Equal(
                    histogram.CountOf(bucket * IntervalHistograms.MergedBuckets, IntervalHistograms.MergedBuckets),
                    all.Sum(counts => (long)counts[bucket])
                );
        }
        Assert.Equal(Math.Max(reads.Max, writes.Max), Enumerable.Range(0, 64).Max(intervals.Longest));
        for (var column = 0; column < 43; column++)
            Assert.Equal(column < 42 ? 2048 : 86_400 - 42 * 2048, Sum(intervals.Reads(column)) + Sum(intervals.Writes(column)));
    }

    [Theory]
    [InlineData(30, 8, 30)]
    [InlineData(86_400, 8, 1024)]
    [InlineData(86_400, 512, 120)]
    [InlineData(86_400, 100_000, 64)]
    public void All_workers_together_stay_within_a_budget(long intervals, int kinds, int columns) =>
        Assert.Equal(columns, IntervalHistograms.ColumnsFor(intervals, kinds));

    [Fact]
    public void Adding_allocates_nothing_and_neither_does_merging()
    {
        var intervals = new IntervalHistograms(64, reads: true, writes: true);
        intervals.Begin(1000);
        intervals.Add(true, 5, 5);
        intervals.ColumnOf(64);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000_000; i++)
            intervals.Add((i & 1) == 0, i, i);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Theory]
    [InlineData(1_000_000, 0)]
    [InlineData(0, 3)]
    [InlineData(777, 333)]
    public void A_backlog_is_shared_out_to_the_moments_at_which_it_was_due(long reads, long writes)
    {
        const long second = 1_000_000_000;
        var intervals = new IntervalHistograms(10, reads: true, writes: true);
        intervals.Begin(second);
        // Due from 2 s to 7 s and counted at 9 s.
        intervals.AddEvenly(reads, writes, 2 * second, 7 * second, 9 * second);
        Assert.Equal(
            (reads, writes),
            (Enumerable.Range(0, 10).Sum(c => Sum(intervals.Reads(c))), Enumerable.Range(0, 10).Sum(c => Sum(intervals.Writes(c))))
        );
        Assert.Equal(0, Sum(intervals.Reads(1)) + Sum(intervals.Reads(8)) + Sum(intervals.Writes(1)) + Sum(intervals.Writes(8)));
        if (reads + writes < 100)
            return;
        for (var column = 2; column < 7; column++)
        {
            Assert.InRange(
                Sum(intervals.Reads(column)) + Sum(intervals.Writes(column)),
                (reads + writes) / 5 - 1,
                (reads + writes) / 5 + 1
            );
            // The age of an I/O is 9 s minus its due time.
            Assert.InRange(intervals.Longest(column) / (double)second, 9 - column - 0.01, 9 - column);
        }
    }

    private static long Sum(ReadOnlySpan<uint> counts)
    {
        long sum = 0;
        foreach (var count in counts)
            sum += count;
        return sum;
    }
}
