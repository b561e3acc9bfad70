namespace IoBench.Engine;

/// <summary>Latencies of a worker by interval: a coarse histogram of reads and one of writes per column.</summary>
/// <remarks>Allocated at the start; neighbors are merged if needed. A bucket combines 8 of <see cref="LatencyHistogram"/>.</remarks>
internal sealed class IntervalHistograms
{
    public const int MergedBuckets = 8;

    public const int BucketCount = LatencyHistogram.BucketCount / MergedBuckets;

    public const int ColumnBytes = BucketCount * sizeof(uint);

    // Even, so that columns can be merged in pairs.
    private const int MaxColumns = 1024;
    private const int FewestColumns = 64;
    private const long MaxBytes = 64L << 20;

    private readonly int _columns;
    private readonly uint[] _reads;
    private readonly uint[] _writes;
    private readonly long[] _longest;
    private readonly double[] _sum;
    private readonly long[]? _total;
    private readonly long[]? _readsBefore;
    private readonly long[]? _writesBefore;
    private long _interval = 1;

    // The column that was found last, because I/Os arrive nearly in the order of their scheduled starts.
    private long _foundFrom;
    private long _foundLength;
    private int _found;

    /// <param name="isClosedLoop">Allocates what <see cref="AddDifferences"/> needs.</param>
    public IntervalHistograms(int columns, bool reads, bool writes, bool isClosedLoop = false)
    {
        _columns = columns;
        _reads = new uint[reads ? columns * BucketCount : 0];
        _writes = new uint[writes ? columns * BucketCount : 0];
        _longest = new long[columns];
        _sum = new double[columns];
        if (!isClosedLoop)
            return;
        _total = new long[BucketCount];
        _readsBefore = new long[BucketCount];
        _writesBefore = new long[BucketCount];
    }

    /// <summary>One column per interval, as long as all workers together use at most 64 MiB.</summary>
    /// <param name="kinds">Kinds of I/O (read, write) of all workers together.</param>
    public static int GetColumnCount(long intervals, int kinds) =>
        (int)Math.Min(intervals, Math.Clamp(MaxBytes / ColumnBytes / Math.Max(1, kinds) / 2 * 2, FewestColumns, MaxColumns));

    public int IntervalsPerColumn { get; private set; } = 1;

    public int Columns => _columns;

    public Span<uint> GetReads(int column) => GetRow(_reads, column);

    public Span<uint> GetWrites(int column) => GetRow(_writes, column);

    public long GetLongest(int column) => _longest[column];

    public double GetSum(int column) => _sum[column];

    public void SetIntervalLength(long interval) => _interval = interval;

    /// <summary>Returns the column of an interval. Merges columns if the interval is beyond the last one.</summary>
    public int GetColumn(long interval)
    {
        while (interval / IntervalsPerColumn >= _columns)
            MergeColumns();
        return (int)(interval / IntervalsPerColumn);
    }

    /// <param name="moment">Nanoseconds since the start of the measured time.</param>
    public void Add(bool isRead, long latency, long moment)
    {
        if ((ulong)(moment - _foundFrom) >= (ulong)_foundLength)
            FindColumn(moment);
        (isRead ? _reads : _writes)[_found * BucketCount + LatencyHistogram.GetBucketIndex(latency) / MergedBuckets]++;
        _sum[_found] += latency;
        if (latency > _longest[_found])
            _longest[_found] = latency;
    }

    /// <summary>Adds unfinished I/Os that were due evenly between two times, with their ages at <paramref name="now"/>.</summary>
    public void AddEvenly(long reads, long writes, long first, long last, long now)
    {
        var count = reads + writes;
        var step = count <= 1 ? 0 : (double)(last - first) / (count - 1);
        for (long done = 0; done < count; )
        {
            var from = step == 0 ? first : first + (long)(done * step);
            FindColumn(from);
            var end = _foundFrom + _foundLength;
            var until = step == 0 || end > last ? count : Math.Clamp((long)Math.Ceiling((end - first) / step), done + 1, count);
            var to = step == 0 ? first : first + (long)((until - 1) * step);
            // Distribute the writes over the columns in proportion, without losing one to rounding.
            var written = GetShare(writes, until, count) - GetShare(writes, done, count);
            AddAges(GetReads(_found), until - done - written, now - to, now - from);
            AddAges(GetWrites(_found), written, now - to, now - from);
            _longest[_found] = Math.Max(_longest[_found], now - from);
            _sum[_found] += (until - done) * ((now - to) / 2.0 + (now - from) / 2.0);
            done = until;
        }
    }

