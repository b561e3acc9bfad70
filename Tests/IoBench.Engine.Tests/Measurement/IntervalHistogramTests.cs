namespace IoBench.Engine.Tests;

public class IntervalHistogramTests
{
    [Fact]
    public void Merging_adjacent_intervals_loses_no_latencies()
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
                (reads, column => intervals.GetReads(column).ToArray()),
                (writes, column => intervals.GetWrites(column).ToArray()),
            }
        )
        {
            var all = Enumerable.Range(0, 64).Select(row).ToArray();
            for (var bucket = 0; bucket < IntervalHistograms.BucketCount; bucket++)
                Assert.Equal(
                    histogram.CountInBuckets(bucket * IntervalHistograms.MergedBuckets, IntervalHistograms.MergedBuckets),
                    all.Sum(counts => (long)counts[bucket])
                );
        }
        Assert.Equal(Math.Max(reads.Max, writes.Max), Enumerable.Range(0, 64).Max(intervals.GetLongest));
        for (var column = 0; column < 43; column++)
            Assert.Equal(
                column < 42 ? 2048 : 86_400 - 42 * 2048,
                SumCounts(intervals.GetReads(column)) + SumCounts(intervals.GetWrites(column))
            );
    }

    [Theory]
    [InlineData(30, 8, 30)]
    [InlineData(86_400, 8, 1024)]
    [InlineData(86_400, 512, 120)]
    [InlineData(86_400, 100_000, 64)]
    public void Column_count_keeps_all_workers_within_the_memory_budget(long intervals, int kinds, int columns) =>
        Assert.Equal(columns, IntervalHistograms.GetColumnCount(intervals, kinds));

    [Fact]
    public void Adding_and_merging_allocate_nothing()
    {
        var intervals = new IntervalHistograms(64, reads: true, writes: true);
        intervals.SetIntervalLength(1000);
        intervals.Add(true, 5, 5);
        intervals.GetColumn(64);
        var before = GC.GetAllocatedBytesForCurrentThread();
        for (var i = 0; i < 1_000_000; i++)
            intervals.Add((i & 1) == 0, i, i);
        Assert.Equal(0, GC.GetAllocatedBytesForCurrentThread() - before);
    }

    [Theory]
    [InlineData(1_000_000, 0)]
    [InlineData(0, 3)]
    [InlineData(777, 333)]
    public void Backlog_counts_in_the_intervals_in_which_it_was_due(long reads, long writes)
    {
        const long second = 1_000_000_000;
        var intervals = new IntervalHistograms(10, reads: true, writes: true);
        intervals.SetIntervalLength(second);
        // Due from 2 s to 7 s and counted at 9 s.
        intervals.AddEvenly(reads, writes, 2 * second, 7 * second, 9 * second);
        Assert.Equal(
            (reads, writes),
            (
                Enumerable.Range(0, 10).Sum(c => SumCounts(intervals.GetReads(c))),
                Enumerable.Range(0, 10).Sum(c => SumCounts(intervals.GetWrites(c)))
            )
        );
        Assert.Equal(
            0,
            SumCounts(intervals.GetReads(1))
                + SumCounts(intervals.GetReads(8))
                + SumCounts(intervals.GetWrites(1))
                + SumCounts(intervals.GetWrites(8))
        );
        if (reads + writes < 100)
            return;
        for (var column = 2; column < 7; column++)
        {
            Assert.InRange(
                SumCounts(intervals.GetReads(column)) + SumCounts(intervals.GetWrites(column)),
                (reads + writes) / 5 - 1,
                (reads + writes) / 5 + 1
            );
            // The age of an I/O is 9 s minus its due time.
            Assert.InRange(intervals.GetLongest(column) / (double)second, 9 - column - 0.01, 9 - column);
        }
    }

    private static long SumCounts(ReadOnlySpan<uint> counts)
    {
        long sum = 0;
        foreach (var count in counts)
            sum += count;
        return sum;
    }
}
