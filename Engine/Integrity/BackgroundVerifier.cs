namespace IoBench.Engine;

/// <summary>
/// Verifies reads on its own thread, because the second read can hang with the disk, and the measurement must not wait for it.
/// </summary>
internal sealed unsafe class BackgroundVerifier(CorruptionClassifier judge, IntegrityErrorLog log, int groupSize) : IReadVerifier
{
    // Each entry holds the bytes of its read. The queue only fills up if nearly every read is wrong; the first ones are then sufficient.
    private const int MaxWaiting = 4096;

    private readonly Queue<SuspectRead> _waiting = new();
    private Thread? _thread;
    private bool _isEnded;

    public void Verify(ReadOnlySpan<byte> found, long offset, ChecksumMapEntry* before, IoIntegrityPhase phase)
    {
        var read = new SuspectRead(
            found.ToArray(),
            offset,
            new ReadOnlySpan<ChecksumMapEntry>(before, found.Length / groupSize).ToArray(),
            phase
        );
        lock (_waiting)
        {
            if (_waiting.Count == MaxWaiting)
            {
                log.AddUnverified(read.Before.Length);
                return;
            }
            _waiting.Enqueue(read);
            Monitor.Pulse(_waiting);
        }
        if (_thread is not null)
            return;
        _thread = new Thread(VerifyQueue) { IsBackground = true, Name = "IoBench judge" };
        _thread.Start();
    }

    /// <summary>Waits until the queue is empty. Returns false after the time limit; the remaining groups count as not verified.</summary>
    public bool Complete(TimeSpan patience)
    {
        lock (_waiting)
        {
            _isEnded = true;
            Monitor.PulseAll(_waiting);
        }
        if (_thread?.Join(patience) != false)
            return true;
        lock (_waiting)
            log.AddUnverified(_waiting.Sum(read => read.Before.Length));
        return false;
    }

    private void VerifyQueue()
    {
        while (Dequeue() is { } read)
            fixed (ChecksumMapEntry* entries = read.Before)
                judge.Verify(read.Found, read.Offset, entries, read.Phase);
    }

    private SuspectRead? Dequeue()
    {
        lock (_waiting)
        {
            while (_waiting.Count == 0 && !_isEnded)
                Monitor.Wait(_waiting);
            return _waiting.TryDequeue(out var read) ? read : null;
        }
    }

    private sealed record SuspectRead(byte[] Found, long Offset, ChecksumMapEntry[] Before, IoIntegrityPhase Phase);
}