    /// <summary>Adds the latencies of a closed loop as differences of its histograms, without a cost per I/O.</summary>
    /// <param name="interval">Interval that ends; -1 outside of the measured time. The same interval can end more than once.</param>
    public void AddDifferences(int interval, TargetStream[] streams)
    {
        if (interval < 0)
            return;
        var column = GetColumn(interval);
        AddDifference(GetReads(column), streams, reads: true, _readsBefore!);
        AddDifference(GetWrites(column), streams, reads: false, _writesBefore!);
    }

    private void AddDifference(Span<uint> row, TargetStream[] streams, bool reads, long[] before)
    {
        if (row.IsEmpty)
            return;
        var total = _total!;
        Array.Clear(total);
        foreach (var stream in streams)
            (reads ? stream.Latencies.Service.Reads : stream.Latencies.Service.Writes)?.AddTo(total);
        for (var i = 0; i < row.Length; i++)
        {
            row[i] = AddSaturating(row[i], total[i] - before[i]);
            before[i] = total[i];
        }
    }

    private static long GetShare(long writes, long part, long count) => (long)((Int128)writes * part / count);

    private static void AddAges(Span<uint> row, long count, long lowest, long highest)
    {
        if (row.IsEmpty || count <= 0)
            return;
        var ages = new LatencyHistogram();
        ages.AddEvenly(count, lowest, highest);
        for (var i = 0; i < row.Length; i++)
            row[i] = AddSaturating(row[i], ages.CountInBuckets(i * MergedBuckets, MergedBuckets));
    }

    private void FindColumn(long moment)
    {
        _found = GetColumn(moment / _interval);
        _foundLength = _interval * IntervalsPerColumn;
        _foundFrom = _found * _foundLength;
    }

    private void MergeColumns()
    {
        IntervalsPerColumn *= 2;
        _foundLength = 0;
        for (var to = 0; to < _columns; to++)
        {
            _longest[to] = to * 2 < _columns ? Math.Max(_longest[to * 2], _longest[to * 2 + 1]) : 0;
            _sum[to] = to * 2 < _columns ? _sum[to * 2] + _sum[to * 2 + 1] : 0;
            MergeRow(_reads, to);
            MergeRow(_writes, to);
        }
    }

    private void MergeRow(uint[] counts, int to)
    {
        var row = GetRow(counts, to);
        if (to * 2 >= _columns)
        {
            row.Clear();
            return;
        }
        var one = GetRow(counts, to * 2);
        var other = GetRow(counts, to * 2 + 1);
        for (var i = 0; i < row.Length; i++)
            row[i] = AddSaturating(one[i], other[i]);
    }

    private static uint AddSaturating(uint count, long more) => (uint)Math.Min(uint.MaxValue, count + more);

    private static Span<uint> GetRow(uint[] counts, int column) =>
        counts.Length == 0 ? [] : counts.AsSpan(column * BucketCount, BucketCount);

    /// <summary>Merges the histograms of all workers into the timeline.</summary>
    /// <param name="workers">Without the workers of closed loops if another worker has an open loop.</param>
    /// <param name="isResponse">True for response times by the scheduled start; false for service times by the completion.</param>
    public static void FillTimeline(
        IReadOnlyList<IntervalHistograms> workers,
        bool isResponse,
        IReadOnlyList<IoTimelinePoint> timeline,
        ReadOnlySpan<TimelineInterval> intervals,
        double intervalSeconds
    )
    {
        // Each value is a power of 2, so the widest column contains whole columns of all other workers.
        var intervalsPerColumn = workers.Select(worker => worker.IntervalsPerColumn).DefaultIfEmpty(1).Max();
        for (int column = 0, first = 0; first < timeline.Count; column++, first += intervalsPerColumn)
        {
            var end = Math.Min(timeline.Count, first + intervalsPerColumn);
            var reads = new long[BucketCount];
            var writes = new long[BucketCount];
            long longest = 0;
            double sum = 0;
            foreach (var worker in workers)
            {
                var columns = intervalsPerColumn / worker.IntervalsPerColumn;
                for (var from = column * columns; from < Math.Min(worker.Columns, (column + 1) * columns); from++)
                {
                    Add(worker.GetReads(from), reads);
                    Add(worker.GetWrites(from), writes);
                    longest = Math.Max(longest, worker.GetLongest(from));
                    sum += worker.GetSum(from);
                }
            }
            for (var i = first; i < end && !isResponse; i++)
            {
                longest = Math.Max(longest, intervals[i].LatencyMax);
                sum += intervals[i].LatencySum;
            }
            timeline[end - 1].Latencies = IoIntervalLatency.FromCounts(reads, writes, longest, sum, first * intervalSeconds, isResponse);
        }
    }

    private static void Add(ReadOnlySpan<uint> from, long[] to)
    {
        for (var i = 0; i < from.Length; i++)
            to[i] += from[i];
    }
}
