namespace IoBench.Engine.Measurement;

/// <summary>Latencies by interval of all workers of a run.</summary>
internal sealed class IntervalTotals
{
    private readonly int _intervalsPerColumn;
    private readonly long[][] _reads;
    private readonly long[][] _writes;
    private readonly long[] _longest;
    private readonly double[] _sum;
    private readonly bool _isResponse;

    /// <summary>The sum of workers' histograms.</summary>
    /// <param name="workers">Theirs; those without an open loop are left out where another has one, as in all figures of response.</param>
    /// <param name="isResponse">Response times of an open loop, by the moment an I/O was due; else service times, by the moment it ended.</param>
    public IntervalTotals(IEnumerable<IntervalHistograms> workers, bool isResponse)
    {
        var all = workers.ToList();
        _isResponse = isResponse;
        // Each is a power of 2: the widest columns hold whole ones of all others.
        _intervalsPerColumn = all.Select(worker => worker.IntervalsPerColumn).DefaultIfEmpty(1).Max();
        var columns = all.Select(worker => worker.Columns).DefaultIfEmpty(0).Max();
        _reads = Rows(columns);
        _writes = Rows(columns);
        _longest = new long[columns];
        _sum = new double[columns];
        foreach (var worker in all)
        {
            for (var column = 0; column < worker.Columns; column++)
            {
                var to = column * worker.IntervalsPerColumn / _intervalsPerColumn;
                Add(worker.Reads(column), _reads[to]);
                Add(worker.Writes(column), _writes[to]);
                _longest[to] = Math.Max(_longest[to], worker.Longest(column));
                _sum[to] += worker.SumOf(column);
            }
        }
    }

    /// <summary>Gives each column to the point of the timeline that it ends with.</summary>
    /// <param name="timeline">The points, one per interval.</param>
    /// <param name="intervals">The intervals' figures.</param>
    /// <param name="intervalSeconds">Length of an interval.</param>
    public void Fill(IReadOnlyList<IoTimelinePoint> timeline, ReadOnlySpan<TimelineInterval> intervals, double intervalSeconds)
    {
        for (var (column, first) = (0, 0); first < timeline.Count; column++, first += _intervalsPerColumn)
        {
            var end = Math.Min(timeline.Count, first + _intervalsPerColumn);
            var (longest, sum) = (_longest[column], _sum[column]);
            for (var i = first; i < end && !_isResponse; i++)
            {
                longest = Math.Max(longest, intervals[i].LatencyMax);
                sum += intervals[i].LatencySum;
            }
            timeline[end - 1].Latencies = IoIntervalLatency.Of(
                _reads[column],
                _writes[column],
                longest,
                sum,
                first * intervalSeconds,
                _isResponse
            );
        }
    }

    private static long[][] Rows(int columns)
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
