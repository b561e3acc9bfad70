namespace IoBench.Engine;

/// <summary>
/// Verifies reads on its own thread. Verification reads the offset again, and that read can hang with the disk; the measurement of an
/// outage must not wait for it.
/// </summary>
/// <param name="log">Receives the number of groups that could not be verified.</param>
/// <param name="groupSize">Bytes per group of sectors.</param>
internal sealed unsafe class QueuedJudge(IntegrityJudge judge, IntegrityLog log, int groupSize) : IReadJudge
{
    // Each entry holds the bytes of its read. The queue only fills up if nearly every read is wrong, and then the first ones are
    // sufficient.
    private const int MaxWaiting = 4096;

    private readonly Queue<WrongRead> _waiting = new();
    private Thread? _thread;
    private bool _isEnded;

    public void Judge(ReadOnlySpan<byte> found, long offset, MapEntry* before, IoIntegrityPhase phase)
    {
        var read = new WrongRead(found.ToArray(), offset, new ReadOnlySpan<MapEntry>(before, found.Length / groupSize).ToArray(), phase);
        lock (_waiting)
        {
            if (_waiting.Count == MaxWaiting)
            {
                log.AddUnjudged(read.Before.Length);
                return;
            }
            _waiting.Enqueue(read);
            Monitor.Pulse(_waiting);
        }
        if (_thread is not null)
            return;
        _thread = new Thread(Work) { IsBackground = true, Name = "IoBench judge" };
        _thread.Start();
    }

    /// <summary>Waits until the queue is empty. Returns false after the time limit; the remaining groups count as not verified.</summary>
    public bool End(TimeSpan patience)
    {
        lock (_waiting)
        {
            _isEnded = true;
            Monitor.PulseAll(_waiting);
        }
        if (_thread?.Join(patience) != false)
            return true;
        lock (_waiting)
            log.AddUnjudged(_waiting.Sum(read => read.Before.Length));
        return false;
    }

    private void Work()
    {
        while (Next() is { } read)
            fixed (MapEntry* entries = read.Before)
                judge.Judge(read.Found, read.Offset, entries, read.Phase);
    }

    private WrongRead? Next()
    {
        lock (_waiting)
        {
            while (_waiting.Count == 0 && !_isEnded)
                Monitor.Wait(_waiting);
            return _waiting.TryDequeue(out var read) ? read : null;
        }
    }

    private sealed record WrongRead(byte[] Found, long Offset, MapEntry[] Before, IoIntegrityPhase Phase);
}
