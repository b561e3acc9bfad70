namespace IoBench.Engine.Measurement;

/// <summary>
/// A closed loop's latencies by interval, without a cost per I/O: at the end of an interval they are what its streams' histograms have more
/// than at its beginning.
/// </summary>
internal sealed class IntervalFold
{
    private readonly TargetStream[] _streams;
    private readonly IntervalHistograms _into;
    private readonly long[] _sum = new long[IntervalHistograms.BucketCount];
    private readonly long[] _readsBefore = new long[IntervalHistograms.BucketCount];
    private readonly long[] _writesBefore = new long[IntervalHistograms.BucketCount];

    /// <summary>Folds a worker's streams.</summary>
    public IntervalFold(TargetStream[] streams, IntervalHistograms into) => (_streams, _into) = (streams, into);

    /// <summary>An interval is over; may be called more than once, and -1 outside the measured time.</summary>
    public void End(int interval)
    {
        if (interval < 0)
            return;
        var column = _into.ColumnOf(interval);
        Fold(_into.Reads(column), reads: true, _readsBefore);
        Fold(_into.Writes(column), reads: false, _writesBefore);
    }

    private void Fold(Span<uint> row, bool reads, long[] before)
    {
        if (row.IsEmpty)
            return;
        Array.Clear(_sum);
        foreach (var stream in _streams)
            (reads ? stream.Latencies.Service.Reads : stream.Latencies.Service.Writes)?.AddTo(_sum);
        for (var i = 0; i < row.Length; i++)
        {
            row[i] = IntervalHistograms.Sum(row[i], _sum[i] - before[i]);
            before[i] = _sum[i];
        }
    }
}
