namespace IoBench.Engine.Integrity.Witnesses;

/// <summary>
/// What one thread has to report to the witness: written by the thread, read by the witness's own, without a lock. A thread whose queue is full waits: what is not
/// noted cannot be checked.
/// </summary>
internal sealed class WitnessQueue(ushort target, ushort thread)
{
    private const int Room = 1 << 14;

    private readonly WitnessRecord[] _records = new WitnessRecord[Room];
    private long _written;
    private long _read;
    private volatile bool _isClosed;

    /// <summary>Notes something.</summary>
    public void Add(WitnessKind kind, long offset, int length, ulong number)
    {
        while (_written - Volatile.Read(ref _read) == Room)
        {
            if (_isClosed)
                return;
            Thread.Yield();
        }
        _records[_written % Room] = new WitnessRecord(kind, target, thread, length, offset, number);
        Volatile.Write(ref _written, _written + 1);
    }

    /// <summary>Takes what was noted; returns how many records it wrote.</summary>
    public int Take(Span<byte> to)
    {
        var count = 0;
        var written = Volatile.Read(ref _written);
        for (; _read < written && to.Length >= WitnessRecord.Size; count++)
        {
            _records[_read % Room].WriteTo(to);
            to = to[WitnessRecord.Size..];
            Volatile.Write(ref _read, _read + 1);
        }
        return count;
    }

    /// <summary>Nobody listens any more.</summary>
    public void Close() => _isClosed = true;
}
