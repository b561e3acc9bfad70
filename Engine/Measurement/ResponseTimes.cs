namespace IoBench.Engine.Measurement;

/// <summary>
/// Response times of an open loop. An I/O belongs to the moment it was due: all that were due in the measured time count, those that ended
/// later with their whole time, and those that never ended with their age. So no stall is left out, wherever it falls.
/// </summary>
internal sealed class ResponseTimes(bool reads = true, bool writes = true)
{
    private IntervalHistograms? _intervals;
    private long _from;
    private long _to;
    private long _writeShare;

    public ReadWriteHistograms Latencies { get; } = new(reads, writes);

    /// <summary>I/Os that were due in the measured time.</summary>
    public long DueCount => (Latencies.Reads?.Count ?? 0) + (Latencies.Writes?.Count ?? 0);

    /// <summary>Those of them that were not done when it ended.</summary>
    public long NotDone { get; private set; }

    /// <summary>Age of the oldest of those when it ended, in nanoseconds.</summary>
    public long OldestAge { get; private set; }

    /// <summary>Sets the measured time.</summary>
    /// <param name="from">Its beginning.</param>
    /// <param name="to">Its end.</param>
    /// <param name="intervals">Takes the response times by the interval in which an I/O was due.</param>
    public void Begin(long from, long to, IntervalHistograms? intervals = null) => (_from, _to, _intervals) = (from, to, intervals);

    /// <summary>The run was stopped before the measured time was over.</summary>
    public void EndAt(long moment) => _to = Math.Min(_to, moment);

    /// <summary>An I/O ended.</summary>
    public void Ended(SlotOperation operation, long due, long now)
    {
        if (due < _from || due >= _to || operation == SlotOperation.Flush)
            return;
        (operation == SlotOperation.Read ? Latencies.Reads : Latencies.Writes)!.Add(Math.Max(0, now - due));
        _intervals?.Add(operation == SlotOperation.Read, Math.Max(0, now - due), due - _from);
        if (now >= _to)
            NoteNotDone(1, due);
    }

    /// <summary>I/Os that never started, due evenly from the first to the last moment: they count with their age.</summary>
    /// <param name="count">How many.</param>
    /// <param name="first">When the first was due.</param>
    /// <param name="last">When the last was due.</param>
    /// <param name="now">When no more was awaited.</param>
    /// <param name="writePercent">Share of them that would have been writes.</param>
    public void NeverStarted(long count, long first, long last, long now, int writePercent)
    {
        // What is left of a percentage goes over to the next call, so that single I/Os are shared out too.
        _writeShare += count * writePercent;
        var writes = _writeShare / 100;
        _writeShare -= writes * 100;
        Latencies.Writes?.AddEvenly(writes, now - last, now - first);
        Latencies.Reads?.AddEvenly(count - writes, now - last, now - first);
        _intervals?.AddEvenly(count - writes, writes, first - _from, last - _from, now - _from);
        NoteNotDone(count, first);
    }

    /// <summary>Adds those of another thread or target.</summary>
    public void Add(ResponseTimes other)
    {
        Latencies.Add(other.Latencies);
        NotDone += other.NotDone;
        OldestAge = Math.Max(OldestAge, other.OldestAge);
    }

    private void NoteNotDone(long count, long due)
    {
        NotDone += count;
        OldestAge = Math.Max(OldestAge, _to - due);
    }
}
