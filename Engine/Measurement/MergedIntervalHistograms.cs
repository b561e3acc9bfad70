namespace IoBench.Engine;

internal sealed class MergedIntervalHistograms
{
    private readonly int _intervalsPerColumn;
    private readonly long[][] _reads;
    private readonly long[][] _writes;
    private readonly long[] _longest;
    private readonly double[] _sum;
    private readonly bool _isResponse;

    /// <param name="workers">Without the workers of closed loops if another worker has an open loop.</param>
    /// <param name="isResponse">True for response times by the scheduled start; false for service times by the completion.</param>
    public MergedIntervalHistograms(IEnumerable<IntervalHistograms> workers, bool isResponse)
    {
        var all = workers.ToList();
        _isResponse = isResponse;
        // Each value is a power of 2, so the widest column contains whole columns of all other workers.
        _intervalsPerColumn = all.Select(worker => worker.IntervalsPerColumn).DefaultIfEmpty(1).Max();
        var columns = all.Select(worker => worker.Columns).DefaultIfEmpty(0).Max();
        _reads = CreateRows(columns);
        _writes = CreateRows(columns);
        _longest = new long[columns];
        _sum = new double[columns];
        foreach (var worker in all)
        {
            for (var column = 0; column < worker.Columns; column++)
            {
                var to = column * worker.IntervalsPerColumn / _intervalsPerColumn;
                Add(worker.GetReads(column), _reads[to]);
                Add(worker.GetWrites(column), _writes[to]);
                _longest[to] = Math.Max(_longest[to], worker.GetLongest(column));
                _sum[to] += worker.GetSum(column);
            }
        }
    }

    public void FillTimeline(IReadOnlyList<IoTimelinePoint> timeline, ReadOnlySpan<TimelineInterval> intervals, double intervalSeconds)
    {
        for (int column = 0, first = 0; first < timeline.Count; column++, first += _intervalsPerColumn)
        {
            var end = Math.Min(timeline.Count, first + _intervalsPerColumn);
            var longest = _longest[column];
            var sum = _sum[column];
            for (var i = first; i < end && !_isResponse; i++)
            {
                longest = Math.Max(longest, intervals[i].LatencyMax);
                sum += intervals[i].LatencySum;
            }
            timeline[end - 1].Latencies = IoIntervalLatency.FromCounts(
                _reads[column],
                _writes[column],
                longest,
                sum,
                first * intervalSeconds,
                _isResponse
            );
        }
    }

    private static long[][] CreateRows(int columns)
    {
        var rows = new long[columns][];
        for (var i = 0; i < columns; i++)
            rows[i] = new long[IntervalHistograms.BucketCount];
        return rows;
    }

    private static void Add(ReadOnlySpan<uint> from, long[] to)
    {
        for (var i = 0; i < from.Length; i++)
            to[i] += from[i];
    }
}
