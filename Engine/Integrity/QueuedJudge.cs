namespace IoBench.Engine.Integrity;

/// <summary>
/// Judges on a thread of its own. A judge reads the place once more, and that read may hang with its disk: whoever measures an outage must not wait for it.
/// </summary>
/// <param name="log">Receives how many reads could not be judged.</param>
/// <param name="groupSize">Bytes of a group of sectors.</param>
internal sealed unsafe class QueuedJudge(IntegrityJudge judge, IntegrityLog log, int groupSize) : IReadJudge
{
    // Each holds the bytes of its read. More come only where nearly every read is wrong, and then the first ones say enough.
    private const int MaxWaiting = 4096;

    private readonly Queue<WrongRead> _waiting = new();
    private Thread? _thread;
    private bool _isEnded;

    /// <inheritdoc/>
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

    /// <summary>Nothing more comes: waits until all is judged. False when that takes longer: the rest counts as not judged.</summary>
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
