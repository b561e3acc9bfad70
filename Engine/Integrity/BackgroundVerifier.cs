namespace IoBench.Engine;

/// <summary>
/// Verifies reads on its own thread, because the second read can hang with the disk, and the measurement must not wait for it.
/// </summary>
internal sealed unsafe class BackgroundVerifier(CorruptionClassifier classifier, IntegrityErrorLog log, int groupSize)
{
    // Each entry holds the bytes of its read. The queue only fills up if nearly every read is wrong; the first ones are then sufficient.
    private const int MaxWaiting = 4096;

    private readonly Queue<(byte[] Found, long Offset, ChecksumMapEntry[] Before, IoIntegrityPhase Phase)> _waiting = new();
    private Thread? _thread;
    private bool _isEnded;

    public void Verify(ReadOnlySpan<byte> found, long offset, ChecksumMapEntry* before, IoIntegrityPhase phase)
    {
        var bytes = found.ToArray();
        var entries = new ReadOnlySpan<ChecksumMapEntry>(before, found.Length / groupSize).ToArray();
        lock (_waiting)
        {
            if (_waiting.Count == MaxWaiting)
            {
                log.AddUnverified(entries.Length);
                return;
            }
            _waiting.Enqueue((bytes, offset, entries, phase));
            Monitor.Pulse(_waiting);
        }
        if (_thread is not null)
            return;
        _thread = new Thread(VerifyQueue) { IsBackground = true, Name = "IoBench classifier" };
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
        while (TryDequeue(out var read))
            fixed (ChecksumMapEntry* entries = read.Before)
                classifier.Verify(read.Found, read.Offset, entries, read.Phase);
    }

    private bool TryDequeue(out (byte[] Found, long Offset, ChecksumMapEntry[] Before, IoIntegrityPhase Phase) read)
    {
        lock (_waiting)
        {
            while (_waiting.Count == 0 && !_isEnded)
                Monitor.Wait(_waiting);
            return _waiting.TryDequeue(out read);
        }
    }
}
