namespace IoBench.Engine;

/// <summary>Latencies of a closed loop by interval, as differences of histograms, without a cost per I/O.</summary>
internal sealed class ClosedLoopIntervals
{
    private readonly TargetStream[] _streams;
    private readonly IntervalHistograms _into;
    private readonly long[] _sum = new long[IntervalHistograms.BucketCount];
    private readonly long[] _readsBefore = new long[IntervalHistograms.BucketCount];
    private readonly long[] _writesBefore = new long[IntervalHistograms.BucketCount];

    public ClosedLoopIntervals(TargetStream[] streams, IntervalHistograms into) => (_streams, _into) = (streams, into);

    /// <summary>Ends an interval. Can be called more than once, and with -1 outside of the measured time.</summary>
    public void EndInterval(int interval)
    {
        if (interval < 0)
            return;
        var column = _into.GetColumn(interval);
        AddDifference(_into.GetReads(column), reads: true, _readsBefore);
        AddDifference(_into.GetWrites(column), reads: false, _writesBefore);
    }

    private void AddDifference(Span<uint> row, bool reads, long[] before)
    {
        if (row.IsEmpty)
            return;
        Array.Clear(_sum);
        foreach (var stream in _streams)
            (reads ? stream.Latencies.Service.Reads : stream.Latencies.Service.Writes)?.AddTo(_sum);
        for (var i = 0; i < row.Length; i++)
        {
            row[i] = IntervalHistograms.AddSaturating(row[i], _sum[i] - before[i]);
            before[i] = _sum[i];
        }
    }
}
