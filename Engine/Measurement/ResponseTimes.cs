namespace IoBench.Engine;

/// <summary>Response times of an open loop. All I/Os due in the measured time count, so that no stall is omitted.</summary>
/// <remarks>I/Os that complete later count with their full time, and those that never complete with their age.</remarks>
internal sealed class ResponseTimes(bool reads = true, bool writes = true)
{
    private IntervalHistograms? _intervals;
    private long _from;
    private long _to;
    private long _writeShare;

    public ReadWriteHistograms Latencies { get; } = new(reads, writes);

    public long DueCount => (Latencies.Reads?.Count ?? 0) + (Latencies.Writes?.Count ?? 0);

    /// <summary>I/Os that were due in the measured time but were not complete at its end.</summary>
    public long UnfinishedCount { get; private set; }

    /// <summary>Age of the oldest of those I/Os at the end, in nanoseconds.</summary>
    public long OldestUnfinishedAge { get; private set; }

    public void SetMeasuredTime(long from, long to, IntervalHistograms? intervals = null)
    {
        _from = from;
        _to = to;
        _intervals = intervals;
    }

    public void ShortenTo(long moment) => _to = Math.Min(_to, moment);

    public void RecordCompletion(IoRequestKind operation, long due, long now)
    {
        if (due < _from || due >= _to || operation == IoRequestKind.Flush)
            return;
        (operation == IoRequestKind.Read ? Latencies.Reads : Latencies.Writes)!.Add(Math.Max(0, now - due));
        _intervals?.Add(operation == IoRequestKind.Read, Math.Max(0, now - due), due - _from);
        if (now >= _to)
            AddUnfinished(1, due);
    }

    /// <summary>Adds I/Os that never started and were due evenly from the first to the last time. They count with their age.</summary>
    public void RecordNeverStarted(long count, long first, long last, long now, int writePercent)
    {
        // The remainder of the percentage carries over to the next call, so that single I/Os are divided in proportion too.
        _writeShare += count * writePercent;
        var writes = _writeShare / 100;
        _writeShare -= writes * 100;
        Latencies.Writes?.AddEvenly(writes, now - last, now - first);
        Latencies.Reads?.AddEvenly(count - writes, now - last, now - first);
        _intervals?.AddEvenly(count - writes, writes, first - _from, last - _from, now - _from);
        AddUnfinished(count, first);
    }

    public void Add(ResponseTimes other)
    {
        Latencies.Add(other.Latencies);
        UnfinishedCount += other.UnfinishedCount;
        OldestUnfinishedAge = Math.Max(OldestUnfinishedAge, other.OldestUnfinishedAge);
    }

    private void AddUnfinished(long count, long due)
    {
        UnfinishedCount += count;
        OldestUnfinishedAge = Math.Max(OldestUnfinishedAge, _to - due);
    }
}
