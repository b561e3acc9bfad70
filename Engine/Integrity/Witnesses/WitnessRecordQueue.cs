namespace IoBench.Engine;

/// <summary>
/// Lock-free queue from one worker thread to the witness thread. If the queue is full, the worker waits, because a write without a record
/// cannot be verified.
/// </summary>
internal sealed class WitnessRecordQueue(ushort target, ushort thread)
{
    private const int Capacity = 1 << 14;

    private readonly WitnessRecord[] _records = new WitnessRecord[Capacity];
    private long _written;
    private long _read;
    private volatile bool _isClosed;

    public void Enqueue(WitnessRecordKind kind, long offset, int length, ulong number)
    {
        while (_written - Volatile.Read(ref _read) == Capacity)
        {
            if (_isClosed)
                return;
            Thread.Yield();
        }
        _records[_written % Capacity] = new WitnessRecord(kind, target, thread, length, offset, number);
        Volatile.Write(ref _written, _written + 1);
    }

    public int Dequeue(Span<byte> to)
    {
        var count = 0;
        var written = Volatile.Read(ref _written);
        for (; _read < written && to.Length >= WitnessRecord.Size; count++)
        {
            _records[_read % Capacity].WriteTo(to);
            to = to[WitnessRecord.Size..];
            Volatile.Write(ref _read, _read + 1);
        }
        return count;
    }

    /// <summary>Call if the witness is lost: a worker no longer waits for space in the queue.</summary>
    public void Close() => _isClosed = true;
}
